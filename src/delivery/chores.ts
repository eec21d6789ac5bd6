import { sleep, type Service } from '../base/service.ts'
import { createFailureMails, type FailureMailsDeps } from './failure-mails.ts'
import { inTransaction, type Tx } from '../storage/postgres.ts'

const EVERY_MS = 5_000
const DAYS_AHEAD = 7
const DAY_MS = 86_400_000
const PARTITIONS_EVERY_MS = 3_600_000
const PARTITIONS_AGAIN_MS = 60_000
/**
 * To make or drop a day the whole table is locked. Whoever reads it for long, as a backup does, is not
 * waited for: behind a lock that waits, every delivery and every change that makes an event waits too.
 */
const PARTITIONS_LOCK_TIMEOUT = '500ms'
/** Longer than any transaction that still saw the endpoint and may queue something for it. */
const PURGE_AFTER_MS = 60_000
/** Rows of a deleted endpoint go in pieces, so that no lock is held for long. */
const PURGE_ROWS = 5_000
/** So many rows more than the last fold left are worth another one. */
const FOLD_ABOVE = 500
/** Any constant will do, as long as every worker takes the same one. */
const LOCK_KEY = 7_305_117_208
/** That of `make_day_partitions` and `drop_day_partitions`, which replays hold shared. */
export const PARTITIONS_LOCK_KEY = 7_305_117_207

const LOCK_NOT_AVAILABLE = '55P03'

export type ChoresDeps = FailureMailsDeps & {
  /** How long ended deliveries and their events are kept. */
  retentionDays: number
}

/** What keeps the tables of deliveries small; one worker at a time does it, whichever comes first. */
export function createChores(
  deps: ChoresDeps,
): Service & { once(signal?: AbortSignal): Promise<void> } {
  const { sql, clock, log } = deps
  const failureMails = createFailureMails(deps)
  let partitionsAtMs = -Infinity
  let partitionsAfterMs = PARTITIONS_EVERY_MS
  let foldedRows = 0

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await once(signal)
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the delivery tables could not be tidied')
      }
      await sleep(EVERY_MS, signal)
    }
  }

  async function once(signal?: AbortSignal): Promise<void> {
    if (Math.abs(clock() - partitionsAtMs) >= partitionsAfterMs) {
      const areDone = await partitions()
      partitionsAtMs = clock()
      partitionsAfterMs = areDone ? PARTITIONS_EVERY_MS : PARTITIONS_AGAIN_MS
    }
    foldedRows = await inTransaction(sql, async (tx) => {
      const [row] = await tx<{ isMine: boolean }[]>`
        select pg_try_advisory_xact_lock(${LOCK_KEY}) as is_mine`
      if (!row!.isMine) return foldedRows
      const rows = await countTallies(tx, foldedRows + FOLD_ABOVE + 1)
      if (rows <= foldedRows + FOLD_ABOVE) return Math.min(rows, foldedRows)
      await fold(tx)
      return countTallies(tx, null)
    })
    await purgeDeleted(signal)
    await failureMails.once()
  }

  /** @returns false when somebody holds the tables; there are days ahead to try again */
  async function partitions(): Promise<boolean> {
    const today = new Date(clock())
    const last = new Date(today.getTime() + DAYS_AHEAD * DAY_MS)
    const before = new Date(today.getTime() - deps.retentionDays * DAY_MS)
    try {
      await impatient(
        (tx) => tx`select make_day_partitions(${dateOf(today)}::date, ${dateOf(last)}::date)`,
      )
      const [row] = await impatient(
        (tx) => tx<{ dropped: string[] }[]>`
          select drop_day_partitions(${dateOf(before)}::date) as dropped`,
      )
      if (row!.dropped.length > 0)
        log.info({ partitions: row!.dropped }, 'old deliveries were dropped')
      return true
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
      log.info('the days of the delivery tables wait for somebody who reads them')
      return false
    }
  }

  function impatient<T>(work: (tx: Tx) => PromiseLike<T>): Promise<T> {
    return inTransaction(sql, async (tx) => {
      // Nobody but partitions and replays waits for this one, and it may take as long as a replay.
      await tx`select pg_advisory_xact_lock(${PARTITIONS_LOCK_KEY})`
      await tx`select set_config('lock_timeout', ${PARTITIONS_LOCK_TIMEOUT}, true)`
      return work(tx)
    })
  }

  /** @param limit counts no further */
  async function countTallies(tx: Tx, limit: number | null): Promise<number> {
    const [row] = await tx<{ rows: number }[]>`
      select count(*) as rows from (select from webhook_tallies limit ${limit}) as tallies`
    return row!.rows
  }

  /**
   * Many differences become one row; whoever reads meanwhile sees the one or the other. What is one row
   * already stays as it is: there is one for each endpoint, status and day.
   */
  async function fold(tx: Tx): Promise<void> {
    await tx`
      with gone as (
        delete from webhook_tallies where ctid = any(array(
          select unnest(array_agg(ctid)) from webhook_tallies t group by workspace_id, endpoint_id, status, day
          having count(*) > 1 or not exists (select from webhook_endpoints e where e.id = t.endpoint_id)))
        returning workspace_id, endpoint_id, status, day, n
      )
      insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
      select workspace_id, endpoint_id, status, day, sum(n) from gone
      -- What was counted for an endpoint that is purged by now goes with it.
      where exists (select from webhook_endpoints e where e.id = gone.endpoint_id)
      group by 1, 2, 3, 4 having sum(n) <> 0`
  }

  /** A million rows take longer than a shutdown may: what is left is left to the next worker. */
  async function purgeDeleted(signal: AbortSignal | undefined): Promise<void> {
    const deleted = await sql<{ id: string }[]>`
      select id from webhook_endpoints
      where deleted_at < ${new Date(clock() - PURGE_AFTER_MS)} limit 100`
    for (const { id } of deleted) {
      const pieces = [
        () => sql`
          delete from webhook_queue where id in (
            select id from webhook_queue where endpoint_id = ${id} limit ${PURGE_ROWS})`,
        ...[sql`status = 2`, sql`status = 4`].map(
          (isStatus) => () =>
            sql`
            delete from webhook_log where (finished_at, id) in (
              select finished_at, id from webhook_log
              where endpoint_id = ${id} and ${isStatus} limit ${PURGE_ROWS})`,
        ),
      ]
      for (const piece of pieces) if (!(await areAllGone(piece, signal))) return
      await sql`delete from webhook_tallies where endpoint_id = ${id}`
      await sql`delete from webhook_endpoints where id = ${id} and deleted_at is not null`
    }
  }

  return { name: 'delivery-chores', run, once }
}

/** @returns false when the signal came before the last piece */
async function areAllGone(
  piece: () => PromiseLike<{ count: number }>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  while (!signal?.aborted) if ((await piece()).count < PURGE_ROWS) return true
  return false
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
