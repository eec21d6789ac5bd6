import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import { AUDIT_ACTIONS } from '../../platform/audit/audit.ts'
import {
  From,
  idShape,
  nullable,
  PageQuery,
  text,
  Timestamp,
  To,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'
import { SECURITY_TYPES } from '../../platform/audit/security.ts'

const filter = (description: string, example: string) =>
  Type.Optional(text(description, example, { minLength: 1, maxLength: 100 }))

const action = described(
  Type.String({ enum: [...AUDIT_ACTIONS] }),
  'What was done: a resource and a past participle.',
  'link.created',
)

const Actor = object('AuditActor', {
  type: described(
    Type.String({ enum: ['user', 'api_key', 'system'] }),
    'A user, an API key, or the program itself.',
    'user',
  ),
  id: idShape('usr', 'Id of the user or the key.'),
  name: nullable(text('Name at that time.', 'Example User')),
  email: nullable(text('E-mail address of the user at that time.', 'user@example.com')),
})

const Target = object('AuditTarget', {
  type: text('Type of the changed object.', 'link'),
  id: idShape('lnk', 'Id of the object.'),
  name: nullable(text('Name at that time.', 'Spring sale')),
})

export const AuditRow = object('AuditEntry', {
  id: idShape('aud', 'Id of the entry.'),
  workspaceId: WorkspaceId,
  action,
  actor: described(Actor, 'Author of the change.'),
  target: described(Target, 'The changed object.'),
  changes: described(
    Type.Unsafe<Record<string, { old: unknown; new: unknown }>>({
      type: 'object',
      additionalProperties: true,
    }),
    'Old and new value of each field, `{field: {old, new}}`, without secrets.',
    { name: { old: 'Spring', new: 'Spring sale' } },
  ),
  ipAddress: nullable(text('Client address.', '203.0.113.9')),
  userAgent: nullable(text('User agent of the client.', 'curl/8.5.0')),
  requestId: text('Id of the request.', 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  createdAt: described(Timestamp, 'Time of the change.'),
  prevHash: nullable(text('Hash of the previous entry; zeros for the first.', '0'.repeat(64))),
  hash: nullable(text('Hash of the entry and `prevHash`.', '9f86d081884c7d65'.repeat(4))),
})
export type AuditRow = Static<typeof AuditRow>

export const ListAudit = Type.Object({
  ...PageQuery,
  action: Type.Optional(described(action, 'Only entries with this action.', 'link.created')),
  actorId: filter('Only changes by this user or API key.', 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  targetType: filter('Only changes of objects of this type.', 'link'),
  targetId: filter('Only changes of this object.', 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  from: Type.Optional(From),
  to: Type.Optional(To),
})
export type ListAudit = Static<typeof ListAudit>

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

const SecurityActor = object('SecurityActor', {
  type: described(
    Type.String({ enum: ['user', 'api_key', 'system', 'anonymous'] }),
    'A user, an API key, the program itself, or an unknown client.',
    'user',
  ),
  id: nullable(idShape('usr', 'Id of the user or the key.')),
  name: nullable(text('Name at that time.', 'Example User')),
  email: nullable(text('E-mail address of the user at that time.', 'user@example.com')),
})

export const SecurityRow = object('SecurityEntry', {
  id: idShape('sec', 'Id of the entry.'),
  workspaceId: nullable(
    idShape('wsp', 'Id of the workspace; null for events of an account, such as a sign-in.'),
  ),
  type,
  outcome,
  actor: described(SecurityActor, 'Author of the event.'),
  userId: nullable(idShape('usr', 'Id of the affected user.')),
  details: described(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    'Details by type, without secrets.',
    { method: 'password' },
  ),
  ipAddress: nullable(text('Client address.', '203.0.113.9')),
  userAgent: nullable(text('User agent of the client.', 'Mozilla/5.0')),
  geo: described(
    object('SecurityGeo', { country: nullable(text('ISO country.', 'DE')) }),
    'Location of the client address.',
  ),
  requestId: text('Id of the request.', 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  createdAt: described(Timestamp, 'Time of the event.'),
})
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
