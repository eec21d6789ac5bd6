/**
 * An absent field has its default; all defaults are stored as null. Times are ISO 8601 in UTC; URLs were checked when
 * written.
 */
export type LinkOptions = {
  startsAt?: string
  expiredUrl?: string
  maxClicks?: number
  iosDeepLink?: string
  androidDeepLink?: string
  rules?: Rule[]
  variants?: Variant[]
  variantsUntil?: string
  forwardQuery?: false
  noindex?: true
  card?: Card
  trackConversions?: true
  qrLogoMediaId?: string
}

export type Rule = {
  id: string
  name: string
  enabled: boolean
  conditions: Conditions
  destinationUrl: string
}

/** One of the labels has to match. `query` has the required value, or null for any. `to` is exclusive. */
export type Conditions = {
  country?: string[]
  region?: string[]
  continent?: string[]
  device?: string[]
  os?: string[]
  browser?: string[]
  language?: string[]
  query?: Record<string, string | null>
  from?: string
  to?: string
}

export type Variant = { id: string; name: string; destinationUrl: string; weight: number }

export type Card = { title: string | null; description: string | null; image: string | null }
