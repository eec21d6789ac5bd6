import { DAY_MS, type Clock } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log.ts'
import {
  inTransaction,
  type SystemSql,
  type Tx,
} from '../../../platform/storage/postgres/postgres.ts'

const DAYS_AHEAD = 7
/** Everything that publishes an event queues up behind a lock of the table, so do not wait for a long reader. */
const LOCK_TIMEOUT = '500ms'
const LOCK_NOT_AVAILABLE = '55P03'
/** Advisory lock of partition maintenance; replays hold it shared. */
export const PARTITIONS_LOCK_KEY = 7_305_117_207

export type PartitionsDeps = {
  sql: SystemSql
  clock: Clock
  log: Log
  retentionDays: number
}

/** If the tables are locked, the next run tries again. */
export async function maintainPartitions(deps: PartitionsDeps): Promise<void> {
  const { sql, clock, log, retentionDays } = deps
  const today = new Date(clock())
  const last = new Date(today.getTime() + DAYS_AHEAD * DAY_MS)
  const before = new Date(today.getTime() - retentionDays * DAY_MS)
  try {
    await inTransaction(sql, async (tx) => {
      await lockBriefly(tx)
      await tx`select make_day_partitions(${toDay(today)}::date, ${toDay(last)}::date)`
    })
    const dropped = await inTransaction(sql, async (tx) => {
      await lockBriefly(tx)
      const [row] = await tx<{ dropped: string[] }[]>`
        select drop_day_partitions(${toDay(before)}::date) as dropped`
      return row!.dropped
    })
    if (dropped.length > 0)
      log.info({ partitions: dropped }, 'webhook deliveries past the retention dropped')
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
    log.info('partition maintenance postponed: a webhook table is locked')
  }
}

async function lockBriefly(tx: Tx): Promise<void> {
  // Only partition maintenance and replays take this lock; it may take as long as a replay.
  await tx`select pg_advisory_xact_lock(${PARTITIONS_LOCK_KEY})`
  await tx`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
}

function toDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}
