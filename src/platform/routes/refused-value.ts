const MAX_CHARS = 60
/** Names of fields that may hold a secret: nothing about their values is repeated. */
const SECRET =
  /pass|secret|token|key|code|credential|authorization|cookie|signature|headers|response/i
/** Characters that a terminal or a page would obey instead of showing. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * The end of a sentence about a refused value, such as `; it is "abc"`.
 * @param path of its field; '' for the whole body
 * @returns '' for one that may be a secret, or that is not a single value
 */
export function itIs(path: string, value: unknown): string {
  if (path === '' || value === undefined || SECRET.test(path)) return ''
  if (Array.isArray(value)) return '; it is a list'
  if (typeof value === 'object' && value !== null) return '; it is an object'
  return `; it is ${typeof value === 'string' ? quote(value) : JSON.stringify(value)}`
}

/** The end of a sentence about a size, such as `; it has 300`. @returns '' for a value that may be a secret */
export function itHas(path: string, count: number): string {
  return SECRET.test(path) ? '' : `; it has ${count}`
}

/** Characters as JSON Schema counts them. */
export function countChars(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function quote(text: string): string {
  // No more than is shown: a text may have megabytes, and a character two units.
  const chars = Array.from(text.slice(0, MAX_CHARS * 2))
  const isCut = chars.length > MAX_CHARS || text.length > MAX_CHARS * 2
  const shown = JSON.stringify(chars.slice(0, MAX_CHARS).join('').toWellFormed())
  const safe = shown.replace(UNSEEN, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
  return isCut ? `${safe.slice(0, -1)}…"` : safe
}
