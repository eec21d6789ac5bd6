import { queryOptions } from '@tanstack/react-query'
import { api, ask, auth, dataOf, type AuthSchemas, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export type ApiKey = Schemas['ApiKey']
export type AppRequest = AuthSchemas['AppRequest']

export function apiKeysQuery(workspaceId: string, kind: 'key' | 'app') {
  return pagedQuery([workspaceId, 'api-keys', kind], (query, signal) =>
    ask(api.GET('/api-keys', { params: { query: { ...query, kind } }, signal })),
  )
}

/** What an app or a device asks for. */
export function appRequestQuery(id: string) {
  return queryOptions({
    queryKey: ['app-request', id],
    queryFn: ({ signal }) =>
      dataOf(
        auth.GET('/auth/oauth/requests/{request}', { params: { path: { request: id } }, signal }),
      ),
    retry: false,
    staleTime: Infinity,
  })
}
