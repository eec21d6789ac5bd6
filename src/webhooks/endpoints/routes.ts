import { Type } from 'typebox'
import { route, type Route, scopedTo } from '../../platform/routes/route.ts'
import { idParams, PageMeta } from '../../platform/resources/shapes.ts'
import type { Deliveries } from './deliveries.ts'
import type { Endpoints } from './endpoints.ts'
import type { Listening } from './listening.ts'
import * as counts from './count-shapes.ts'
import * as shapes from './schema.ts'
import type { Sending } from './sending.ts'

const Params = idParams('whe', 'webhook endpoint')

const ENDPOINT_PATH = '/webhooks/endpoints/:id'
const tag = 'Webhooks'
const { reads, writes: manages } = scopedTo('webhooks', tag, 'admin')

export function webhookRoutes(
  endpoints: Endpoints,
  deliveries: Deliveries,
  sending: Sending,
  listening: Listening,
): Route[] {
  return [
    ...listRoutes(endpoints, '/webhooks/endpoints', 'WebhookEndpoint'),
    ...listRoutes(endpoints, '/webhooks', 'Webhook').map((row) => ({ ...row, isDeprecated: true })),
    ...endpointRoutes(endpoints),
    ...secretRoutes(endpoints),
    ...sendingRoutes(endpoints, sending),
    ...deliveryRoutes(deliveries, sending),
    route('GET /webhooks/events', {
      ...reads,
      name: 'listWebhookEventTypes',
      summary: 'List the event types',
      description:
        'Returns every type that an endpoint can subscribe to, with an example of its data.',
      shapes: { reply: shapes.EventCatalog },
      handle: async () => sending.catalog(),
    }),
    route('POST /webhooks/dispatch', {
      ...manages,
      status: 202,
      name: 'dispatchWebhookEvent',
      summary: 'Send an event to every active endpoint that subscribes to it',
      description: 'Sends a payload of your own under one of the event types.',
      idempotent: true,
      errors: ['PLAN_CAPABILITY_REQUIRED'],
      shapes: { body: shapes.Dispatch, reply: shapes.Dispatched },
      requireRate: sending.requireRate,
      handle: (principal, { body }) => sending.dispatch(principal, body),
    }),
    route('GET /webhooks/listen', {
      // It returns all events of the workspace, so it requires the same role as creating an endpoint.
      ...manages,
      skipConcurrencyLimit: true,
      name: 'listenForWebhookEvents',
      summary: 'Wait for new events instead of receiving deliveries',
      description:
        'Returns the events since `cursor`, or waits for one. For machines that deliveries cannot reach.',
      errors: ['PLAN_CAPABILITY_REQUIRED'],
      shapes: { query: shapes.Listen, reply: shapes.EventBatch },
      handle: (principal, { query }, signal) => listening.listen(principal, query, signal),
    }),
  ]
}

/** @param noun for the operation ids, which differ between the path and its alias */
function listRoutes(endpoints: Endpoints, path: `/${string}`, noun: string): Route[] {
  return [
    route(`GET ${path}`, {
      ...reads,
      skipConcurrencyLimit: true,
      name: `list${noun}s`,
      summary: 'List webhook endpoints',
      description:
        'Returns the endpoints of the workspace, newest first, without their secrets. With `stats=24h` each has its attempts of the last 24 hours.',
      shapes: {
        query: counts.ListEndpoints,
        reply: Type.Array(counts.ListedEndpoint),
        meta: PageMeta,
      },
      handle: (principal, { query }, signal) => endpoints.list(principal, query, signal),
    }),
    route(`POST ${path}`, {
      idempotent: true,
      ...manages,
      status: 201,
      name: `create${noun}`,
      summary: 'Create a webhook endpoint',
      description:
        'Registers a URL that receives events. The answer has the signing secret, which can be read again later.',
      errors: ['NOT_FOUND', 'PLAN_CAPABILITY_REQUIRED'],
      shapes: { body: shapes.CreateEndpoint, reply: shapes.CreatedEndpoint },
      handle: (principal, { body }) => endpoints.create(principal, body),
    }),
  ]
}

function endpointRoutes(endpoints: Endpoints): Route[] {
  const path = ENDPOINT_PATH
  const { find } = endpoints
  return [
    route(`GET ${path}`, {
      ...reads,
      name: 'getWebhookEndpoint',
      summary: 'Read a webhook endpoint',
      description:
        'Returns one endpoint with the state of its deliveries. The signing secret is not in it.',
      shapes: { params: Params, reply: shapes.Endpoint },
      find,
      handle: (principal, { params }) => endpoints.get(principal, params.id),
    }),
    route(`GET ${path}/stats`, {
      ...reads,
      skipConcurrencyLimit: true,
      name: 'getWebhookEndpointStats',
      summary: 'Read the attempts of the last 24 hours',
      description:
        'Returns how many attempts succeeded and failed in each hour, how long the answers took, and the health of the endpoint.',
      shapes: { params: Params, reply: counts.EndpointStats },
      find,
      handle: (principal, { params }, signal) => endpoints.getStats(principal, params.id, signal),
    }),
    route(`PATCH ${path}`, {
      ...manages,
      supportsIfMatch: true,
      name: 'updateWebhookEndpoint',
      summary: 'Update a webhook endpoint',
      description:
        'Changes the fields that are sent and leaves the others alone. A paused endpoint receives nothing; what happens in that time can be replayed.',
      errors: ['PLAN_CAPABILITY_REQUIRED'],
      shapes: { params: Params, body: shapes.UpdateEndpoint, reply: shapes.Endpoint },
      find,
      handle: (principal, { params, body }) => endpoints.update(principal, params.id, body),
    }),
    route(`DELETE ${path}`, {
      ...manages,
      status: 204,
      name: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint and its delivery log',
      description: 'Waiting deliveries are dropped.',
      shapes: { params: Params },
      find,
      handle: (principal, { params }) => endpoints.remove(principal, params.id),
    }),
  ]
}

function secretRoutes({ find, readSecret, rotateSecret }: Endpoints): Route[] {
  const path = `${ENDPOINT_PATH}/secret` as const
  return [
    route(`GET ${path}`, {
      ...manages,
      name: 'getWebhookSecret',
      summary: 'Read the signing secret',
      description: 'Returns the signing key. Each read is recorded in the audit log.',
      errors: ['SECRET_KEY_CHANGED'],
      shapes: { params: Params, reply: shapes.EndpointSecret },
      find,
      handle: (principal, { params }) => readSecret(principal, params.id),
    }),
    route(`POST ${path}/rotate`, {
      idempotent: true,
      ...manages,
      name: 'rotateWebhookSecret',
      summary: 'Replace the signing secret; without an overlap the old one is invalid at once',
      description:
        'Returns the new key. All later attempts are signed with it, also for deliveries that already wait. During an overlap they have a signature of the previous key as well.',
      errors: ['SECRET_KEY_CHANGED'],
      shapes: { params: Params, query: shapes.RotateSecret, reply: shapes.RotatedSecret },
      find,
      handle: (principal, { params, query }) =>
        rotateSecret(principal, params.id, query.overlapHours),
    }),
  ]
}

function sendingRoutes({ find }: Endpoints, sending: Sending): Route[] {
  const path = ENDPOINT_PATH
  return [
    route(`POST ${path}/test`, {
      idempotent: true,
      ...manages,
      status: 202,
      name: 'testWebhookEndpoint',
      summary: 'Send a sample event to this endpoint',
      description:
        'Queues one delivery with sample data, whether the endpoint subscribes to the type or not.',
      errors: ['PLAN_CAPABILITY_REQUIRED'],
      shapes: { params: Params, body: shapes.TestEndpoint, reply: shapes.TestAccepted },
      find,
      handle: (principal, { params, body }) => sending.test(principal, params.id, body?.eventType),
    }),
    route(`POST ${path}/replay`, {
      idempotent: true,
      ...manages,
      status: 202,
      name: 'replayWebhookEvents',
      summary: 'Deliver past events to this endpoint again',
      description:
        'Queues the events of a period as new deliveries. A long period takes several calls: pass `next` as `since` until it is null.',
      errors: ['PLAN_CAPABILITY_REQUIRED'],
      shapes: { params: Params, body: shapes.Replay, reply: shapes.Replayed },
      find,
      handle: (principal, { params, body }) => sending.replay(principal, params.id, body),
    }),
  ]
}

function deliveryRoutes(deliveries: Deliveries, sending: Sending): Route[] {
  return [
    route('GET /webhooks/deliveries', {
      ...reads,
      skipConcurrencyLimit: true,
      name: 'listWebhookDeliveries',
      summary: 'List deliveries',
      description:
        'Pages through the delivery log of the last 30 days, newest first. Filters apply together.',
      shapes: { query: shapes.ListDeliveries, reply: Type.Array(shapes.Delivery), meta: PageMeta },
      handle: (principal, { query }, signal) => deliveries.list(principal, query, signal),
    }),
    route('GET /webhooks/deliveries/counts', {
      ...reads,
      skipConcurrencyLimit: true,
      name: 'countWebhookDeliveries',
      summary: 'Count deliveries by status',
      description: 'Counts the deliveries that the filters of the list match, in each status.',
      shapes: { query: counts.CountDeliveries, reply: counts.DeliveryCounts },
      handle: (principal, { query }, signal) => deliveries.countByStatus(principal, query, signal),
    }),
    route('POST /webhooks/deliveries/retry', {
      idempotent: true,
      ...manages,
      status: 202,
      name: 'retryWebhookDeliveries',
      summary: 'Retry failed and dead-letter deliveries by filter',
      description:
        'Makes the next attempt of every delivery that matches due now. An empty filter means all of them.',
      errors: ['PLAN_CAPABILITY_REQUIRED'],
      shapes: { body: shapes.RetryMany, reply: shapes.Requeued },
      handle: (principal, { body }) => sending.retryMany(principal, body ?? {}),
    }),
    route('GET /webhooks/deliveries/:deliveryId', {
      ...reads,
      name: 'getWebhookDelivery',
      summary: 'Read a delivery with its attempts',
      description: 'Returns one delivery with its requests and the answers of the endpoint.',
      shapes: { params: shapes.DeliveryParams, reply: shapes.DeliveryDetail },
      find: deliveries.find,
      handle: (principal, { params }) => deliveries.get(principal, params.deliveryId),
    }),
    route('POST /webhooks/deliveries/:deliveryId/retry', {
      idempotent: true,
      ...manages,
      status: 202,
      name: 'retryWebhookDelivery',
      summary: 'Retry a failed or dead-letter delivery',
      description: 'Makes the next attempt due now; a dead letter gets one extra attempt.',
      errors: ['PLAN_CAPABILITY_REQUIRED'],
      shapes: { params: shapes.DeliveryParams, reply: shapes.Retried },
      find: deliveries.find,
      handle: (principal, { params }) => sending.retry(principal, params.deliveryId),
    }),
  ]
}
