/**
 * Options in `links.options`: the services write them, the edge enforces them. An absent field has its default; all defaults
 * are stored as null. Times are ISO 8601 in UTC, and every URL was checked when written.
 */
export type LinkOptions = {
  startsAt?: string
  expiredUrl?: string
  maxClicks?: number
  /** http(s) or a custom scheme. */
  iosDeepLink?: string
  androidDeepLink?: string
  rules?: Rule[]
  variants?: Variant[]
  /** The destination replaces the variants from then on. */
  variantsUntil?: string
  /** Whether the visitor's query reaches the destination. */
  forwardQuery?: false
  noindex?: true
  card?: Card
  /** Adds the click's id to the destination, as `sp_id`. */
  trackConversions?: true
  /** An uploaded image in the middle of the QR codes; the edge ignores it. */
  qrLogoMediaId?: string
}

/** A destination for visitors that meet all conditions; the first match wins. */
export type Rule = {
  id: string
  name: string
  enabled: boolean
  conditions: Conditions
  destinationUrl: string
}

/**
 * Analytics labels, of which one has to match. `query` has the required value of a parameter, or null for any. `from` is
 * inclusive, `to` is exclusive.
 */
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

/** Weights of a link sum to 100. */
export type Variant = { id: string; name: string; destinationUrl: string; weight: number }

/** Replaces the destination's own preview in messengers and social networks. */
export type Card = { title: string | null; description: string | null; image: string | null }
