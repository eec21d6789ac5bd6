import { Type } from 'typebox'
import { route } from '../../base/route.ts'
import type { Route } from '../../base/route.ts'
import { IdParams, Paged, PageMeta } from '../shapes.ts'
import type { Deliveries } from './deliveries.ts'
import type { Endpoints } from './endpoints.ts'
import type { Listening } from './listening.ts'
import * as shapes from './schema.ts'
import type { Sending } from './sending.ts'

const tag = 'Webhooks'
const reads = { access: 'viewer', scope: 'webhooks:read', tag } as const
const manages = { access: 'admin', scope: 'webhooks:write', tag } as const

const DeliveryParams = Type.Object({
  deliveryId: Type.String({ minLength: 1, maxLength: 64 }),
})

/** `/webhooks` is an alias of `/webhooks/endpoints`. */
export function webhookRoutes(
  endpoints: Endpoints,
  deliveries: Deliveries,
  sending: Sending,
  listening: Listening,
): Route[] {
  return [
    ...['/webhooks/endpoints', '/webhooks'].flatMap((path) => [
      route({
        ...reads,
        method: 'GET',
        path,
        status: 200,
        boundsOwnWork: true,
        summary: 'List webhook endpoints',
        shapes: { query: Paged, reply: Type.Array(shapes.Endpoint), meta: PageMeta },
        handle: (who, { query }, signal) => endpoints.list(who, query, signal),
      }),
      route({
        ...manages,
        method: 'POST',
        path,
        status: 201,
        summary: 'Create a webhook endpoint',
        shapes: { body: shapes.CreateEndpoint, reply: shapes.CreatedEndpoint },
        handle: (who, { body }) => endpoints.create(who, body),
      }),
    ]),
    ...endpointRoutes(endpoints, sending),
    ...deliveryRoutes(deliveries, sending),
    route({
      ...reads,
      method: 'GET',
      path: '/webhooks/events',
      status: 200,
      summary: 'List the event types',
      shapes: { reply: shapes.EventCatalog },
      handle: async () => sending.catalog(),
    }),
    route({
      ...manages,
      method: 'POST',
      path: '/webhooks/dispatch',
      status: 202,
      summary: 'Send an event to every active endpoint that subscribes to it',
      shapes: { body: shapes.Dispatch, reply: shapes.Dispatched },
      handle: (who, { body }) => sending.dispatch(who, body),
    }),
    route({
      // It shows all events of the workspace, as creating an endpoint would.
      ...manages,
      method: 'GET',
      path: '/webhooks/listen',
      status: 200,
      boundsOwnWork: true,
      summary: 'Wait for new events, instead of receiving deliveries',
      shapes: { query: shapes.Listen, reply: shapes.Heard },
      handle: (who, { query }, signal) => listening.listen(who, query, signal),
    }),
  ]
}

function endpointRoutes(endpoints: Endpoints, sending: Sending): Route[] {
  const path = '/webhooks/endpoints/:id'
  const { find } = endpoints
  return [
    route({
      ...reads,
      method: 'GET',
      path,
      status: 200,
      summary: 'Read a webhook endpoint',
      shapes: { params: IdParams, reply: shapes.Endpoint },
      find,
      handle: (who, { params }) => endpoints.get(who, params.id),
    }),
    route({
      ...manages,
      method: 'PATCH',
      path,
      status: 200,
      summary: 'Update a webhook endpoint',
      shapes: { params: IdParams, body: shapes.UpdateEndpoint, reply: shapes.Endpoint },
      find,
      handle: (who, { params, body }) => endpoints.update(who, params.id, body),
    }),
    route({
      ...manages,
      method: 'DELETE',
      path,
      status: 204,
      summary: 'Delete a webhook endpoint and its delivery log',
      shapes: { params: IdParams },
      find,
      handle: (who, { params }) => endpoints.remove(who, params.id),
    }),
    route({
      ...manages,
      method: 'GET',
      path: `${path}/secret`,
      status: 200,
      summary: 'Read the signing secret',
      shapes: { params: IdParams, reply: shapes.EndpointSecret },
      find,
      handle: (who, { params }) => endpoints.readSecret(who, params.id),
    }),
    route({
      ...manages,
      method: 'POST',
      path: `${path}/secret/rotate`,
      status: 200,
      summary: 'Replace the signing secret; the old one is invalid at once',
      shapes: { params: IdParams, reply: shapes.EndpointSecret },
      find,
      handle: (who, { params }) => endpoints.rotateSecret(who, params.id),
    }),
    route({
      ...manages,
      method: 'POST',
      path: `${path}/test`,
      status: 202,
      summary: 'Send a sample event to this endpoint',
      shapes: { params: IdParams, body: shapes.TestEndpoint, reply: shapes.TestAccepted },
      find,
      handle: (who, { params, body }) => sending.test(who, params.id, body?.eventType),
    }),
    route({
      ...manages,
      method: 'POST',
      path: `${path}/replay`,
      status: 202,
      summary: 'Deliver past events to this endpoint again',
      shapes: { params: IdParams, body: shapes.Replay, reply: shapes.Replayed },
      find,
      handle: (who, { params, body }) => sending.replay(who, params.id, body),
    }),
  ]
}

function deliveryRoutes(deliveries: Deliveries, sending: Sending): Route[] {
  return [
    route({
      ...reads,
      method: 'GET',
      path: '/webhooks/deliveries',
      status: 200,
      boundsOwnWork: true,
      summary: 'List deliveries',
      shapes: { query: shapes.ListDeliveries, reply: Type.Array(shapes.Delivery), meta: PageMeta },
      handle: (who, { query }, signal) => deliveries.list(who, query, signal),
    }),
    route({
      ...manages,
      method: 'POST',
      path: '/webhooks/deliveries/retry',
      status: 202,
      summary: 'Retry failed and dead-letter deliveries by filter',
      shapes: { body: shapes.RetryMany, reply: shapes.Requeued },
      handle: (who, { body }) => sending.retryMany(who, body ?? {}),
    }),
    route({
      ...reads,
      method: 'GET',
      path: '/webhooks/deliveries/:deliveryId',
      status: 200,
      summary: 'Read a delivery with its attempts',
      shapes: { params: DeliveryParams, reply: shapes.DeliveryDetail },
      find: (who, params) => deliveries.find(who, { id: params['deliveryId']! }),
      handle: (who, { params }) => deliveries.get(who, params.deliveryId),
    }),
    route({
      ...manages,
      method: 'POST',
      path: '/webhooks/deliveries/:deliveryId/retry',
      status: 202,
      summary: 'Retry a failed or dead-letter delivery',
      shapes: { params: DeliveryParams, reply: shapes.Retried },
      find: (who, params) => deliveries.find(who, { id: params['deliveryId']! }),
      handle: (who, { params }) => sending.retry(who, params.deliveryId),
    }),
  ]
}
