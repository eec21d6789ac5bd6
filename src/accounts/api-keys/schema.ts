import { Type, type Static } from 'typebox'
import { described, documented, named, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  idShape,
  LastUsedAt,
  nullable,
  oneOf,
  PageQuery,
  text,
  Timestamp,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'
import { SCOPES } from './scopes.ts'

export const NAME_MAX_CHARS = 50
const MAX_SCOPES = 100
const MAX_RANGES = 100

const name = text('Purpose of the key.', 'Nightly export', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})
const expiresAt = nullable(
  described(
    Timestamp,
    'When the key expires; null: never. An app gets a new key in time.',
    '2027-01-01T00:00:00.000Z',
  ),
)

export const ApiKey = object('ApiKey', {
  id: idShape('key', 'Id of the key.'),
  name,
  prefix: text('First and last characters of the key, to tell keys apart.', 'sp_AbC…wxyz'),
  scopes: described(
    nullable(Type.Array(Type.String())),
    'Permissions of the key; null: everything that its user’s role allows.',
    ['links:read'],
  ),
  ipAllowlist: described(
    Type.Array(Type.String()),
    'Addresses and CIDR ranges that may use the key; empty: any.',
    ['203.0.113.0/24'],
  ),
  workspaceId: WorkspaceId,
  userId: idShape('usr', 'Id of the user as whom it acts.'),
  app: nullable(
    text(
      'Where the user allowed the app that holds the key: the host it returned to, or `device`; null for a key without an app.',
      'app.example.com',
    ),
  ),
  lastUsedAt: nullable(LastUsedAt),
  lastUsedIp: nullable(text('Client address of its last use.', '203.0.113.9')),
  expiresAt,
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
export type ApiKey = Static<typeof ApiKey>

export const NewApiKey = object('NewApiKey', {
  ...ApiKey.properties,
  key: text('The key itself, which is not shown again.', 'sp_EXAMPLE'),
})
export type NewApiKey = Static<typeof NewApiKey>

/** Aliases are accepted too (scopes.ts). */
const scope = documented(Type.String({ maxLength: 50 }), { enum: SCOPES })

const writable = {
  name,
  scopes: described(
    documented(nullable(Type.Array(scope, { maxItems: MAX_SCOPES })), { minItems: 1 }),
    'Permissions of the key; null: everything that its user’s role allows.',
    ['links:read', 'analytics:read'],
  ),
  ipAllowlist: described(
    nullable(Type.Array(Type.String({ maxLength: 60 }), { maxItems: MAX_RANGES })),
    'Addresses and CIDR ranges that may use the key; empty or null: any.',
    ['203.0.113.0/24'],
  ),
  expiresAt,
}

const anyFields = Type.Partial(Type.Object(writable))
export const UpdateApiKey = named('UpdateApiKey', described(anyFields, 'The fields to change.'))
export type UpdateApiKey = Static<typeof UpdateApiKey>

export const CreateApiKey = object(
  'CreateApiKey',
  { ...anyFields.properties, name },
  { examples: [{ name: 'Nightly export', scopes: ['links:read', 'analytics:read'] }] },
)
export type CreateApiKey = Static<typeof CreateApiKey>

export const ListApiKeys = Type.Object({
  ...PageQuery,
  kind: Type.Optional(
    oneOf(['key', 'app'], 'Only keys that users made, or only those of allowed apps.', 'app'),
  ),
})
export type ListApiKeys = Static<typeof ListApiKeys>
