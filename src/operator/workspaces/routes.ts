import { Type } from 'typebox'
import { route, page } from '../../platform/routes/route.ts'
import { clampLimit, idParams, PageMeta } from '../../platform/resources/shapes.ts'
import { OPERATES } from '../requirements.ts'
import * as shapes from './schema.ts'
import type { ServerWorkspaces } from './workspaces.ts'

const params = idParams('wsp', 'workspace')

/** The rules of the commands `workspaces`, `plan`, `rate-limit`, `suspend` and `resume`. */
export const serverWorkspaceRoutes = (workspaces: ServerWorkspaces) => [
  route('GET /operator/workspaces', {
    ...OPERATES,
    name: 'listServerWorkspaces',
    summary: 'List the workspaces of this server',
    description: 'Pages through all workspaces, newest first.',
    shapes: {
      query: shapes.ListServerWorkspaces,
      reply: Type.Array(shapes.ServerWorkspace),
      meta: PageMeta,
    },
    handle: async (_caller, { query }) => {
      const slice = { limit: clampLimit(query.limit), offset: query.offset }
      const found = await workspaces.list({ ...query, ...slice })
      return { data: page(found.workspaces, { total: found.total, ...slice }) }
    },
  }),
  route('GET /operator/workspaces/:id', {
    ...OPERATES,
    name: 'getServerWorkspace',
    summary: 'Read a workspace of this server',
    description: 'Returns a workspace with its members.',
    errors: ['NOT_FOUND'],
    shapes: { params, reply: shapes.ServerWorkspaceDetail },
    handle: async (_caller, { params: { id } }) => ({
      data: await workspaces.get({ workspace: id }),
    }),
  }),
  route('PATCH /operator/workspaces/:id', {
    ...OPERATES,
    name: 'updateServerWorkspace',
    summary: 'Set the plan or the rate limit of a workspace',
    description:
      'Changes the fields that are sent. A subscription at a billing provider stays as it is, so its next event sets the plan again.',
    errors: ['NOT_FOUND'],
    shapes: { params, body: shapes.UpdateServerWorkspace, reply: shapes.ServerWorkspaceDetail },
    handle: async ({ requestId }, { params: { id: workspace }, body }) => {
      const { plan, apiRequestsPerMinute: perMinute } = body
      await workspaces.update({ workspace, plan, perMinute }, requestId)
      return { data: await workspaces.get({ workspace }) }
    },
  }),
  route('POST /operator/workspaces/:id/suspend', {
    ...OPERATES,
    name: 'suspendServerWorkspace',
    summary: 'Suspend a workspace',
    description: 'Refuses its credentials, answers its links with 410 and holds its deliveries.',
    errors: ['NOT_FOUND'],
    shapes: { params, body: shapes.Suspend, reply: shapes.ServerWorkspaceDetail },
    handle: async ({ requestId }, { params: { id: workspace }, body: { reason } }) => {
      await workspaces.suspend({ workspace, reason }, requestId)
      return { data: await workspaces.get({ workspace }) }
    },
  }),
  route('POST /operator/workspaces/:id/resume', {
    ...OPERATES,
    name: 'resumeServerWorkspace',
    summary: 'End the suspension of a workspace',
    description: 'A workspace that is blocked is unblocked instead.',
    errors: ['NOT_FOUND'],
    shapes: { params, reply: shapes.ServerWorkspaceDetail },
    handle: async ({ requestId }, { params: { id: workspace } }) => {
      await workspaces.resume({ workspace }, requestId)
      return { data: await workspaces.get({ workspace }) }
    },
  }),
]
