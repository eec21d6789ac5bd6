import { invalid } from '../../platform/core/errors.ts'
import { itHas } from '../../platform/routes/refused-value.ts'

/** Control characters but for line breaks, and the ones that override or isolate the direction of text. */
const CONTROL = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u

/** A text of several lines, trimmed; null for an empty one. */
export function checkText(
  input: string | null | undefined,
  path: string,
  maxChars: number,
): string | null {
  const text = input?.replace(/\r\n?/g, '\n').trim()
  if (!text) return null
  if (CONTROL.test(text)) throw invalid(path, `${path} must not contain control characters.`)
  const { length } = Array.from(text)
  if (length > maxChars)
    throw invalid(path, `${path} must have at most ${maxChars} characters${itHas(path, length)}.`)
  return text
}
