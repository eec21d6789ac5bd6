import { bindDeps } from '../../platform/core/functions.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import {
  inSavepoint,
  inTransaction,
  inWorkspace,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import { getChanges } from '../../platform/audit/audit.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import { announceDomain } from '../../links/link/addresses.ts'
import { checkHost, type Checked, type DomainLookups } from './check.ts'
import { applyCheck, type Trigger } from './outcome.ts'
import { routeFor, type Routing } from './records.ts'
import { COLUMNS, isServed, loadDomain, toDomain, toJsonValue, type DomainRow } from './row.ts'
import type { Domain } from './schema.ts'

type Deps = LinkDeps &
  Pick<Dependencies, 'systemSql' | 'log'> & {
    lookups: DomainLookups
    routing: Routing
    domainRate: Limiter
    workspaceRate: Limiter
  }

export type Verification = ReturnType<typeof createVerification>

/** Checks at a time; most of them wait for name servers. */
const AT_ONCE = 40
/** Checks of one workspace at a time, so that many hosts with slow name servers do not delay other workspaces. */
const AT_ONCE_OF_WORKSPACE = 5
/** Longer than any check. If a process dies during one, the next process takes over the domain. */
const LEASE_MS = 120_000
const UNIQUE_VIOLATION = '23505'
const HELD_HOST = 'domains_by_held_host'

/** No transaction is open during the look-ups. */
export const createVerification = (deps: Deps) => bindDeps(deps, { verify, recheckDue })

/** Publishes every failed attempt. */
async function verify(
  deps: Deps,
  principal: Principal,
  id: string,
  origin?: string,
): Promise<Domain> {
  const { sql, lookups, domainRate, workspaceRate } = deps
  const { workspaceId } = principal
  const row = await inWorkspace(sql, workspaceId, async (tx) => {
    await deps.requireCapability(tx, workspaceId, 'custom_domains')
    return loadDomain(tx, principal, id)
  })
  await workspaceRate.consume(workspaceId)
  await domainRate.consume(id)
  const checked = await checkHost(lookups, row)
  return inWorkspace(sql, workspaceId, async (tx) => {
    const before = await loadDomain(tx, principal, id, 'for update')
    const after = await storeAndReport(deps, tx, principal, before, checked, 'request')
    const domain = toDomain(after, routeFor(deps.routing, origin))
    return deps.saveIdempotentResponse(tx, principal, domain)
  })
}

/** Checks the domains that are due. Any number of processes may do so at the same time. */
async function recheckDue(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const rows = await takeDue(deps)
    if (rows.length === 0) return
    await Promise.all(rows.map((row) => recheck(deps, row)))
  }
}

async function takeDue({ systemSql, clock }: Deps): Promise<DomainRow[]> {
  const nowMs = clock()
  return systemSql<DomainRow[]>`
    update domains set next_check_at = ${new Date(nowMs + LEASE_MS)}
    where id in (
      select id from domains where id in (
        select id from (
          select id, next_check_at, row_number() over (
            partition by workspace_id order by next_check_at) as turn
          from domains where next_check_at <= ${new Date(nowMs)}
        ) as due where turn <= ${AT_ONCE_OF_WORKSPACE}
        order by next_check_at limit ${AT_ONCE})
      and next_check_at <= ${new Date(nowMs)}
      for update skip locked)
    returning ${systemSql.unsafe(COLUMNS)}`
}

/** A failed check is published if the reason changes or the status gets worse. */
async function recheck(deps: Deps, row: DomainRow): Promise<void> {
  try {
    const checked = await checkHost(deps.lookups, row)
    const principal = systemActing(row.workspaceId, 'domain-check')
    await inTransaction(deps.systemSql, async (tx) => {
      const before = await loadDomain(tx, principal, row.id, 'for update')
      await storeAndReport(deps, tx, principal, before, checked, 'schedule')
    })
  } catch (error) {
    deps.log.warn({ err: error, domainId: row.id }, 'a domain could not be checked; trying again')
  }
}

async function storeAndReport(
  deps: Deps,
  tx: Tx,
  principal: Principal,
  before: DomainRow,
  checked: Checked,
  trigger: Trigger,
): Promise<DomainRow> {
  const after = await store(deps, tx, principal, before, checked, trigger)
  await report(deps, tx, principal, before, after, trigger)
  return after
}

/** If two claims are proved at the same time, the unique index lets only one hold the host. */
async function store(
  { clock }: Deps,
  tx: Tx,
  principal: Principal,
  before: DomainRow,
  checked: Checked,
  trigger: Trigger,
): Promise<DomainRow> {
  const after = applyCheck(before, checked, clock(), trigger)
  if (!isServed(after) || isServed(before)) {
    await write(tx, principal, after)
    return after
  }
  try {
    await inSavepoint(tx, (part) => write(part, principal, after))
    return after
  } catch (error) {
    const { code, constraint: name } = error as { code?: string; constraint?: string }
    if (code !== UNIQUE_VIOLATION || name !== HELD_HOST) throw error
  }
  const refused = { ...checked, reason: 'conflicting_records' } as const
  const conflicting = applyCheck(before, refused, clock(), trigger)
  await write(tx, principal, conflicting)
  return conflicting
}

async function write(tx: Tx, { workspaceId }: Principal, row: DomainRow): Promise<void> {
  await tx`
    update domains set status = ${row.status}, failure_reason = ${row.failureReason},
      is_default = ${row.isDefault}, records = ${toJsonValue(tx, row.records)},
      last_checked_at = ${row.lastCheckedAt}, verified_at = ${row.verifiedAt},
      misconfigured_since = ${row.misconfiguredSince}, next_check_at = ${row.nextCheckAt},
      updated_at = ${row.updatedAt},
      ssl_status = case when ${isServed(row)} then ssl_status else 'none' end,
      ssl_failure_reason = case when ${isServed(row)} then ssl_failure_reason end,
      ssl_next_attempt_at = case when ${isServed(row)} then ssl_next_attempt_at end
    where id = ${row.id} and workspace_id = ${workspaceId}`
}

async function report(
  { audit, publish }: Deps,
  tx: Tx,
  principal: Principal,
  before: DomainRow,
  after: DomainRow,
  trigger: Trigger,
): Promise<void> {
  const { id, hostname, status, failureReason } = after
  const [was, data] = [toDomain(before), toDomain(after)]
  if (before.status !== status) await announceDomain(tx, id)
  const isVerified = status === 'verified' && before.status !== 'verified'
  const isFailed = failureReason !== null && (trigger === 'request' || isWorse(before, after))
  if (!isVerified && !isFailed) return
  const type = isVerified ? 'domain.verified' : 'domain.failed'
  await publish(tx, { type, workspaceId: principal.workspaceId, data })
  await audit(tx, principal, {
    action: type,
    target: { type: 'domain', id, name: hostname },
    changes: getChanges(
      { status: was.status, failureReason: was.failureReason, isDefault: was.isDefault },
      { status, failureReason, isDefault: after.isDefault },
    ),
  })
}

/** A claim that returns to pending for the same reason is not worth an event. */
function isWorse(before: DomainRow, after: DomainRow): boolean {
  if (before.failureReason !== after.failureReason) return true
  return before.status !== after.status && after.status !== 'pending'
}
