import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { idParams, PageMeta } from '../../platform/resources/shapes.ts'
import type { ApiKeys } from './api-keys.ts'
import { ApiKey, CreateApiKey, ListApiKeys, NewApiKey, UpdateApiKey } from './schema.ts'

const Params = idParams('key', 'API key')

/** An API key cannot create, change or revoke keys (spec, Authentication 3). */
const common = { requires: { credential: 'session', role: 'admin' }, tag: 'API keys' } as const

export const apiKeyRoutes = (apiKeys: ApiKeys) => [
  route('POST /api-keys', {
    idempotent: true,
    ...common,
    status: 201,
    name: 'createApiKey',
    summary: 'Create an API key; the key itself is shown this once',
    description:
      'Creates a key that acts as the signed-in user in this workspace, restricted to the given scopes and addresses.',
    errors: ['NOT_FOUND'],
    shapes: { body: CreateApiKey, reply: NewApiKey },
    handle: (principal, { body }) => apiKeys.create(principal, body),
  }),
  route('GET /api-keys', {
    ...common,
    skipConcurrencyLimit: true,
    name: 'listApiKeys',
    summary: 'List API keys',
    description:
      'Pages through the keys of the workspace, newest first. The keys themselves are not shown.',
    shapes: { query: ListApiKeys, reply: Type.Array(ApiKey), meta: PageMeta },
    handle: (principal, { query }, signal) => apiKeys.list(principal, query, signal),
  }),
  route('GET /api-keys/:id', {
    ...common,
    name: 'getApiKey',
    summary: 'Read an API key',
    description: 'Returns one key without its secret.',
    shapes: { params: Params, reply: ApiKey },
    find: apiKeys.find,
    handle: (principal, { params }) => apiKeys.get(principal, params.id),
  }),
  route('PATCH /api-keys/:id', {
    ...common,
    supportsIfMatch: true,
    name: 'updateApiKey',
    summary: 'Update an API key',
    description: 'Changes the fields that are sent and leaves the others alone.',
    shapes: { params: Params, body: UpdateApiKey, reply: ApiKey },
    find: apiKeys.find,
    handle: (principal, { params, body }) => apiKeys.update(principal, params.id, body),
  }),
  route('POST /api-keys/:id/rotate', {
    idempotent: true,
    ...common,
    name: 'rotateApiKey',
    summary: 'Replace the secret of an API key; the new key is shown this once',
    description:
      'The old secret stops working at once. Only the user to whom the key belongs can rotate it.',
    shapes: { params: Params, reply: NewApiKey },
    find: apiKeys.find,
    handle: (principal, { params }) => apiKeys.rotate(principal, params.id),
  }),
  route('DELETE /api-keys/:id', {
    ...common,
    status: 204,
    name: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'The key stops working at once.',
    shapes: { params: Params },
    find: apiKeys.find,
    handle: (principal, { params }) => apiKeys.revoke(principal, params.id),
  }),
]
