const ADDRESS =
  /^[^\s@<>(),;:"\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}@[^\s@<>(),;:"\\\p{Cc}\p{Cf}]{1,190}$/u
const MAX_CHARS = 254

/** One address in ASCII or UTF-8, and nothing that could be two or begin another header of a mail. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_CHARS && text.isWellFormed() && ADDRESS.test(text)
}

/** An address as mails are sent to it, and as it is compared (`users.email_key`). */
export type Address = { email: string; emailKey: string }

/**
 * The one place where an address gets its key. What is compared is what is mailed, lower-cased: two
 * addresses that a mail server may tell apart never have one key. So the text is brought into its
 * composed form first, in which the Kelvin sign is the K that its lower case would make it.
 * @returns null for what is no address
 */
export function parseAddress(text: string): Address | null {
  const email = text.replace(/^ +| +$/g, '').normalize('NFC')
  return isEmailAddress(email) ? { email, emailKey: email.toLowerCase() } : null
}
