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

/** By a slug or an alias. @throws ApiError NOT_FOUND */
export async function findBySlug<L = Link>(call: Call, slug: string, domain?: string): Promise<L> {
  if (slug === '' || countChars(slug) > SLUG_CHARS) throw new ApiError('NOT_FOUND')
  const { data } = await call<L[]>('GET', '/links', {
    query: { slug, domain, includeArchived: true, sortOrder: 'asc', limit: 1 },
  })
  if (!data[0]) throw new ApiError('NOT_FOUND')
  return data[0]
}
