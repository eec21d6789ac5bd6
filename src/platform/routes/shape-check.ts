import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Static, TSchema } from 'typebox'
import { ApiError, type ErrorDetail, countChars, itHas, itIs } from '../core/errors.ts'

const MAX_DETAILS = 20
const dateTime = fullFormats['date-time']

export function createAjv(coerceTypes: boolean): Ajv {
  return new Ajv({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allErrors: true,
    verbose: true,
    strict: false,
    formats: { 'date-time': dateTime },
  })
}

/**
 * Checks rows of a request that fail one by one. Compiles the shape at first use.
 * @throws ApiError VALIDATION_ERROR with the paths of fields
 */
export function createShapeCheck<S extends TSchema>(shape: S, noun: string) {
  let compiled: ValidateFunction | undefined
  return (value: unknown): Static<S> => {
    compiled ??= createAjv(false).compile(shape)
    if (compiled(value)) return value as Static<S>
    const details = toDetails(compiled.errors ?? [], noun)
    throw new ApiError('VALIDATION_ERROR', details[0]?.message, details)
  }
}

/**
 * One detail per field, with its limit and its value.
 * @param whole the subject of a message about the whole value
 */
export function toDetails(errors: readonly ErrorObject[], whole = 'The body'): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>()
  for (const error of errors) {
    const path = [...error.instancePath.split('/').slice(1), getField(error)]
      .filter(Boolean)
      .join('.')
    if (details.has(path)) continue
    const message = isNotObject(error)
      ? `${whole} must be a JSON object.`
      : `${path || whole} ${PHRASES[error.keyword]?.(error.params as Params) ?? 'is not valid'}${describeRefused(path, error)}.`
    details.set(path, { path, message, code: error.keyword })
    if (details.size === MAX_DETAILS) break
  }
  return [...details.values()]
}

function getField({ keyword, params }: ErrorObject): string {
  if (keyword === 'required') return String(params['missingProperty'])
  return keyword === 'additionalProperties' ? String(params['additionalProperty']) : ''
}

function describeRefused(path: string, { keyword, params, data }: ErrorObject): string {
  switch (keyword) {
    case 'required':
    case 'additionalProperties':
      return ''
    case 'minLength':
    case 'maxLength':
      return itHas(path, countChars(String(data)))
    case 'minItems':
    case 'maxItems':
      return itHas(path, (data as unknown[]).length)
    case 'uniqueItems':
      return `; entries ${params['i']} and ${params['j']} are the same`
    default:
      return itIs(path, data)
  }
}

function isNotObject({ instancePath, keyword, params }: ErrorObject): boolean {
  return instancePath === '' && keyword === 'type' && params['type'] === 'object'
}

type Params = Readonly<Record<string, string | number>>

const PHRASES: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((kind) => toKind(String(kind)))
      .join(' or ')}`,
  enum: ({ allowedValues }) =>
    `must be one of ${(allowedValues as unknown as (string | number | null)[]).filter((value) => value !== null).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minLength: ({ limit }) => `must have at least ${countNoun(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${countNoun(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${countNoun(limit, 'entry')}`,
  maxItems: ({ limit }) => `must have at most ${countNoun(limit, 'entry')}`,
  uniqueItems: () => 'must not have duplicate entries',
  minimum: ({ limit }) => `must be ${limit} or more`,
  maximum: ({ limit }) => `must be ${limit} or less`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  format: ({ format }) =>
    format === 'date-time'
      ? 'must be a time with its zone, such as 2026-01-31T12:00:00Z'
      : `must be a valid ${format}`,
  pattern: ({ pattern }) => `must match ${pattern}`,
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

function countNoun(n: string | number | undefined, noun: string): string {
  if (n === 1) return `1 ${noun}`
  return `${n} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`
}
