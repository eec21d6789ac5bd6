import { encodeLinkPart } from '../journal/format.ts'
import type { EdgeLink, LinkFacts, Redirect, Utm } from './link.ts'
import { buildLocation } from './location.ts'
import { prepareOptions, type EdgeOptions } from './options.ts'

export type PageName = 'missing' | 'expired' | 'blocked' | 'suspended'
export type Decision = Redirect | { kind: 'page'; page: PageName; status: 404 | 410 | 451 }

/** Also the answer for a paused link, so that clients cannot learn that it exists. */
const MISSING: Decision = { kind: 'page', page: 'missing', status: 404 }
const EXPIRED: Decision = { kind: 'page', page: 'expired', status: 410 }
const SUSPENDED: Decision = { kind: 'page', page: 'suspended', status: 410 }
const BLOCKED: Decision = { kind: 'page', page: 'blocked', status: 451 }

const MAX_UTM_LENGTH = 255

const NOT_CACHED = 'private, no-store'
/** Browsers keep a permanent redirect without an age forever, even after the link was edited. */
const BRIEFLY_CACHED = 'private, max-age=90'

/**
 * The answer to a request for a link, a function of these arguments alone. Every redirect that is
 * sent to a GET is a click, and a page never is.
 * @param link null if the slug is free
 * @param request its raw query without the question mark; '' if there is none
 */
export function decide(link: EdgeLink | null, request: { query: string }, nowMs: number): Decision {
  if (link === null) return MISSING
  if (link.status === 'blocked') return BLOCKED
  if (link.status === 'paused') return MISSING
  if (link.status === 'suspended') return SUSPENDED
  if (link.expiresAtMs !== null && nowMs >= link.expiresAtMs) return EXPIRED
  if (link.options !== null) return decideOptions(link, link.options, request, nowMs)
  return request.query === '' ? link.plain : redirect(link, request.query)
}

/** The answer for a link with options, once those that every link has allow a redirect. */
function decideOptions(
  link: EdgeLink,
  options: EdgeOptions,
  request: { query: string },
  nowMs: number,
): Decision {
  if (options.startsAtMs !== null && nowMs < options.startsAtMs) return MISSING
  const query = options.forwardsQuery ? request.query : ''
  return query === '' ? link.plain : redirect(link, query)
}

/** Computes once per link the redirect without a query, and the shared part of its click records. */
export function toEdgeLink(facts: LinkFacts): EdgeLink {
  const options = prepareOptions(facts.options)
  const plain = redirect({ ...facts, options }, '')
  const { workspaceId, id: linkId, slug, destination } = facts
  const utm = cutUtm(plain.utm)
  const recordPart = encodeLinkPart({ workspaceId, linkId, slug, destination, utm })
  const { passwordHash: _passwordHash, ...kept } = facts
  return { plain, recordPart, ...kept, options }
}

/** UTM values as they are recorded; those of a visitor's query have no limit. */
export function cutUtm(utm: Utm): Utm {
  if (utm.every((value) => value.length <= MAX_UTM_LENGTH)) return utm
  const [source, medium, campaign, term, content] = utm.map((value) =>
    value.slice(0, MAX_UTM_LENGTH),
  )
  return [source!, medium!, campaign!, term!, content!]
}

function redirect(link: Omit<EdgeLink, 'plain' | 'recordPart'>, query: string): Redirect {
  const { location, utm, trigger } = buildLocation(link.destination, link.utm, query)
  const isPermanent = link.redirectType === 301 || link.redirectType === 308
  const isCacheable = isPermanent && link.expiresAtMs === null && link.options === null
  return {
    kind: 'redirect',
    status: link.redirectType,
    location,
    cacheControl: isCacheable ? BRIEFLY_CACHED : NOT_CACHED,
    utm,
    trigger,
    isNoindex: link.options?.isNoindex === true,
  }
}
