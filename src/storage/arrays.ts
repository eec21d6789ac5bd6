import type { ParameterOrFragment, Sql } from 'postgres'
import { parse } from 'postgres-array'

type ArrayType = { to: number; from: number[]; parse: (text: string) => unknown[] } & {
  serialize: (values: unknown) => string
}

/**
 * The array types in use, as the driver wants them: oid of the type, how its text is read.
 *
 * Left to itself the driver asks each new connection for all array types, and a connection that
 * is lost in that moment leaves a rejected promise that nobody can catch.
 */
const OIDS: Readonly<Record<string, readonly [oid: number, read: (text: string) => unknown]>> = {
  bool: [1000, (text) => text === 't'],
  bytea: [1001, (text) => Buffer.from(text.slice(2), 'hex')],
  int2: [1005, Number],
  int4: [1007, Number],
  text: [1009, String],
  varchar: [1015, String],
  int8: [1016, Number],
  float8: [1022, Number],
  cidr: [651, String],
  timestamptz: [1185, (text) => new Date(text)],
}

export const ARRAY_TYPES: Readonly<Record<string, ArrayType>> = Object.fromEntries(
  Object.entries(OIDS).map(([name, [oid, read]]) => [
    `${name}Array`,
    { to: oid, from: [oid], parse: (text: string) => parse(text, read), serialize: toArrayText },
  ]),
)

/**
 * An array parameter of a type that the driver guesses wrong: it takes an array of dates for one
 * date. Arrays of texts and numbers need this only when all their elements may be null.
 */
export function arrayOf(
  sql: { typed: Sql['typed'] },
  type: keyof typeof OIDS,
  values: readonly unknown[],
): ParameterOrFragment<never> {
  return sql.typed(values as never, OIDS[type]![0]) as never
}

/** One dimension, as PostgreSQL reads it; text that is an array already is left alone. */
function toArrayText(values: unknown): string {
  if (!Array.isArray(values)) return String(values)
  return `{${values.map(toElement).join(',')}}`
}

function toElement(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return `"${value.toISOString()}"`
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`
  if (typeof value === 'number') return String(value)
  const text = String(value as string | boolean)
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(ESCAPED, '\\$&')}"` : `"${text}"`
}

const NEEDS_ESCAPE = /["\\]/
const ESCAPED = /["\\]/g
