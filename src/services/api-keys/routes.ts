import { Type } from 'typebox'
import { route } from '../../base/route.ts'
import { IdParams, PageMeta } from '../shapes.ts'
import type { Keyring } from './keyring.ts'
import { ApiKey, CreateApiKey, ListApiKeys, NewApiKey, UpdateApiKey } from './schema.ts'

/** A key makes, widens and ends no keys: these take a session (spec, Authentication 3). */
const row = { access: 'admin', scope: null, credential: 'session', tag: 'API keys' } as const

export const apiKeyRoutes = (keyring: Keyring) => [
  route({
    ...row,
    method: 'POST',
    path: '/api-keys',
    status: 201,
    summary: 'Create an API key; the key itself is shown this once',
    shapes: { body: CreateApiKey, reply: NewApiKey },
    handle: (who, { body }) => keyring.create(who, body),
  }),
  route({
    ...row,
    method: 'GET',
    path: '/api-keys',
    status: 200,
    boundsOwnWork: true,
    summary: 'List API keys',
    shapes: { query: ListApiKeys, reply: Type.Array(ApiKey), meta: PageMeta },
    handle: (who, { query }, signal) => keyring.list(who, query, signal),
  }),
  route({
    ...row,
    method: 'GET',
    path: '/api-keys/:id',
    status: 200,
    summary: 'Read an API key',
    shapes: { params: IdParams, reply: ApiKey },
    find: keyring.find,
    handle: (who, { params }) => keyring.get(who, params.id),
  }),
  route({
    ...row,
    method: 'PATCH',
    path: '/api-keys/:id',
    status: 200,
    summary: 'Update an API key',
    shapes: { params: IdParams, body: UpdateApiKey, reply: ApiKey },
    find: keyring.find,
    handle: (who, { params, body }) => keyring.update(who, params.id, body),
  }),
  route({
    ...row,
    method: 'POST',
    path: '/api-keys/:id/rotate',
    status: 200,
    summary: 'Replace the secret of an API key; the new key is shown this once',
    shapes: { params: IdParams, reply: NewApiKey },
    find: keyring.find,
    handle: (who, { params }) => keyring.rotate(who, params.id),
  }),
  route({
    ...row,
    method: 'DELETE',
    path: '/api-keys/:id',
    status: 204,
    summary: 'Revoke an API key',
    shapes: { params: IdParams },
    find: keyring.find,
    handle: (who, { params }) => keyring.revoke(who, params.id),
  }),
]
