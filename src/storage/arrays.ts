import type { ParameterOrFragment, Sql } from 'postgres'
import { parse } from 'postgres-array'

type ArrayType = {
  to: number
  from: number[]
  parse: (text: string) => unknown[]
  serialize: (values: unknown) => string
}

/**
 * The array types in use: oid of the type, parser of its text. By default the driver asks each new
 * connection for all array types, and if that connection is lost before the answer, a rejection that cannot be
 * caught ends the process (github.com/porsager/postgres/issues/1192).
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
 * An array parameter whose type the driver infers wrongly, such as an array of dates. Arrays of texts
 * and numbers need this only when all their elements may be null.
 */
export function arrayOf(
  sql: { typed: Sql['typed'] },
  type: keyof typeof OIDS,
  values: readonly unknown[],
): ParameterOrFragment<never> {
  return sql.typed(values as never, OIDS[type]![0]) as never
}

/** One dimension, in PostgreSQL's notation; a text that is an array already stays unchanged. */
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
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
