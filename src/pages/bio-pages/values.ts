import { invalid, itHas } from '../../platform/core/errors.ts'
import { checkDestination } from '../../links/link/destination.ts'

const MAIL = /^mailto:[^\s@<>"'\\?&]{1,64}@[a-z0-9.-]{1,253}$/i
const PHONE = /^tel:\+?[0-9](?:[0-9 ().-]{0,30}[0-9])?$/i
const OTHER_SCHEME = /^(?:mailto|tel):/i
/** Control characters except line breaks, and characters that override or isolate the direction of text. */
const CONTROL = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u

/** Unlike a link, a block may lead to a link of this server. */
export function checkUrl(url: string, path: string): string {
  return checkDestination(url, () => false, path)
}

export function checkProfileUrl(input: string, path: string): string {
  const url = input.trim()
  if (MAIL.test(url) || PHONE.test(url)) return url
  if (OTHER_SCHEME.test(url))
    throw invalid(
      path,
      `${path} must be an address such as mailto:ana@example.com or tel:+351210000000.`,
      'invalid_url',
    )
  return checkUrl(url, path)
}

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
