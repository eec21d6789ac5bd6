import type { Link } from '../links/link/schema.ts'
import { ApiError, countChars } from '../platform/core/errors.ts'
import type { Call } from './call.ts'

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
export async function findBySlug(call: Call, slug: string, domain?: string): Promise<Link> {
  if (slug === '' || countChars(slug) > SLUG_CHARS) throw new ApiError('NOT_FOUND')
  const { data } = await call<Link[]>('GET', '/links', {
    query: { slug, domain, includeArchived: true, sortOrder: 'asc' },
  })
  const found = data.find(({ domainId }) => domainId === null) ?? data[0]
  if (!found) throw new ApiError('NOT_FOUND')
  return found
}
