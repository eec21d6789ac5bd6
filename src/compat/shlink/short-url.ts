import type { Link } from '../../links/link/schema.ts'
import { invalid } from '../../platform/core/errors.ts'
import { rename, toName, type Fields } from '../fields.ts'

export function toShortUrl(link: Link) {
  const { clicks, domainId, name, destinationUrl } = link
  return {
    shortCode: link.slug,
    shortUrl: link.shortUrl,
    longUrl: destinationUrl,
    dateCreated: toDate(link.createdAt),
    visitsSummary: toSummary(clicks),
    tags: link.tags,
    meta: {
      validSince: toDate(link.startsAt),
      validUntil: toDate(link.expiresAt),
      maxVisits: link.maxClicks,
    },
    domain: domainId === null ? null : link.domain,
    title: name === toName('', destinationUrl) ? null : name,
    crawlable: !link.noindex,
    forwardQuery: link.forwardQuery,
    hasRedirectRules: link.rules.length > 0,
  }
}

/** Clicks of bots are counted apart, and not per link. */
export function toSummary(nonBots: number, bots = 0) {
  return { total: nonBots + bots, nonBots, bots }
}

export function toDate<Time extends string | null>(iso: Time): Time {
  return (iso === null ? null : `${iso.slice(0, 19)}+00:00`) as Time
}

/** The fields of a link that the body names. `/v1` checks their values. */
export function toFields(data: Fields, longUrl = data['longUrl']) {
  const { title, crawlable, forwardQuery } = data
  return {
    ...rename(data, { longUrl: 'destinationUrl', tags: 'tags', maxVisits: 'maxClicks' }),
    ...(title !== undefined && { name: title || toName('', longUrl) }),
    ...readDate(data, 'validSince', 'startsAt'),
    ...readDate(data, 'validUntil', 'expiresAt'),
    ...(typeof crawlable === 'boolean' && { noindex: !crawlable }),
    ...(typeof forwardQuery === 'boolean' && { forwardQuery }),
  }
}

function readDate(data: Fields, theirs: string, ours: 'startsAt' | 'expiresAt') {
  const value = data[theirs]
  return value === undefined ? {} : { [ours]: value === null ? null : parseDate(value, theirs) }
}

/** Dates of Shlink may have an offset, or no time. */
export function parseDate(value: unknown, name: string): string {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN
  if (Number.isNaN(ms)) throw invalid(name, `${name} must be a date of ISO 8601.`)
  return new Date(ms).toISOString()
}

/** Whether the link has every option that the body names, as `findIfExists` asks. */
export function hasFields(link: Link, { customSlug, domain, ...data }: Fields): boolean {
  const { tags, ...fields }: Fields = toFields({ ...data, longUrl: undefined }, data['longUrl'])
  const wantedTags = Array.isArray(tags) ? new Set<unknown>(tags) : null
  return (
    (customSlug === undefined || customSlug === link.slug) &&
    (domain === undefined ? link.domainId === null : domain === link.domain) &&
    (!wantedTags || wantedTags.symmetricDifference(new Set(link.tags)).size === 0) &&
    Object.entries(fields).every(([name, value]) => link[name as keyof Link] === value)
  )
}
