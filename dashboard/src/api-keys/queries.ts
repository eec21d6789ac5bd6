import { api, ask, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export type ApiKey = Schemas['ApiKey']

export function apiKeysQuery(workspaceId: string) {
  return pagedQuery([workspaceId, 'api-keys'], (query, signal) =>
    ask(api.GET('/api-keys', { params: { query }, signal })),
  )
}
