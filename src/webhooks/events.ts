import { toExample } from '../platform/routes/example.ts'
import { Type, type TSchema } from 'typebox'
import type { Resource } from '../platform/resources/resource.ts'
import { RESOURCES } from '../resources.ts'
import { described, object } from '../platform/routes/shape.ts'
import { idShape, integer, text, Timestamp, WorkspaceId } from '../platform/resources/shapes.ts'

type EventNames<R> = R extends { events: infer Events } ? keyof Events & string : never
export type EventType = EventNames<(typeof RESOURCES)[keyof typeof RESOURCES]>

const DECLARED = Object.assign(
  {},
  ...Object.values<Resource>(RESOURCES).map(({ events }) => events),
) as Record<EventType, NonNullable<Resource['events']>[string]>

export const EVENT_TYPES = Object.keys(DECLARED) as EventType[]

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(DECLARED, type)
}

/** `sample` is what a test delivery carries, without the workspace id. */
export function getCatalogRow(type: EventType) {
  const { label, description, data } = DECLARED[type]
  const { workspaceId: _workspaceId, ...fields } = data.properties
  const sample = toExample(Type.Object(fields)) as Record<string, unknown>
  return { type, label, description, data, sample }
}

function bodyShape(type: EventType, data: TSchema): TSchema {
  const name = type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
  return object(`${name}Event`, {
    id: text(
      'Id of the delivery, the same for all of its attempts: de-duplicate by it.',
      'del_0123456789abcdef0123456789abcdef',
    ),
    type: described(Type.Literal(type), 'The type of the event.'),
    workspaceId: WorkspaceId,
    endpointId: idShape('whe', 'Id of the endpoint.'),
    attempt: integer('The number of the attempt, from 1.', 1),
    createdAt: described(Timestamp, 'When it happened, or was queued again.'),
    data: described(data, 'What happened.'),
  })
}

const SIGNATURE = 't=1767225600,v1=522b9fef0c5c2a9d11c5eb76997c3421599d579bfc673422ad1644590961e617'

const header = (name: string, description: string, example: string, isAlways = true) => ({
  name,
  description,
  example,
  isAlways,
})

const headersOf = (type: EventType) => [
  header('x-service-event', 'The type of the event.', type),
  header('x-service-event-id', 'Id of the event.', 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  header(
    'x-service-signature',
    '`t=<timestamp>,v1=<hex>`: the HMAC-SHA256 of `t.<timestamp>.<raw body>` under the secret of the endpoint.',
    SIGNATURE,
  ),
  header(
    'x-service-signature-previous',
    'The same under the previous secret, during the overlap of a rotation.',
    SIGNATURE,
    false,
  ),
  header('x-service-timestamp', 'When it was sent, in seconds since 1970.', '1767225600'),
  header(
    'webhook-id',
    'Id of the delivery, for endpoints with `standardHeaders`.',
    'del_0123456789abcdef0123456789abcdef',
    false,
  ),
  header(
    'webhook-timestamp',
    'When it was sent, for endpoints with `standardHeaders`.',
    '1767225600',
    false,
  ),
  header(
    'webhook-signature',
    '`v1,<base64>`, for endpoints with `standardHeaders`; during the overlap of a rotation two of them, separated by a space.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    false,
  ),
]

/** Every event type as an endpoint receives it, for `webhooks` in the OpenAPI document. */
export function webhookEvents() {
  return EVENT_TYPES.map((type) => {
    const { label, description, data } = getCatalogRow(type)
    return {
      type,
      summary: label,
      description,
      body: bodyShape(type, data),
      headers: headersOf(type),
    }
  })
}
