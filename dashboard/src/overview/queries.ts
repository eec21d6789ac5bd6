import { queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf } from '../api/client.ts'

const REFRESH_MS = 10_000
const SLOW_REFRESH_MS = 60_000
const RECENT_ROWS = 6

/** Endpoints with their failures in a row. */
export function endpointsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'endpoints', 'overview'],
    queryFn: ({ signal }) =>
      ask(api.GET('/webhooks/endpoints', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: REFRESH_MS,
  })
}

/** Domains, of which those without their proof need an admin. */
export function domainsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'domains', 'overview'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/domains', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: SLOW_REFRESH_MS,
  })
}

/** Number of deliveries in each status. */
export function deliveryCountsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'deliveries', 'counts', 'overview'],
    queryFn: ({ signal }) => dataOf(api.GET('/webhooks/deliveries/counts', { signal })),
    refetchInterval: REFRESH_MS,
  })
}

/** Use of the limits of the plan. */
export function usageQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'usage'],
    queryFn: ({ signal }) => dataOf(api.GET('/billing/usage', { signal })),
    refetchInterval: SLOW_REFRESH_MS,
  })
}

/** The latest invitation, and how many there are. */
export function invitationsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'invitations', 'overview'],
    queryFn: ({ signal }) =>
      ask(api.GET('/invitations', { params: { query: { limit: 1 } }, signal })),
  })
}

export function recentActivityQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'audit-log', 'overview'],
    queryFn: ({ signal }) =>
      ask(api.GET('/audit-log', { params: { query: { limit: RECENT_ROWS } }, signal })).then(
        ({ data }) => data,
      ),
    refetchInterval: SLOW_REFRESH_MS,
  })
}

export function newestLinksQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'links', 'overview'],
    queryFn: ({ signal }) =>
      ask(api.GET('/links', { params: { query: { limit: RECENT_ROWS } }, signal })).then(
        ({ data }) => data,
      ),
    refetchInterval: SLOW_REFRESH_MS,
  })
}
