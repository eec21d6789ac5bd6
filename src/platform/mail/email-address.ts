import { invalid } from '../core/errors.ts'
import { itIs } from '../routes/refused-value.ts'

const ADDRESS =
  /^[^\s@<>(),;:"\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}@[^\s@<>(),;:"\\\p{Cc}\p{Cf}]{1,190}$/u
const MAX_CHARS = 254

/** True for one address, in ASCII or UTF-8, that cannot start a mail header. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_CHARS && text.isWellFormed() && ADDRESS.test(text)
}

/** `emailKey` is what addresses are compared by (`users.email_key`). */
export type Address = { email: string; emailKey: string }

/**
 * The only function that makes an address key: the address in lower case. Addresses that a mail server may tell apart must
 * not share a key, so the text is normalized first: the Kelvin sign becomes the K that its lower case would make of it.
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
