import { ApiError, countChars } from '../platform/core/errors.ts'
import type { Call } from './call.ts'

/** The fields of a link of `/v1` that the other APIs show. */
export type Link = {
  id: string
  name: string
  slug: string
  shortUrl: string
  domain: string
  domainId: string | null
  destinationUrl: string
  status: string
  clicks: number
  createdAt: string
  startsAt: string | null
  expiresAt: string | null
  maxClicks: number | null
  tags: string[]
  noindex: boolean
  forwardQuery: boolean
  rules: Rule[]
}

export type Rule = {
  enabled: boolean
  destinationUrl: string
  conditions: Partial<
    Record<'country' | 'region' | 'continent' | 'device' | 'os' | 'browser' | 'language', string[]>
  > & { query?: Record<string, string | null>; from?: string; to?: string }
}

/** No slug is longer. */
const SLUG_CHARS = 190

/** The oldest link to the address; archived ones count. */
export async function findByDestination(call: Call, url: string): Promise<Link | null> {
  const { data } = await call<Link[]>('GET', '/links', {
    query: {
      destinationUrl: url,
      includeArchived: true,
      sortBy: 'createdAt',
      sortOrder: 'asc',
      limit: 1,
    },
  })
  return data[0] ?? null
}

/** By a slug or an alias; of links on several domains, the one on the shared host. @throws ApiError NOT_FOUND */
export async function findBySlug<L extends Pick<Link, 'domainId'> = Link>(
  call: Call,
  slug: string,
  domain?: string,
): Promise<L> {
  if (slug === '' || countChars(slug) > SLUG_CHARS) throw new ApiError('NOT_FOUND')
  const { data } = await call<L[]>('GET', '/links', {
    query: { slug, domain, includeArchived: true, sortOrder: 'asc' },
  })
  const found = data.find(({ domainId }) => domainId === null) ?? data[0]
  if (!found) throw new ApiError('NOT_FOUND')
  return found
}
