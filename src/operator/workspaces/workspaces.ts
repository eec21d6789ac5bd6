import { OperatorError } from '../../platform/core/errors.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import { announceCredentials } from '../../accounts/credentials/cache.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { announceLinksOf } from '../../links/link/addresses.ts'
import { setPlan } from '../billing/set-plan.ts'
import type { Purge } from '../purge.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'

type Deps = Pick<Dependencies, 'systemSql'>
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

const MAX_LISTED = 100
const MAX_COUNTED = 100_000
const REASON_MAX_CHARS = 500
const MAX_PER_MINUTE = 1_000_000_000

// Every change applies in every process within a second, and its audit row names the system as the actor.

export async function list({ systemSql }: Deps, { search }: { search?: string | undefined }) {
  const text = (search ?? '').trim().toLowerCase()
  const isMatch = systemSql`
    not exists (select from purges where purges.id = w.id) and (
      ${text}::text = '' or position(${text}::text in lower(w.name)) > 0
      or lower(w.id) = ${text}
      or exists (select from members m join users u on u.id = m.user_id
        where m.workspace_id = w.id and u.email_key = ${text}))`
  const [rows, [count]] = await Promise.all([
    systemSql<(Row & { plan: string; members: number; links: number; createdAt: Date })[]>`
      select w.id, w.name, w.plan, w.suspended_at, w.api_requests_per_minute, w.created_at,
        (select count(*) from members m where m.workspace_id = w.id) as members,
        (select count(*) from (
          select from links l where l.workspace_id = w.id limit ${MAX_COUNTED}) as counted) as links
      from workspaces w where ${isMatch}
      order by w.created_at desc, w.id desc limit ${MAX_LISTED}`,
    systemSql<{ total: number }[]>`
      select count(*) as total from workspaces w where ${isMatch}`,
  ])
  const workspaces = rows.map(({ suspendedAt, createdAt, ...row }) => ({
    ...row,
    suspendedAt: isoOrNull(suspendedAt),
    createdAt: createdAt.toISOString(),
  }))
  return { workspaces, total: count!.total }
}

/** Until it is resumed, its credentials are refused, its links answer 410 and its deliveries wait. */
export async function suspend(
  deps: SuspensionDeps,
  input: { workspace: string; reason?: string | undefined },
) {
  const reason = checkReason(input.reason)
  return inTransaction(deps.systemSql, async (tx) => {
    const { id, name, suspendedAt } = await lock(tx, input.workspace)
    if (suspendedAt) throw new OperatorError(`${id} is already suspended.`)
    const now = new Date(deps.clock())
    await tx`update workspaces set suspended_at = ${now}, updated_at = ${now} where id = ${id}`
    await recordSuspension(deps, tx, { id, name }, 'workspace.suspended', {
      suspendedAt: { old: null, new: now.toISOString() },
      ...(reason !== null && { reason: { old: null, new: reason } }),
    })
    return { workspaceId: id, name, suspendedAt: now.toISOString() }
  })
}

export async function resume(deps: SuspensionDeps, input: { workspace: string }) {
  return inTransaction(deps.systemSql, async (tx) => {
    const { id, name, suspendedAt } = await lock(tx, input.workspace)
    if (!suspendedAt) throw new OperatorError(`${id} is not suspended.`)
    if (await isBlocked(tx, id))
      throw new OperatorError(`${id} is blocked; "unblock workspace ${id}" comes first.`)
    const now = new Date(deps.clock())
    await tx`update workspaces set suspended_at = null, updated_at = ${now} where id = ${id}`
    await recordSuspension(deps, tx, { id, name }, 'workspace.resumed', {
      suspendedAt: { old: suspendedAt.toISOString(), new: null },
    })
    return { workspaceId: id, name }
  })
}

export async function isSuspended({ systemSql }: Deps, id: string): Promise<boolean> {
  const [row] =
    await systemSql`select from workspaces where id = ${id} and suspended_at is not null`
  return row !== undefined
}

async function isBlocked(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx`select from blocks where kind = 'workspace' and value = ${id}`
  return row !== undefined
}

/** Null restores the limit of the plan or of the installation. */
export async function setRateLimit(
  { systemSql, clock, audit }: SuspensionDeps,
  { workspace, perMinute }: { workspace: string; perMinute: number | null },
) {
  const isRate = Number.isInteger(perMinute) && perMinute! > 0 && perMinute! <= MAX_PER_MINUTE
  if (perMinute !== null && !isRate)
    throw new OperatorError(
      `A rate limit is a number of requests per minute from 1 to ${MAX_PER_MINUTE}, or "default".`,
    )
  return inTransaction(systemSql, async (tx) => {
    const { id, name, apiRequestsPerMinute: previous } = await lock(tx, workspace)
    const answer = { workspaceId: id, perMinute, previous }
    if (previous === perMinute) return answer
    await tx`
      update workspaces set api_requests_per_minute = ${perMinute}, updated_at = ${new Date(clock())}
      where id = ${id}`
    await audit(tx, systemActing(id, 'operator'), {
      action: 'workspace.rate_limit_set',
      target: { type: 'workspace', id, name },
      changes: { apiRequestsPerMinute: { old: previous, new: perMinute } },
    })
    await announceCredentials(tx, `workspace:${id}`)
    return answer
  })
}

/** A subscription at a billing provider stays as it is, so its next event sets the plan again. */
export async function setWorkspacePlan(
  deps: PlanDeps,
  { workspace, plan }: { workspace: string; plan: string },
) {
  const { systemSql, plans } = deps
  if (!plans.find(plan))
    throw new OperatorError(
      `The plan "${plan}" does not exist; the plans are ${plans.all.map(({ id }) => id).join(', ')}.`,
    )
  return inTransaction(systemSql, async (tx) => {
    const [row] = await tx<{ plan: string }[]>`
      select plan from workspaces where id = ${workspace} for no key update`
    if (!row) throw new OperatorError(`The workspace ${workspace} does not exist.`)
    await setPlan(deps, tx, systemActing(workspace, 'operator'), { plan })
    return { workspaceId: workspace, plan, previousPlan: row.plan }
  })
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
  { id, name }: Pick<Row, 'id' | 'name'>,
  type: 'workspace.suspended' | 'workspace.resumed',
  changes: Changes,
): Promise<void> {
  const target = { type: 'workspace', id, name }
  await audit(tx, systemActing(id, 'operator'), { action: type, target, changes })
  await recordSecurity(tx, { ...SYSTEM_ENTRY, type, workspaceId: id })
  await announceCredentials(tx, `workspace:${id}`)
  await announceLinksOf(tx, id)
}

/** Locks the row. A workspace that is being deleted is only found for another deletion. */
async function lock(tx: Tx, id: string, isPurging = false): Promise<Row> {
  const [row] = await tx<(Row & { isInPurge: boolean })[]>`
    select w.id, w.name, w.suspended_at, w.api_requests_per_minute,
      exists (select from purges p where p.id = w.id) as is_in_purge
    from workspaces w where w.id = ${id} for no key update of w`
  if (!row || (row.isInPurge && !isPurging))
    throw new OperatorError(`The workspace ${JSON.stringify(id)} does not exist.`)
  return row
}

const SYSTEM_ENTRY = {
  userId: null,
  actor: { type: 'system', id: 'operator' },
  ip: null,
  userAgent: null,
  requestId: 'operator',
} as const

export function checkReason(reason: string | undefined): string | null {
  const text = reason?.trim() ?? ''
  if (text.length > REASON_MAX_CHARS || /\p{Cc}/u.test(text))
    throw new OperatorError(
      `The reason must be one line of at most ${REASON_MAX_CHARS} characters.`,
    )
  return text === '' ? null : text
}
