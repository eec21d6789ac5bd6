import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { FastifySchemaCompiler } from 'fastify'
import type { ErrorDetail } from '../base/errors.ts'

const MAX_DETAILS = 20
const dateTime = fullFormats['date-time']

/** Numbers in queries and paths arrive as text and are converted; those of a body are not. */
const strict = createAjv(false)
const coercing = createAjv(true)

function createAjv(coerceTypes: boolean): Ajv {
  return new Ajv({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allErrors: true,
    strict: false,
    formats: { 'date-time': dateTime },
  })
}

const WHOLE_NUMBER = /^(-?)0*(\d+)$/
/** The digits that a number can hold exactly. */
const MAX_DIGITS = 15

/**
 * Checks by a shape, which is compiled at the first request: all of them would take a third of a start.
 * Ajv converts `0x10`, `1e2` and ` 5` to numbers; a query string takes digits only.
 */
export const compileValidator: FastifySchemaCompiler<{ properties?: object }> = ({
  schema,
  httpPart,
}) => {
  let compiled: ValidateFunction | undefined
  const ajv = httpPart === 'body' ? strict : coercing
  const check = (input: unknown, checked: Checked) => {
    compiled ??= ajv.compile(schema)
    const isValid = compiled(input)
    checked.errors = compiled.errors ?? null
    return isValid
  }
  if (httpPart === 'body') {
    const checkedBody: Checked = (input) => check(input, checkedBody)
    return checkedBody
  }
  const numeric = Object.entries(schema.properties ?? {})
    .filter(([, property]) => (property as { type?: string }).type === 'integer')
    .map(([name]) => name)
  const checked: Checked = (input) => {
    const bad = numeric.find((name) => {
      const text = input[name]
      if (typeof text !== 'string') return false
      const number = WHOLE_NUMBER.exec(text)
      if (number) input[name] = number[1]! + clampDigits(number[2]!)
      return number === null
    })
    if (bad !== undefined) {
      checked.errors = [
        { instancePath: `/${bad}`, keyword: 'type', schemaPath: '', params: { type: 'integer' } },
      ]
      return false
    }
    return check(input, checked)
  }
  return checked
}

/** A number too long to be exact is above every maximum, and becomes the largest exact one. */
function clampDigits(digits: string): string {
  return digits.length > MAX_DIGITS ? '9'.repeat(MAX_DIGITS) : digits
}

type Checked = {
  (input: Record<string, unknown>): boolean
  errors?: ErrorObject[] | null
}

/** Ajv's errors as details, one per field: its dotted path and a message that names it. */
export function toDetails(errors: readonly ErrorObject[]): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>()
  for (const error of errors) {
    const missing = error.keyword === 'required' ? String(error.params['missingProperty']) : ''
    const path = [...error.instancePath.split('/').slice(1), missing].filter(Boolean).join('.')
    if (details.has(path)) continue
    const message = isNotObject(error)
      ? 'The body must be a JSON object.'
      : `${path || 'The body'} ${phrase(error)}.`
    details.set(path, { path, message, code: error.keyword })
    if (details.size === MAX_DETAILS) break
  }
  return [...details.values()]
}

/** Covers an absent body too. */
function isNotObject({ instancePath, keyword, params }: ErrorObject): boolean {
  return instancePath === '' && keyword === 'type' && params['type'] === 'object'
}

function phrase({ keyword, params }: ErrorObject): string {
  const { limit } = params as { limit?: number }
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${[params['type']].flat().map(toKind).join(' or ')}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as (string | number | null)[]).filter((value) => value !== null).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'minLength':
      return `must have at least ${countNoun(limit, 'character')}`
    case 'maxLength':
      return `must have at most ${countNoun(limit, 'character')}`
    case 'minItems':
      return `must have at least ${countNoun(limit, 'entry')}`
    case 'maxItems':
      return `must have at most ${countNoun(limit, 'entry')}`
    case 'uniqueItems':
      return 'must not have an entry twice'
    case 'minimum':
      return `must be ${limit} or more`
    case 'maximum':
      return `must be ${limit} or less`
    case 'exclusiveMinimum':
      return `must be more than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'multipleOf':
      return `must be a multiple of ${params['multipleOf']}`
    case 'format':
      return params['format'] === 'date-time'
        ? 'must be a time with its zone, such as 2026-01-31T12:00:00Z'
        : `must be a valid ${params['format']}`
    default:
      return 'is not valid'
  }
}

const KINDS: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

function toKind(type: string): string {
  return KINDS[type] ?? type
}

function countNoun(n: number | undefined, noun: string): string {
  if (n === 1) return `1 ${noun}`
  return `${n} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`
}
