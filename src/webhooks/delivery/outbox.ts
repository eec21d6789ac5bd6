import type { Clock } from '../../platform/core/clock.ts'
import { newId } from '../../platform/core/ids.ts'
import type { Publish } from '../../platform/resources/dependencies.ts'
import {
  notifyAfterCommit,
  type Fragment,
  type Sql,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'

/** In the transaction that caused them, so that webhooks exist for exactly the committed changes. */
export function createOutbox(clock: Clock, maxBacklog = MAX_BACKLOG): Publish {
  return async (tx, ...events) => {
    if (events.length === 0) return
    const nowMs = clock()
    const rows = events.map((event) => ({
      id: event.id ?? newId('evt', nowMs),
      workspaceId: event.workspaceId,
      type: event.type,
      data: JSON.stringify(event.data),
    }))
    await fanOut(tx, clock, rows, maxBacklog)
  }
}

/**
 * Wakes workers; without a notice they find due deliveries within a second. The payload names endpoints, separated by
 * commas; empty: many.
 */
export const DELIVERIES_CHANNEL = 'signpost_deliveries'
/** A payload has at most 8,000 bytes. */
const MAX_NAMED = 100

/** Above this backlog of one endpoint, its click.received events are dropped and counted. */
const MAX_BACKLOG = 1_000_000

export type EventRow = { id: string; workspaceId: string; type: string; data: string }

/** The time by which deliveries are due, on the database's clock, which all workers share. */
export function dueNow(sql: Sql | Tx, { offsetMs = 0 }: Clock): Fragment {
  return sql`(now() + make_interval(secs => ${offsetMs / 1000}))`
}

export async function countAddressed(tx: Tx, workspaceId: string, type: string): Promise<number> {
  const [row] = await tx<[{ n: number }]>`
    select count(distinct endpoint_id) as n from webhook_subscriptions
    where workspace_id = ${workspaceId} and event_type in (${type}, '*') and is_active`
  return row.n
}

/**
 * Events without a subscriber are kept for replays, except clicks, which are kept only while an endpoint (even a
 * paused one) subscribes to them. Producers never wait for a lane: a locked one is awake, or the workers' sweep
 * finds it.
 */
export async function fanOut(
  tx: Tx,
  clock: Clock,
  rows: readonly EventRow[],
  maxBacklog = MAX_BACKLOG,
): Promise<number> {
  const createdAt = new Date(clock())
  const taken = rows.some(({ type }) => type === 'click.received')
    ? takeWithoutFullBacklogs(tx, maxBacklog)
    : tx`taken as (select * from wanted)`
  const [queued] = await tx<[{ deliveries: number; addressed: string[] | null }]>`
    with caused as (
      select * from unnest(
        ${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.workspaceId)}::text[],
        ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.data)}::text[]
      ) as c (id, workspace_id, type, data)
    ), event as (
      insert into events (id, created_at, workspace_id, type, data)
      select id, ${createdAt}, workspace_id, type, data from caused c
      where type <> 'click.received' or exists (
        select from webhook_subscriptions s
        where s.workspace_id = c.workspace_id and s.event_type in ('click.received', '*'))
      returning id, workspace_id, type
    ), wanted as (
      select distinct e.id, e.workspace_id, e.type, s.endpoint_id from event e
      join webhook_subscriptions s
        on s.workspace_id = e.workspace_id and s.event_type in (e.type, '*') and s.is_active
    ), ${taken}, queued as (
      insert into webhook_queue
        (id, workspace_id, endpoint_id, event_id, event_at, event_type, due_at, created_at)
      select delivery_id(${createdAt}), workspace_id, endpoint_id, id, ${createdAt}, type,
        ${dueNow(tx, clock)}, ${createdAt}
      from taken
      returning workspace_id, endpoint_id
    ), counted as (
      select workspace_id, endpoint_id, count(*) as queued from queued group by 1, 2
    ), tallied as (
      insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
      select workspace_id, endpoint_id, 0, '-infinity', queued from counted
    ), asleep as (
      select endpoint_id from webhook_lanes
      where endpoint_id in (select endpoint_id from counted)
        and (ready_at is null or ready_at > ${dueNow(tx, clock)})
      order by endpoint_id for update skip locked
    ), woken as (
      update webhook_lanes l set ready_at = ${dueNow(tx, clock)}
      from asleep where l.endpoint_id = asleep.endpoint_id
    )
    select (select coalesce(sum(queued), 0)::bigint from counted) as deliveries,
      (select array_agg(endpoint_id) from counted) as addressed`
  if (queued.addressed !== null) wakeAfterCommit(tx, queued.addressed)
  return queued.deliveries
}

export function wakeAfterCommit(tx: Tx, endpointIds: readonly string[]): void {
  const names = endpointIds.length <= MAX_NAMED ? endpointIds.join(',') : ''
  notifyAfterCommit(tx, DELIVERIES_CHANNEL, names)
}

function takeWithoutFullBacklogs(tx: Tx, maxBacklog: number): Fragment {
  return tx`full_up as (
      select endpoint_id from webhook_tallies
      where day = '-infinity' and endpoint_id in (
        select endpoint_id from wanted where type = 'click.received')
      group by endpoint_id having sum(n) >= ${maxBacklog}
    ), taken as (
      select * from wanted w where type <> 'click.received'
        or not exists (select from full_up f where f.endpoint_id = w.endpoint_id)
    ), dropped as (
      update webhook_endpoint_stats t set dropped_clicks = t.dropped_clicks + d.n
      from (select w.endpoint_id, count(*) as n from wanted w join full_up using (endpoint_id)
        where w.type = 'click.received' group by w.endpoint_id order by w.endpoint_id) as d
      where t.endpoint_id = d.endpoint_id
    )`
}
