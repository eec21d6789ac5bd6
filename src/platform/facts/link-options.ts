/**
 * Options of a link as `links.options` stores them: the services write them, the edge enforces them.
 * An absent field has its default, and a link whose options all have their defaults stores null.
 * Times are ISO 8601 in UTC. Every URL was checked when it was written.
 */
export type LinkOptions = {
  startsAt?: string
  /** Target of an expired link, in place of the page. */
  expiredUrl?: string
  maxClicks?: number
  /** An http(s) URL or one with a custom scheme. */
  iosDeepLink?: string
  androidDeepLink?: string
  rules?: Rule[]
  variants?: Variant[]
  /** From this time on, the destination replaces the variants. */
  variantsUntil?: string
  /** False: the visitor's query does not reach the destination. */
  forwardQuery?: false
  noindex?: true
  card?: Card
  /** The destination gets the id of the click in `sp_id`. */
  trackConversions?: true
  /** The uploaded image in the middle of the QR codes, which the edge does not draw. */
  qrLogoMediaId?: string
}

/** A destination for visitors that meet all conditions; the first of a link that matches is taken. */
export type Rule = {
  id: string
  name: string
  enabled: boolean
  conditions: Conditions
  destinationUrl: string
}

/**
 * Labels are those of the analytics, and one of a list is enough. `query` has the required value of a
 * parameter of the short URL, or null for any. `from` is inclusive, `to` is exclusive.
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

/** The weights of a link's variants sum to 100. */
export type Variant = { id: string; name: string; destinationUrl: string; weight: number }

/** The preview that messengers and social networks show in place of the destination's own. */
export type Card = { title: string | null; description: string | null; image: string | null }
