import { invalid } from '../../base/errors.ts'
import { parseAddress, type Address } from '../email-address.ts'

/** @throws ApiError VALIDATION_ERROR with `path` */
export function checkAddress(text: string, path: string): Address {
  const address = parseAddress(text)
  if (!address) throw invalid(path, `${path} must be an e-mail address.`, 'format')
  return address
}
