import { Counter, type Registry } from 'prom-client'
import { systemActing } from '../../platform/audit/acting.ts'
import type { Audit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import { inTransaction, type SystemSql, type Tx } from '../../platform/storage/postgres/postgres.ts'

const MAX_PAUSES_PER_RUN = 100
const ACTOR = 'auto-pause'

export type AutoPauseDeps = {
  sql: SystemSql
  clock: Clock
  log: Log
  registry: Registry
  audit: Audit
}

/**
 * The hours of `disableAfterHours` count from the first failure since the last success; resuming starts a new
 * count.
 */
export function createAutoPause({ sql, clock, log, registry, audit }: AutoPauseDeps) {
  const counter = new Counter({
    name: 'signpost_webhook_endpoints_auto_paused_total',
    help: 'Webhook endpoints that were paused because of their disableAfterHours.',
    registers: [registry],
  })
  return async (): Promise<void> => {
    const now = new Date(clock())
    const paused = await inTransaction(sql, async (tx) => {
      const endpoints = await pauseFailing(tx, now)
      for (const { endpointId, workspaceId, url } of endpoints)
        await audit(tx, systemActing(workspaceId, ACTOR), {
          action: 'webhook.auto_paused',
          target: { type: 'webhook', id: endpointId, name: url },
          changes: { status: { old: 'active', new: 'paused' } },
        })
      return endpoints
    })
    counter.inc(paused.length)
    for (const { endpointId, disableAfterHours, failingSince } of paused)
      log.info(
        { endpointId, disableAfterHours, failingSince },
        'webhook endpoint paused: all attempts have failed for its disableAfterHours',
      )
  }
}

type Paused = {
  endpointId: string
  workspaceId: string
  url: string
  disableAfterHours: number
  failingSince: Date
}

/**
 * Row locks decide between workers. A success being written holds the lock on the stats, so the next run decides.
 */
function pauseFailing(tx: Tx, now: Date): Promise<Paused[]> {
  return tx<Paused[]>`
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
