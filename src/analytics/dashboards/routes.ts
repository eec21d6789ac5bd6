import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { FilteredMeta, idParams } from '../../platform/resources/shapes.ts'
import type { Dashboards } from './dashboards.ts'
import { CreateDashboard, Dashboard, ListDashboards, UpdateDashboard } from './schema.ts'
import { PasswordHeaders, PublicDashboard, TokenParams } from './visit-schema.ts'
import type { DashboardVisits } from './visits.ts'

const Params = idParams('dsh', 'dashboard')

const reads = {
  requires: { credential: 'any', role: 'member', scope: 'dashboards:read' },
} as const
const writes = {
  requires: { credential: 'any', role: 'member', scope: 'dashboards:write' },
} as const
const tag = 'Shared dashboards'

export const dashboardRoutes = (dashboards: Dashboards) => [
  route('POST /dashboards', {
    ...writes,
    idempotent: true,
    status: 201,
    name: 'createDashboard',
    summary: 'Share a dashboard',
    description:
      'Makes the statistics of the workspace, or of one link, campaign or folder, readable at an address that needs no account.',
    errors: ['PLAN_CAPABILITY_REQUIRED', 'PLAN_LIMIT_REACHED', 'SECRET_KEY_CHANGED'],
    tag,
    shapes: { body: CreateDashboard, reply: Dashboard },
    handle: (principal, { body }) => dashboards.create(principal, body),
  }),
  route('GET /dashboards', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listDashboards',
    summary: 'List shared dashboards',
    description: 'Pages through the shared dashboards of the workspace, newest first.',
    errors: ['SECRET_KEY_CHANGED'],
    tag,
    shapes: { query: ListDashboards, reply: Type.Array(Dashboard), meta: FilteredMeta },
    handle: (principal, { query }, signal) => dashboards.list(principal, query, signal),
  }),
  route('GET /dashboards/:id', {
    ...reads,
    name: 'getDashboard',
    summary: 'Read a shared dashboard',
    description: 'Returns one shared dashboard with its address.',
    errors: ['SECRET_KEY_CHANGED'],
    tag,
    shapes: { params: Params, reply: Dashboard },
    find: dashboards.find,
    handle: (principal, { params }) => dashboards.get(principal, params.id),
  }),
  route('PATCH /dashboards/:id', {
    ...writes,
    supportsIfMatch: true,
    name: 'updateDashboard',
    summary: 'Update a shared dashboard',
    description:
      'Changes the fields that are sent and leaves the others alone. After a change of the password, visitors must enter the new one.',
    errors: ['SECRET_KEY_CHANGED'],
    tag,
    shapes: { params: Params, body: UpdateDashboard, reply: Dashboard },
    find: dashboards.find,
    handle: (principal, { params, body }) => dashboards.update(principal, params.id, body),
  }),
  route('POST /dashboards/:id/rotate', {
    ...writes,
    idempotent: true,
    name: 'rotateDashboard',
    summary: 'Give a shared dashboard another address',
    description: 'Replaces the token. The former address stops working at once.',
    tag,
    shapes: { params: Params, reply: Dashboard },
    find: dashboards.find,
    handle: (principal, { params }) => dashboards.rotate(principal, params.id),
  }),
  route('DELETE /dashboards/:id', {
    ...writes,
    status: 204,
    name: 'deleteDashboard',
    summary: 'Delete a shared dashboard',
    description: 'Its address stops working at once.',
    tag,
    shapes: { params: Params },
    find: dashboards.find,
    handle: (principal, { params }) => dashboards.remove(principal, params.id),
  }),
]

export const publicDashboardRoutes = (visits: DashboardVisits) => [
  route('GET /public/dashboards/:token', {
    requires: { credential: 'none' },
    isUnlisted: true,
    skipConcurrencyLimit: true,
    name: 'readPublicDashboard',
    summary: 'Read a shared dashboard as a visitor',
    description:
      'Returns the statistics of a shared dashboard; needs no credential. Requests within a second get the same answer. An unknown, revoked or rotated token is a 404. So is a token whose link, campaign or folder was deleted, or whose workspace is suspended or has a plan without public dashboards.',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    tag,
    shapes: { params: TokenParams, headers: PasswordHeaders, reply: PublicDashboard },
    handle: (caller, { params, headers }) =>
      visits.read(caller, params.token, headers['x-dashboard-password']),
  }),
]
