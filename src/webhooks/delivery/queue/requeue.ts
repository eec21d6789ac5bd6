import type { Clock } from '../../../platform/core/clock.ts'
import { newId } from '../../../platform/core/ids.ts'
import type { Fragment, Tx } from '../../../platform/storage/postgres/postgres.ts'
import { dueNow, wakeAfterCommit } from '../outbox.ts'
import { PARTITIONS_LOCK_KEY } from './partitions.ts'
import { STATUS } from './states.ts'
import { tally } from './counts.ts'

/** Ids of test deliveries are this and the time in milliseconds (spec, Webhook delivery status). */
const TEST_ID_PREFIX = 'test_'
const MAX_PER_CALL = 10_000
/** Each manual retry adds an attempt, and the number must stay far below the maximum of its column. */
export const MAX_RETRIED_ATTEMPTS = 1_000
/** Events that one replay reads: rare types hide among many clicks. */
const MAX_READ = 200_000

async function wakeLanes(tx: Tx, clock: Clock, endpointIds: readonly string[]): Promise<void> {
  await tx`
    update webhook_lanes l set ready_at = ${dueNow(tx, clock)}
    from (
      select l.endpoint_id from webhook_lanes l
      join webhook_endpoints e on e.id = l.endpoint_id and e.status = 'active' and e.deleted_at is null
      where l.endpoint_id = any(${endpointIds as string[]}::text[])
      order by l.endpoint_id for update of l skip locked
    ) as asleep
    where l.endpoint_id = asleep.endpoint_id`
  wakeAfterCommit(tx, endpointIds)
}

/** The id takes the next free millisecond when several tests come at once. */
export async function queueTest(
  tx: Tx,
  clock: Clock,
  test: { workspaceId: string; endpointId: string; eventType: string; data: string },
): Promise<{ id: string; createdAt: Date }> {
  const createdAt = new Date(clock())
  const eventId = newId('evt', createdAt.getTime())
  await tx`
    insert into events (id, created_at, workspace_id, type, data, endpoint_id)
    values (${eventId}, ${createdAt}, ${test.workspaceId}, ${test.eventType}, ${test.data}, ${test.endpointId})`
  for (let epochMs = createdAt.getTime(); ; epochMs++) {
    const id = `${TEST_ID_PREFIX}${epochMs}`
    // Row-level security hides the tests of other workspaces, but the index has them.
    const [inserted] = await tx`
      insert into webhook_queue
        (id, workspace_id, endpoint_id, event_id, event_at, event_type, due_at, created_at)
      values (${id}, ${test.workspaceId}, ${test.endpointId}, ${eventId}, ${createdAt}, ${test.eventType},
        ${dueNow(tx, clock)}, ${createdAt})
      on conflict (id) do nothing returning id`
    if (!inserted) continue
    // Read after the insert, which may have waited for an earlier test that has moved to the log.
    const [{ owner }] = await tx<[{ owner: string | null }]>`
      select workspace_of('webhook_log', ${id}) as owner`
    if (owner !== null) {
      await tx`delete from webhook_queue where id = ${id}`
      continue
    }
    await tally(tx, test.workspaceId, test.endpointId, STATUS.pending, 1)
    await wakeLanes(tx, clock, [test.endpointId])
    return { id, createdAt }
  }
}

/** Null when its state allows no retry (states.ts). */
export async function retryDelivery(
  tx: Tx,
  clock: Clock,
  workspaceId: string,
  id: string,
): Promise<{ attempts: number; eventType: string } | null> {
  const [failed] = await tx<{ endpointId: string; attempts: number; eventType: string }[]>`
    update webhook_queue set status = ${STATUS.pending}::smallint, is_hurried = true,
      due_at = ${dueNow(tx, clock)}
    where id = ${id} and workspace_id = ${workspaceId} and status = ${STATUS.failed}::smallint
    returning endpoint_id, attempts, event_type`
  if (failed) {
    await tally(tx, workspaceId, failed.endpointId, STATUS.failed, -1)
    await tally(tx, workspaceId, failed.endpointId, STATUS.pending, 1)
    await wakeLanes(tx, clock, [failed.endpointId])
    return failed
  }
  const [dead] = await revive(tx, clock, tx`id = ${id} and workspace_id = ${workspaceId}`)
  return dead ?? null
}

type DeliveryFilter = {
  eventType: string | undefined
  responseStatus: number | undefined
  from: Date | null
  to: Date | null
}

export function matching(
  tx: Tx,
  { eventType, responseStatus, from, to }: DeliveryFilter,
): Fragment {
  return tx`
    ${eventType === undefined ? tx`` : tx`and event_type = ${eventType}`}
    ${responseStatus === undefined ? tx`` : tx`and response_status = ${responseStatus}`}
    ${from === null ? tx`` : tx`and created_at >= ${from}`}
    ${to === null ? tx`` : tx`and created_at < ${to}`}`
}

type RetryFilter = DeliveryFilter & {
  workspaceId: string
  endpointId: string | undefined
  status: string | undefined
  eventId: string | undefined
}

export async function retryDeliveries(
  tx: Tx,
  clock: Clock,
  filter: RetryFilter,
): Promise<{ requeued: number; hasMore: boolean }> {
  const where = tx`workspace_id = ${filter.workspaceId}
    ${filter.endpointId === undefined ? tx`` : tx`and endpoint_id = ${filter.endpointId}`}
    ${filter.eventId === undefined ? tx`` : tx`and event_id = ${filter.eventId}`}
    ${matching(tx, filter)}
    -- The deliveries of a deleted endpoint are hidden, and are purged within minutes.
    and exists (select from webhook_endpoints e where e.id = endpoint_id and e.deleted_at is null)`
  let requeued = 0
  if (filter.status !== 'dead_letter') requeued += await hurryFailed(tx, clock, where)
  if (filter.status !== 'failed' && requeued < MAX_PER_CALL) {
    const oldest = tx`(finished_at, id) in (
      select finished_at, id from webhook_log where ${where} and ${isRevivable(tx)}
      order by created_at, id limit ${MAX_PER_CALL - requeued} for update skip locked)`
    requeued += (await revive(tx, clock, oldest)).length
  }
  return { requeued, hasMore: requeued >= MAX_PER_CALL }
}

async function hurryFailed(tx: Tx, clock: Clock, where: Fragment): Promise<number> {
  const rows = await tx<{ workspaceId: string; endpointId: string; n: number }[]>`
    with chosen as (
      select id from webhook_queue where ${where} and attempts > 0 and status = ${STATUS.failed}::smallint
      order by created_at, id limit ${MAX_PER_CALL} for update skip locked
    ), hurried as (
      update webhook_queue q set status = ${STATUS.pending}::smallint, is_hurried = true,
        due_at = ${dueNow(tx, clock)}
      from chosen where q.id = chosen.id
      returning q.workspace_id, q.endpoint_id
    ), tallied as (
      insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
      select workspace_id, endpoint_id, ${STATUS.failed}::smallint, '-infinity'::date, -count(*) from hurried group by 1, 2
      union all
      select workspace_id, endpoint_id, ${STATUS.pending}::smallint, '-infinity', count(*) from hurried group by 1, 2
    )
    select workspace_id, endpoint_id, count(*) as n from hurried group by 1, 2`
  if (rows.length > 0)
    await wakeLanes(
      tx,
      clock,
      rows.map((row) => row.endpointId),
    )
  return rows.reduce((sum, row) => sum + row.n, 0)
}

function isRevivable(tx: Tx): Fragment {
  return tx`status = ${STATUS.deadLetter}::smallint and attempts < ${MAX_RETRIED_ATTEMPTS}`
}

async function revive(tx: Tx, clock: Clock, where: Fragment) {
  const rows = await tx<{ endpointId: string; attempts: number; eventType: string }[]>`
    with dead as (
      delete from webhook_log where ${where} and ${isRevivable(tx)}
      returning *
    ), revived as (
      insert into webhook_queue (id, workspace_id, endpoint_id, event_id, event_at, event_type, status,
        attempts, is_extra, is_hurried, due_at, response_status, duration_ms, response_body, response_headers, error,
        signed, sent_headers, attempt_log, created_at)
      select id, workspace_id, endpoint_id, event_id, event_at, event_type, ${STATUS.pending}::smallint, attempts,
        true, true, ${dueNow(tx, clock)}, response_status, duration_ms, response_body, response_headers, error,
        signed, sent_headers, attempt_log, created_at
      from dead
      returning endpoint_id, attempts, event_type
    ), tallied as (
      insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
      select workspace_id, endpoint_id, ${STATUS.deadLetter}::smallint, (finished_at at time zone 'UTC')::date, -count(*)
        from dead group by 1, 2, 4
      union all
      select workspace_id, endpoint_id, ${STATUS.pending}::smallint, '-infinity'::date, count(*) from dead group by 1, 2
    )
    select * from revived`
  if (rows.length > 0) await wakeLanes(tx, clock, [...new Set(rows.map((row) => row.endpointId))])
  return rows
}

export type ReplayScope = {
  workspaceId: string
  endpointId: string
  since: Date
  until: Date
  /** Null: the types that the endpoint subscribes to. */
  types: readonly string[] | null
}

/** @returns in `next`, the `since` of the next call if this one did not read all events */
export async function replayEvents(
  tx: Tx,
  clock: Clock,
  scope: ReplayScope,
  maxRead = MAX_READ,
): Promise<{ queued: number; next: Date | null }> {
  const { workspaceId, endpointId } = scope
  const createdAt = new Date(clock())
  // No payload may be dropped by age before the commit: the drop would not see these deliveries.
  await tx`select pg_advisory_xact_lock_shared(${PARTITIONS_LOCK_KEY})`
  const types =
    scope.types === null
      ? tx`(select event_type from webhook_subscriptions
          where endpoint_id = ${endpointId} and workspace_id = ${workspaceId})`
      : tx`(select unnest(${scope.types as string[]}::text[]))`
  const inOrder = tx`from events
    where workspace_id = ${workspaceId} and created_at >= ${scope.since} and created_at < ${scope.until}
      and endpoint_id is null
    order by created_at`
  const [done] = await tx<{ queued: number; upTo: Date | null }[]>`
    with past as (
      select id, created_at, type from (
        select id, created_at, type ${inOrder} fetch first ${maxRead} rows with ties
      ) as read
      where type in ${types} or '*' in ${types}
      order by created_at
      -- All events of the last moment, so that the next call can begin after it.
      fetch first ${MAX_PER_CALL} rows with ties
    ), queued as (
      insert into webhook_queue
        (id, workspace_id, endpoint_id, event_id, event_at, event_type, due_at, created_at)
      select delivery_id(${createdAt}), ${workspaceId}, ${endpointId}, id, created_at, type,
        ${dueNow(tx, clock)}, ${createdAt}
      from past returning 1
    )
    select (select count(*) from queued) as queued,
      case when (select count(*) from past) >= ${MAX_PER_CALL} then (select max(created_at) from past)
        else (select created_at ${inOrder} offset ${maxRead - 1} limit 1) end as up_to`
  const { queued, upTo } = done!
  if (queued > 0) {
    await tally(tx, workspaceId, endpointId, STATUS.pending, queued)
    await wakeLanes(tx, clock, [endpointId])
  }
  return { queued, next: upTo && new Date(upTo.getTime() + 1) }
}
