import type { ErrorObject, ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { TObject } from 'typebox'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { createAjv, toDetails } from '../../platform/routes/shape-check.ts'
import fastJsonStringify from 'fast-json-stringify'
import type { IncomingHttpHeaders } from 'node:http'
import { parseEntityTags } from '../../platform/resources/versions.ts'

/** Numbers in queries and paths arrive as text and are converted; a body has numbers. */
const strict = createAjv(false)
const coercing = createAjv(true)

const WHOLE_NUMBER = /^(-?)0*(\d+)$/
/** Any number of so many digits is exact. */
const MAX_DIGITS = 15

/**
 * Compiled at the first request, since all shapes would take a third of a start. Ajv also converts `0x10`, `1e2` and
 * ` 5`; a query takes digits only.
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
        {
          instancePath: `/${bad}`,
          keyword: 'type',
          schemaPath: '',
          params: { type: 'integer' },
          data: input[bad],
        },
      ]
      return false
    }
    return check(input, checked)
  }
  return checked
}

/** With the conversions of a query. @throws ApiError VALIDATION_ERROR */
export function toValidator(
  schema: TObject,
): (input: Record<string, unknown>) => Record<string, unknown> {
  const check = compileValidator({
    schema,
    httpPart: 'querystring',
    method: '',
    url: '',
  }) as Checked
  return (input) => {
    if (check(input)) return input
    const details = toDetails(check.errors ?? [])
    throw new ApiError('VALIDATION_ERROR', details[0]?.message, details)
  }
}

/** A number that is too long to be exact becomes the largest exact one. */
function clampDigits(digits: string): string {
  return digits.length > MAX_DIGITS ? '9'.repeat(MAX_DIGITS) : digits
}

type Checked = {
  (input: Record<string, unknown>): boolean
  errors?: ErrorObject[] | null
}

/** Compiled at the first answer: all shapes take a tenth of a second. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let compiled: ((data: unknown) => string) | undefined
  return (data) => (compiled ??= fastJsonStringify(schema))(data)
}

/** Undefined for any version: without the header, and for `*`. @throws ApiError VALIDATION_ERROR */
export function readIfMatch({
  'if-match': text,
}: IncomingHttpHeaders): readonly string[] | undefined {
  if (text === undefined) return undefined
  const tags = parseEntityTags(text)
  if (tags === null)
    throw invalid('if-match', 'If-Match must be * or ETags of earlier answers, with their quotes.')
  return tags === 'any' ? undefined : tags
}
