import { Type } from 'typebox'
import type { Static } from 'typebox'
import { STATUS_NAMES } from '../../delivery/states.ts'
import { nullable, PageQuery, Timestamp } from '../shapes.ts'

export const MAX_DESCRIPTION = 500
const MAX_URL = 2_048

const ENDPOINT_STATUS = ['active', 'paused'] as const
const Url = Type.String({ minLength: 1, maxLength: MAX_URL, description: 'An https:// URL.' })
const Events = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Event types; `*` means all.',
})
// Counted in code points by the rule; the shape bounds what is read.
const Description = nullable(Type.String({ maxLength: 2 * MAX_DESCRIPTION }))
const EndpointStatus = Type.String({ enum: [...ENDPOINT_STATUS] })
const StandardHeaders = Type.Boolean({
  description: 'Send the headers of Standard Webhooks beside ours.',
})
const FailureEmail = nullable(
  Type.String({
    maxLength: 254,
    description: 'Where a mail goes when deliveries to this endpoint keep failing.',
  }),
)

const endpointFields = {
  id: Type.String(),
  workspaceId: Type.String(),
  url: Type.String(),
  description: nullable(Type.String()),
  events: Type.Array(Type.String()),
  status: EndpointStatus,
  failureCount: Type.Integer({ description: 'Failed attempts since the last success.' }),
  lastFailureAt: nullable(Timestamp),
  lastSuccessAt: nullable(Timestamp),
  createdBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  standardHeaders: Type.Boolean(),
  failureEmail: nullable(Type.String()),
  droppedClicks: Type.Integer({
    description: 'click.received deliveries that a backlog of a million refused.',
  }),
}

/** The spec's Webhook endpoint; `secret` is in three answers only, and this is none of them. */
export const Endpoint = Type.Object(endpointFields)
export type Endpoint = Static<typeof Endpoint>

export const CreatedEndpoint = Type.Object({ ...endpointFields, secret: Type.String() })

export const CreateEndpoint = Type.Object({
  url: Url,
  events: Events,
  description: Type.Optional(Description),
  status: Type.Optional(EndpointStatus),
  standardHeaders: Type.Optional(StandardHeaders),
  failureEmail: Type.Optional(FailureEmail),
})
export type CreateEndpoint = Static<typeof CreateEndpoint>

export const UpdateEndpoint = Type.Partial(CreateEndpoint)
export type UpdateEndpoint = Static<typeof UpdateEndpoint>

export const EndpointSecret = Type.Object({ id: Type.String(), secret: Type.String() })

/** A request without a body is validated as null. */
export const TestEndpoint = nullable(
  Type.Object({ eventType: Type.Optional(Type.String({ maxLength: 64 })) }),
)

export const TestAccepted = Type.Object({
  id: Type.String(),
  status: Type.String(),
  eventType: Type.String(),
  createdAt: Timestamp,
})

const DeliveryStatus = Type.String({ enum: [...STATUS_NAMES] })

const deliveryFields = {
  id: Type.String(),
  workspaceId: Type.String(),
  endpointId: Type.String(),
  eventType: Type.String(),
  eventId: Type.String(),
  status: DeliveryStatus,
  attempts: Type.Integer(),
  maxAttempts: Type.Integer(),
  responseStatus: nullable(Type.Integer()),
  durationMs: nullable(Type.Integer()),
  createdAt: Timestamp,
  completedAt: nullable(Timestamp),
  error: nullable(Type.String({ description: 'Why no answer came, when none did.' })),
  nextAttemptAt: nullable(Timestamp),
}

export const Delivery = Type.Object(deliveryFields)
export type Delivery = Static<typeof Delivery>

export const DeliveryDetail = Type.Object({
  ...deliveryFields,
  responseBody: nullable(Type.String({ description: 'Its first 4000 characters.' })),
  responseHeaders: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
  }),
  payload: Type.Unsafe<unknown>({
    description: 'The original event payload; null when it was older than the log is kept.',
  }),
  requestBody: nullable(Type.String({ description: 'What the latest attempt sent.' })),
  requestHeaders: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description: 'Without the signature.',
  }),
  attemptLog: Type.Array(
    Type.Object({
      attempt: Type.Integer(),
      at: Timestamp,
      responseStatus: nullable(Type.Integer()),
      durationMs: nullable(Type.Integer()),
      error: nullable(Type.String()),
    }),
  ),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const ListDeliveries = Type.Object({
  endpointId: Type.Optional(Type.String({ maxLength: 64 })),
  status: Type.Optional(DeliveryStatus),
  ...PageQuery,
})
export type ListDeliveries = Static<typeof ListDeliveries>

export const Retried = Type.Object({
  id: Type.String(),
  status: Type.String(),
  attempts: Type.Integer(),
  maxAttempts: Type.Integer(),
})

const RetryFilter = Type.Object({
  endpointId: Type.Optional(Type.String({ maxLength: 64 })),
  status: Type.Optional(Type.String({ enum: ['failed', 'dead_letter'] })),
  eventType: Type.Optional(Type.String({ maxLength: 64 })),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
})
export type RetryFilter = Static<typeof RetryFilter>

/** A request without a body is validated as null, and names everything. */
export const RetryMany = nullable(RetryFilter)

export const Requeued = Type.Object({
  requeued: Type.Integer(),
  hasMore: Type.Boolean({ description: 'True when the bound of one call was reached; ask again.' }),
})

export const Replay = Type.Object({
  since: Timestamp,
  until: Type.Optional(Timestamp),
  events: Type.Optional(Events),
})
export type Replay = Static<typeof Replay>

export const Replayed = Type.Object({
  queued: Type.Integer(),
  next: nullable(
    Type.String({ description: 'Give it as `since` to go on; null when all events were queued.' }),
  ),
})

export const EventCatalog = Type.Object({
  events: Type.Array(
    Type.Object({
      type: Type.String(),
      label: Type.String(),
      description: Type.String(),
      sample: Type.Unsafe<unknown>({ description: 'Example of the data of this type.' }),
    }),
  ),
})

export const Dispatch = Type.Object({
  type: Type.String({ maxLength: 64 }),
  payload: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  ),
})
export type Dispatch = Static<typeof Dispatch>

export const Dispatched = Type.Object({
  dispatched: Type.Integer({ description: 'How many endpoints were addressed.' }),
})

export const Listen = Type.Object({
  cursor: Type.Optional(
    Type.String({
      maxLength: 4_096,
      description: 'Of the answer before; absent at the beginning.',
    }),
  ),
  events: Type.Optional(
    Type.String({ maxLength: 1_024, description: 'Event types with commas between them.' }),
  ),
  waitSeconds: Type.Integer({
    minimum: 0,
    maximum: 8,
    default: 5,
    description: 'How long to wait for an event when there is none.',
  }),
})
export type Listen = Static<typeof Listen>

export const Heard = Type.Object({
  events: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      workspaceId: Type.String(),
      createdAt: Timestamp,
      payload: Type.String({ description: 'The JSON text of the data, byte for byte.' }),
    }),
  ),
  cursor: Type.String(),
})
export type Heard = Static<typeof Heard>
