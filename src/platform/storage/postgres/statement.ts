import { castOf, toParameter, type Value } from './values.ts'

export type Row = Record<string, unknown>

/** Rows of a statement, and how many rows it returned, inserted, updated or deleted. */
export type Rows<T extends readonly unknown[] = readonly Row[]> = T & { readonly count: number }

/** Text with numbered parameters. */
export type Compiled = {
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
}

/** Sends a statement to the server. */
export type Send = (statement: Compiled) => Promise<Rows>

export type Part = Value | Fragment

/** What a statement is made of, and can be a part of another one. */
export abstract class Fragment {
  /** @param before text of the statement up to here */
  abstract write(statement: Draft, before: string): string
}

/** The parameters of a statement that is being compiled. */
class Draft {
  readonly values: (string | Buffer | null)[] = []

  add(value: Value | undefined): string {
    if (value === undefined) throw new TypeError('A parameter of a statement is undefined.')
    this.values.push(toParameter(value))
    return `$${this.values.length}${castOf(value)}`
  }
}

/**
 * A statement that is sent when it is awaited, or by {@link execute}; within another one it is a part of that.
 * Columns are snake_case in the database and camelCase in the program; keys inside JSON values stay as they are.
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

  /** Sends the statement, once. */
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

/** The name of a table or column. */
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

/** Writes statements, as a template tag: values become parameters, and a statement becomes a part of the other one. */
export interface Template {
  <T extends readonly unknown[] = Row[]>(
    strings: TemplateStringsArray,
    ...parts: readonly (Part | undefined)[]
  ): Statement<T>
  /** The name of a table or column, in camelCase or snake_case. */
  (name: string): Fragment
  /** Columns and values of an `insert`, or the assignments of an `update … set`. */
  (rows: object | readonly object[], ...columns: readonly string[]): Fragment
  /** Text as it is, without parameters; alone it may be several statements. */
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
