import { tokens, type Token } from '../sql-text.ts'
import { ClickHouseFault } from './clickhouse-fault.ts'

/**
 * What the front needs to know of a statement, without understanding it:
 *
 * - `select`: its rows go through a file, so a result of any size takes no memory of ours.
 * - `insert`: its rows are the body of the request and go through a file for the same reason.
 * - `read`: small answers (`show`, `describe`, …). `write`: all the rest, rows in the text included.
 *
 * `placeholders` are the names in `{name:Type}`.
 */
export type Statement =
  | { kind: 'select'; head: string; format: string | null; tail: string; placeholders: Set<string> }
  | { kind: 'insert'; head: string; tail: string; format: string; placeholders: Set<string> }
  | { kind: 'read' | 'write'; text: string; placeholders: Set<string> }

const SELECTS = new Set(['SELECT', 'WITH', 'FROM', '('])
const READS = new Set(['SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'EXISTS', 'KILL', 'CHECK'])

/** @throws ClickHouseFault for no statement, for several at once and for what the front cannot pass on */
export function readStatement(sql: string): Statement {
  const first = tokens(sql).next().value
  if (!first) throw new ClickHouseFault(62, 'SYNTAX_ERROR', 'Syntax error: Empty query')
  if (wordOf(first) === 'INSERT') return readInsert(sql)
  return readPlain(sql, wordOf(first))
}

/** The select, writing `format` into `file`; a file's name is ours and needs no quoting. */
export function selectInto(
  select: Statement & { kind: 'select' },
  file: string,
  format: string,
): string {
  return `${select.head}\nINTO OUTFILE '${file}' FORMAT ${format} ${select.tail}`
}

export function insertFrom(insert: Statement & { kind: 'insert' }, file: string): string {
  return `${insert.head} FROM INFILE '${file}' ${insert.tail} FORMAT ${insert.format}`
}

function readPlain(sql: string, first: string): Statement {
  const all = withoutSemicolons([...tokens(sql)])
  const end = all.at(-1)?.end ?? 0
  const placeholders = placeholdersOf(all)
  if (all.some((token, i) => wordOf(token) === 'OUTFILE' && wordOf(all[i - 1]) === 'INTO'))
    throw new ClickHouseFault(48, 'NOT_IMPLEMENTED', 'INTO OUTFILE is not for HTTP')
  if (!SELECTS.has(first))
    return { kind: READS.has(first) ? 'read' : 'write', text: sql.slice(0, end), placeholders }

  // FORMAT is the clause, not somebody's column, where it ends the statement or SETTINGS follow.
  const at = all.findLastIndex((token) => wordOf(token) === 'FORMAT')
  const name = all[at + 1]
  const after = wordOf(all[at + 2])
  if (at < 0 || name?.kind !== 'word' || !(after === '' || after === 'SETTINGS'))
    return { kind: 'select', head: sql.slice(0, end), format: null, tail: '', placeholders }
  const head = sql.slice(0, all[at]?.start)
  return { kind: 'select', head, format: name.text, tail: sql.slice(name.end, end), placeholders }
}

/** Reads only as far as the rows, which may be long and are not SQL. */
function readInsert(sql: string): Statement {
  const seen: Token[] = []
  let depth = 0
  let settingsAt: number | null = null
  for (const token of tokens(sql)) {
    const previous = wordOf(seen.at(-1))
    seen.push(token)
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (depth > 0) continue
    const word = wordOf(token)
    if (word === 'SELECT' || word === 'WITH') return readPlain(sql, 'INSERT')
    if (word === 'INFILE' && previous === 'FROM')
      throw new ClickHouseFault(48, 'NOT_IMPLEMENTED', 'FROM INFILE is not for HTTP')
    if (word === 'SETTINGS') settingsAt ??= token.start
    const isFormat = previous === 'FORMAT' && token.kind === 'word'
    const format = word === 'VALUES' ? 'Values' : isFormat ? token.text : null
    if (format === null) continue
    const placeholders = placeholdersOf(seen)
    if (sql.slice(token.end).replace(';', '').trim() !== '')
      return { kind: 'write', text: sql, placeholders }
    const clauseAt = word === 'VALUES' ? token.start : (seen.at(-2)?.start ?? token.start)
    const head = sql.slice(0, settingsAt ?? clauseAt)
    const tail = sql.slice(settingsAt ?? clauseAt, clauseAt)
    return { kind: 'insert', head, tail, format, placeholders }
  }
  return readPlain(sql, 'INSERT')
}

function withoutSemicolons(all: Token[]): Token[] {
  const last = all.findLastIndex((token) => token.text !== ';')
  const statement = all.slice(0, last + 1)
  if (statement.some((token) => token.text === ';'))
    throw new ClickHouseFault(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)')
  return statement
}

function placeholdersOf(all: Token[]): Set<string> {
  return new Set(
    all.flatMap((token, i) =>
      token.kind === 'word' && all[i - 1]?.text === '{' && all[i + 1]?.text === ':'
        ? [token.text]
        : [],
    ),
  )
}

/** Upper-cased; '' where there is no token. Quoted names keep their quotes, so they match no keyword. */
function wordOf(token: Token | undefined): string {
  return token?.text.toUpperCase() ?? ''
}
