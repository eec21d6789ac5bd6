import type { AgentKind } from '../platform/facts/bots.ts'
import type { Place } from '../platform/facts/geo-fields.ts'
import type { Device } from '../platform/facts/device.ts'
import type { Card, LinkOptions } from '../platform/facts/link-options.ts'

/** utm_source, _medium, _campaign, _term, _content; '' if not set. */
export type Utm = readonly [string, string, string, string, string]

/** Fields of a link that a redirect or its click record needs. */
export type LinkFacts = {
  readonly id: string
  readonly workspaceId: string
  /** Empty for the shared host. */
  readonly domainId: string
  /** In its author's spelling. */
  readonly slug: string
  readonly destination: string
  /** `suspended`: the link is active or archived, and its workspace is suspended or being deleted. */
  readonly status: 'active' | 'paused' | 'archived' | 'blocked' | 'suspended'
  readonly redirectType: 301 | 302 | 307 | 308
  readonly expiresAtMs: number | null
  readonly utm: Utm
  readonly options: LinkOptions | null
  /** PHC string of argon2id. */
  readonly passwordHash: string | null
}

/** The destination of a link that a visitor gets; also recorded with the click. */
export type Route = 'default' | 'ios' | 'android' | `rule:${string}` | `variant:${string}`

/** Fields of a link that all clicks of one candidate share. */
export type RecordFields = Pick<
  LinkFacts,
  'workspaceId' | 'domainId' | 'slug' | 'destination' | 'utm'
> & {
  linkId: string
  route: Route
}
/** Encodes them; the edge passes the encoder of the journal. */
export type ToRecordPart = (fields: RecordFields) => string

/** A redirect that is a click. */
export type Redirect = {
  readonly kind: 'redirect'
  readonly status: LinkFacts['redirectType']
  /** A valid header value: printable ASCII. */
  readonly location: string
  readonly cacheControl: string
  /** The values in `location`, decoded. */
  readonly utm: Utm
  readonly trigger: 'link' | 'qr'
  /** Null for a link without options, which has no other destination than its own. */
  readonly candidate: Candidate | null
}

/** A page that offers to open an app and leads to the destination of the link. It is a click too. */
export type Interstitial = {
  readonly kind: 'interstitial'
  readonly status: 200
  /** The URL of the app, with a custom scheme; printable ASCII. */
  readonly location: string
  /** The http(s) URL for visitors without the app. */
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
  /** Shared part of the click records of `plain`. */
  readonly recordPart: string
  /** A custom scheme, which the interstitial offers. */
  readonly isApp: boolean
  /** A URL of Google Play, which gets the short URL as its referrer. */
  readonly isPlayStore: boolean
  /** False if the link answers other visitors, at other times, in another way. */
  readonly isCacheable: boolean
  /** Asks search engines not to index the short URL. */
  readonly isNoindex: boolean
}

/** A redirect of an expired link to its own `expiredUrl` or that of its domain; no click. */
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

/** The preview of a link, for programs that draw one; no click, and no destination. */
export type Preview = {
  readonly kind: 'card'
  readonly status: 200
  readonly card: Card
  readonly isNoindex: boolean
}

/** The page that shows where a link leads; no click. */
export type Inspection = {
  readonly kind: 'inspection'
  readonly status: 200
  /** With the UTM parameters of the link. */
  readonly destination: string
  /** True if some visitors are sent elsewhere. */
  readonly isConditional: boolean
}

export type Decision = Click | Away | Page | Preview

/** The client of a request. Labels are those of the analytics. */
export type Visitor = {
  readonly address: string
  /** At most 512 characters. */
  readonly userAgent: string
  readonly kind: AgentKind
  readonly place: Place
  readonly device: Device
  readonly language: string
}

/** Link and password to which a proof of the password is bound. */
export type Lock = { readonly linkId: string; readonly passwordHash: string }

/**
 * The facts of a request that a decision depends on. The edge reads each when a link with options asks
 * for it; for other links `query` alone.
 */
export type Request = Visitor & {
  /** The raw query without its question mark; '' if the request has none. */
  readonly query: string
  /** Of the link as the visitor called it, without a query. */
  shortUrl(slug: string): string
  /** Whether the visitor has given the password of the link. */
  isUnlocked(lock: Lock): boolean
  /** True once the link is known to have served `maxClicks` redirects. */
  readonly isExhausted: boolean
  /** Location for expired links of the host that have none of their own; null for the page. */
  readonly expiredUrl: string | null
}

/** Part of the order in which options decide: an answer, or null to continue with the next step. */
export type Step = {
  readonly name: StepName
  readonly decide: (request: Request, nowMs: number) => Decision | null
  /** Describes for `explain` what the step compares. */
  readonly describe: (request: Request, nowMs: number) => string
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

/** The options of a link in the form in which the edge evaluates them: parsed once per link. */
export type EdgeOptions = {
  /** Those that the options of the link need, in the order of the contract. */
  readonly steps: readonly Step[]
  readonly defaultCandidate: Candidate
  readonly forwardsQuery: boolean
  /** -Infinity: at once. */
  readonly startsAtMs: number
  /** Number of redirects that the link may serve; null: any. See `quotaOf` in decide.ts. */
  readonly maxClicks: number | null
  /** True if there are other candidates than the default one. */
  readonly isConditional: boolean
  readonly passwordHash: string | null
  /** Its redirects carry the id of their click. */
  readonly tracksConversions: boolean
  /** Characters that the options keep in memory beside the default candidate. */
  readonly weight: number
}

/** A link in the memory of the edge. Nearly all requests have no query: their answer is computed once. */
export type EdgeLink = Omit<LinkFacts, 'domainId' | 'options' | 'passwordHash'> & {
  readonly plain: Click
  /** Shared part of its click records; see clicks/journal/format.ts. */
  readonly recordPart: string
  /** Null for nearly every link, which then is answered with `plain`. */
  readonly options: EdgeOptions | null
}
