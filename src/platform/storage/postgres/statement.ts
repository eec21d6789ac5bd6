import { parse } from 'postgres-array'

export type Row = Record<string, unknown>

export type Rows<T extends readonly unknown[] = readonly Row[]> = T & { readonly count: number }

export type Compiled = {
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
}

export type Send = (statement: Compiled) => Promise<Rows>

export type Part = Value | Fragment

export abstract class Fragment {
  abstract write(statement: Draft, before: string): string
}

class Draft {
  readonly values: (string | Buffer | null)[] = []

  add(value: Value | undefined): string {
    if (value === undefined) throw new TypeError('A parameter of a statement is undefined.')
    this.values.push(toParameter(value))
    return `$${this.values.length}${castOf(value)}`
  }
}

/**
 * Sent when it is awaited, or by {@link execute}; inside another statement it is a part of that. Columns are
 * snake_case in the database and camelCase in the program.
 */
export class Statement<T extends readonly unknown[] = Row[]>
  extends Fragment
  implements Promise<Rows<T>>
{
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #send: Send
  readonly #strings: readonly string[]
  readonly #parts: readonly Part[]
  #sent: Promise<Rows<T>> | null = null

  constructor(send: Send, strings: readonly string[], parts: readonly Part[]) {
    super()
    this.#send = send
    this.#strings = strings
    this.#parts = parts
  }

  execute(): Promise<Rows<T>> {
    return (this.#sent ??= this.#run())
  }

  async #run(): Promise<Rows<T>> {
    const draft = new Draft()
    const text = this.write(draft)
    return (await this.#send({ text, values: draft.values })) as unknown as Rows<T>
  }

  write(draft: Draft): string {
    let text = this.#strings[0]!
    for (const [index, part] of this.#parts.entries()) {
      text += part instanceof Fragment ? part.write(draft, text) : draft.add(part)
      text += this.#strings[index + 1]!
    }
    return text
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a statement is how it is sent
  then<A = Rows<T>, B = never>(
    onDone?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().then(onDone, onFailed)
  }

  catch<B = never>(
    // oxlint-disable-next-line typescript/no-explicit-any -- as a promise has it
    onFailed?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<Rows<T> | B> {
    return this.execute().catch(onFailed)
  }

  finally(onEnd?: (() => void) | null): Promise<Rows<T>> {
    return this.execute().finally(onEnd)
  }
}

class Name extends Fragment {
  readonly #text: string

  constructor(name: string) {
    super()
    this.#text = toQuoted(name)
  }

  write(): string {
    return this.#text
  }
}

/** `(a, b) values ($1, $2), …` of an insert, or `a = $1, b = $2` after the `set` of an update. */
class Columns extends Fragment {
  readonly #rows: readonly Readonly<Row>[]
  readonly #names: readonly string[]

  constructor(rows: readonly Readonly<Row>[], names: readonly string[]) {
    super()
    this.#rows = rows
    this.#names = names
  }

  write(draft: Draft, before: string): string {
    const [first] = this.#rows
    if (/\bset\s*$/i.test(before))
      return this.#names
        .map((name) => `${toQuoted(name)} = ${draft.add(first![name] as Value)}`)
        .join(', ')
    const lists = this.#rows.map(
      (row) => `(${this.#names.map((name) => draft.add(row[name] as Value)).join(', ')})`,
    )
    return `(${this.#names.map(toQuoted).join(', ')}) values ${lists.join(', ')}`
  }
}

export interface Template {
  <T extends readonly unknown[] = Row[]>(
    strings: TemplateStringsArray,
    ...parts: readonly (Part | undefined)[]
  ): Statement<T>
  (name: string): Fragment
  (rows: object | readonly object[], ...columns: readonly string[]): Fragment
  /** Literal text without parameters; alone it may be several statements. */
  unsafe<T extends readonly unknown[] = Row[]>(text: string): Statement<T>
}

export function createTemplate(send: Send): Template {
  const template = (first: unknown, ...rest: never[]) => {
    if (typeof first === 'string') return new Name(first)
    if (Array.isArray(first) && 'raw' in first) return new Statement(send, first, rest)
    const rows = (Array.isArray(first) ? first : [first]) as readonly Row[]
    return new Columns(rows, rest.length > 0 ? rest : Object.keys(rows[0] ?? {}))
  }
  return Object.assign(template as unknown as Template, {
    unsafe: (text: string) => new Statement<never>(send, [text], []),
  })
}

function toQuoted(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return `"${snake.replaceAll('"', '""')}"`
}

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

/** PostgreSQL cannot infer the type where a parameter meets an operator. Arrays need their own cast in the statement. */
function castOf(value: Value): string {
  if (value instanceof Date) return '::timestamptz'
  if (value instanceof Uint8Array) return '::bytea'
  if (typeof value === 'boolean') return '::boolean'
  return typeof value === 'bigint' ? '::bigint' : ''
}

function toParameter(value: Value): string | Buffer | null {
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

/** By type oid; other types stay text. Our `bigint` values stay far below 2^53. */
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

export const TYPES = {
  getTypeParser: (oid: number): Parser => PARSERS.get(oid) ?? String,
}
