import { bindDeps } from '../../platform/core/bind-deps.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import {
  inSavepoint,
  inTransaction,
  inWorkspace,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import { getChanges } from '../../platform/resources/changes.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import { announceDomain } from '../../links/link-changes.ts'
import { checkHost, type Checked, type Lookups } from './check.ts'
import { applyCheck, type Trigger } from './outcome.ts'
import { routeFor, type Routing } from './records.ts'
import { isServed, loadDomain, toDomain, toJsonValue, type DomainRow } from './row.ts'
import type { Domain } from './schema.ts'

type Deps = Pick<
  Dependencies,
  | 'sql'
  | 'systemSql'
  | 'clock'
  | 'audit'
  | 'publish'
  | 'requireCapability'
  | 'saveIdempotentResponse'
> & {
  lookups: Lookups
  /** The target of domains by the settings. */
  routing: Routing
  /** Checks that users ask for, of one domain and of one workspace. */
  domainRate: Limiter
  workspaceRate: Limiter
}

export type Verification = ReturnType<typeof createVerification>

/** The actor of re-checks in the audit log. */
const ACTOR = 'domain-check'
const UNIQUE_VIOLATION = '23505'
const HELD_HOST = 'domains_by_held_host'

/** Checks of domains. No transaction is open during the look-ups. */
export const createVerification = (deps: Deps) => bindDeps(deps, { verify, recheck })

/**
 * Checks a domain now. A failed attempt is published each time.
 * @throws ApiError RATE_LIMITED
 */
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
    const before = await loadDomain(tx, principal, id, tx`for update`)
    const after = await store(deps, tx, principal, before, checked, 'request')
    await report(deps, tx, principal, before, after, 'request')
    return deps.saveIdempotentResponse(
      tx,
      principal,
      toDomain(after, routeFor(deps.routing, origin)),
    )
  })
}

/** Checks a domain on schedule. A failed attempt is published if the reason changes or the status gets worse. */
async function recheck(deps: Deps, row: DomainRow): Promise<void> {
  const checked = await checkHost(deps.lookups, row)
  const principal = systemActing(row.workspaceId, ACTOR)
  await inTransaction(deps.systemSql, async (tx) => {
    const before = await loadDomain(tx, principal, row.id, tx`for update`)
    const after = await store(deps, tx, principal, before, checked, 'schedule')
    await report(deps, tx, principal, before, after, 'schedule')
  })
}

/** Of two claims that are proved at the same time, the unique index lets one hold the host. */
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

/** Tells edges, subscribers and the audit log what a check has changed. */
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

/** A claim that returns to pending for the same reason is no news for subscribers. */
function isWorse(before: DomainRow, after: DomainRow): boolean {
  if (before.failureReason !== after.failureReason) return true
  return before.status !== after.status && after.status !== 'pending'
}
