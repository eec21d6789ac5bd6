import { Type, type Static } from 'typebox'
import { described, documented, named } from '../../base/shape.ts'
import {
  CreatedAt,
  idShape,
  LastUsedAt,
  nullable,
  PageQuery,
  text,
  Timestamp,
  UpdatedAt,
  WorkspaceId,
} from '../shapes.ts'
import { SCOPES } from './scopes.ts'

const NAME_MAX_CHARS = 50
const MAX_SCOPES = 100
const MAX_RANGES = 100

const name = text('What the key is for.', 'Nightly export', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})
const expiresAt = nullable(
  described(Timestamp, 'When the key stops to work; null: never.', '2027-01-01T00:00:00.000Z'),
)

/** An API key as every answer shows it; the key itself is shown when it is made or rotated. */
export const ApiKey = named(
  'ApiKey',
  Type.Object({
    id: idShape('key', 'Id of the key.'),
    name,
    prefix: text('The first and the last letters of the key, to tell keys apart.', 'sp_AbC…wxyz'),
    scopes: described(
      nullable(Type.Array(Type.String())),
      'What the key is narrowed to; null: everything that its owner’s role may do.',
      ['links:read'],
    ),
    ipAllowlist: described(
      Type.Array(Type.String()),
      'Addresses and CIDR ranges it may be used from; empty: any.',
      ['203.0.113.0/24'],
    ),
    workspaceId: WorkspaceId,
    userId: idShape('usr', 'Id of the person it acts as.'),
    lastUsedAt: nullable(LastUsedAt),
    lastUsedIp: nullable(text('From which address it was last used.', '203.0.113.9')),
    expiresAt,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  }),
)
export type ApiKey = Static<typeof ApiKey>

/** With the key, this once. */
export const NewApiKey = named(
  'NewApiKey',
  Type.Object({
    ...ApiKey.properties,
    key: text('The key itself. It is not shown again.', 'sp_EXAMPLE'),
  }),
)
export type NewApiKey = Static<typeof NewApiKey>

/** Other spellings are taken as well (scopes.ts). */
const scope = documented(Type.String({ maxLength: 50 }), { enum: SCOPES })

const writable = {
  name,
  scopes: described(
    documented(nullable(Type.Array(scope, { maxItems: MAX_SCOPES })), { minItems: 1 }),
    'What the key is narrowed to; null: everything that its owner’s role may do.',
    ['links:read', 'analytics:read'],
  ),
  ipAllowlist: described(
    nullable(Type.Array(Type.String({ maxLength: 60 }), { maxItems: MAX_RANGES })),
    'Addresses and CIDR ranges it may be used from; empty or null: any.',
    ['203.0.113.0/24'],
  ),
  expiresAt,
}

const anyFields = Type.Partial(Type.Object(writable))
export const UpdateApiKey = named('UpdateApiKey', described(anyFields, 'The fields to change.'))
export type UpdateApiKey = Static<typeof UpdateApiKey>

export const CreateApiKey = named(
  'CreateApiKey',
  Type.Object(
    { ...anyFields.properties, name },
    { examples: [{ name: 'Nightly export', scopes: ['links:read', 'analytics:read'] }] },
  ),
)
export type CreateApiKey = Static<typeof CreateApiKey>

export const ListApiKeys = Type.Object(PageQuery)
export type ListApiKeys = Static<typeof ListApiKeys>
