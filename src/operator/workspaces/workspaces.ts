import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import {
  inTransaction,
  type Fragment,
  type SystemSql,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import { announceCredentials } from '../../accounts/credentials/cache.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { announceLinksOf } from '../../links/link/addresses.ts'
import { setPlan } from '../billing/set-plan.ts'
import type { Purge } from '../purge.ts'
import { toIsoTimes, type Paged } from '../../platform/resources/shapes.ts'
import { countMonthClicks } from '../billing/month-clicks.ts'
import {
  MAX_PER_MINUTE,
  REASON_MAX_CHARS,
  type ListServerWorkspaces,
  type ServerWorkspace,
  type ServerWorkspaceDetail,
} from './schema.ts'

type SqlDeps = Pick<Dependencies, 'systemSql'>
type ListDeps = Pick<Dependencies, 'systemSql' | 'clickhouse' | 'clock' | 'log'>
type SuspensionDeps = Pick<Dependencies, 'systemSql' | 'clock' | 'audit' | 'recordSecurity'>
type PlanDeps = Pick<Dependencies, 'systemSql' | 'plans' | 'clock' | 'audit' | 'publish'>
export type RemovalDeps = Pick<Dependencies, 'systemSql' | 'recordSecurity'> & {
  purge: Pick<Purge, 'begin' | 'finish'>
}

type Row = {
  id: string
  name: string
  suspendedAt: Date | null
  apiRequestsPerMinute: number | null
}

type ListedRow = Row &
  Omit<ServerWorkspace, 'suspendedAt' | 'clicksThisMonth' | 'createdAt'> & { createdAt: Date }

type ListInput = {
  [Name in keyof ListServerWorkspaces]?: ListServerWorkspaces[Name] | undefined
}

const MAX_LISTED = 100
const MAX_COUNTED = 100_000
const MAX_MEMBERS = 100
/** The id of the actor in audit rows, and of a request that is none. */
const OPERATOR = 'operator'

// Every change applies in every process within a second, and its audit row names the system as the actor. The request
// id of a change in the dashboard leads to the user in the server's log.

export type ServerWorkspaces = ReturnType<typeof createServerWorkspaces>

export const createServerWorkspaces = (deps: ListDeps & SuspensionDeps & PlanDeps) =>
  bindDeps(deps, { list, get, suspend, resume, update, setRateLimit, setPlan: setWorkspacePlan })

async function list(deps: ListDeps, input: ListInput) {
  const { systemSql } = deps
  const text = (input.search ?? '').trim().toLowerCase()
  const { limit = MAX_LISTED, offset = 0, state, plan } = input
  const isMatch = systemSql`
    not exists (select from purges where purges.id = w.id)
    ${state ? systemSql`and ${toState(systemSql)} = ${state}` : systemSql``}
    ${plan === undefined ? systemSql`` : systemSql`and w.plan = ${plan}`}
    and (${text}::text = '' or position(${text}::text in lower(w.name)) > 0
      or lower(w.id) = ${text}
      or exists (select from members m join users u on u.id = m.user_id
        where m.workspace_id = w.id and u.email_key = ${text}))`
  const [rows, [count]] = await Promise.all([
    select(systemSql, isMatch, { limit, offset }),
    systemSql<{ total: number }[]>`select count(*) as total from workspaces w where ${isMatch}`,
  ])
  return { workspaces: await addClicks(deps, rows), total: count!.total }
}

async function get(
  deps: ListDeps & Pick<Dependencies, 'plans'>,
  { workspace: id }: { workspace: string },
): Promise<ServerWorkspaceDetail> {
  const { systemSql, plans } = deps
  const isMatch = systemSql`
    w.id = ${id} and not exists (select from purges where purges.id = w.id)`
  const [row] = await addClicks(deps, await select(systemSql, isMatch, { limit: 1, offset: 0 }))
  if (!row) throw noWorkspace(id)
  const people = await systemSql<ServerWorkspaceDetail['people']>`
    select u.id, u.name, u.email, m.role from members m join users u on u.id = m.user_id
    where m.workspace_id = ${id} order by m.created_at, u.id limit ${MAX_MEMBERS}`
  const available = plans.all.map(({ id: planId, name }) => ({ id: planId, name }))
  return { ...row, people: [...people], plans: available }
}

function select(sql: SystemSql, isMatch: Fragment, { limit, offset }: Required<Paged>) {
  return sql<ListedRow[]>`
    select w.id, w.name, w.plan, w.suspended_at, w.api_requests_per_minute, w.created_at,
      ${toState(sql)} as state,
      (select json_build_object('id', u.id, 'name', u.name, 'email', u.email)
        from members m join users u on u.id = m.user_id
        where m.workspace_id = w.id and m.role = 'owner'
        order by m.created_at, u.id limit 1) as owner,
      (select count(*) from members m where m.workspace_id = w.id) as members,
      (select count(*) from (
        select from links l where l.workspace_id = w.id limit ${MAX_COUNTED}) as counted) as links
    from workspaces w where ${isMatch}
    order by w.created_at desc, w.id desc limit ${limit} offset ${offset}`
}

function toState(sql: SystemSql): Fragment {
  return sql`case
    when exists (select from blocks b where b.kind = 'workspace' and b.value = w.id and b.lifted_at is null)
      then 'blocked'
    when w.suspended_at is not null then 'suspended' else 'active' end`
}

/** Null while ClickHouse does not answer: the list must work then, too. */
async function addClicks({ clickhouse, clock, log }: ListDeps, rows: readonly ListedRow[]) {
  const ids = rows.map(({ id }) => id)
  const clicks = await countMonthClicks({ clickhouse, clock }, ids).catch((err: unknown) => {
    log.warn({ err }, 'clicks of workspaces not counted')
    return null
  })
  return rows.map((row) => ({
    ...toIsoTimes(row),
    clicksThisMonth: clicks && (clicks.get(row.id) ?? 0),
  }))
}

/** Until it is resumed, its credentials are refused, its links answer 410 and its deliveries wait. */
export async function suspend(
  deps: SuspensionDeps,
  input: { workspace: string; reason?: string | undefined },
  requestId = OPERATOR,
) {
  const reason = checkReason(input.reason)
  return inTransaction(deps.systemSql, async (tx) => {
    const { id, name, suspendedAt } = await lock(tx, input.workspace)
    if (suspendedAt) throw new ApiError('CONFLICT', `${id} is already suspended.`)
    const now = new Date(deps.clock())
    await tx`update workspaces set suspended_at = ${now}, updated_at = ${now} where id = ${id}`
    await recordSuspension(deps, tx, { id, name, requestId }, 'workspace.suspended', {
      suspendedAt: { old: null, new: now.toISOString() },
      ...(reason !== null && { reason: { old: null, new: reason } }),
    })
    return { workspaceId: id, name, suspendedAt: now.toISOString() }
  })
}

export async function resume(
  deps: SuspensionDeps,
  input: { workspace: string },
  requestId = OPERATOR,
) {
  return inTransaction(deps.systemSql, async (tx) => {
    const { id, name, suspendedAt } = await lock(tx, input.workspace)
    if (!suspendedAt) throw new ApiError('CONFLICT', `${id} is not suspended.`)
    if (await isBlocked(tx, id))
      throw new ApiError('CONFLICT', `${id} is blocked. Unblock the workspace instead.`)
    const now = new Date(deps.clock())
    await tx`update workspaces set suspended_at = null, updated_at = ${now} where id = ${id}`
    await recordSuspension(deps, tx, { id, name, requestId }, 'workspace.resumed', {
      suspendedAt: { old: suspendedAt.toISOString(), new: null },
    })
    return { workspaceId: id, name }
  })
}

export async function isSuspended({ systemSql }: SqlDeps, id: string): Promise<boolean> {
  const [row] =
    await systemSql`select from workspaces where id = ${id} and suspended_at is not null`
  return row !== undefined
}

async function isBlocked(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx`select from blocks where kind = 'workspace' and value = ${id}`
  return row !== undefined
}

type RateLimitInput = { workspace: string; perMinute: number | null }
type PlanInput = { workspace: string; plan: string }

/** Changes what is given, both or neither. */
async function update(
  deps: SuspensionDeps & PlanDeps,
  input: { workspace: string; plan: string | undefined; perMinute: number | null | undefined },
  requestId: string,
): Promise<void> {
  const { workspace, plan, perMinute } = input
  await inTransaction(deps.systemSql, async (tx) => {
    if (plan !== undefined) await changePlan(deps, tx, { workspace, plan }, requestId)
    if (perMinute !== undefined)
      await changeRateLimit(deps, tx, { workspace, perMinute }, requestId)
  })
}

const setRateLimit = (deps: SuspensionDeps, input: RateLimitInput, requestId = OPERATOR) =>
  inTransaction(deps.systemSql, (tx) => changeRateLimit(deps, tx, input, requestId))

const setWorkspacePlan = (deps: PlanDeps, input: PlanInput, requestId = OPERATOR) =>
  inTransaction(deps.systemSql, (tx) => changePlan(deps, tx, input, requestId))

/** Null restores the limit of the plan or of the installation. */
async function changeRateLimit(
  { clock, audit }: SuspensionDeps,
  tx: Tx,
  { workspace, perMinute }: RateLimitInput,
  requestId: string,
) {
  const isRate = Number.isInteger(perMinute) && perMinute! > 0 && perMinute! <= MAX_PER_MINUTE
  if (perMinute !== null && !isRate)
    throw invalid(
      'apiRequestsPerMinute',
      `A rate limit is a number of requests per minute from 1 to ${MAX_PER_MINUTE}, or "default".`,
    )
  const { id, name, apiRequestsPerMinute: previous } = await lock(tx, workspace)
  const answer = { workspaceId: id, perMinute, previous }
  if (previous === perMinute) return answer
  await tx`
    update workspaces set api_requests_per_minute = ${perMinute}, updated_at = ${new Date(clock())}
    where id = ${id}`
  await audit(tx, systemActing(id, OPERATOR, { requestId }), {
    action: 'workspace.rate_limit_set',
    target: { type: 'workspace', id, name },
    changes: { apiRequestsPerMinute: { old: previous, new: perMinute } },
  })
  await announceCredentials(tx, `workspace:${id}`)
  return answer
}

/** A subscription at a billing provider stays as it is, so its next event sets the plan again. */
async function changePlan(
  deps: PlanDeps,
  tx: Tx,
  { workspace, plan }: PlanInput,
  requestId: string,
) {
  const { plans } = deps
  if (!plans.find(plan))
    throw invalid(
      'plan',
      `The plan "${plan}" does not exist; the plans are ${plans.all.map(({ id }) => id).join(', ')}.`,
    )
  const [row] = await tx<{ plan: string }[]>`
    select plan from workspaces where id = ${workspace} for no key update`
  if (!row) throw noWorkspace(workspace)
  await setPlan(deps, tx, systemActing(workspace, OPERATOR, { requestId }), { plan })
  return { workspaceId: workspace, plan, previousPlan: row.plan }
}

export async function remove(
  { systemSql, recordSecurity, purge }: RemovalDeps,
  input: { workspace: string },
) {
  const { id, name } = await inTransaction(systemSql, async (tx) => {
    const row = await lock(tx, input.workspace, true)
    await purge.begin(tx, row.id)
    await recordSecurity(tx, {
      ...SYSTEM_ENTRY,
      type: 'workspace.deleted',
      workspaceId: null,
      details: { workspaceId: row.id, name: row.name },
    })
    return row
  })
  await purge.finish(id)
  return { workspaceId: id, name }
}

async function recordSuspension(
  { audit, recordSecurity }: SuspensionDeps,
  tx: Tx,
  { id, name, requestId }: Pick<Row, 'id' | 'name'> & { requestId: string },
  type: 'workspace.suspended' | 'workspace.resumed',
  changes: Changes,
): Promise<void> {
  const target = { type: 'workspace', id, name }
  const principal = systemActing(id, OPERATOR, { requestId })
  await audit(tx, principal, { action: type, target, changes })
  await recordSecurity(tx, { ...SYSTEM_ENTRY, requestId, type, workspaceId: id })
  await announceCredentials(tx, `workspace:${id}`)
  await announceLinksOf(tx, id)
}

/** Locks the row. A workspace that is being deleted is only found for another deletion. */
async function lock(tx: Tx, id: string, isPurging = false): Promise<Row> {
  const [row] = await tx<(Row & { isInPurge: boolean })[]>`
    select w.id, w.name, w.suspended_at, w.api_requests_per_minute,
      exists (select from purges p where p.id = w.id) as is_in_purge
    from workspaces w where w.id = ${id} for no key update of w`
  if (!row || (row.isInPurge && !isPurging)) throw noWorkspace(id)
  return row
}

function noWorkspace(id: string): ApiError {
  return new ApiError('NOT_FOUND', `The workspace ${JSON.stringify(id)} does not exist.`)
}

const SYSTEM_ENTRY = {
  userId: null,
  actor: { type: 'system', id: OPERATOR },
  ip: null,
  userAgent: null,
  requestId: OPERATOR,
} as const

export function checkReason(reason: string | undefined): string | null {
  const text = reason?.trim() ?? ''
  if (text.length > REASON_MAX_CHARS || /\p{Cc}/u.test(text))
    throw invalid(
      'reason',
      `The reason must be one line of at most ${REASON_MAX_CHARS} characters.`,
    )
  return text === '' ? null : text
}
