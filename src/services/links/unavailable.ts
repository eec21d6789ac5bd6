import { invalid } from '../../base/errors.ts'
import type { UpdateLink } from './schema.ts'

type Option = Exclude<keyof UpdateLink, 'name' | 'destinationUrl'>

const isNull = (value: unknown) => value === null
const isEmptyList = (value: unknown) =>
  value === null || (Array.isArray(value) && value.length === 0)
const isFalse = (value: unknown) => value === null || value === false
const isTrue = (value: unknown) => value === null || value === true

/** The default of each option that is not enforced; it may be said out loud and changes nothing. */
const DEFAULTS: Partial<Record<Option, (value: unknown) => boolean>> = {
  domainId: isNull,
  password: isNull,
  iosDeepLink: isNull,
  androidDeepLink: isNull,
  campaignId: isNull,
  tags: isEmptyList,
  folderId: isNull,
  externalId: isNull,
  expiredUrl: isNull,
  maxClicks: isNull,
  startsAt: isNull,
  trackConversions: isFalse,
  rules: isEmptyList,
  forwardQuery: isTrue,
  utmTemplateId: isNull,
}

/**
 * An option that is not enforced is refused, never stored: a link whose password or expiry is
 * silently ignored is worse than an error.
 * @throws ApiError VALIDATION_ERROR with the option's path.
 */
export function refuseUnavailable(input: UpdateLink, defaultDomain: string): void {
  for (const [name, isDefault] of Object.entries(DEFAULTS)) {
    const value = input[name as Option]
    if (value !== undefined && !isDefault(value))
      throw invalid(name, `${name} is not available in this version; leave it out.`, 'unavailable')
  }
  const isOtherDomain =
    input.domain !== undefined && input.domain !== null && input.domain !== defaultDomain
  if (isOtherDomain) throw invalid('domain', `The only domain is ${defaultDomain}.`, 'unavailable')
}
