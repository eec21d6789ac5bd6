import type { Registry } from 'prom-client'
import { registerGauge } from '../../../platform/core/read-metrics.ts'
import { withinMs } from '../../../platform/core/service.ts'
import type { SystemSql } from '../../../platform/storage/postgres/postgres.ts'

/** Bounds the count of a long queue to some milliseconds. */
const MAX_COUNTED = 100_000
/** Scrapes of this time share one count. */
const CACHED_MS = 5_000
const TIMEOUT_MS = 2_000

type Bounds = { maxCounted?: number; cachedMs?: number }

/** Registers the number of deliveries in the queue of all workers. Without PostgreSQL it is not a number. */
export function registerQueueDepth(
  registry: Registry,
  sql: SystemSql,
  { maxCounted = MAX_COUNTED, cachedMs = CACHED_MS }: Bounds = {},
): void {
  let counted: { depth: Promise<number>; startedMs: number } | null = null
  const count = (nowMs: number) => {
    if (counted === null || nowMs - counted.startedMs >= cachedMs)
      counted = { depth: countQueued(sql, maxCounted).catch(() => NaN), startedMs: nowMs }
    return counted.depth
  }
  registerGauge(
    registry,
    'signpost_deliveries_queued',
    `Deliveries of all workers that have not ended, those between two attempts included; ${MAX_COUNTED} stands for any more.`,
    () => withinMs(count(performance.now()), TIMEOUT_MS).catch(() => NaN),
  )
}

async function countQueued(sql: SystemSql, limit: number): Promise<number> {
  const [row] = await sql<[{ queued: number }]>`
    select count(*) as queued from (select from webhook_queue limit ${limit}) as queue`
  return row.queued
}
