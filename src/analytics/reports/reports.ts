import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page, type Sent } from '../../platform/routes/route.ts'
import { roleAtLeast, type Role, type Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Fragment, type Tx } from '../../platform/storage/postgres/postgres.ts'
import {
  type AuditAction,
  type Changes,
  getChanges,
  isDifferent,
} from '../../platform/audit/audit.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { checkAddress, checkName } from '../../platform/resources/field-checks.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { requireOwn } from '../../platform/resources/ownership.ts'
import { clampLimit, type Paged } from '../../platform/resources/shapes.ts'
import { deletePieces, readFile } from './files.ts'
import { FORMATS } from './formats/formats.ts'
import { checkFilters, refuseForeignFilters } from './input.ts'
import { kindOf, readerOf, requireRights, startRun } from './run.ts'
import { checkSchedule, toNextRun } from './schedule.ts'
import { columnsOf, hasFile, toReport, toStatus, withRun, type ReportRow } from './row.ts'
import {
  NAME_MAX_CHARS,
  NAMES,
  type CreateReport,
  type Report,
  type ReportType,
  type Schedule,
  type UpdateReport,
} from './schema.ts'

type ReportDeps = Pick<
  Dependencies,
  'sql' | 'clock' | 'audit' | 'saveIdempotentResponse' | 'requireCapability' | 'secrets' | 'origin'
> & {
  jobs: Pick<Jobs, 'enqueue' | 'cancel'>
}

const MAX_REPORTS = 500
const MAX_UNFINISHED = 10
const MAX_SCHEDULES = 50
export type Reports = ReturnType<typeof createReports>

/**
 * Files of the data of a workspace. A request asks for one, a job writes it (src/analytics/reports/kind.ts), and it
 * is kept for 30 days.
 */
export const createReports = (deps: ReportDeps) =>
  bindDeps(deps, { find, create, list, get, update, cancel, remove, download })

function find(
  { sql }: ReportDeps,
  principal: Principal,
  params: Record<string, string>,
): Promise<void> {
  return requireOwn(sql, principal, 'reports', params['id'], 'report')
}

async function create(
  deps: ReportDeps,
  principal: Principal,
  input: CreateReport,
): Promise<Report> {
  const { sql, clock, requireCapability } = deps
  const { type, format = 'csv' } = input
  const name = checkName(input.name ?? NAMES[type], 'name', NAME_MAX_CHARS)
  const filters = checkFilters(input.filters ?? {}, clock())
  const schedule = input.schedule ? checkSchedule(input.schedule) : null
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    await requireCapability(tx, principal.workspaceId, 'reports')
    await refuseForeignFilters(tx, principal, filters)
    await requireRights(requireCapability, tx, principal, type)
    await requireRoom(tx, principal)
    if (schedule) await requireScheduleRoom(tx, principal, schedule, type)
    const now = clock()
    const id = newId('rep', now)
    const { workspaceId, idempotencyKey: _key, ifMatch: _match, ...requester } = principal
    const runId = await startRun(deps.jobs, tx, principal, { id, type, isScheduled: false })
    await tx`
      insert into reports (id, workspace_id, name, type, format, filters, schedule, next_run_at, asker,
        run_id, created_at)
      values (${id}, ${workspaceId}, ${name}, ${type}, ${format},
        ${JSON.stringify(filters)}::text::json, ${schedule && JSON.stringify(schedule)}::text::json,
        ${schedule && new Date(toNextRun(schedule, now))}, ${JSON.stringify(requester)}::text::json,
        ${runId}, ${new Date(now)})`
    const row = await load(tx, principal, id)
    await record(deps, tx, principal, 'report.created', row, getChanges({}, toValues(row)))
    return deps.saveIdempotentResponse(tx, principal, toAnswer(deps, row))
  })
}

async function list(deps: ReportDeps, principal: Principal, query: Paged) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const { workspaceId } = principal
  const { rows, total } = await inWorkspace(deps.sql, workspaceId, async (tx) => {
    const found = await tx<ReportRow[]>`
      select ${columnsOf(tx)} from reports r ${withRun(tx)}
      where r.workspace_id = ${workspaceId}
      order by r.created_at desc, r.id desc limit ${slice.limit} offset ${slice.offset}`
    const [counted] = await tx<[{ total: number }]>`
      select count(*) as total from reports where workspace_id = ${workspaceId}`
    return { rows: found, total: counted.total }
  })
  return page(
    rows.map((row) => toAnswer(deps, row)),
    { total, ...slice },
  )
}

async function get(deps: ReportDeps, principal: Principal, id: string): Promise<Report> {
  return toAnswer(
    deps,
    await inWorkspace(deps.sql, principal.workspaceId, (tx) => load(tx, principal, id)),
  )
}

async function update(
  deps: ReportDeps,
  principal: Principal,
  id: string,
  input: UpdateReport,
): Promise<Report> {
  const changed = {
    ...(input.name !== undefined && { name: checkName(input.name, 'name', NAME_MAX_CHARS) }),
    ...(input.filters !== undefined && { filters: checkFilters(input.filters, deps.clock()) }),
    ...(input.schedule !== undefined && {
      schedule: input.schedule && checkSchedule(input.schedule),
    }),
  }
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const before = await load(tx, principal, id, tx`for update of r`)
    await requireRights(deps.requireCapability, tx, principal, before.type)
    if (changed.filters) await refuseForeignFilters(tx, principal, changed.filters)
    if (!isDifferent(before, changed)) return toAnswer(deps, before)
    if (changed.schedule)
      await requireScheduleRoom(tx, principal, changed.schedule, before.type, id)
    const after = { ...before, ...changed }
    if (changed.schedule !== undefined)
      after.nextRunAt = changed.schedule && new Date(toNextRun(changed.schedule, deps.clock()))
    await tx`
      update reports
      set name = ${after.name}, filters = ${JSON.stringify(after.filters)}::text::json,
        schedule = ${after.schedule && JSON.stringify(after.schedule)}::text::json,
        next_run_at = ${after.nextRunAt}
      where id = ${id} and workspace_id = ${principal.workspaceId}`
    const changes = getChanges(toValues(before), toValues(after))
    await record(deps, tx, principal, 'report.updated', after, changes)
    return toAnswer(deps, after)
  })
}

/** @throws ApiError CONFLICT for a report whose latest run is over */
async function cancel(deps: ReportDeps, principal: Principal, id: string): Promise<Report> {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    // The last piece of a run locks in the same order: the report, then its job.
    const before = await load(tx, principal, id, tx`for update of r`)
    await requireRights(deps.requireCapability, tx, principal, before.type)
    const status = toStatus(before)
    const isOver = status === 'completed' || status === 'failed'
    if (isOver || !(await deps.jobs.cancel(tx, principal, kindOf(before.type), before.runId)))
      throw new ApiError('CONFLICT', 'This report is not running, so there is nothing to cancel.', {
        status,
      })
    await deletePieces(tx, principal, id, before.fileRunId)
    const row = await load(tx, principal, id)
    await record(deps, tx, principal, 'report.canceled', row, {
      status: { old: status, new: 'failed' },
    })
    return deps.saveIdempotentResponse(tx, principal, toAnswer(deps, row))
  })
}

/** With its file. A run that is under way ends at its next piece. */
async function remove(deps: ReportDeps, principal: Principal, id: string): Promise<void> {
  await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const row = await load(tx, principal, id, tx`for update of r`)
    await requireRights(deps.requireCapability, tx, principal, row.type)
    await deps.jobs.cancel(tx, principal, kindOf(row.type), row.runId)
    await tx`delete from reports where id = ${id} and workspace_id = ${principal.workspaceId}`
    await record(deps, tx, principal, 'report.deleted', row, getChanges(toValues(row), {}))
  })
}

/** @throws ApiError CONFLICT before the first run is finished, GONE after the file has expired */
async function download(deps: ReportDeps, principal: Principal, id: string): Promise<Sent> {
  const row = await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const found = await load(tx, principal, id)
    await requireRights(deps.requireCapability, tx, principal, found.type)
    return found
  })
  const { fileRunId, generatedAt, size } = row
  if (generatedAt === null) throw notReady(row)
  if (!hasFile(row, deps.clock()))
    throw new ApiError('GONE', 'The file of this report has expired. Ask for a new report.')
  const day = generatedAt.toISOString().slice(0, 10)
  return {
    contentType: FORMATS[row.format].contentType,
    filename: `${row.name} ${day}.${row.format}`,
    etag: fileRunId!,
    body: { size: size!, read: (from, to) => readFile(deps, principal, fileRunId!, from, to) },
  }
}

function notReady(row: ReportRow): ApiError {
  const status = toStatus(row)
  return status === 'failed'
    ? new ApiError('CONFLICT', 'The report failed, so it has no file. Its error says why.', {
        status,
      })
    : new ApiError('CONFLICT', 'The report is not finished yet. Try again later.', { status })
}

/** Parallel requests wait for each other at the row of the workspace. */
async function requireRoom(tx: Tx, { workspaceId }: Principal): Promise<void> {
  await tx`select from workspaces where id = ${workspaceId} for no key update`
  const [counted] = await tx<[{ reports: number; unfinished: number }]>`
    select count(*) as reports,
      count(*) filter (where j.status in ('pending', 'processing')) as unfinished
    from reports r ${withRun(tx)} where r.workspace_id = ${workspaceId}`
  if (counted.unfinished >= MAX_UNFINISHED)
    throw new ApiError(
      'CONFLICT',
      `A workspace has at most ${MAX_UNFINISHED} reports under way. Wait for one, or cancel it.`,
      { reason: 'reports_under_way', max: MAX_UNFINISHED },
    )
  if (counted.reports >= MAX_REPORTS)
    throw new ApiError(
      'CONFLICT',
      `A workspace has at most ${MAX_REPORTS} reports. Delete those that are no longer needed.`,
      { reason: 'too_many_reports', max: MAX_REPORTS },
    )
}

/**
 * Schedules of a workspace are few, and their recipients members: both bound the mails that a schedule can cause.
 * @throws ApiError VALIDATION_ERROR for an address that no member has, or of one who may not read the report
 */
async function requireScheduleRoom(
  tx: Tx,
  { workspaceId }: Principal,
  { recipients }: Schedule,
  type: ReportType,
  id = '',
): Promise<void> {
  const [counted] = await tx<[{ schedules: number }]>`
    select count(*) as schedules from reports
    where workspace_id = ${workspaceId} and schedule is not null and id <> ${id}`
  if (counted.schedules >= MAX_SCHEDULES)
    throw new ApiError('CONFLICT', `A workspace has at most ${MAX_SCHEDULES} scheduled reports.`, {
      reason: 'too_many_schedules',
      max: MAX_SCHEDULES,
    })
  const keys = recipients.map((recipient, at) => {
    return checkAddress(recipient, `schedule.recipients.${at}`).emailKey
  })
  const members = await tx<{ emailKey: string; role: Role }[]>`
    select u.email_key, m.role from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and u.email_key = any(${keys}::text[])`
  const roles = new Map(members.map(({ emailKey, role }) => [emailKey, role]))
  for (const [at, key] of keys.entries()) {
    const role = roles.get(key)
    const path = `schedule.recipients.${at}`
    if (role === undefined)
      throw invalid(path, `${path} must be the address of a member of the workspace.`)
    if (!roleAtLeast(role, readerOf(type)))
      throw invalid(path, `${path} is the address of a member who may not read this report.`)
  }
}

async function load(
  tx: Tx,
  principal: Principal,
  id: string,
  locking?: Fragment,
): Promise<ReportRow> {
  const [row] = await tx<ReportRow[]>`
    select ${columnsOf(tx)} from reports r ${withRun(tx)}
    where r.id = ${id} and r.workspace_id = ${principal.workspaceId} ${locking ?? tx``}`
  if (!row) throw new ApiError('NOT_FOUND', 'This report does not exist.')
  return row
}

async function record(
  { audit }: ReportDeps,
  tx: Tx,
  principal: Principal,
  action: AuditAction,
  { id, name }: ReportRow,
  changes: Changes,
): Promise<void> {
  await audit(tx, principal, { action, target: { type: 'report', id, name }, changes })
}

function toValues({ name, type, format, filters, schedule }: ReportRow): object {
  return { name, type, format, filters, schedule }
}

function toAnswer({ origin, clock }: ReportDeps, row: ReportRow): Report {
  return toReport(row, origin(), clock())
}
