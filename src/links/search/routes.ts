import { route } from '../../platform/routes/route.ts'
import { SearchQuery, SearchResults } from './schema.ts'
import type { Search } from './search.ts'

export const searchRoutes = (search: Search) => [
  route('GET /search', {
    // Each section checks the scope of what it finds.
    requires: { credential: 'any', role: 'viewer' },
    skipConcurrencyLimit: true,
    name: 'search',
    summary: 'Search the workspace',
    description:
      'Finds links, campaigns, tags, folders, webhook endpoints and members, a few of each: an exact slug first, then what begins with the text, then what contains it. A pasted short URL finds its link.',
    tag: 'Search',
    shapes: { query: SearchQuery, reply: SearchResults },
    handle: (principal, { query }, signal) => search.find(principal, query, signal),
  }),
]
