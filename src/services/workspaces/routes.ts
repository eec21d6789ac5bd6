import { Type } from 'typebox'
import { accountRoute, route } from '../../base/route.ts'
import { IdParams, PageMeta } from '../shapes.ts'
import {
  CreateWorkspace,
  DeleteWorkspace,
  ListWorkspaces,
  UpdateWorkspace,
  Workspace,
} from './schema.ts'
import type { Workspaces } from './workspaces.ts'

const tag = 'Workspaces'

/** What a person does across workspaces, with or without an active one. */
export const workspaceAccountRoutes = (workspaces: Workspaces) => [
  accountRoute({
    method: 'GET',
    path: '/workspaces',
    credential: 'any',
    tier: 'api',
    status: 200,
    summary: 'List your workspaces; an API key sees its own',
    tag,
    shapes: { query: ListWorkspaces, reply: Type.Array(Workspace), meta: PageMeta },
    handle: async (caller, { query }) => ({ data: await workspaces.list(caller, query) }),
  }),
  accountRoute({
    method: 'POST',
    path: '/workspaces',
    credential: 'session',
    tier: 'api',
    status: 201,
    summary: 'Create a workspace',
    tag,
    shapes: { body: CreateWorkspace, reply: Workspace },
    handle: async (caller, { body }) => ({ data: await workspaces.create(caller, body) }),
  }),
  accountRoute({
    method: 'POST',
    path: '/workspaces/:id/activate',
    credential: 'session',
    tier: 'api',
    status: 200,
    summary: 'Make a workspace the active one of the session',
    tag,
    shapes: { params: IdParams, reply: Workspace },
    handle: async (caller, { params }) => ({ data: await workspaces.activate(caller, params.id) }),
  }),
]

/** The path may name any workspace of the session's person, so the role that counts is looked up. */
export const workspaceRoutes = (workspaces: Workspaces) => [
  route({
    method: 'GET',
    path: '/workspaces/:id',
    access: 'viewer',
    scope: 'workspaces:read',
    status: 200,
    summary: 'Read a workspace',
    tag,
    shapes: { params: IdParams, reply: Workspace },
    find: (who, params) => workspaces.find(who, params['id']!, 'viewer'),
    handle: (who, { params }) => workspaces.get(who, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/workspaces/:id',
    access: 'viewer',
    scope: 'workspaces:write',
    status: 200,
    summary: 'Rename a workspace (admin)',
    tag,
    shapes: { params: IdParams, body: UpdateWorkspace, reply: Workspace },
    find: (who, params) => workspaces.find(who, params['id']!, 'admin'),
    handle: (who, { params, body }) => workspaces.update(who, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/workspaces/:id',
    access: 'viewer',
    scope: 'workspaces:write',
    status: 204,
    summary: 'Delete a workspace and everything in it (owner)',
    tag,
    shapes: { params: IdParams, body: DeleteWorkspace },
    find: (who, params) => workspaces.find(who, params['id']!, 'owner'),
    handle: (who, { params, body }) => workspaces.remove(who, params.id, body),
  }),
]
