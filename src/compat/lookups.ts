import type { Domain } from '../domains/domains/schema.ts'
import type { Link } from '../links/link/schema.ts'
import { ApiError, countChars } from '../platform/core/errors.ts'
import type { Call, Given } from './call.ts'

type Query = Given['query']

/** No slug is longer. */
const SLUG_CHARS = 190
const PAGE = 100
const MAX_PAGES = 10

/** Links to the address, the oldest first; archived ones count. */
export async function listByDestination(
  call: Call,
  destinationUrl: string,
  more: Query = {},
): Promise<Link[]> {
  const query = { destinationUrl, includeArchived: true, sortOrder: 'asc', limit: PAGE, ...more }
  return (await call<Link[]>('GET', '/links', { query })).data
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

/** The slug of a short URL. A path that is not UTF-8 stays as it is, and no link has it. */
export function slugOf({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.slice(1))
  } catch {
    return pathname.slice(1)
  }
}

/** @throws ApiError NOT_FOUND */
export async function findDomain(call: Call, hostname: string): Promise<Domain> {
  const search = hostname.toLowerCase()
  const { data } = await call<Domain[]>('GET', '/domains', { query: { search, limit: PAGE } })
  const found = data.find((domain) => domain.hostname === search)
  if (!found) throw new ApiError('NOT_FOUND', 'This workspace has no such domain.')
  return found
}

/** The first thousand of a list, for clients that know no pages. */
export async function listAll<Item>(
  call: Call,
  path: `/${string}`,
  query: Query = {},
): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, meta } = await call<Item[]>('GET', path, {
      query: { ...query, limit: PAGE, offset: page * PAGE },
    })
    items.push(...data)
    if (data.length < PAGE || items.length >= meta.total) break
  }
  return items
}
