import { queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export type Dashboard = Schemas['Dashboard']

/** Groups that the drawer offers; the page of a campaign offers itself. */
const OFFERED = 100

export function dashboardsQuery(workspaceId: string) {
  return pagedQuery([workspaceId, 'dashboards'], (query, signal) =>
    ask(api.GET('/dashboards', { params: { query }, signal })),
  )
}

/** The names of campaigns or folders to choose from. */
export function groupsQuery(workspaceId: string, kind: 'campaigns' | 'folders') {
  return queryOptions({
    queryKey: [workspaceId, kind, 'names'],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED, sortBy: 'name', sortOrder: 'asc' } as const
      const { data } = await (kind === 'campaigns'
        ? ask(api.GET('/campaigns', { params: { query }, signal }))
        : ask(api.GET('/folders', { params: { query }, signal })))
      return data.map(({ id, name }) => ({ id, name }))
    },
  })
}

/** The name of what a dashboard shows; null: it was deleted. */
export function targetNameQuery(
  workspaceId: string,
  { linkId, campaignId, folderId }: Pick<Dashboard, 'linkId' | 'campaignId' | 'folderId'>,
) {
  return queryOptions({
    queryKey: [workspaceId, 'dashboard-target', linkId, campaignId, folderId],
    queryFn: async ({ signal }) => {
      const of = (id: string) => ({ params: { path: { id } }, signal })
      if (linkId !== null) return (await dataOf(api.GET('/links/{id}', of(linkId)))).name
      if (campaignId !== null)
        return (await dataOf(api.GET('/campaigns/{id}', of(campaignId)))).name
      return folderId && (await dataOf(api.GET('/folders/{id}', of(folderId)))).name
    },
    enabled: (linkId ?? campaignId ?? folderId) !== null,
    retry: false,
  })
}
