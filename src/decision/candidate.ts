import {
  cutUtm,
  type Away,
  type Candidate,
  type Click,
  type LinkFacts,
  type Page,
  type Redirect,
  type Request,
  type Route,
  type ToRecordPart,
} from './link.ts'
import {
  buildLocation,
  readTrigger,
  toAscii,
  withLastParameter,
  withParameter,
} from './location.ts'

export type Source = Pick<LinkFacts, 'destination' | 'utm' | 'redirectType' | 'expiresAtMs'>

export type Traits = { readonly isCacheable: boolean; readonly isNoindex: boolean }

const NOT_CACHED = 'private, no-store'
/** Without an age, browsers keep a permanent redirect forever, even after an edit. */
const BRIEFLY_CACHED = 'private, max-age=90'
const HTTP = /^https?:/i
const PLAY_STORE = /^https?:\/\/play\.google\.com(?::\d+)?\/store\//i

/** A class, since the candidate and its answer refer to each other. */
export class PreparedCandidate implements Candidate {
  readonly route: Route
  readonly destination: string
  readonly isApp: boolean
  readonly isPlayStore: boolean
  readonly isCacheable: boolean
  readonly isNoindex: boolean
  readonly plain: Click
  readonly recordPart: string

  constructor(
    facts: LinkFacts,
    traits: Traits,
    toRecordPart: ToRecordPart,
    route: Route,
    destination: string,
  ) {
    this.route = route
    this.destination = destination
    this.isApp = !HTTP.test(destination)
    this.isPlayStore = route === 'android' && PLAY_STORE.test(destination)
    this.isCacheable = traits.isCacheable
    this.isNoindex = traits.isNoindex
    this.plain = toClick(facts, this, destination, '')
    const { workspaceId, id: linkId, domainId, slug } = facts
    const utm = cutUtm(this.plain.utm)
    const fields = { workspaceId, linkId, domainId, slug, destination, utm }
    this.recordPart = toRecordPart({ ...fields, route })
  }
}

/** The referrer that {@link answerWith} gives to Google Play. */
const SHORT_URL_REFERRER = /[?&]referrer=deepLink%3D[^&#]*/

/**
 * Adds the id of the click to the location of a redirect: as its last parameter, or in the referrer that Google Play
 * keeps through the installation.
 * @param value already encoded
 */
export function withClickId(
  { location, candidate }: Redirect,
  name: string,
  value: string,
): string {
  return candidate?.isPlayStore && SHORT_URL_REFERRER.test(location)
    ? location.replace(SHORT_URL_REFERRER, (referrer) => `${referrer}%26${name}%3D${value}`)
    : withLastParameter(location, name, value)
}

export function answerWith(
  source: Source & Pick<LinkFacts, 'slug'>,
  candidate: Candidate,
  forwardsQuery: boolean,
  request: Request,
): Click {
  const query = forwardsQuery ? request.query : withoutParameters(request.query)
  const { destination, isPlayStore } = candidate
  if (!isPlayStore)
    return query === '' ? candidate.plain : toClick(source, candidate, destination, query)
  const referrer = encodeURIComponent(`deepLink=${request.shortUrl(source.slug)}`)
  const target = withParameter(destination, 'referrer', referrer)
  return toClick(source, candidate, target, query)
}

/** Whether a click is a scan does not depend on forwarding the query. */
function withoutParameters(query: string): string {
  return query !== '' && readTrigger(query) === 'qr' ? 'qr=1' : ''
}

function toClick(source: Source, candidate: Candidate, target: string, query: string): Click {
  if (!candidate.isApp) return toRedirect(source, candidate, target, query)
  const { location: fallback, utm, trigger } = buildLocation(source.destination, source.utm, query)
  const location = toAscii(target, 'utf8')
  return { kind: 'interstitial', status: 200, location, fallback, utm, trigger, candidate }
}

export function toRedirect(
  source: Source,
  candidate: Candidate | null,
  target: string,
  query: string,
): Redirect {
  const { location, utm, trigger } = buildLocation(target, source.utm, query)
  const isPermanent = source.redirectType === 301 || source.redirectType === 308
  const isSame = source.expiresAtMs === null && candidate?.isCacheable !== false
  return {
    kind: 'redirect',
    status: source.redirectType,
    location,
    cacheControl: isPermanent && isSame ? BRIEFLY_CACHED : NOT_CACHED,
    utm,
    trigger,
    candidate,
  }
}

/** The answer for an unknown link and for a paused one, so that clients cannot tell them apart. */
export const MISSING: Page = { kind: 'page', page: 'missing', status: 404 }
/** Reveals that there will be a link, but neither when nor where it leads. */
export const PENDING: Page = { kind: 'page', page: 'pending', status: 404 }
const EXPIRED: Page = { kind: 'page', page: 'expired', status: 410 }
const EXHAUSTED: Page = { kind: 'page', page: 'exhausted', status: 410 }
export const PASSWORD: Page = { kind: 'page', page: 'password', status: 401 }
const SUSPENDED: Page = { kind: 'page', page: 'suspended', status: 410 }
const BLOCKED: Page = { kind: 'page', page: 'blocked', status: 451 }

/** Null for statuses that redirect. */
export const BY_STATUS: Record<LinkFacts['status'], Page | null> = {
  active: null,
  archived: null,
  paused: MISSING,
  suspended: SUSPENDED,
  blocked: BLOCKED,
}

/** For an ended link without its own `expiredUrl`. */
export function answerEnded(
  reason: 'expired' | 'exhausted',
  { expiredUrl }: Pick<Request, 'expiredUrl'>,
): Page | Away {
  if (expiredUrl !== null) return { kind: 'away', status: 302, location: expiredUrl }
  return reason === 'expired' ? EXPIRED : EXHAUSTED
}
