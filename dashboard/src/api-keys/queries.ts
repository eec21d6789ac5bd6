import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, ask, type Schemas } from '../api/client.ts'
import { nextOffset } from '../api/pages.ts'

export type ApiKey = Schemas['ApiKey']

const PAGE_ROWS = 100

export function apiKeysQuery(workspaceId: string) {
  return infiniteQueryOptions({
    queryKey: [workspaceId, 'api-keys'],
    queryFn: ({ pageParam, signal }) =>
      ask(
        api.GET('/api-keys', {
          params: { query: { limit: PAGE_ROWS, offset: pageParam } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
  })
}
