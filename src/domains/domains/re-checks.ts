import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { columnsOf, type DomainRow } from './row.ts'
import type { Verification } from './verification.ts'

type Deps = {
  sql: SystemSql
  clock: Clock
  log: Log
  verification: Pick<Verification, 'recheck'>
}

/** Checks at one time, most of which wait for name servers. */
const AT_ONCE = 40
/** Of one workspace, so that one with many hosts whose name servers are slow does not delay the others. */
const AT_ONCE_OF_WORKSPACE = 5
/** Longer than any check. A process that dies during one leaves the domain to the next process. */
const LEASE_MS = 120_000

/**
 * Checks domains whose time has come, in any number of processes: the one that takes a domain moves its time
 * ahead, in a statement that skips those that another process is taking.
 */
export async function recheckDomains(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const rows = await take(deps)
    if (rows.length === 0) return
    await Promise.all(rows.map((row) => recheck(deps, row)))
  }
}

async function recheck({ verification, log }: Deps, row: DomainRow): Promise<void> {
  try {
    await verification.recheck(row)
  } catch (error) {
    log.warn({ err: error, domainId: row.id }, 'a domain could not be checked; trying again')
  }
}

async function take({ sql, clock }: Deps): Promise<DomainRow[]> {
  const nowMs = clock()
  return sql<DomainRow[]>`
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
    returning ${columnsOf(sql)}`
}
