import { invalid, itHas, itIs } from '../core/errors.ts'
import { slugKey } from '../facts/slug.ts'

const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
/** Spaces, joiners and direction marks alone look empty. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

export function checkName(name: string, path: string, maxChars: number): string {
  const trimmed = name.trim()
  if (CONTROL.test(trimmed)) throw invalid(path, `${path} must not contain control characters.`)
  const { length } = Array.from(trimmed)
  if (length === 0 || length > maxChars)
    throw invalid(path, `${path} must have 1 to ${maxChars} characters${itHas(path, length)}.`)
  if (!VISIBLE.test(trimmed)) throw invalid(path, `${path} must have a visible character.`)
  return trimmed
}

/** Unique names are compared by this key, in any case and spelling that Unicode folds together. */
export function toNameKey(name: string): string {
  return slugKey(name)
}

const ADDRESS =
  /^[^\s@<>(),;:"\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}@[^\s@<>(),;:"\\\p{Cc}\p{Cf}]{1,190}$/u
const MAX_CHARS = 254

/** True for one address, in ASCII or UTF-8, that cannot start a mail header. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_CHARS && text.isWellFormed() && ADDRESS.test(text)
}

export type Address = { email: string; emailKey: string }

/**
 * The only function that makes an address key. Addresses that a mail server may tell apart must not share a key, so
 * the text is normalized first: the Kelvin sign becomes K.
 * @returns null for anything but one address
 */
export function parseAddress(text: string): Address | null {
  const email = text.replace(/^ +| +$/g, '').normalize('NFC')
  return isEmailAddress(email) ? { email, emailKey: email.toLowerCase() } : null
}

export function checkAddress(text: string, path: string): Address {
  const address = parseAddress(text)
  if (!address)
    throw invalid(path, `${path} must be an email address${itIs(path, text)}.`, 'format')
  return address
}

const CODES = new Set(Intl.supportedValuesOf('currency'))

export function checkCurrency(code: string, path: string): string {
  if (!CODES.has(code.toUpperCase()))
    throw invalid(
      path,
      `${path} must be an ISO 4217 code of three letters, such as usd${itIs(path, code)}.`,
    )
  return code.toLowerCase()
}
