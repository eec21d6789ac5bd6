import type { Registry } from 'prom-client'
import { createReadMetrics } from '../../platform/processes/metrics.ts'
import type { Flusher } from './flusher.ts'
import type { Lanes } from './lanes.ts'
import { withinMs } from '../../platform/core/service.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

export function registerGauges(
  registry: Registry,
  lanes: Lanes,
  flusher: Pick<Flusher, 'unwritten'>,
): void {
  const { gauge } = createReadMetrics(registry)
  gauge('signpost_deliveries_in_flight', 'Webhook requests on the wire.', () => lanes.inFlight)
  gauge('signpost_delivery_lanes', 'Endpoints whose lanes this worker holds.', () => lanes.size)
  gauge(
    'signpost_delivery_lanes_held_back',
    'Endpoints whose deliveries wait because their host is at the rate of WEBHOOK_HOST_RATE.',
    () => lanes.countHeldBack(),
  )
  gauge(
    'signpost_delivery_outcomes_unwritten',
    'Attempts that have ended and whose outcomes are not in the database yet.',
    () => flusher.unwritten,
  )
}

const MAX_COUNTED = 100_000
const CACHED_MS = 5_000
const TIMEOUT_MS = 2_000

type Bounds = { maxCounted?: number; cachedMs?: number }

/** Without PostgreSQL the gauge is NaN. */
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
  createReadMetrics(registry).gauge(
    'signpost_deliveries_queued',
    `Deliveries of all workers that have not ended, those between two attempts included; ${MAX_COUNTED} stands for any more.`,
    () => withinMs(count(performance.now()), TIMEOUT_MS).catch(() => NaN),
  )
}

export type QueueState = { queued: number; due: number; oldestDueAt: Date | null }

/** Deliveries to paused endpoints are due, too. */
export async function readQueueState(sql: SystemSql, now: Date): Promise<QueueState> {
  const [row] = await sql<[QueueState]>`
    select count(*) as queued, count(*) filter (where due_at <= ${now}) as due,
      min(due_at) filter (where due_at <= ${now}) as oldest_due_at
    from (select due_at from webhook_queue limit ${MAX_COUNTED}) as queue`
  return row
}

async function countQueued(sql: SystemSql, limit: number): Promise<number> {
  const [row] = await sql<[{ queued: number }]>`
    select count(*) as queued from (select from webhook_queue limit ${limit}) as queue`
  return row.queued
}
