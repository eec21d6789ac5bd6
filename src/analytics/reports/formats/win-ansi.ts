/** Characters of Windows-1252 outside of Latin-1. */
const EXTRA = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
const REPLACEMENT = '?'

/**
 * A text in the characters of the standard fonts of PDF: others become their base letter (`ř` is `r`) or, without
 * one, `?`. Control characters are spaces.
 */
export function toWinAnsi(text: string): string {
  let written = ''
  for (const char of text.toWellFormed().replace(/\p{Cc}+/gu, ' ')) {
    const base = isKnown(char) ? char : char.normalize('NFKD').replace(/\p{M}+/gu, '')
    written += base !== '' && Array.from(base).every(isKnown) ? base : REPLACEMENT
  }
  return written
}

function isKnown(char: string): boolean {
  const code = char.codePointAt(0)!
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || EXTRA.includes(char)
}
