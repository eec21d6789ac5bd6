import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { idParams, PageMeta } from '../../platform/resources/shapes.ts'
import * as shapes from './schema.ts'
import type { Workspaces } from './workspaces.ts'

const Params = idParams('wsp', 'workspace')

const tag = 'Workspaces'
const own = { requires: { credential: 'session' }, tag } as const
const writes = {
  requires: { credential: 'any', role: 'viewer', scope: 'workspaces:write' },
  tag,
} as const

/** Routes of a user across workspaces, with or without an active one. */
export const workspaceAccountRoutes = (workspaces: Workspaces) => [
  route('GET /workspaces', {
    requires: { credential: 'any' },
    tag,
    name: 'listWorkspaces',
    summary: 'List your workspaces; an API key sees its own',
    description: 'Pages through the workspaces of the signed-in user.',
    shapes: { query: shapes.ListWorkspaces, reply: Type.Array(shapes.Workspace), meta: PageMeta },
    handle: async (caller, { query }) => ({ data: await workspaces.list(caller, query) }),
  }),
  route('POST /workspaces', {
    idempotent: true,
    ...own,
    status: 201,
    name: 'createWorkspace',
    summary: 'Create a workspace',
    description:
      'Creates a workspace owned by the signed-in user. It becomes the active one of a session without one.',
    shapes: { body: shapes.CreateWorkspace, reply: shapes.Workspace },
    handle: async (caller, { body }) => ({ data: await workspaces.create(caller, body) }),
  }),
  route('POST /workspaces/:id/activate', {
    ...own,
    name: 'activateWorkspace',
    summary: 'Make a workspace the active one of the session',
    description: 'Later requests of this session act in it.',
    errors: ['NOT_FOUND'],
    shapes: { params: Params, reply: shapes.Workspace },
    handle: async (caller, { params }) => ({ data: await workspaces.activate(caller, params.id) }),
  }),
]

/** The path may name any workspace of the user, so `find` looks up and checks the role there. */
export const workspaceRoutes = (workspaces: Workspaces) => [
  route('GET /workspaces/:id', {
    requires: { credential: 'any', role: 'viewer', scope: 'workspaces:read' },
    tag,
    name: 'getWorkspace',
    summary: 'Read a workspace',
    description: 'Returns the workspace with the caller’s role in it.',
    shapes: { params: Params, reply: shapes.Workspace },
    find: (principal, params) => workspaces.find(principal, params['id']!, 'viewer'),
    handle: (principal, { params }) => workspaces.get(principal, params.id),
  }),
  route('PATCH /workspaces/:id', {
    ...writes,
    supportsIfMatch: true,
    name: 'updateWorkspace',
    summary: 'Change the name or settings of a workspace (admin)',
    description: 'Changes the fields that are sent. It needs the role `admin` in that workspace.',
    shapes: { params: Params, body: shapes.UpdateWorkspace, reply: shapes.Workspace },
    find: (principal, params) => workspaces.find(principal, params['id']!, 'admin'),
    handle: (principal, { params, body }) => workspaces.update(principal, params.id, body),
  }),
  route('DELETE /workspaces/:id', {
    ...writes,
    status: 204,
    name: 'deleteWorkspace',
    summary: 'Delete a workspace and everything in it (owner)',
    description:
      'Takes the name of the workspace as a confirmation, in the body or in the query. It needs the role `owner` in that workspace.',
    shapes: { params: Params, query: shapes.DeleteWorkspaceQuery, body: shapes.DeleteWorkspace },
    find: (principal, params) => workspaces.find(principal, params['id']!, 'owner'),
    handle: (principal, { params, query, body }) =>
      workspaces.remove(principal, params.id, { confirm: body?.confirm ?? query.confirm }),
  }),
]
