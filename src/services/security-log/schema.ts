import { Type } from 'typebox'
import type { Static } from 'typebox'
import { SECURITY_TYPES } from '../security.ts'
import { nullable, PageQuery, Timestamp } from '../shapes.ts'

const NullableText = nullable(Type.String())
const Filter = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))

/** One event of the safety of accounts, as every answer shows it. */
export const SecurityRow = Type.Object({
  id: Type.String(),
  workspaceId: nullable(
    Type.String({ description: 'Null for what concerns a person, such as a sign-in.' }),
  ),
  type: Type.String({ enum: [...SECURITY_TYPES] }),
  outcome: Type.String({ enum: ['success', 'failure'] }),
  actor: Type.Object({
    type: Type.String({ enum: ['user', 'api_key', 'system', 'anonymous'] }),
    id: NullableText,
    name: NullableText,
    email: NullableText,
  }),
  userId: nullable(Type.String({ description: 'The account it is about.' })),
  details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  ipAddress: NullableText,
  userAgent: NullableText,
  geo: Type.Object({ country: NullableText }),
  requestId: Type.String(),
  createdAt: Timestamp,
})
export type SecurityRow = Static<typeof SecurityRow>

export const ListSecurity = Type.Object({
  ...PageQuery,
  type: Type.Optional(Type.String({ enum: [...SECURITY_TYPES] })),
  outcome: Type.Optional(Type.String({ enum: ['success', 'failure'] })),
  actorId: Filter,
  userId: Filter,
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
})
export type ListSecurity = Static<typeof ListSecurity>
