import { invalid } from '../../base/errors.ts'

/** One address, and nothing that could be two or begin another header of a mail. */
const EMAIL =
  /^[^\s@<>(),;:"\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}@[^\s@<>(),;:"\\\p{Cc}\p{Cf}]{1,190}$/u
const MAX_CHARS = 254

/** An address as it was typed, and as it is compared. */
export type Address = { email: string; emailKey: string }

/** @throws ApiError VALIDATION_ERROR with `path` */
export function checkAddress(text: string, path: string): Address {
  const email = text.replace(/^ +| +$/g, '')
  if (email.length > MAX_CHARS || !email.isWellFormed() || !EMAIL.test(email))
    throw invalid(path, `${path} must be an e-mail address.`, 'format')
  return { email, emailKey: email.toLowerCase() }
}
