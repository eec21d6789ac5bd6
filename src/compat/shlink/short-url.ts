import type { Link } from '../../links/link/schema.ts'
import { invalidData } from './problem.ts'

const NAME_CHARS = 255

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
    title: name === toName(destinationUrl) ? null : name,
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

/** A link without a title has its address as the name. */
function toName(longUrl: string): string {
  return longUrl.slice(0, NAME_CHARS).toWellFormed()
}

export type ShortUrlData = Readonly<Record<string, unknown>>

/** @throws ApiError for a body that is no object */
export function toData(body: unknown): ShortUrlData {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidData('The body must be an object.')
  return body as ShortUrlData
}

/** The fields of a link that the body names. `/v1` checks their values. */
export function toFields(data: ShortUrlData, longUrl: unknown = data.longUrl) {
  const { title, tags, crawlable, forwardQuery, maxVisits } = data
  return {
    ...(data.longUrl !== undefined && { destinationUrl: data.longUrl }),
    ...(title !== undefined && {
      name: title === null || title === '' ? toName(String(longUrl)) : title,
    }),
    ...(tags !== undefined && { tags }),
    ...(maxVisits !== undefined && { maxClicks: maxVisits }),
    ...(data.validSince !== undefined && { startsAt: readDate(data, 'validSince') }),
    ...(data.validUntil !== undefined && { expiresAt: readDate(data, 'validUntil') }),
    ...(typeof crawlable === 'boolean' && { noindex: !crawlable }),
    ...(typeof forwardQuery === 'boolean' && { forwardQuery }),
  }
}

/** Dates of Shlink may have an offset. */
function readDate(data: ShortUrlData, name: 'validSince' | 'validUntil'): string | null {
  const value = data[name]
  if (value === null) return null
  return parseDate(value, name)
}

export function parseDate(value: unknown, name: string): string {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN
  if (Number.isNaN(ms)) throw invalidData(`${name} must be a date of ISO 8601.`, name)
  return new Date(ms).toISOString()
}

/** Whether the link has every option that the body names, as `findIfExists` asks. */
export function hasFields(link: Link, { customSlug, domain, ...data }: ShortUrlData): boolean {
  const { tags, ...fields } = toFields({ ...data, longUrl: undefined }, data.longUrl)
  const wantedTags = Array.isArray(tags) ? new Set<unknown>(tags) : null
  return (
    (customSlug === undefined || customSlug === link.slug) &&
    (domain === undefined ? link.domainId === null : domain === link.domain) &&
    (!wantedTags || wantedTags.symmetricDifference(new Set(link.tags)).size === 0) &&
    Object.entries(fields).every(([name, value]) => link[name as keyof Link] === value)
  )
}
