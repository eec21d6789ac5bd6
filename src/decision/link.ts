import type { AgentKind } from '../platform/facts/bots.ts'
import type { Place } from '../platform/facts/geo-fields.ts'
import type { Device } from '../platform/facts/device.ts'
import type { Card, Conditions, LinkOptions } from '../platform/facts/link-options.ts'

/** utm_source, _medium, _campaign, _term, _content; '' if not set. */
export type Utm = readonly [string, string, string, string, string]

export type LinkFacts = {
  readonly id: string
  readonly workspaceId: string
  readonly domainId: string
  /** As the author wrote it. */
  readonly slug: string
  readonly destination: string
  /** `suspended`: the link is active or archived, and its workspace is suspended or being deleted. */
  readonly status: 'active' | 'paused' | 'archived' | 'blocked' | 'suspended'
  readonly redirectType: 301 | 302 | 307 | 308
  readonly expiresAtMs: number | null
  readonly utm: Utm
  readonly options: LinkOptions | null
  readonly passwordHash: string | null
}

/** Which destination a visitor gets; recorded with the click. */
export type Route = 'default' | 'ios' | 'android' | `rule:${string}` | `variant:${string}`

export type RecordFields = Pick<
  LinkFacts,
  'workspaceId' | 'domainId' | 'slug' | 'destination' | 'utm'
> & {
  linkId: string
  route: Route
}
/** Encodes the part of a click's record that depends only on the link; the edge passes the journal's encoder. */
export type ToRecordPart = (fields: RecordFields) => string

export type Redirect = {
  readonly kind: 'redirect'
  readonly status: LinkFacts['redirectType']
  /** A valid header value: printable ASCII. */
  readonly location: string
  readonly cacheControl: string
  /** The values in `location`, decoded. */
  readonly utm: Utm
  readonly trigger: 'link' | 'qr'
  readonly candidate: Candidate | null
}

/** A page that offers to open an app, with a link to the destination. It is a click too. */
export type Interstitial = {
  readonly kind: 'interstitial'
  readonly status: 200
  /** The URL of the app, with a custom scheme; printable ASCII. */
  readonly location: string
  readonly fallback: string
  /** The values in `fallback`: the URL of the app is sent as it is. */
  readonly utm: Utm
  readonly trigger: 'link' | 'qr'
  readonly candidate: Candidate
}

/** An answer that is journaled before it is sent. */
export type Click = Redirect | Interstitial

/** A destination that a visitor may get, prepared once per link. */
export type Candidate = {
  readonly route: Route
  readonly destination: string
  /** The answer to a request without a query, unless it needs the short URL. */
  readonly plain: Click
  readonly recordPart: string
  /** Has a custom scheme, which the interstitial offers. */
  readonly isApp: boolean
  /** A URL of Google Play, which gets the short URL as its referrer. */
  readonly isPlayStore: boolean
  /** False if the answer depends on the visitor or the time. */
  readonly isCacheable: boolean
  readonly isNoindex: boolean
}

/** Redirects an expired link to its own or its domain's `expiredUrl`; no click. */
export type Away = { readonly kind: 'away'; readonly status: 302; readonly location: string }

export type PageName =
  | 'missing'
  | 'pending'
  | 'expired'
  | 'exhausted'
  | 'blocked'
  | 'suspended'
  | 'password'
export type Page = {
  readonly kind: 'page'
  readonly page: PageName
  readonly status: 401 | 404 | 410 | 451
}

/** The preview for programs that draw one; no click, and no destination. */
export type Preview = {
  readonly kind: 'card'
  readonly status: 200
  readonly card: Card
  readonly isNoindex: boolean
}

export type Inspection = {
  readonly kind: 'inspection'
  readonly status: 200
  /** With the UTM parameters of the link. */
  readonly destination: string
  readonly isConditional: boolean
}

export type Decision = Click | Away | Page | Preview

/** The same labels as in analytics. */
export type Visitor = {
  readonly address: string
  /** At most 512 characters. */
  readonly userAgent: string
  readonly kind: AgentKind
  readonly place: Place
  readonly device: Device
  readonly language: string
}

/** The link and password that a proof of the password is bound to. */
export type Lock = { readonly linkId: string; readonly passwordHash: string }

/** The edge reads these facts only when an option of the link needs them, except for `query`. */
export type Request = Visitor & {
  /** The raw query without its question mark; '' if the request has none. */
  readonly query: string
  /** The short URL as the visitor called it, without a query. */
  shortUrl(slug: string): string
  isUnlocked(lock: Lock): boolean
  /** Whether the link is known to have served `maxClicks` redirects. */
  readonly isExhausted: boolean
  /** Where expired links of the host lead without an `expiredUrl` of their own; null for the page. */
  readonly expiredUrl: string | null
}

/** Returns an answer, or null to continue with the next step. */
export type Step = {
  readonly name: StepName
  readonly decide: (request: Request, nowMs: number) => Decision | null
  /** What the step compares, for `explain`. */
  readonly describe: (request: Request, nowMs: number) => Described
}

export type Described = {
  readonly detail: string
  /** Of the rule, or of the variant that is drawn. */
  readonly name?: string
  /** The first condition of a rule that the visit does not meet. */
  readonly unmet?: Unmet
}

export type Unmet = {
  readonly condition: keyof Conditions
  readonly wanted: string
  readonly found: string
}

export type StepName =
  | 'startsAt'
  | 'expiresAt'
  | 'maxClicks'
  | 'password'
  | 'card'
  | `rule:${string}`
  | 'ios'
  | 'android'
  | 'variants'

export type EdgeOptions = {
  /** In the order in which they decide. */
  readonly steps: readonly Step[]
  readonly defaultCandidate: Candidate
  readonly forwardsQuery: boolean
  readonly startsAtMs: number
  readonly maxClicks: number | null
  readonly isConditional: boolean
  readonly passwordHash: string | null
  /** Redirects carry the id of their click. */
  readonly tracksConversions: boolean
  /** Characters in memory beside the default candidate. */
  readonly weight: number
}

/** A link in the memory of the edge. The answer without a query is computed once, since few requests have one. */
export type EdgeLink = Omit<LinkFacts, 'domainId' | 'options' | 'passwordHash'> & {
  readonly plain: Click
  readonly recordPart: string
  /** Null for most links, which are answered with `plain`. */
  readonly options: EdgeOptions | null
}

/** Code points of a UTM value in links, labels and filters. */
export const MAX_UTM_CHARS = 255

/** Cuts UTM values before they are recorded, since a visitor's query has no limit. */
export function cutUtm(utm: Utm): Utm {
  if (utm.every((value) => value.length <= MAX_UTM_CHARS)) return utm
  const [source, medium, campaign, term, content] = utm.map(cutUtmValue)
  return [source!, medium!, campaign!, term!, content!]
}

export function cutUtmValue(value: string): string {
  if (value.length <= MAX_UTM_CHARS) return value
  // A code point is at most two units.
  return Array.from(value.slice(0, 2 * MAX_UTM_CHARS))
    .slice(0, MAX_UTM_CHARS)
    .join('')
}
