import type { Log } from '../../platform/core/log.ts'
import { createOutageWarning, sleep, withinMs, type Service } from '../../platform/core/service.ts'
import { closePostgres, type SystemSql } from '../../platform/storage/postgres/postgres.ts'
import type { Hosts } from '../hosts/hosts.ts'

export type LinkChangesDeps = {
  openSql: () => SystemSql
  /** Receives the key of each changed link, or `*<workspace id>` for all links of a workspace. */
  onChange: (key: string) => void
  /** Domains are read together with the changes, so that a confirmation includes theirs. */
  hosts: Pick<Hosts, 'load' | 'reload'>
  /** Changes are read from now on; earlier ones may have been missed. */
  onConnected: () => void
  /** Every change committed before now has been read. */
  onConfirmed: () => void
  onDisconnected: () => void
  log: Log
  everyMs?: number
}

const DOMAIN = '@'
const EVERY_MS = 400
const TIMEOUT_MS = 2_000
const CLOSE_TIMEOUT_MS = 1_000
const LOAD_TIMEOUT_MS = 10_000
const RETRY_MS = 500
/** After more changes at once, everything is read again. */
const MAX_AT_ONCE = 10_000
const TRIM_EVERY_MS = 60_000
/** Small enough to never exceed the timeout. */
const TRIMMED_AT_ONCE = 5_000
/** Far longer than a reader waits for a reply. */
const KEPT_SECONDS = 300

/**
 * Polls for link changes committed since the last read, even if their process died before notifying this
 * one. A read returns the rows that the last snapshot did not see, because transactions commit in another
 * order than they start, so no number orders their rows.
 */
export function readLinkChanges(deps: LinkChangesDeps): Service {
  const { log, everyMs = EVERY_MS } = deps
  const warn = createOutageWarning(log)

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sql = deps.openSql()
      try {
        await follow(sql, signal)
      } catch (error) {
        if (!signal.aborted)
          warn({ err: error }, 'changes of links not read; links in memory are served unconfirmed')
      }
      deps.onDisconnected()
      await closePostgres(sql, CLOSE_TIMEOUT_MS)
      await sleep(RETRY_MS, signal)
    }
  }

  async function follow(sql: SystemSql, signal: AbortSignal): Promise<void> {
    let seen = await withinMs(readSnapshot(sql), TIMEOUT_MS)
    await withinMs(deps.hosts.load(sql), LOAD_TIMEOUT_MS)
    deps.onConnected()
    let trimmedAtMs = -Infinity
    while (!signal.aborted) {
      const { snapshot, keys } = await withinMs(readSince(sql, seen), TIMEOUT_MS)
      await apply(sql, keys)
      deps.onConfirmed()
      seen = snapshot
      if (performance.now() - trimmedAtMs > TRIM_EVERY_MS) {
        const deleted = await withinMs(deleteOld(sql), TIMEOUT_MS)
        if (deleted < TRIMMED_AT_ONCE) trimmedAtMs = performance.now()
      }
      await sleep(everyMs, signal)
    }
  }

  async function apply(sql: SystemSql, keys: readonly string[]): Promise<void> {
    if (keys.length > MAX_AT_ONCE) {
      await withinMs(deps.hosts.load(sql), LOAD_TIMEOUT_MS)
      return deps.onConnected()
    }
    const domainIds = new Set<string>()
    for (const key of keys)
      if (key.startsWith(DOMAIN)) domainIds.add(key.slice(DOMAIN.length))
      else deps.onChange(key)
    if (domainIds.size > 0) await withinMs(deps.hosts.reload(sql, [...domainIds]), TIMEOUT_MS)
  }

  return { name: 'edge-link-changes', run }
}

async function readSnapshot(sql: SystemSql): Promise<string> {
  const [row] = await sql<[{ snapshot: string }]>`select pg_current_snapshot()::text as snapshot`
  return row.snapshot
}

async function readSince(sql: SystemSql, seen: string) {
  const [row] = await sql<[{ snapshot: string; keys: string[] }]>`
    select pg_current_snapshot()::text as snapshot, array(
      select key from link_changes
      where xact >= pg_snapshot_xmin(${seen}::text::pg_snapshot)
        and not pg_visible_in_snapshot(xact, ${seen}::text::pg_snapshot)
      limit ${MAX_AT_ONCE + 1}
    ) as keys`
  return row
}

/**
 * Deletes some rows that every reader has seen. A reader that was gone for longer reads all links again.
 */
async function deleteOld(sql: SystemSql): Promise<number> {
  const deleted = await sql`
    delete from link_changes where ctid = any(array(
      select ctid from link_changes
      where changed_at < now() - make_interval(secs => ${KEPT_SECONDS})
      limit ${TRIMMED_AT_ONCE} for update skip locked))`
  return deleted.count
}
