import { Type, type Static } from 'typebox'
import { described, named } from '../../base/shape.ts'
import { AUDIT_ACTIONS } from '../audit.ts'
import { From, idShape, nullable, PageQuery, text, Timestamp, To, WorkspaceId } from '../shapes.ts'

const filter = (description: string, example: string) =>
  Type.Optional(text(description, example, { minLength: 1, maxLength: 100 }))

const action = described(
  Type.String({ enum: [...AUDIT_ACTIONS] }),
  'What was done: a resource and a past participle.',
  'link.created',
)

const Actor = named(
  'AuditActor',
  Type.Object({
    type: described(
      Type.String({ enum: ['user', 'api_key', 'system'] }),
      'A person, a key, or the program itself.',
      'user',
    ),
    id: idShape('usr', 'Id of the person or of the key.'),
    name: nullable(text('How it was called at that time.', 'Example User')),
    email: nullable(text('Address of the person at that time.', 'user@example.com')),
  }),
)

const Target = named(
  'AuditTarget',
  Type.Object({
    type: text('What kind of thing was changed.', 'link'),
    id: idShape('lnk', 'Its id.'),
    name: nullable(text('How it was called at that time.', 'Spring sale')),
  }),
)

/** One change, as every answer shows it. Hashes are hexadecimal SHA-256. */
export const AuditRow = named(
  'AuditEntry',
  Type.Object({
    id: idShape('aud', 'Id of the entry.'),
    workspaceId: WorkspaceId,
    action,
    actor: described(Actor, 'Who did it.'),
    target: described(Target, 'What it was done to.'),
    changes: described(
      Type.Unsafe<Record<string, { old: unknown; new: unknown }>>({
        type: 'object',
        additionalProperties: true,
      }),
      'Old and new value of each field, `{field: {old, new}}`; secrets are never in it.',
      { name: { old: 'Spring', new: 'Spring sale' } },
    ),
    ipAddress: nullable(text('From which address.', '203.0.113.9')),
    userAgent: nullable(text('With which program.', 'curl/8.5.0')),
    requestId: text('Id of the request.', 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    createdAt: described(Timestamp, 'When it was done.'),
    prevHash: nullable(text('Hash of the entry before it; zeros for the first.', '0'.repeat(64))),
    hash: nullable(text('Hash over the entry and prevHash.', '9f86d081884c7d65'.repeat(4))),
  }),
)
export type AuditRow = Static<typeof AuditRow>

export const ListAudit = Type.Object({
  ...PageQuery,
  action: Type.Optional(described(action, 'Only entries with this action.', 'link.created')),
  actorId: filter('Only what this user or key did.', 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  targetType: filter('Only changes of this kind of thing.', 'link'),
  targetId: filter('Only changes of this thing.', 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  from: Type.Optional(From),
  to: Type.Optional(To),
})
export type ListAudit = Static<typeof ListAudit>
