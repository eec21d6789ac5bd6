import { OperatorError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { SystemSql } from '../storage/postgres/postgres.ts'
import {
  builtInPlans,
  CAPABILITIES,
  getStripePrices,
  LIMITS,
  mapValues,
  SELF_HOSTED,
  type Plan,
} from './plan.ts'
import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import { Type, type TSchema } from 'typebox'

export type Plans = {
  readonly all: readonly Plan[]
  readonly initial: Plan
  find(id: string): Plan | null
  named(id: string): Plan
  withStripePrice(priceId: string): Plan | null
}

export function readPlans(path: string | null, initial: string = SELF_HOSTED): Plans {
  return createPlans(path === null ? builtInPlans() : checkPlansFile(path), initial, path)
}

function createPlans(all: readonly Plan[], initial: string, path: string | null = null): Plans {
  const byId = new Map(all.map((plan) => [plan.id, plan]))
  const byPrice = new Map(
    all.flatMap((plan) => getStripePrices(plan).map((price) => [price, plan] as const)),
  )
  const known = byId.get(initial)
  if (!known)
    throw new OperatorError(
      `DEFAULT_PLAN must be the id of a plan ${path === null ? 'that exists' : `in PLANS_FILE (${path})`}, not "${initial}".`,
    )
  return {
    all,
    initial: known,
    find: (id) => byId.get(id) ?? null,
    named: (id) => byId.get(id) ?? unknownPlan(id),
    withStripePrice: (priceId) => byPrice.get(priceId) ?? null,
  }
}

/**
 * For a workspace whose plan was removed from the file: what exists stays readable, and nothing can be added until
 * the operator sets an existing plan.
 */
function unknownPlan(id: string): Plan {
  return {
    id,
    name: id,
    price: { monthly: null, yearly: null, currency: 'usd' },
    limits: mapValues(LIMITS, ([kind]) => (kind === 'measured' ? null : 0)),
    capabilities: mapValues(CAPABILITIES, () => false),
  }
}

export async function warnOfUnknownPlans(
  systemSql: SystemSql,
  plans: Plans,
  log: Log,
): Promise<void> {
  const rows = await systemSql<{ plan: string; workspaces: number }[]>`
    select plan, count(*) as workspaces from workspaces
    where plan <> all(${plans.all.map((plan) => plan.id)}::text[]) group by plan`
  for (const { plan, workspaces } of rows)
    log.warn(
      { plan, workspaces },
      'workspaces have a plan that does not exist; set one of the existing plans for them',
    )
}

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

function fields(required: Record<string, object>, optional: Record<string, object> = {}) {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
    description: 'an object',
  }
}

function checkPlansFile(path: string): Plan[] {
  const file = `PLANS_FILE (${path})`
  const content = readJson(path, file)
  // Compiled here, because most installations have no file.
  const validate = new Ajv({ strict: false, verbose: true }).compile(FileSchema)
  if (!validate(content))
    throw new OperatorError(`${file}: ${describeError(validate.errors![0]!, content)}`)
  const { plans } = content as { plans: Plan[] }
  const repeated = firstRepeated(plans.map((plan) => plan.id))
  if (repeated !== null) throw new OperatorError(`${file}: two plans have the id "${repeated}".`)
  if (!plans.some((plan) => plan.id === SELF_HOSTED))
    throw new OperatorError(
      `${file}: a plan "${SELF_HOSTED}" is missing; workspaces that never had another plan use it.`,
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

function planName(content: unknown, at: number): string {
  const plan = (content as { plans: unknown[] }).plans[at] as { id?: unknown } | null
  return typeof plan?.id === 'string' && plan.id !== '' ? `plan "${plan.id}"` : `plan ${at + 1}`
}

function firstRepeated(values: readonly string[]): string | null {
  return values.find((value, at) => values.indexOf(value) !== at) ?? null
}
