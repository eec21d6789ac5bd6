import { queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export type Alert = Schemas['Alert']

export function alertsQuery(workspaceId: string) {
  return pagedQuery([workspaceId, 'alerts'], (page, signal) =>
    ask(api.GET('/alerts', { params: { query: page }, signal })),
  )
}

export function linkNameQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'links', id, 'name'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/links/{id}', { params: { path: { id } }, signal })).then(({ name }) => name),
  })
}
