import { invalid } from '../../base/errors.ts'
import { UNAVAILABLE, type UpdateLink } from './schema.ts'

/**
 * Refuses options that this version does not enforce: a link whose password or expiry is silently
 * ignored is worse than an error. Null and the default are accepted, and change nothing.
 * @throws ApiError VALIDATION_ERROR with the option's path
 */
export function refuseUnavailable(input: UpdateLink): void {
  for (const [name, byDefault] of Object.entries(UNAVAILABLE)) {
    const value = input[name as keyof typeof UNAVAILABLE] ?? byDefault
    if (JSON.stringify(value) !== JSON.stringify(byDefault))
      throw invalid(name, `${name} is not available in this version; leave it out.`, 'unavailable')
  }
}
