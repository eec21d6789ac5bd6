import { arrayOf } from '../storage/arrays.ts'
import { dueNow } from './outbox.ts'
import type { QueueDeps } from './queue-deps.ts'
import type { HeldLane } from './queue-lanes.ts'
import { MAX_ORPHANED, STATUS } from './states.ts'

/** A place in the order of a lane: the time when it is due, in microseconds since 1970, and its id. */
export type LanePlace = { dueAtUs: number; id: string }

/** Claims at most `free` deliveries of a lane; with `after`, only those behind that place. */
export type Wanted = { lane: HeldLane; free: number; after?: LanePlace | null }

/** A delivery as it was claimed, with the endpoint's fields at that moment. */
export type Claim = {
  id: string
  workspaceId: string
  endpointId: string
  eventId: string
  eventType: string
  /** Outcomes before this attempt. */
  attempts: number
  orphaned: number
  isExtra: boolean
  epoch: number
  createdAt: Date
  dueAtUs: number
  /** Time since it became due. */
  waitedSeconds: number
  url: string
  secretSealed: Buffer
  /** Of the secret before a rotation, during the overlap. */
  previousSecretSealed: Buffer | null
  standardHeaders: boolean
  /** Null when the endpoint has no headers of its own. */
  headersSealed: Buffer | null
  /** The payload, byte for byte; null when it was dropped by age, which ends the delivery. */
  data: string | null
}

/** True when the third worker was lost with this delivery: then no attempt is made. */
export function isPoison({ orphaned }: Claim): boolean {
  return orphaned >= MAX_ORPHANED
}

/**
 * Claims due deliveries of the lanes in one round trip. URL, secret, headers and status of the endpoint are
 * read here and nowhere else: a pause, a deletion, a rotation or a new URL that was committed before
 * holds for every delivery that this returns. Deliveries that an earlier owner of the lane claimed
 * without writing an outcome carry an old epoch, and are claimed like the rest.
 */
export async function claim(
  { sql, workerId, clock }: QueueDeps,
  wanted: readonly Wanted[],
): Promise<Claim[]> {
  const now = dueNow(sql, clock)
  const afterUs = wanted.map(({ after }) => after?.dueAtUs ?? null)
  const claims = await sql<Claim[]>`
    with held as (
      select i.endpoint_id, i.epoch, i.free, i.after_id,
        coalesce('epoch'::timestamptz + i.after_us * interval '1 microsecond', '-infinity') as after_at,
        e.url, e.secret_sealed, e.standard_headers, e.headers_sealed,
        case when e.previous_secret_until > ${now} then e.previous_secret_sealed end as previous_secret_sealed
      from unnest(${wanted.map(({ lane }) => lane.endpointId)}::text[],
        ${wanted.map(({ lane }) => lane.epoch)}::bigint[], ${wanted.map(({ free }) => free)}::int[],
        ${arrayOf(sql, 'int8', afterUs)}::bigint[], ${wanted.map(({ after }) => after?.id ?? '')}::text[]
      ) as i (endpoint_id, epoch, free, after_us, after_id)
      join webhook_lanes l on l.endpoint_id = i.endpoint_id and l.epoch = i.epoch and l.owner = ${workerId}
      join webhook_workers w on w.id = ${workerId} and w.lease_until > now()
      join webhook_endpoints e on e.id = i.endpoint_id and e.status = 'active' and e.deleted_at is null
      join workspaces s on s.id = e.workspace_id and s.suspended_at is null
    ), due as (
      select q.place, q.status as was, h.* from held h
      cross join lateral (
        select ctid as place, status from webhook_queue
        where endpoint_id = h.endpoint_id and due_at <= ${now}
          and (due_at, id) > (h.after_at, h.after_id)
          and (status <> ${STATUS.processing}::smallint or epoch < h.epoch)
        order by due_at, id limit h.free
        for update skip locked
      ) as q
    ), claimed as (
      update webhook_queue q set status = ${STATUS.processing}::smallint, epoch = due.epoch,
        orphaned = q.orphaned + case due.was when ${STATUS.processing}::smallint then 1 else 0 end
      from due where q.ctid = due.place
      returning q.id, q.workspace_id, q.endpoint_id, q.event_id, q.event_at, q.event_type, q.attempts,
        q.orphaned, q.is_extra, q.epoch, q.created_at, q.due_at, due.was, due.url, due.secret_sealed,
        due.previous_secret_sealed, due.standard_headers, due.headers_sealed
    ), tallied as (
      insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
      select workspace_id, endpoint_id, was, '-infinity'::date, -count(*) from claimed group by 1, 2, 3
      union all
      select workspace_id, endpoint_id, ${STATUS.processing}::smallint, '-infinity', count(*) from claimed group by 1, 2
    )
    select c.id, c.workspace_id, c.endpoint_id, c.event_id, c.event_type, c.attempts, c.orphaned,
      c.is_extra, c.epoch, c.created_at, (extract(epoch from c.due_at) * 1000000)::bigint as due_at_us,
      extract(epoch from ${now} - c.due_at)::float8 as waited_seconds, c.url, c.secret_sealed,
      c.previous_secret_sealed, c.standard_headers, c.headers_sealed,
      case when e.id is null then null
        when row_number() over (partition by e.id order by c.id) = 1 then e.data else '' end as data
    from claimed c left join events e on e.created_at = c.event_at and e.id = c.event_id`
  return withPayloads(claims)
}

/**
 * Gives all deliveries of an event its payload, which the statement returns once: an event of 100 KB to a
 * hundred endpoints is read, sent and parsed once. An empty text is not JSON, so it is never a payload.
 */
function withPayloads(claims: Claim[]): Claim[] {
  const payloads = new Map<string, string>()
  for (const { eventId, data } of claims) if (data) payloads.set(eventId, data)
  for (const delivery of claims)
    if (delivery.data === '') delivery.data = payloads.get(delivery.eventId)!
  return claims
}
