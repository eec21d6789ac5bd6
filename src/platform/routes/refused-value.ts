const MAX_CHARS = 60
/** Fields that may hold a secret: messages repeat nothing about their values. */
const SECRET =
  /pass|secret|token|key|code|credential|authorization|cookie|signature|headers|response/i
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * Ends a message about a refused value: `; it is "abc"`. '' if it may be a secret, or has no single value.
 * @param path '' for the whole body
 */
export function itIs(path: string, value: unknown): string {
  if (path === '' || value === undefined || SECRET.test(path)) return ''
  if (Array.isArray(value)) return '; it is a list'
  if (typeof value === 'object' && value !== null) return '; it is an object'
  return `; it is ${typeof value === 'string' ? quote(value) : JSON.stringify(value)}`
}

/** As {@link itIs}, for a size: `; it has 300`. */
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
  // Only what is shown: a text may have megabytes, and a character two units.
  const chars = Array.from(text.slice(0, MAX_CHARS * 2))
  const isCut = chars.length > MAX_CHARS || text.length > MAX_CHARS * 2
  const shown = JSON.stringify(chars.slice(0, MAX_CHARS).join('').toWellFormed())
  const safe = shown.replace(UNSEEN, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
  return isCut ? `${safe.slice(0, -1)}…"` : safe
}
