import { arrayOf } from '../storage/arrays.ts'
import type { Tx, SystemSql } from '../storage/postgres.ts'
import { MAX_ORPHANED, STATUS } from './states.ts'

/** A lane that this worker holds: the endpoint's deliveries are claimed by nobody else. `url` is that of the moment it was taken. */
export type HeldLane = { endpointId: string; workspaceId: string; epoch: number; url: string }

/** A place in the order of a lane: when it is due, in microseconds since 1970, and its id. */
export type LanePlace = { dueAtUs: number; id: string }

/** Claims at most `free` of a lane; with `after`, of those behind it alone. */
export type Wanted = { lane: HeldLane; free: number; after?: LanePlace | null }

/** A delivery as it was claimed, with what its endpoint says at this moment. */
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
  /** How long it has been due. */
  waitedSeconds: number
  url: string
  secretSealed: Buffer
  standardHeaders: boolean
  /** The payload, byte for byte; null when it was dropped by age, which no delivery survives. */
  data: string | null
}

/** What became of an attempt, ready for the next flush. */
export type Outcome = {
  id: string
  workspaceId: string
  endpointId: string
  epoch: number
  result: 'completed' | 'retry' | 'dead'
  /** The attempt's number, from 1. */
  attempt: number
  delaySeconds: number
  responseStatus: number | null
  durationMs: number | null
  responseBody: string | null
  responseHeaders: string | null
  error: string | null
  /** How the attempt was signed: see `packSignatures`. */
  signed: Buffer | null
  /** One entry of the attempt log, as JSON; null for a first attempt that succeeded. */
  logEntry: string | null
}

const LEASE_SECONDS = 15
/** How long outcomes wait for a row that another session has locked, before those of others are written. */
const LOCK_TIMEOUT = '1s'
/** Endpoints with something queued that one sweep looks at; the next goes on after them. */
const SWEPT_AT_ONCE = 1_000

/**
 * Parameters of a worker's sessions. Its statements are long, run a hundred times a second, and find
 * every row by an index: planned once, and never by statistics, which in a table that is empty now and
 * holds a million rows a minute later are always wrong.
 */
export const QUEUE_PARAMETERS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
} as const

export type Queue = ReturnType<typeof createQueue>

/**
 * The statements of a worker. Deliveries are due by the database's clock plus
 * `shift` seconds; leases run by the database's clock alone.
 * @param workerId a UUID that no other worker has, nor had
 */
export function createQueue(sql: SystemSql, workerId: string, host: string, shift: () => number) {
  let sweptUpTo = ''
  return {
    heartbeat,
    acquire,
    refill,
    flush,
    lockedEndpoints,
    release,
    disown,
    sweep,
    forgetWorkers,
    retire,
  }

  function now(tx: SystemSql | Tx) {
    return tx`(now() + make_interval(secs => ${shift()}))`
  }

  /** Renews the lease of this worker, and so of all its lanes. */
  async function heartbeat(): Promise<void> {
    await sql`
      insert into webhook_workers (id, lease_until, started_at, host)
      values (${workerId}, now() + make_interval(secs => ${LEASE_SECONDS}), now(), ${host})
      on conflict (id) do update set lease_until = excluded.lease_until`
  }

  /** Takes up to `count` lanes that are ready and nobody's, fairly over workspaces; none of `except`. */
  async function acquire(count: number, except: readonly string[] = []): Promise<HeldLane[]> {
    return sql<HeldLane[]>`
      with ready as (
        select endpoint_id, epoch from (
          select l.endpoint_id, l.epoch, l.ready_at,
            row_number() over (partition by l.workspace_id order by l.ready_at) as turn
          from webhook_lanes l
          left join webhook_workers w on w.id = l.owner and w.lease_until > now()
          where l.ready_at <= ${now(sql)} and w.id is null
            and l.endpoint_id <> all(${except as string[]}::text[])
        ) as r order by turn, ready_at limit ${count}
      ), locked as (
        -- The epoch says that nobody took the lane since it was seen: a row that changed meanwhile is
        -- judged anew, but together with the absence of its new owner that was seen before.
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

  /**
   * Claims due deliveries of the lanes in one round trip. URL, secret and
   * status of the endpoint are read here and nowhere else: a pause, a deletion, a rotation or a new
   * URL that was committed before holds for every delivery that this returns. What an earlier owner
   * of a lane claimed and never told the outcome of carries an old epoch, and is claimed like the rest.
   */
  async function refill(wanted: readonly Wanted[]): Promise<Claim[]> {
    return sql<Claim[]>`
      with held as (
        select i.endpoint_id, i.epoch, i.free, i.after_id,
          coalesce('epoch'::timestamptz + i.after_us * interval '1 microsecond', '-infinity') as after_at, e.url, e.secret_sealed, e.standard_headers
        from unnest(${wanted.map(({ lane }) => lane.endpointId)}::text[],
          ${wanted.map(({ lane }) => lane.epoch)}::bigint[], ${wanted.map(({ free }) => free)}::int[],
          ${arrayOf(
            sql,
            'int8',
            wanted.map(({ after }) => after?.dueAtUs ?? null),
          )}::bigint[], ${wanted.map(({ after }) => after?.id ?? '')}::text[]
        ) as i (endpoint_id, epoch, free, after_us, after_id)
        join webhook_lanes l on l.endpoint_id = i.endpoint_id and l.epoch = i.epoch and l.owner = ${workerId}
        join webhook_workers w on w.id = ${workerId} and w.lease_until > now()
        join webhook_endpoints e on e.id = i.endpoint_id and e.status = 'active' and e.deleted_at is null
        join workspaces s on s.id = e.workspace_id and s.suspended_at is null
      ), due as (
        select q.place, q.status as was, h.* from held h
        cross join lateral (
          select ctid as place, status from webhook_queue
          where endpoint_id = h.endpoint_id and due_at <= ${now(sql)}
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
          due.standard_headers
      ), tallied as (
        insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
        select workspace_id, endpoint_id, was, '-infinity'::date, -count(*) from claimed group by 1, 2, 3
        union all
        select workspace_id, endpoint_id, ${STATUS.processing}::smallint, '-infinity', count(*) from claimed group by 1, 2
      )
      select c.id, c.workspace_id, c.endpoint_id, c.event_id, c.event_type, c.attempts, c.orphaned,
        c.is_extra, c.epoch, c.created_at, (extract(epoch from c.due_at) * 1000000)::bigint as due_at_us,
        extract(epoch from ${now(sql)} - c.due_at)::float8 as waited_seconds, c.url, c.secret_sealed, c.standard_headers, e.data
      from claimed c left join events e on e.created_at = c.event_at and e.id = c.event_id`
  }

  /**
   * Writes outcomes: a retry stays in the queue, what has ended moves to the log, and the health of
   * each endpoint follows the order of `outcomes`. What another worker holds by
   * now, or a deletion took away, is left as it is.
   * @throws lock_not_available when another session holds a row of it for a second
   */
  async function flush(outcomes: readonly Outcome[]): Promise<void> {
    // Of another attempt it is when it was written before and the answer to that was lost.
    const isMine = sql`q.id = r.id and q.epoch = r.epoch and q.attempts = r.attempt - 1
      and q.status = ${STATUS.processing}::smallint`
    await sql`
      with patience as (
        select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)
      ), r as (
        select r.* from patience, unnest(
          ${column(outcomes, 'text', 'id')}::text[], ${column(outcomes, 'int8', 'epoch')}::bigint[],
          ${column(outcomes, 'text', 'result')}::text[], ${column(outcomes, 'int4', 'attempt')}::int[],
          ${column(outcomes, 'float8', 'delaySeconds')}::float8[],
          ${column(outcomes, 'int4', 'responseStatus')}::int[],
          ${column(outcomes, 'int4', 'durationMs')}::int[],
          ${column(outcomes, 'text', 'responseBody')}::text[],
          ${column(outcomes, 'text', 'responseHeaders')}::text[],
          ${column(outcomes, 'text', 'error')}::text[], ${column(outcomes, 'bytea', 'signed')}::bytea[],
          ${column(outcomes, 'text', 'logEntry')}::text[]
        ) with ordinality as r (id, epoch, result, attempt, delay, response_status, duration_ms,
          response_body, response_headers, error, signed, log_entry, n)
        -- All who lock several rows of the queue do so in one order.
        order by id
      ), retried as (
        update webhook_queue q set status = ${STATUS.failed}::smallint, attempts = r.attempt, is_extra = false,
          is_hurried = false, orphaned = 0,
          due_at = ${now(sql)} + make_interval(secs => r.delay), response_status = r.response_status,
          duration_ms = r.duration_ms, response_body = r.response_body,
          response_headers = r.response_headers::json, error = r.error, signed = r.signed,
          attempt_log = (coalesce(q.attempt_log::jsonb, '[]') || r.log_entry::jsonb)::json
        from r where r.result = 'retry' and ${isMine}
        returning q.workspace_id, q.endpoint_id, r.response_status, r.error, r.n
      ), ended as (
        delete from webhook_queue q using r where r.result <> 'retry' and ${isMine}
        returning q.id, q.workspace_id, q.endpoint_id, q.event_id, q.event_at, q.event_type,
          q.created_at, q.attempt_log, r.result, r.attempt, r.response_status, r.duration_ms,
          r.response_body, r.response_headers, r.error, r.signed, r.log_entry, r.n
      ), logged as (
        insert into webhook_log (id, finished_at, workspace_id, endpoint_id, event_id, event_at,
          event_type, status, attempts, response_status, duration_ms, response_body,
          response_headers, error, signed, attempt_log, created_at)
        select id, ${now(sql)}, workspace_id, endpoint_id, event_id, event_at, event_type,
          case result when 'completed' then ${STATUS.completed}::smallint else ${STATUS.deadLetter}::smallint end,
          attempt, response_status, duration_ms, response_body, response_headers::json, error, signed,
          case when attempt_log is null and log_entry is null then null
            else (coalesce(attempt_log::jsonb, '[]')
              || coalesce(jsonb_build_array(log_entry::jsonb) - 'null', '[]'))::json end,
          created_at
        from ended
        returning workspace_id, endpoint_id, status
      ), tallied as (
        insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
        select workspace_id, endpoint_id, ${STATUS.failed}::smallint, '-infinity'::date, count(*) from retried group by 1, 2
        union all
        select workspace_id, endpoint_id, status, (${now(sql)} at time zone 'UTC')::date, count(*)
          from logged group by 1, 2, 3
        union all
        select workspace_id, endpoint_id, ${STATUS.processing}::smallint, '-infinity', -count(*) from (
          select workspace_id, endpoint_id from retried union all select workspace_id, endpoint_id from logged
        ) as gone group by 1, 2
      ), turn as (
        select endpoint_id, n, is_success, response_status, error,
          max(n) filter (where is_success) over (partition by endpoint_id) as last_success
        from (
          select endpoint_id, n, result = 'completed' as is_success, response_status, error from ended
          union all select endpoint_id, n, false, response_status, error from retried
        ) as told
      ), health as (
        select endpoint_id, last_success is not null as has_success, bool_or(not is_success) as has_failure,
          count(*) filter (where last_success is null or n > last_success) as failures,
          (array_agg(response_status order by n desc) filter (where not is_success))[1] as failure_status,
          (array_agg(error order by n desc) filter (where not is_success))[1] as failure_error
        from turn group by endpoint_id, last_success
      )
      update webhook_endpoint_stats s set
        failure_count = case when h.has_success then 0 else s.failure_count end + h.failures,
        last_success_at = case when h.has_success then ${now(sql)} else s.last_success_at end,
        last_failure_at = case when h.has_failure then ${now(sql)} else s.last_failure_at end,
        last_failure_status = case when h.has_failure then h.failure_status else s.last_failure_status end,
        last_failure_error = case when h.has_failure then h.failure_error else s.last_failure_error end,
        notified_at = case when h.has_success then null else s.notified_at end
      from health h
      where s.endpoint_id = h.endpoint_id
        -- One success after another changes nothing that needs to be known at once.
        and (h.has_failure or s.failure_count > 0 or s.last_success_at is null
          or s.last_success_at < ${now(sql)} - interval '1 second')`
  }

  /** Endpoints of which another session has locked a delivery of these outcomes, or the health. */
  async function lockedEndpoints(outcomes: readonly Outcome[]): Promise<string[]> {
    const rows = await sql<{ endpointId: string }[]>`
      with asked as (
        select * from unnest(${column(outcomes, 'text', 'id')}::text[],
          ${column(outcomes, 'text', 'endpointId')}::text[]) as a (id, endpoint_id)
      ), free_delivery as (
        select id from webhook_queue where id in (select id from asked) for update skip locked
      ), free_health as (
        select endpoint_id from webhook_endpoint_stats
        where endpoint_id in (select endpoint_id from asked) for update skip locked
      )
      select endpoint_id from webhook_queue
      where id in (select id from asked) and id not in (select id from free_delivery)
      union
      select endpoint_id from webhook_endpoint_stats
      where endpoint_id in (select endpoint_id from asked)
        and endpoint_id not in (select endpoint_id from free_health)`
    return rows.map((row) => row.endpointId)
  }

  function column(
    outcomes: readonly Outcome[],
    type: Parameters<typeof arrayOf>[1],
    name: keyof Outcome,
  ) {
    return arrayOf(
      sql,
      type,
      outcomes.map((outcome) => outcome[name]),
    )
  }

  /**
   * Gives lanes back; each sleeps until its next delivery is due, or stands at the end of the line.
   * @returns false when others have locked some of them, which keep the name of this worker
   */
  async function release(lanes: readonly HeldLane[]): Promise<boolean> {
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
        then (select greatest(due_at, ${now(sql)}) from webhook_queue
          where endpoint_id = l.endpoint_id order by due_at limit 1)
      end
      from free where l.endpoint_id = free.endpoint_id`
    return released.count === lanes.length
  }

  /**
   * Gives up what this worker holds besides these lanes, perhaps without knowing it.
   * @returns false when others have locked some of them
   */
  async function disown(endpointIds: readonly string[]): Promise<boolean> {
    const [row] = await sql<{ isEach: boolean }[]>`
      with others as (
        select endpoint_id from webhook_lanes
        where owner = ${workerId} and endpoint_id <> all(${endpointIds as string[]}::text[])
      ), free as (
        select endpoint_id from webhook_lanes where endpoint_id in (select endpoint_id from others)
        for update skip locked
      ), disowned as (
        update webhook_lanes l set owner = null from free
        where l.endpoint_id = free.endpoint_id and l.owner = ${workerId}
        returning 1
      )
      select (select count(*) from disowned) = (select count(*) from others) as is_each`
    return row!.isEach
  }

  /**
   * Wakes lanes that have work and don't know it: a producer committed while the lane was being
   * released, or skipped it because it was locked. What makes delivery certain; all else is haste.
   * It goes from endpoint to endpoint of the queue, a thousand at a time, so that it costs nothing
   * while nothing is queued, and no more for a million deliveries of one endpoint than for one.
   * @returns how many were woken
   */
  async function sweep(): Promise<number> {
    const [swept] = await sql<{ woken: number; last: string | null }[]>`
      with recursive busy (endpoint_id, n) as (
        (select endpoint_id, 1 from webhook_queue where endpoint_id > ${sweptUpTo}
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
        where w.id is null and (l.ready_at is null or l.ready_at > greatest(q.due_at, ${now(sql)}))
        for update of l skip locked
      ), woken as (
        update webhook_lanes l set ready_at = asleep.due_at from asleep
        where l.endpoint_id = asleep.endpoint_id
        returning 1
      )
      select (select count(*) from woken) as woken,
        (select endpoint_id from busy where n = ${SWEPT_AT_ONCE}) as last`
    sweptUpTo = swept!.last ?? ''
    return swept!.woken
  }

  /** Workers that ended without a word are forgotten after an hour. */
  async function forgetWorkers(): Promise<void> {
    await sql`
      delete from webhook_workers where lease_until < now() - interval '1 hour' and id <> ${workerId}`
  }

  /** The last word of a worker: its lanes are everybody's at once. */
  async function retire(): Promise<void> {
    await sql`delete from webhook_workers where id = ${workerId}`
  }
}

/** True when the third worker was lost with this delivery: then no attempt is made of it. */
export function isPoison(claim: Claim): boolean {
  return claim.orphaned >= MAX_ORPHANED
}
