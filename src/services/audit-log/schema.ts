import { Type } from 'typebox'
import type { Static } from 'typebox'
import { AUDIT_ACTIONS } from '../audit.ts'
import { nullable, PageQuery, Timestamp } from '../shapes.ts'

const NullableText = nullable(Type.String())
const Filter = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))

/** One change, as every answer shows it. Hashes are hexadecimal SHA-256. */
export const AuditRow = Type.Object({
  id: Type.String(),
  workspaceId: Type.String(),
  action: Type.String({ enum: [...AUDIT_ACTIONS] }),
  actor: Type.Object({
    type: Type.String({ enum: ['user', 'api_key', 'system'] }),
    id: Type.String(),
    name: NullableText,
    email: NullableText,
  }),
  target: Type.Object({ type: Type.String(), id: Type.String(), name: NullableText }),
  changes: Type.Unsafe<Record<string, { old: unknown; new: unknown }>>({
    type: 'object',
    additionalProperties: true,
    description: '{field: {old, new}}; secrets are never in it.',
  }),
  ipAddress: NullableText,
  userAgent: NullableText,
  requestId: Type.String(),
  createdAt: Timestamp,
  prevHash: nullable(
    Type.String({ description: 'Hash of the row before it; zeros for the first.' }),
  ),
  hash: nullable(Type.String({ description: 'Over the row and prevHash.' })),
})
export type AuditRow = Static<typeof AuditRow>

export const ListAudit = Type.Object({
  ...PageQuery,
  action: Type.Optional(Type.String({ enum: [...AUDIT_ACTIONS] })),
  actorId: Filter,
  targetType: Filter,
  targetId: Filter,
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
})
export type ListAudit = Static<typeof ListAudit>
