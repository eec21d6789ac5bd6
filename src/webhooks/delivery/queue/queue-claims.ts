import { dueNow } from '../outbox.ts'
import type { QueueDeps, HeldLane } from './queue-lanes.ts'
import { MAX_ORPHANED, STATUS } from './states.ts'

/** A place in a lane: due time in microseconds since 1970, and id. */
export type LanePlace = { dueAtUs: number; id: string }

export type Wanted = { lane: HeldLane; free: number; after?: LanePlace | null }

export type Claim = {
  id: string
  workspaceId: string
  endpointId: string
  eventId: string
  eventAt: Date
  eventType: string
  attempts: number
  orphaned: number
  isExtra: boolean
  epoch: number
  createdAt: Date
  dueAtUs: number
  waitedSeconds: number
  url: string
  secretSealed: Buffer
  previousSecretSealed: Buffer | null
  standardHeaders: boolean
  headersSealed: Buffer | null
  /** The payload, byte for byte; null when it was dropped by age, which ends the delivery. */
  data: string | null
}

/** Three workers were lost with this delivery: no attempt is made. */
export function isPoison({ orphaned }: Claim): boolean {
  return orphaned >= MAX_ORPHANED
}

const MAX_INLINE_BYTES = 2_000

/**
 * Only here are URL, secret, headers and status of the endpoint read: a pause, deletion, rotation or new URL
 * committed before applies to every delivery that this returns. Deliveries that an earlier owner of the lane
 * claimed without writing an outcome carry an old epoch and are claimed like the rest. The commit is not waited
 * for: if PostgreSQL forgets a claim in a crash, the worker that has it in hand notices.
 */
export async function claim(deps: QueueDeps, wanted: readonly Wanted[]): Promise<Claim[]> {
  const { sql, workerId, clock } = deps
  const now = dueNow(sql, clock)
  const afterUs = wanted.map(({ after }) => after?.dueAtUs ?? null)
  const claims = await sql<Claim[]>`
    with claiming as (
      select set_config('synchronous_commit', 'off', true)
    ), due as (
      select q.*, i.epoch as lane_epoch, e.url, e.secret_sealed, e.standard_headers, e.headers_sealed,
        case when e.previous_secret_until > ${now} then e.previous_secret_sealed end as previous_secret_sealed
      from claiming, unnest(${wanted.map(({ lane }) => lane.endpointId)}::text[],
        ${wanted.map(({ lane }) => lane.epoch)}::bigint[], ${wanted.map(({ free }) => free)}::int[],
        ${afterUs}::bigint[], ${wanted.map(({ after }) => after?.id ?? '')}::text[]
      ) as i (endpoint_id, epoch, free, after_us, after_id)
      join webhook_lanes l on l.endpoint_id = i.endpoint_id and l.epoch = i.epoch and l.owner = ${workerId}
      join webhook_workers w on w.id = ${workerId} and w.lease_until > now()
      join webhook_endpoints e on e.id = i.endpoint_id and e.status = 'active' and e.deleted_at is null
      join workspaces s on s.id = e.workspace_id and s.suspended_at is null
      cross join lateral (
        select ctid as place, status as was, workspace_id, endpoint_id, event_at, event_id from webhook_queue
        where endpoint_id = i.endpoint_id and due_at <= ${now}
          and (due_at, id) > (
            coalesce('epoch'::timestamptz + i.after_us * interval '1 microsecond', '-infinity'), i.after_id)
          and (status <> ${STATUS.processing}::smallint or epoch < i.epoch)
        order by due_at, id limit i.free
        for update skip locked
      ) as q
    ), tallied as (
      insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
      select workspace_id, endpoint_id, t.status, '-infinity'::date, sum(t.n) from due
      cross join lateral (values (was, -1), (${STATUS.processing}::smallint, 1)) as t (status, n)
      group by 1, 2, 3 having sum(t.n) <> 0
    )
    update webhook_queue q set status = ${STATUS.processing}::smallint, epoch = due.lane_epoch,
      orphaned = q.orphaned + case due.was when ${STATUS.processing}::smallint then 1 else 0 end
    from due left join lateral (
      -- Two days of events: the partitions of the others need not be opened. With the limit the lookup
      -- uses the whole key, also when it is planned while a partition is empty.
      select data from events where created_at = due.event_at and id = due.event_id
        and created_at between now() - interval '1 day' and now() + interval '1 hour'
        and octet_length(data) <= ${MAX_INLINE_BYTES} limit 1
    ) as e on true
    where q.ctid = due.place
    returning q.id, q.workspace_id, q.endpoint_id, q.event_id, q.event_at, q.event_type, q.attempts,
      q.orphaned, q.is_extra, q.epoch, q.created_at, (extract(epoch from q.due_at) * 1000000)::bigint as due_at_us,
      extract(epoch from ${now} - q.due_at)::float8 as waited_seconds, due.url, due.secret_sealed,
      due.previous_secret_sealed, due.standard_headers, due.headers_sealed, e.data`
  await addPayloads(deps, claims)
  return claims
}

/** A 100 KB payload for a hundred endpoints is read, sent and parsed once. */
async function addPayloads({ sql }: QueueDeps, claims: readonly Claim[]): Promise<void> {
  const lacking = claims.filter(({ data }) => data === null)
  if (lacking.length === 0) return
  const events = new Map(lacking.map(({ eventId, eventAt }) => [eventId, eventAt]))
  const rows = await sql<{ id: string; data: string }[]>`
    select e.id, e.data from unnest(${Array.from(events.keys())}::text[],
      ${Array.from(events.values())}::timestamptz[]) as i (id, at)
    -- A Date has no microseconds.
    join events e on e.id = i.id and e.created_at >= i.at and e.created_at < i.at + interval '1 ms'`
  const payloads = new Map(rows.map(({ id, data }) => [id, data]))
  for (const delivery of lacking) delivery.data = payloads.get(delivery.eventId) ?? null
}
