import { Type, type Static } from 'typebox'
import { described, named } from '../../base/shape.ts'
import { SECURITY_TYPES } from '../security.ts'
import { From, idShape, nullable, PageQuery, text, Timestamp, To } from '../shapes.ts'

const filter = (description: string, example: string) =>
  Type.Optional(text(description, example, { minLength: 1, maxLength: 100 }))

const type = described(
  Type.String({ enum: [...SECURITY_TYPES] }),
  'What happened.',
  'sign_in.succeeded',
)
const outcome = described(
  Type.String({ enum: ['success', 'failure'] }),
  'Whether it was let through.',
  'success',
)

const Actor = named(
  'SecurityActor',
  Type.Object({
    type: described(
      Type.String({ enum: ['user', 'api_key', 'system', 'anonymous'] }),
      'A person, a key, the program itself, or nobody known.',
      'user',
    ),
    id: nullable(idShape('usr', 'Id of the person or of the key.')),
    name: nullable(text('How it was called at that time.', 'Example User')),
    email: nullable(text('Address of the person at that time.', 'user@example.com')),
  }),
)

/** One event of the safety of accounts, as every answer shows it. */
export const SecurityRow = named(
  'SecurityEntry',
  Type.Object({
    id: idShape('sec', 'Id of the entry.'),
    workspaceId: nullable(
      idShape('wsp', 'Id of the workspace; null for what concerns a person, such as a sign-in.'),
    ),
    type,
    outcome,
    actor: described(Actor, 'Who did it.'),
    userId: nullable(idShape('usr', 'Id of the account it is about.')),
    details: described(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      'Facts of this type of entry; secrets are never in it.',
      { method: 'password' },
    ),
    ipAddress: nullable(text('From which address.', '203.0.113.9')),
    userAgent: nullable(text('With which program.', 'Mozilla/5.0')),
    geo: described(
      named('SecurityGeo', Type.Object({ country: nullable(text('ISO country.', 'DE')) })),
      'Where the address is.',
    ),
    requestId: text('Id of the request.', 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    createdAt: described(Timestamp, 'When it happened.'),
  }),
)
export type SecurityRow = Static<typeof SecurityRow>

export const ListSecurity = Type.Object({
  ...PageQuery,
  type: Type.Optional(described(type, 'Only entries of this type.')),
  outcome: Type.Optional(described(outcome, 'Only entries with this outcome.')),
  actorId: filter('Only what this person or key did.', 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  userId: filter('Only what concerns this account.', 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  from: Type.Optional(From),
  to: Type.Optional(To),
})
export type ListSecurity = Static<typeof ListSecurity>
