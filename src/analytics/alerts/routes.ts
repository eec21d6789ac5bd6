import { Type } from 'typebox'
import { route, scopedTo } from '../../platform/routes/route.ts'
import { idParams, Paged, PageMeta } from '../../platform/resources/shapes.ts'
import type { Alerts } from './alerts.ts'
import { Alert, CreateAlert, UpdateAlert } from './schema.ts'

const params = idParams('alr', 'alert')
const { reads, writes } = scopedTo('alerts', 'Alerts')

export const alertRoutes = (alerts: Alerts) => [
  route('POST /alerts', {
    ...writes,
    idempotent: true,
    status: 201,
    name: 'createAlert',
    summary: 'Create an alert',
    description:
      'Watches the clicks of a link or of the whole workspace, or the destination of a link. There is one alert for each of them, and 50 in a workspace.',
    errors: ['NOT_FOUND', 'PLAN_LIMIT_REACHED'],
    shapes: { body: CreateAlert, reply: Alert },
    handle: (principal, { body }) => alerts.create(principal, body),
  }),
  route('GET /alerts', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listAlerts',
    summary: 'List alerts',
    description: 'Pages through the alerts of the workspace and their states, newest first.',
    shapes: { query: Paged, reply: Type.Array(Alert), meta: PageMeta },
    handle: (principal, { query }, signal) => alerts.list(principal, query, signal),
  }),
  route('GET /alerts/:id', {
    ...reads,
    name: 'getAlert',
    summary: 'Read an alert',
    description: 'Returns one alert and its state.',
    shapes: { params, reply: Alert },
    find: alerts.find,
    handle: (principal, { params: { id } }) => alerts.get(principal, id),
  }),
  route('PATCH /alerts/:id', {
    ...writes,
    supportsIfMatch: true,
    name: 'updateAlert',
    summary: 'Update an alert',
    description:
      'Changes the fields that are sent. What is no longer watched is over, without a mail.',
    shapes: { params, body: UpdateAlert, reply: Alert },
    find: alerts.find,
    handle: (principal, { params: { id }, body }) => alerts.update(principal, id, body),
  }),
  route('DELETE /alerts/:id', {
    ...writes,
    status: 204,
    name: 'deleteAlert',
    summary: 'Delete an alert',
    description: 'Nothing is watched any more.',
    shapes: { params },
    find: alerts.find,
    handle: (principal, { params: { id } }) => alerts.remove(principal, id),
  }),
]
