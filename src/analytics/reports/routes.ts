import { TIMES } from '../../platform/limits/times.ts'
import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { idParams, Paged, PageMeta } from '../../platform/resources/shapes.ts'
import type { Reports } from './reports.ts'
import { CreateReport, Report, UpdateReport } from './schema.ts'

const Params = idParams('rep', 'report')

const reads = { requires: { credential: 'any', role: 'viewer', scope: 'reports:read' } } as const
const writes = { requires: { credential: 'any', role: 'member', scope: 'reports:write' } } as const
const tag = 'Reports'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** The first piece of a file may wait for a connection. */
const PART_MS = TIMES.stream.ms

export const reportRoutes = (reports: Reports) => [...readRoutes(reports), ...writeRoutes(reports)]

const readRoutes = (reports: Reports) => [
  route('GET /reports', {
    ...reads,
    name: 'listReports',
    summary: 'List reports',
    description: 'Pages through the reports of the workspace, newest first.',
    tag,
    shapes: { query: Paged, reply: Type.Array(Report), meta: PageMeta },
    handle: (principal, { query }) => reports.list(principal, query),
  }),
  route('GET /reports/:id', {
    ...reads,
    name: 'getReport',
    summary: 'Read a report',
    description: 'Returns one report with the progress of its latest run.',
    tag,
    shapes: { params: Params, reply: Report },
    find: reports.find,
    handle: (principal, { params }) => reports.get(principal, params.id),
  }),
  route('GET /reports/:id/download', {
    ...reads,
    isLongLived: true,
    name: 'downloadReport',
    summary: 'Download a report',
    description:
      'Sends the file of the latest run that was completed, or the part of it that `Range` names.',
    errors: ['CONFLICT', 'GONE', 'RANGE_NOT_SATISFIABLE'],
    tag,
    limits: { timeoutMs: PART_MS },
    sends: ['text/csv', 'application/json', XLSX, 'application/pdf'],
    shapes: { params: Params },
    find: reports.find,
    handle: (principal, { params }) => reports.download(principal, params.id),
  }),
]

const writeRoutes = (reports: Reports) => [
  route('POST /reports', {
    ...writes,
    idempotent: true,
    status: 202,
    name: 'createReport',
    summary: 'Ask for a report',
    description:
      'A job writes the file in the background: read the report until its status is `completed`, or receive `report.generated`. The file is kept for 30 days.',
    errors: ['CONFLICT', 'PLAN_CAPABILITY_REQUIRED'],
    tag,
    shapes: { body: CreateReport, reply: Report },
    handle: (principal, { body }) => reports.create(principal, body),
  }),
  route('PATCH /reports/:id', {
    ...writes,
    name: 'updateReport',
    summary: 'Update a report',
    description: 'Changes the fields that are sent and leaves the others and the file alone.',
    tag,
    shapes: { params: Params, body: UpdateReport, reply: Report },
    find: reports.find,
    handle: (principal, { params, body }) => reports.update(principal, params.id, body),
  }),
  route('POST /reports/:id/cancel', {
    ...writes,
    idempotent: true,
    name: 'cancelReport',
    summary: 'Cancel a report',
    description:
      'Ends the run that is under way. The report is then `failed`, with the error `canceled`.',
    errors: ['CONFLICT'],
    tag,
    shapes: { params: Params, reply: Report },
    find: reports.find,
    handle: (principal, { params }) => reports.cancel(principal, params.id),
  }),
  route('DELETE /reports/:id', {
    ...writes,
    status: 204,
    name: 'deleteReport',
    summary: 'Delete a report',
    description: 'Deletes a report with its file.',
    tag,
    shapes: { params: Params },
    find: reports.find,
    handle: (principal, { params }) => reports.remove(principal, params.id),
  }),
]
