import { queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import type { CampaignsSearch } from './search.ts'

export type Campaign = Schemas['Campaign']

export const SHOWN_LINKS = 10

export function campaignsQuery(workspaceId: string, { q, status }: CampaignsSearch) {
  const filter = { ...(q ? { search: q } : {}), ...(status ? { status } : {}) }
  return pagedQuery([workspaceId, 'campaigns', filter], (page, signal) =>
    ask(api.GET('/campaigns', { params: { query: { ...page, ...filter } }, signal })),
  )
}

export function campaignQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'campaign', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/campaigns/{id}', { params: { path: { id } }, signal })),
  })
}

/** The newest links of a campaign, with which the list of the most clicked ones is filled up. */
export function campaignLinksQuery(workspaceId: string, campaignId: string) {
  const query = { campaignId, limit: SHOWN_LINKS }
  return queryOptions({
    queryKey: [workspaceId, 'links', query],
    queryFn: ({ signal }) => ask(api.GET('/links', { params: { query }, signal })),
  })
}
