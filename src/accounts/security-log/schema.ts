import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import { SECURITY_TYPES } from '../../platform/audit/security.ts'
import {
  From,
  idShape,
  nullable,
  PageQuery,
  text,
  Timestamp,
  To,
} from '../../platform/resources/shapes.ts'

const filter = (description: string, example: string) =>
  Type.Optional(text(description, example, { minLength: 1, maxLength: 100 }))

const type = described(
  Type.String({ enum: [...SECURITY_TYPES] }),
  'Type of the event.',
  'sign_in.succeeded',
)
const outcome = described(
  Type.String({ enum: ['success', 'failure'] }),
  'Result of the attempt.',
  'success',
)

const Actor = named(
  'SecurityActor',
  Type.Object({
    type: described(
      Type.String({ enum: ['user', 'api_key', 'system', 'anonymous'] }),
      'A user, an API key, the program itself, or an unknown client.',
      'user',
    ),
    id: nullable(idShape('usr', 'Id of the user or the key.')),
    name: nullable(text('Name at that time.', 'Example User')),
    email: nullable(text('E-mail address of the user at that time.', 'user@example.com')),
  }),
)

export const SecurityRow = named(
  'SecurityEntry',
  Type.Object({
    id: idShape('sec', 'Id of the entry.'),
    workspaceId: nullable(
      idShape('wsp', 'Id of the workspace; null for events of an account, such as a sign-in.'),
    ),
    type,
    outcome,
    actor: described(Actor, 'Author of the event.'),
    userId: nullable(idShape('usr', 'Id of the affected user.')),
    details: described(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      'Details by type, without secrets.',
      { method: 'password' },
    ),
    ipAddress: nullable(text('Client address.', '203.0.113.9')),
    userAgent: nullable(text('User agent of the client.', 'Mozilla/5.0')),
    geo: described(
      named('SecurityGeo', Type.Object({ country: nullable(text('ISO country.', 'DE')) })),
      'Location of the client address.',
    ),
    requestId: text('Id of the request.', 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    createdAt: described(Timestamp, 'Time of the event.'),
  }),
)
export type SecurityRow = Static<typeof SecurityRow>

export const ListSecurity = Type.Object({
  ...PageQuery,
  type: Type.Optional(described(type, 'Only entries of this type.')),
  outcome: Type.Optional(described(outcome, 'Only entries with this outcome.')),
  actorId: filter('Only events by this user or API key.', 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  userId: filter('Only events that affect this user.', 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  from: Type.Optional(From),
  to: Type.Optional(To),
})
export type ListSecurity = Static<typeof ListSecurity>
