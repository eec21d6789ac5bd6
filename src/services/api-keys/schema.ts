import { Type } from 'typebox'
import type { Static } from 'typebox'
import { nullable, PageQuery, Timestamp } from '../shapes.ts'

const NAME_MAX_CHARS = 50
const MAX_SCOPES = 100
const MAX_RANGES = 100

/** An API key as every answer shows it; the key itself is shown when it is made or rotated. */
export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  scopes: nullable(Type.Array(Type.String())),
  ipAllowlist: Type.Array(Type.String()),
  workspaceId: Type.String(),
  userId: Type.String(),
  lastUsedAt: nullable(Timestamp),
  lastUsedIp: nullable(Type.String()),
  expiresAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type ApiKey = Static<typeof ApiKey>

/** With the key, this once. */
export const NewApiKey = Type.Object({ ...ApiKey.properties, key: Type.String() })
export type NewApiKey = Static<typeof NewApiKey>

const writable = {
  name: Type.String({ minLength: 1, maxLength: NAME_MAX_CHARS }),
  scopes: nullable(
    Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: MAX_SCOPES,
      description: 'What the key is narrowed to; null: everything its owner’s role may do.',
    }),
  ),
  ipAllowlist: nullable(
    Type.Array(Type.String({ maxLength: 60 }), {
      maxItems: MAX_RANGES,
      description: 'Addresses and CIDR ranges it may be used from; empty: any.',
    }),
  ),
  expiresAt: nullable(Timestamp),
}

export const UpdateApiKey = Type.Partial(Type.Object(writable))
export type UpdateApiKey = Static<typeof UpdateApiKey>

export const CreateApiKey = Type.Object({ ...UpdateApiKey.properties, name: writable.name })
export type CreateApiKey = Static<typeof CreateApiKey>

export const ListApiKeys = Type.Object(PageQuery)
export type ListApiKeys = Static<typeof ListApiKeys>
