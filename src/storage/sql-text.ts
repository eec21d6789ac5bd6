/**
 * Just enough of ClickHouse's spelling to find what stands outside quotes and comments: '…', "…"
 * and `…` with doubled or backslashed quotes, $tag$…$tag$, and comments after --, # or in slashes.
 */
export type Token = {
  kind: 'word' | 'quoted' | 'punctuation'
  text: string
  start: number
  end: number
}

const WORD = /[\p{L}\p{N}_$]+/uy
const DOLLAR_TAG = /\$[A-Za-z0-9_]*\$/y

/** The tokens of `sql` in order; comments and white space are between them, not among them. */
export function* tokens(sql: string): Generator<Token> {
  let at = 0
  while (at < sql.length) {
    const blank = skipBlank(sql, at)
    if (blank > at) {
      at = blank
      continue
    }
    const start = at
    const char = sql.charAt(at)
    if (char === "'" || char === '"' || char === '`') {
      at = endOfQuoted(sql, at, char)
      yield { kind: 'quoted', text: sql.slice(start, at), start, end: at }
      continue
    }
    const tag = matchAt(DOLLAR_TAG, sql, at)
    if (tag) {
      const close = sql.indexOf(tag, at + tag.length)
      at = close < 0 ? sql.length : close + tag.length
      yield { kind: 'quoted', text: sql.slice(start, at), start, end: at }
      continue
    }
    const word = matchAt(WORD, sql, at)
    at += word ? word.length : 1
    yield { kind: word ? 'word' : 'punctuation', text: sql.slice(start, at), start, end: at }
  }
}

/** The statements of a script, without their semicolons; statements of comments alone are left out. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  let isEmpty = true
  for (const token of tokens(sql)) {
    if (token.text !== ';') {
      isEmpty = false
      continue
    }
    if (!isEmpty) statements.push(sql.slice(start, token.start).trim())
    start = token.end
    isEmpty = true
  }
  if (!isEmpty) statements.push(sql.slice(start).trim())
  return statements
}

function skipBlank(sql: string, at: number): number {
  if (/\s/.test(sql.charAt(at))) return at + 1
  if (/^(--|# |#!)/.test(sql.slice(at, at + 2))) return endOr(sql, sql.indexOf('\n', at), 1)
  if (sql.startsWith('/*', at)) return endOr(sql, sql.indexOf('*/', at + 2), 2)
  return at
}

function endOr(sql: string, found: number, length: number): number {
  return found < 0 ? sql.length : found + length
}

function endOfQuoted(sql: string, at: number, quote: string): number {
  for (let i = at + 1; i < sql.length; i++) {
    const char = sql.charAt(i)
    if (char === '\\') i++
    else if (char === quote && sql.charAt(i + 1) === quote) i++
    else if (char === quote) return i + 1
  }
  return sql.length
}

function matchAt(pattern: RegExp, sql: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(sql)?.[0] ?? null
}
