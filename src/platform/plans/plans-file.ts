import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import { Type, type TSchema } from 'typebox'
import { OperatorError } from '../core/errors.ts'
import { CAPABILITIES, getStripePrices, LIMITS, mapValues, SELF_HOSTED, type Plan } from './plan.ts'

/** Each `description` completes the sentence "<field> must be …". */
function described(schema: TSchema, description: string) {
  return { ...schema, description }
}

const Limit = described(
  { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  'a whole number from 0, or null for no limit',
)
const Amount = described(
  { type: ['number', 'null'], minimum: 0 },
  'a number from 0, or null for a price by agreement',
)
const OnOff = described(Type.Boolean(), 'true or false')
const PriceId = described(Type.String({ pattern: '^price_\\w+$' }), 'a price id such as price_1Abc')

const PlanSchema = fields(
  {
    id: described(
      Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
      'up to 40 lower-case letters, digits and underscores, a letter first',
    ),
    name: described(
      Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
      'a text of 1 to 100 characters',
    ),
    price: fields({
      monthly: Amount,
      yearly: Amount,
      currency: described(
        Type.String({ pattern: '^[a-z]{3}$' }),
        'a currency in three lower-case letters',
      ),
    }),
    limits: fields(mapValues(LIMITS, () => Limit)),
    capabilities: fields(mapValues(CAPABILITIES, () => OnOff)),
  },
  {
    apiRequestsPerMinute: described(
      { type: ['integer', 'null'], minimum: 1, maximum: 1_000_000_000 },
      'a whole number from 1, or null',
    ),
    stripePriceIds: fields(
      {},
      {
        monthly: PriceId,
        yearly: PriceId,
        former: described(Type.Array(PriceId), 'a list of price ids'),
      },
    ),
  },
)

const FileSchema = fields(
  { plans: described(Type.Array(PlanSchema, { minItems: 1 }), 'a list of plans') },
  { $schema: Type.String() },
)

/** An object of these fields and no others: a misspelled field is reported, not ignored. */
function fields(required: Record<string, object>, optional: Record<string, object> = {}) {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
    description: 'an object',
  }
}

/**
 * Reads the plans of an operator's file.
 * @throws OperatorError in one sentence that names the file, the plan and the field
 */
export function checkPlansFile(path: string): Plan[] {
  const file = `PLANS_FILE (${path})`
  const content = readJson(path, file)
  // Compiled here, because most installations have no file, and a start is shorter without.
  const validate = new Ajv({ strict: false, verbose: true }).compile(FileSchema)
  if (!validate(content))
    throw new OperatorError(`${file}: ${describeError(validate.errors![0]!, content)}`)
  const { plans } = content as { plans: Plan[] }
  const repeated = firstRepeated(plans.map((plan) => plan.id))
  if (repeated !== null) throw new OperatorError(`${file}: two plans have the id "${repeated}".`)
  if (!plans.some((plan) => plan.id === SELF_HOSTED))
    throw new OperatorError(
      `${file}: a plan "${SELF_HOSTED}" is missing; it is the one of workspaces that never had another.`,
    )
  const price = firstRepeated(plans.flatMap(getStripePrices))
  if (price !== null)
    throw new OperatorError(
      `${file}: plan "${plans.findLast((plan) => getStripePrices(plan).includes(price))!.id}": stripePriceIds has ${price}, which is already in use.`,
    )
  return plans
}

function readJson(path: string, file: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new OperatorError(`${file} cannot be read.`)
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new OperatorError(
      `${file} is not JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}.`,
    )
  }
}

/** `plan "pro": limits.domains must be a whole number from 0, or null for no limit.` */
function describeError(error: ErrorObject, content: unknown): string {
  const path = error.instancePath.split('/').slice(1)
  const isInPlan = path[0] === 'plans' && path[1] !== undefined
  const where = isInPlan ? `${planName(content, Number(path[1]))}: ` : ''
  const at = (isInPlan ? path.slice(2) : path).join('.')
  const below = (name: string) => (at === '' ? name : `${at}.${name}`)
  if (error.keyword === 'required')
    return `${where}${below(String(error.params['missingProperty']))} is missing.`
  if (error.keyword === 'additionalProperties')
    return `${where}${below(String(error.params['additionalProperty']))} is unknown.`
  const { description } = error.parentSchema as { description?: string }
  const subject = at === '' ? (isInPlan ? 'it' : 'the file') : at
  return `${where}${subject} must be ${description ?? 'something else'}.`
}

/** A plan's id when it has one, otherwise its position in the list. */
function planName(content: unknown, at: number): string {
  const plan = (content as { plans: unknown[] }).plans[at] as { id?: unknown } | null
  return typeof plan?.id === 'string' && plan.id !== '' ? `plan "${plan.id}"` : `plan ${at + 1}`
}

function firstRepeated(values: readonly string[]): string | null {
  return values.find((value, at) => values.indexOf(value) !== at) ?? null
}
