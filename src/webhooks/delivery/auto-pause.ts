import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import { inTransaction, type SystemSql, type Tx } from '../../platform/storage/postgres/postgres.ts'

/** Endpoints of one run; the others follow in the next. */
const MAX_PAUSES_PER_RUN = 100

export type AutoPaused = {
  endpointId: string
  workspaceId: string
  url: string
  disableAfterHours: number
  failingSince: Date
}

export type AutoPauseDeps = {
  sql: SystemSql
  clock: Clock
  log: Log
  registry: Registry
  /** Writes the audit row, in the transaction of the pause. */
  recordPause: (tx: Tx, endpoint: AutoPaused) => Promise<void>
}

/**
 * Pauses endpoints that asked for it after so many hours of failures only. The hours count from the
 * first failure since the last success, and a resumption begins a new count.
 */
export class AutoPause {
  readonly #deps: AutoPauseDeps
  readonly #paused: Counter

  constructor(deps: AutoPauseDeps) {
    this.#deps = deps
    this.#paused = new Counter({
      name: 'signpost_webhook_endpoints_auto_paused_total',
      help: 'Webhook endpoints that were paused because of their disableAfterHours.',
      registers: [deps.registry],
    })
  }

  async once(): Promise<void> {
    const { sql, clock, log, recordPause } = this.#deps
    const now = new Date(clock())
    const paused = await inTransaction(sql, async (tx) => {
      const endpoints = await pauseFailing(tx, now)
      for (const endpoint of endpoints) await recordPause(tx, endpoint)
      return endpoints
    })
    this.#paused.inc(paused.length)
    for (const { endpointId, disableAfterHours, failingSince } of paused)
      log.info(
        { endpointId, disableAfterHours, failingSince },
        'webhook endpoint paused: every attempt failed for as long as its disableAfterHours',
      )
  }
}

/**
 * Does what a PATCH to `paused` does. The row locks decide between workers: the second one finds the endpoint
 * locked, or paused. A success that is being written holds the lock of the stats, and is waited for by the next run.
 */
function pauseFailing(tx: Tx, now: Date): Promise<AutoPaused[]> {
  return tx<AutoPaused[]>`
    with failing as (
      select e.id, s.failing_since from webhook_endpoints e
      join webhook_endpoint_stats s on s.endpoint_id = e.id
      join workspaces w on w.id = e.workspace_id and w.suspended_at is null
      where e.status = 'active' and e.disable_after_hours is not null and e.deleted_at is null
        and s.failing_since <= ${now}::timestamptz - make_interval(hours => e.disable_after_hours)
      limit ${MAX_PAUSES_PER_RUN} for update of e, s skip locked
    ), paused as (
      update webhook_endpoints e set status = 'paused', updated_at = greatest(e.updated_at + interval '1 millisecond', ${now})
      from failing where e.id = failing.id
      returning e.id, e.workspace_id, e.url, e.disable_after_hours, failing.failing_since
    ), armed as (
      update webhook_endpoint_stats s set auto_paused_at = ${now}, notified_at = null
      from paused where s.endpoint_id = paused.id
    ), unsubscribed as (
      update webhook_subscriptions s set is_active = false
      from paused where s.endpoint_id = paused.id
    ), asleep as (
      update webhook_lanes l set ready_at = null from paused where l.endpoint_id = paused.id
    )
    select id as endpoint_id, workspace_id, url, disable_after_hours, failing_since from paused`
}
