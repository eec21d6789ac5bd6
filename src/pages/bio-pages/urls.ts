import { invalid } from '../../platform/core/errors.ts'

/**
 * Returns an http or https URL as it is stored.
 * @throws ApiError VALIDATION_ERROR with the path
 */
export type CheckUrl = (url: string, path: string) => string

const MAIL = /^mailto:[^\s@<>"'\\?&]{1,64}@[a-z0-9.-]{1,253}$/i
const PHONE = /^tel:\+?[0-9](?:[0-9 ().-]{0,30}[0-9])?$/i
const OTHER_SCHEME = /^(?:mailto|tel):/i

/** @throws ApiError VALIDATION_ERROR with the path */
export function checkProfileUrl(input: string, path: string, checkUrl: CheckUrl): string {
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
