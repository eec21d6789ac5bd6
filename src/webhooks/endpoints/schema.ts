import { Type, type Static } from 'typebox'
import { described, documented, named, object } from '../../platform/routes/shape.ts'
import { EVENT_TYPES } from '../events.ts'
import { MAX_ATTEMPTS, STATUS_NAMES } from '../delivery/queue/states.ts'
import {
  CreatedAt,
  From,
  idInput,
  idShape,
  flag,
  integer,
  nullable,
  PageQuery,
  text,
  Timestamp,
  To,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'

const MAX_DESCRIPTION = 500
const MAX_URL = 2_048
const MAX_DISABLE_HOURS = 720
const MAX_OVERLAP_HOURS = 168

const ENDPOINT_STATUS = ['active', 'paused'] as const
const url = documented(
  text('Where deliveries are posted: an https URL.', 'https://example.com/hooks/signpost', {
    minLength: 1,
    maxLength: MAX_URL,
  }),
  { format: 'uri' },
)
const eventType = documented(text('The type of the event.', 'link.created', { maxLength: 64 }), {
  enum: EVENT_TYPES,
})
/** A stored subscription may name a type that this version no longer has. */
const eventName = documented(Type.String({ maxLength: 64 }), { enum: ['*', ...EVENT_TYPES] })
const events = described(
  Type.Array(eventName, { minItems: 1, maxItems: 100 }),
  'Event types; `*` means all, also types of later versions.',
  ['link.created', 'click.received'],
)
const description = nullable(
  text('What the endpoint is for.', 'Sends new links to the CRM.', { maxLength: MAX_DESCRIPTION }),
)
const endpointStatus = described(
  Type.String({ enum: [...ENDPOINT_STATUS] }),
  'A `paused` endpoint receives nothing.',
  'active',
)
const standardHeaders = flag('Send the headers of Standard Webhooks as well.', false)
const failureEmail = nullable(
  documented(
    text(
      'Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace.',
      'ops@example.com',
      { maxLength: 254 },
    ),
    { format: 'email' },
  ),
)
const disableAfterHours = nullable(
  integer(
    'Pause the endpoint after this many hours in which every attempt failed; null: never.',
    72,
    { minimum: 1, maximum: MAX_DISABLE_HOURS },
  ),
)
const previousSecretValidUntil = nullable(
  described(
    Timestamp,
    'Until when deliveries are signed with the previous secret as well; null without an overlap.',
    null,
  ),
)
const ownHeaders = described(
  Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  'Headers that every delivery carries, by name; each value is shown as `********`.',
  { authorization: '********' },
)
/** Names and values are checked by the rule, since messages must not contain values. */
const headersInput = documented(
  described(
    Type.Unsafe<Record<string, string> | null>({ type: ['object', 'null'] }),
    'Headers that every delivery carries, by name: at most 20, with values of at most 1,024 bytes. They replace the stored headers; the value `********` keeps a stored value, `{}` and null remove all.',
    { authorization: 'Bearer EXAMPLE', 'x-tenant': 'acme' },
  ),
  {
    maxProperties: 20,
    propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$" },
    additionalProperties: { type: 'string', maxLength: 1_024 },
  },
)
const secret = text('The key of the signatures, `whsec_` included.', 'whsec_EXAMPLE')
const endpointId = idShape('whe', 'Id of the endpoint.')
const deliveryId = text('Id of the delivery.', 'del_0123456789abcdef0123456789abcdef')
const eventId = idShape('evt', 'Id of the event.')
const attempts = integer('Number of attempts so far.', 1)
const maxAttempts = integer(
  'Number of attempts after which it becomes a dead letter.',
  MAX_ATTEMPTS,
)
const durationMs = nullable(integer('How long the answer took, in milliseconds.', 84))
const responseStatus = nullable(
  integer('The HTTP status of the answer; null without an answer.', 200),
)
const error = nullable(text('The reason why there is no answer.', 'connect ECONNREFUSED'))
const pending = text('Always `pending`.', 'pending')

const endpointFields = {
  id: endpointId,
  workspaceId: WorkspaceId,
  url,
  description,
  events,
  status: endpointStatus,
  failureCount: integer('Failed attempts since the last success.', 0),
  lastFailureAt: nullable(described(Timestamp, 'When an attempt last failed.')),
  lastSuccessAt: nullable(described(Timestamp, 'When an attempt last succeeded.')),
  createdBy: idShape('usr', 'Id of the user who created it.'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
  standardHeaders,
  failureEmail,
  droppedClicks: integer('`click.received` deliveries that a backlog of a million refused.', 0),
  disableAfterHours,
  autoPausedAt: nullable(
    described(
      Timestamp,
      'When it was paused because of `disableAfterHours`; null once it is resumed.',
      null,
    ),
  ),
  previousSecretValidUntil,
  headers: ownHeaders,
}

/** The spec's Webhook endpoint, without `secret`, which only three other responses have. */
export const Endpoint = object('WebhookEndpoint', endpointFields)
export type Endpoint = Static<typeof Endpoint>

export const CreatedEndpoint = object('CreatedWebhookEndpoint', { ...endpointFields, secret })

const fields = Type.Object({
  url,
  events,
  description: Type.Optional(description),
  status: Type.Optional(endpointStatus),
  standardHeaders: Type.Optional(standardHeaders),
  failureEmail: Type.Optional(failureEmail),
  disableAfterHours: Type.Optional(disableAfterHours),
  headers: Type.Optional(headersInput),
})
export const CreateEndpoint = named('CreateWebhookEndpoint', fields)
export type CreateEndpoint = Static<typeof CreateEndpoint>

export const UpdateEndpoint = named(
  'UpdateWebhookEndpoint',
  described(Type.Partial(fields), 'The fields to change.'),
)
export type UpdateEndpoint = Static<typeof UpdateEndpoint>

export const EndpointSecret = object('WebhookSecret', { id: endpointId, secret })

export const RotateSecret = Type.Object({
  overlapHours: Type.Optional(
    integer(
      'Hours in which deliveries are signed with the previous secret as well; 0 when absent.',
      24,
      { minimum: 0, maximum: MAX_OVERLAP_HOURS },
    ),
  ),
})

export const RotatedSecret = object('RotatedWebhookSecret', {
  id: endpointId,
  secret,
  previousSecretValidUntil,
})

export const TestEndpoint = nullable(
  object('TestWebhookEndpoint', {
    eventType: Type.Optional(described(eventType, 'The type; `link.created` when absent.')),
  }),
)

export const TestAccepted = object('QueuedWebhookTest', {
  id: deliveryId,
  status: pending,
  eventType,
  createdAt: CreatedAt,
})

const deliveryStatus = described(
  Type.String({ enum: [...STATUS_NAMES] }),
  'State of the delivery: `failed` is tried again, a `dead_letter` is not.',
  'completed',
)

const deliveryFields = {
  id: deliveryId,
  workspaceId: WorkspaceId,
  endpointId,
  eventType,
  eventId,
  status: deliveryStatus,
  attempts,
  maxAttempts,
  responseStatus,
  durationMs,
  createdAt: described(Timestamp, 'When it was queued.'),
  completedAt: nullable(described(Timestamp, 'When an attempt succeeded.')),
  error,
  nextAttemptAt: nullable(described(Timestamp, 'When the next attempt is due.')),
}

export const Delivery = object('WebhookDelivery', deliveryFields)
export type Delivery = Static<typeof Delivery>

const headers = (summary: string, example: Record<string, string>) =>
  described(
    Type.Unsafe<Record<string, string> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
    }),
    summary,
    example,
  )

const Attempt = object('WebhookAttempt', {
  attempt: integer('The number of the attempt, from 1.', 1),
  at: described(Timestamp, 'When it was made.'),
  responseStatus,
  durationMs,
  error,
  responseHeaders: headers('The headers of the answer; null without one.', {
    'content-type': 'text/plain',
  }),
  responseBody: nullable(text('The first 4000 characters of the answer.', 'ok')),
})

export const DeliveryDetail = object('WebhookDeliveryDetail', {
  ...deliveryFields,
  responseBody: nullable(text('The first 4000 characters of the answer.', 'ok')),
  responseHeaders: headers('The headers of the answer.', { 'content-type': 'text/plain' }),
  payload: described(
    Type.Unsafe<unknown>({}),
    'The original event payload; null when it was older than the log is kept.',
    { id: 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
  ),
  requestBody: nullable(text('Body of the latest attempt.', '{"id":"del_…"}')),
  requestHeaders: headers(
    'Headers of the latest attempt, signature included. The endpoint’s custom headers are masked.',
    {
      'x-service-event': 'link.created',
    },
  ),
  attemptLog: described(
    Type.Array(Attempt),
    'The attempts, oldest first, with the answers to the latest eleven.',
  ),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveryParams = Type.Object({
  deliveryId: text('Id of the delivery.', 'del_0123456789abcdef0123456789abcdef', {
    minLength: 1,
    maxLength: 64,
  }),
})

const OfAnswer = {
  eventId: Type.Optional(idInput('evt', 'Only deliveries of this event, including its replays.')),
  responseStatus: Type.Optional(
    integer('Only deliveries whose latest attempt was answered with this HTTP status.', 503, {
      minimum: 100,
      maximum: 599,
    }),
  ),
}

export const ListDeliveries = Type.Object({
  endpointId: Type.Optional(idInput('whe', 'Only deliveries to this endpoint.')),
  status: Type.Optional(described(deliveryStatus, 'Only deliveries of this status.')),
  eventType: Type.Optional(described(eventType, 'Only deliveries of this type.')),
  ...OfAnswer,
  from: Type.Optional(described(Timestamp, 'Only deliveries queued at this time or later.')),
  to: Type.Optional(
    described(Timestamp, 'Only deliveries queued before this time.', '2026-02-01T00:00:00.000Z'),
  ),
  ...PageQuery,
})
export type ListDeliveries = Static<typeof ListDeliveries>

export const Retried = object('RetriedWebhookDelivery', {
  id: deliveryId,
  status: pending,
  attempts,
  maxAttempts,
})

export const RetryMany = object('RetryWebhookDeliveries', {
  endpointId: Type.Optional(idInput('whe', 'Only deliveries to this endpoint.')),
  status: Type.Optional(
    described(
      Type.String({ enum: ['failed', 'dead_letter'] }),
      'Only deliveries of this status.',
      'dead_letter',
    ),
  ),
  eventType: Type.Optional(described(eventType, 'Only deliveries of this type.')),
  ...OfAnswer,
  from: Type.Optional(From),
  to: Type.Optional(To),
})
export type RetryMany = Static<typeof RetryMany>

export const Requeued = object('RequeuedWebhookDeliveries', {
  requeued: integer('Number of deliveries that are due now.', 3),
  hasMore: flag('True when the limit of one call was reached: call again.', false),
})

export const Replay = object('ReplayWebhookEvents', {
  since: described(Timestamp, 'The beginning of the period.'),
  until: Type.Optional(described(Timestamp, 'The end of the period; now when absent.')),
  events: Type.Optional(
    described(events, 'Only these types, whether the endpoint subscribes to them or not.'),
  ),
})
export type Replay = Static<typeof Replay>

export const Replayed = object('ReplayedWebhookEvents', {
  queued: integer('Number of deliveries queued.', 12),
  next: nullable(
    described(Timestamp, 'The `since` of the next call; null when all events were queued.', null),
  ),
})

const EventTypeRow = object('WebhookEventType', {
  type: eventType,
  label: text('Name to display.', 'Link created'),
  description: text('When it happens.', 'A new short link was created.'),
  sample: described(Type.Unsafe<unknown>({}), 'Example of the data of this type.', {
    id: 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  }),
})

export const EventCatalog = object('WebhookEventCatalog', {
  events: described(Type.Array(EventTypeRow), 'All event types.'),
})

export const Dispatch = object('DispatchWebhookEvent', {
  type: eventType,
  payload: Type.Optional(
    described(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      'The data of the event; `{}` when absent.',
      { orderId: 'A-1001' },
    ),
  ),
})
export type Dispatch = Static<typeof Dispatch>

export const Dispatched = object('DispatchedWebhookEvent', {
  dispatched: integer('Number of endpoints that it is sent to.', 1),
})

export const Listen = Type.Object({
  cursor: Type.Optional(
    text('The cursor of the previous answer; absent in the first call.', 'eyJzZWVuIjoiMToxOiJ9', {
      maxLength: 4_096,
    }),
  ),
  events: Type.Optional(
    text('Only these event types, separated by commas.', 'link.created,link.deleted', {
      maxLength: 1_024,
    }),
  ),
  waitSeconds: integer('Seconds to wait for an event when there is none yet.', 5, {
    minimum: 0,
    maximum: 8,
    default: 5,
  }),
})
export type Listen = Static<typeof Listen>

const BatchEvent = object('BatchEvent', {
  id: eventId,
  type: eventType,
  workspaceId: WorkspaceId,
  createdAt: described(Timestamp, 'When it happened.'),
  payload: text('The JSON text of the data, byte for byte.', '{"id":"lnk_…"}'),
})

export const EventBatch = object('EventBatch', {
  events: described(Type.Array(BatchEvent), 'The events, oldest first; empty when none came.'),
  cursor: text('The `cursor` of the next call.', 'eyJzZWVuIjoiMToxOiJ9'),
})
export type EventBatch = Static<typeof EventBatch>
