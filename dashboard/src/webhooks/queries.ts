import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import type { DeliverySearch } from './search.ts'

export type Endpoint = Schemas['WebhookEndpoint']
export type Delivery = Schemas['WebhookDelivery']

const REFRESH_MS = 3_000
const PAGE_ROWS = 50

export function endpointsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'endpoints'],
    queryFn: ({ signal }) =>
      ask(api.GET('/webhooks/endpoints', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: REFRESH_MS,
  })
}

export function deliveriesQuery(workspaceId: string, { endpointId, status }: DeliverySearch) {
  const query = {
    limit: PAGE_ROWS,
    ...(endpointId ? { endpointId } : {}),
    ...(status ? { status } : {}),
  }
  return queryOptions({
    queryKey: [workspaceId, 'deliveries', query],
    queryFn: ({ signal }) => ask(api.GET('/webhooks/deliveries', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

export function deliveryQuery(workspaceId: string, deliveryId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/webhooks/deliveries/{deliveryId}', { params: { path: { deliveryId } }, signal }),
      ),
    refetchInterval: REFRESH_MS,
  })
}

export function eventTypesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'event-types'],
    queryFn: ({ signal }) => dataOf(api.GET('/webhooks/events', { signal })),
    staleTime: Infinity,
  })
}
