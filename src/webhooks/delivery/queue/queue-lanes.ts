import { dueNow } from '../outbox.ts'
import type { Clock } from '../../../platform/core/clock.ts'
import type { SystemSql } from '../../../platform/storage/postgres/postgres.ts'

/** No other worker claims from it. `url` is as of the acquisition. */
export type HeldLane = { endpointId: string; workspaceId: string; epoch: number; url: string }

const SWEPT_AT_ONCE = 1_000

export async function acquire(
  { sql, workerId, clock }: QueueDeps,
  count: number,
  except: readonly string[] = [],
): Promise<HeldLane[]> {
  return sql<HeldLane[]>`
    with ready as (
      select endpoint_id, epoch from (
        select l.endpoint_id, l.epoch, l.ready_at,
          row_number() over (partition by l.workspace_id order by l.ready_at) as turn
        from webhook_lanes l
        left join webhook_workers w on w.id = l.owner and w.lease_until > now()
        where l.ready_at <= ${dueNow(sql, clock)} and w.id is null
          and l.endpoint_id <> all(${except as string[]}::text[])
      ) as r order by turn, ready_at limit ${count}
    ), locked as (
      -- The same epoch proves that no worker has acquired the lane since it was read. A row that changed
      -- is evaluated again, but with the absence of a new owner as it was read before.
      select l.endpoint_id from webhook_lanes l join ready using (endpoint_id, epoch)
      left join webhook_workers w on w.id = l.owner and w.lease_until > now()
      where w.id is null
      for update of l skip locked
    )
    update webhook_lanes l set owner = ${workerId}, epoch = l.epoch + 1
    from locked where l.endpoint_id = locked.endpoint_id
    returning l.endpoint_id, l.workspace_id, l.epoch,
      (select url from webhook_endpoints e where e.id = l.endpoint_id)`
}

/** @returns false when other sessions have locked some of them; those stay in this worker's name */
export async function release(
  { sql, workerId, clock }: QueueDeps,
  lanes: readonly HeldLane[],
): Promise<boolean> {
  if (lanes.length === 0) return true
  const released = await sql`
    with free as (
      select l.endpoint_id
      from unnest(${lanes.map((lane) => lane.endpointId)}::text[],
        ${lanes.map((lane) => lane.epoch)}::bigint[]) as i (endpoint_id, epoch)
      join webhook_lanes l on l.endpoint_id = i.endpoint_id and l.epoch = i.epoch and l.owner = ${workerId}
      for update of l skip locked
    )
    update webhook_lanes l set owner = null, ready_at = case
      when exists (select from webhook_endpoints e
        join workspaces s on s.id = e.workspace_id and s.suspended_at is null
        where e.id = l.endpoint_id and e.status = 'active' and e.deleted_at is null)
      then (select greatest(due_at, ${dueNow(sql, clock)}) from webhook_queue
        where endpoint_id = l.endpoint_id order by due_at limit 1)
    end
    from free where l.endpoint_id = free.endpoint_id`
  return released.count === lanes.length
}

/**
 * Releases lanes that this worker may have acquired without knowing it.
 * @returns false when other sessions have locked some
 */
export async function releaseOthers(
  { sql, workerId }: QueueDeps,
  heldIds: readonly string[],
): Promise<boolean> {
  const [row] = await sql<{ areAllReleased: boolean }[]>`
    with others as (
      select endpoint_id from webhook_lanes
      where owner = ${workerId} and endpoint_id <> all(${heldIds as string[]}::text[])
    ), free as (
      select endpoint_id from webhook_lanes where endpoint_id in (select endpoint_id from others)
      for update skip locked
    ), released as (
      update webhook_lanes l set owner = null from free
      where l.endpoint_id = free.endpoint_id and l.owner = ${workerId}
      returning 1
    )
    select (select count(*) from released) = (select count(*) from others) as are_all_released`
  return row!.areAllReleased
}

/**
 * Wakes lanes whose producer committed while they were being released, or skipped them because they were locked.
 * Delivery depends on this alone; all other wake-ups only make it faster. It steps from endpoint to endpoint, so
 * its cost does not depend on the number of deliveries.
 * @returns the last endpoint, for the next call; empty at the end of the queue
 */
export async function sweep({ sql, clock }: QueueDeps, after: string): Promise<string> {
  const [swept] = await sql<{ woken: number; last: string | null }[]>`
    with recursive busy (endpoint_id, n) as (
      (select endpoint_id, 1 from webhook_queue where endpoint_id > ${after}
        order by endpoint_id limit 1)
      union all
      select q.endpoint_id, b.n + 1 from busy b cross join lateral (
        select endpoint_id from webhook_queue where endpoint_id > b.endpoint_id
        order by endpoint_id limit 1
      ) as q where b.n < ${SWEPT_AT_ONCE}
    ), asleep as (
      select l.endpoint_id, q.due_at from busy b
      join webhook_lanes l on l.endpoint_id = b.endpoint_id
      join webhook_endpoints e on e.id = l.endpoint_id and e.status = 'active' and e.deleted_at is null
      join workspaces s on s.id = e.workspace_id and s.suspended_at is null
      left join webhook_workers w on w.id = l.owner and w.lease_until > now()
      cross join lateral (
        select due_at from webhook_queue where endpoint_id = l.endpoint_id order by due_at limit 1
      ) as q
      where w.id is null and (l.ready_at is null or l.ready_at > greatest(q.due_at, ${dueNow(sql, clock)}))
      for update of l skip locked
    ), woken as (
      update webhook_lanes l set ready_at = asleep.due_at from asleep
      where l.endpoint_id = asleep.endpoint_id
      returning 1
    )
    select (select count(*) from woken) as woken,
      (select endpoint_id from busy where n = ${SWEPT_AT_ONCE}) as last`
  return swept!.last ?? ''
}

export type QueueDeps = {
  sql: SystemSql
  /** Its offset is added to the database's clock; leases ignore it. */
  clock: Clock
  /** A UUID that no other worker has ever had. */
  workerId: string
  host: string
}
