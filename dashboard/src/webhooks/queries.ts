import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, versionOf, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import { toFilter, type DeliverySearch } from './search.ts'

export type Endpoint = Schemas['WebhookEndpoint']
export type ListedEndpoint = Schemas['ListedWebhookEndpoint']
export type EndpointStats = Schemas['WebhookEndpointStats']
export type Delivery = Schemas['WebhookDelivery']
export type DeliveryDetail = Schemas['WebhookDeliveryDetail']

const REFRESH_MS = 3_000
const STATS_REFRESH_MS = 10_000
/** A filter without an index reads the log; a failed read is not repeated at once. */
const SLOW_REFRESH_MS = 10_000
const ENDPOINT_ROWS = 100

function refreshMs(ms: number, hasFailed: boolean): number {
  return hasFailed ? Math.max(ms, SLOW_REFRESH_MS) : ms
}

const refreshAfter =
  (ms: number) =>
  ({ state }: { state: { status: string } }): number =>
    refreshMs(ms, state.status === 'error')

export function endpointsQuery(workspaceId: string) {
  return pagedQuery(
    [workspaceId, 'endpoints', 'stats'],
    (page, signal) => {
      const query = { ...page, limit: ENDPOINT_ROWS, stats: '24h' } as const
      return ask(api.GET('/webhooks/endpoints', { params: { query }, signal }))
    },
    (_pages, hasFailed) => refreshMs(STATS_REFRESH_MS, hasFailed),
  )
}

/** An endpoint, and the version that a change of it must have seen. */
export function endpointQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'endpoints', id],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/webhooks/endpoints/{id}', { params: { path: { id } }, signal })),
    refetchInterval: refreshAfter(STATS_REFRESH_MS),
  })
}

export function statsQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'endpoints', id, 'stats'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/webhooks/endpoints/{id}/stats', { params: { path: { id } }, signal })),
    refetchInterval: refreshAfter(STATS_REFRESH_MS),
  })
}

/** The key of answers that depend on the filters; a period until now is named, not dated. */
function keyOf({ delivery: _delivery, open: _open, on: _on, ...filters }: DeliverySearch) {
  return filters
}

function refreshOf({ eventType, responseStatus }: DeliverySearch, pages = 1): number {
  if (eventType !== undefined || responseStatus !== undefined) return SLOW_REFRESH_MS
  return Math.min(REFRESH_MS * pages, SLOW_REFRESH_MS)
}

export function deliveriesQuery(workspaceId: string, search: DeliverySearch) {
  const { status } = search
  return pagedQuery(
    [workspaceId, 'deliveries', keyOf(search)],
    (page, signal) => {
      const query = { ...page, ...toFilter(search, Date.now()), ...(status ? { status } : {}) }
      return ask(api.GET('/webhooks/deliveries', { params: { query }, signal }))
    },
    // All shown pages are read again, so more pages are read less often.
    (pages, hasFailed) => refreshMs(refreshOf(search, pages.length), hasFailed),
  )
}

/** Number of deliveries that match, in each status. */
export function countsQuery(workspaceId: string, search: DeliverySearch) {
  const { status: _status, ...key } = keyOf(search)
  return queryOptions({
    queryKey: [workspaceId, 'deliveries', 'counts', key],
    queryFn: ({ signal }) => {
      const query = toFilter(search, Date.now())
      return dataOf(api.GET('/webhooks/deliveries/counts', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshAfter(refreshOf(search)),
  })
}

export function deliveryQuery(workspaceId: string, deliveryId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/webhooks/deliveries/{deliveryId}', { params: { path: { deliveryId } }, signal }),
      ),
    refetchInterval: refreshAfter(REFRESH_MS),
  })
}

export function eventTypesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'event-types'],
    queryFn: ({ signal }) => dataOf(api.GET('/webhooks/events', { signal })),
    staleTime: Infinity,
  })
}
