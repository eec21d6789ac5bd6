import { parse } from 'postgres-array'

/** A parameter of a statement. Objects are sent as JSON, arrays in PostgreSQL's notation. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | null
  | readonly unknown[]
  | object

/**
 * What PostgreSQL cannot infer where a parameter meets an operator, such as `${date} - interval '1 day'`. An array
 * needs its own cast in the statement.
 */
export function castOf(value: Value): string {
  if (value instanceof Date) return '::timestamptz'
  if (value instanceof Uint8Array) return '::bytea'
  if (typeof value === 'boolean') return '::boolean'
  return typeof value === 'bigint' ? '::bigint' : ''
}

export function toParameter(value: Value): string | Buffer | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length)
  return Array.isArray(value) ? toArrayText(value) : JSON.stringify(value)
}

function toArrayText(values: readonly unknown[]): string {
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

type Parser = (text: string) => unknown

const toBytes: Parser = (text) => Buffer.from(text.slice(2), 'hex')
const toBoolean: Parser = (text) => text === 't'
const toDate: Parser = (text) => new Date(text)
const toArray = (parser: Parser) => (text: string) => parse(text, parser)

/** By oid of the type; every other type arrives as its text. Our values of `bigint` stay far below 2^53. */
const PARSERS: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [16, toBoolean],
  [17, toBytes],
  // int8, int2, int4, oid, float4, float8
  ...[20, 21, 23, 26, 700, 701].map((oid) => [oid, Number] as const),
  // json, jsonb
  ...[114, 3802].map((oid) => [oid, JSON.parse as Parser] as const),
  // date, timestamp, timestamptz
  ...[1082, 1114, 1184].map((oid) => [oid, toDate] as const),
  [1000, toArray(toBoolean)],
  [1001, toArray(toBytes)],
  // int2[], int4[], int8[], float8[]
  ...[1005, 1007, 1016, 1022].map((oid) => [oid, toArray(Number)] as const),
  // text[], varchar[], cidr[]
  ...[1009, 1015, 651].map((oid) => [oid, toArray(String)] as const),
  [1185, toArray(toDate)],
])

/** The parsers in the shape that `pg` takes. */
export const TYPES = {
  getTypeParser: (oid: number): Parser => PARSERS.get(oid) ?? String,
}
