import type { Fragment } from '../../../platform/storage/postgres/postgres.ts'
import { insertAttemptCounts } from './counts.ts'
import { dueNow } from '../outbox.ts'
import type { QueueDeps } from './queue-lanes.ts'
import { STATUS } from './states.ts'

export type Outcome = {
  id: string
  workspaceId: string
  endpointId: string
  epoch: number
  result: 'completed' | 'retry' | 'dead'
  attempt: number
  delaySeconds: number
  responseStatus: number | null
  durationMs: number | null
  responseBody: string | null
  responseHeaders: string | null
  error: string | null
  signed: Buffer | null
  /** Names of the endpoint's own headers, separated by commas; null without any. */
  sentHeaders: string | null
  /** JSON for the attempt log; null for a first attempt that succeeded. */
  logEntry: string | null
}

/** How long to wait for a locked row before the outcomes of other endpoints are written. */
const LOCK_TIMEOUT = '1s'

/**
 * The usual batch has only first attempts that succeeded; its statement costs half as much. @throws
 * lock_not_available when another session holds one of the rows for a second
 */
export async function flush(deps: QueueDeps, outcomes: readonly Outcome[]): Promise<void> {
  const areAllCompleted = outcomes.every(
    ({ result, attempt, logEntry }) => result === 'completed' && attempt === 1 && logEntry === null,
  )
  await (areAllCompleted ? writeCompleted(deps, outcomes) : writeAny(deps, outcomes))
}

async function writeCompleted({ sql, clock }: QueueDeps, outcomes: readonly Outcome[]) {
  const now = dueNow(sql, clock)
  await sql`
    with lock_wait as (
      select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)
    ), r as (
      select r.* from lock_wait, unnest(
        ${toColumn(outcomes, 'id')}::text[], ${toColumn(outcomes, 'epoch')}::bigint[],
        ${toColumn(outcomes, 'attempt')}::int[],
        ${toColumn(outcomes, 'responseStatus')}::int[],
        ${toColumn(outcomes, 'durationMs')}::int[],
        ${toColumn(outcomes, 'responseBody')}::text[],
        ${toColumn(outcomes, 'responseHeaders')}::text[],
        ${toColumn(outcomes, 'signed')}::bytea[],
        ${toColumn(outcomes, 'sentHeaders')}::text[]
      ) as r (id, epoch, attempt, response_status, duration_ms, response_body, response_headers, signed,
        sent_headers)
      order by id
    ), ended as (
      delete from webhook_queue q using r where ${isMine(sql)}
      returning q.id, q.workspace_id, q.endpoint_id, q.event_id, q.event_at, q.event_type, q.created_at,
        q.status as was, r.attempt, r.response_status, r.duration_ms, r.response_body, r.response_headers, r.signed,
        r.sent_headers
    ), logged as (
      insert into webhook_log (id, finished_at, workspace_id, endpoint_id, event_id, event_at, event_type,
        status, attempts, response_status, duration_ms, response_body, response_headers, signed,
        sent_headers, created_at)
      select id, ${now}, workspace_id, endpoint_id, event_id, event_at, event_type,
        ${STATUS.completed}::smallint, attempt, response_status, duration_ms, response_body,
        response_headers::json, signed, sent_headers, created_at
      from ended
    ), tallied as (
      insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
      select workspace_id, endpoint_id, t.status, t.day, sum(t.n) from ended cross join lateral (values
        (was, '-infinity'::date, -1),
        (${STATUS.completed}::smallint, (${now} at time zone 'UTC')::date, 1)) as t (status, day, n)
      group by 1, 2, 3, 4
    ), counted as (${insertAttemptCounts(
      sql,
      now,
      sql`select workspace_id, endpoint_id, true as is_success, response_status, duration_ms from ended`,
    )})
    update webhook_endpoint_stats s set failure_count = 0, last_success_at = ${now}, failing_since = null,
      notified_at = case when s.auto_paused_at is null then null else s.notified_at end
    from (select distinct endpoint_id from ended) as h
    where s.endpoint_id = h.endpoint_id and ${isStale(sql, now)}`
}

function isStale(sql: QueueDeps['sql'], now: Fragment): Fragment {
  return sql`(s.failure_count > 0 or s.last_success_at is null
    or s.last_success_at < ${now} - interval '1 second')`
}

/**
 * The attempt number differs if the outcome was written before and the reply was lost. A lower epoch means
 * that PostgreSQL forgot the claim in a crash; no other worker has claimed the row since.
 */
function isMine(sql: QueueDeps['sql']): Fragment {
  return sql`q.id = r.id and q.epoch <= r.epoch and q.attempts = r.attempt - 1
    and (q.epoch < r.epoch or q.status = ${STATUS.processing}::smallint)`
}

/**
 * A retry stays in the queue, an ended delivery moves to the log, and the health of each endpoint follows the
 * order of `outcomes`. A delivery that another worker has claimed since, or that was deleted, is left alone.
 */
async function writeAny({ sql, clock }: QueueDeps, outcomes: readonly Outcome[]): Promise<void> {
  const now = dueNow(sql, clock)
  await sql`
    with lock_wait as (
      select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)
    ), r as (
      select r.* from lock_wait, ${toRows(sql, outcomes)}
      -- Every statement that locks several rows of the queue does so in this order.
      order by id
    ), retried as (
      update webhook_queue q set status = ${STATUS.failed}::smallint, attempts = r.attempt, is_extra = false,
        is_hurried = false, orphaned = 0,
        due_at = ${now} + make_interval(secs => r.delay), response_status = r.response_status,
        duration_ms = r.duration_ms, response_body = r.response_body,
        response_headers = r.response_headers::json, error = r.error, signed = r.signed,
        sent_headers = r.sent_headers,
        attempt_log = add_attempt(q.attempt_log, q.response_body, q.response_headers, r.log_entry)
      from r join webhook_queue before on before.id = r.id where r.result = 'retry' and ${isMine(sql)}
      returning q.workspace_id, q.endpoint_id, before.status as was, r.response_status, r.duration_ms,
        r.error, r.n
    ), ended as (
      delete from webhook_queue q using r where r.result <> 'retry' and ${isMine(sql)}
      returning q.id, q.workspace_id, q.endpoint_id, q.event_id, q.event_at, q.event_type,
        q.created_at, q.status as was, r.result, r.attempt, r.response_status, r.duration_ms, r.response_body,
        r.response_headers, r.error, r.signed, r.sent_headers, r.n,
        case when r.log_entry is null then q.attempt_log
          else add_attempt(q.attempt_log, q.response_body, q.response_headers, r.log_entry) end as attempt_log
    ), logged as (
      insert into webhook_log (id, finished_at, workspace_id, endpoint_id, event_id, event_at,
        event_type, status, attempts, response_status, duration_ms, response_body,
        response_headers, error, signed, sent_headers, attempt_log, created_at)
      select id, ${now}, workspace_id, endpoint_id, event_id, event_at, event_type,
        case result when 'completed' then ${STATUS.completed}::smallint else ${STATUS.deadLetter}::smallint end,
        attempt, response_status, duration_ms, response_body, response_headers::json, error, signed,
        sent_headers, attempt_log, created_at
      from ended
      returning workspace_id, endpoint_id, status
    ), tallied as (
      insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
      select workspace_id, endpoint_id, ${STATUS.failed}::smallint, '-infinity'::date, count(*) from retried group by 1, 2
      union all
      select workspace_id, endpoint_id, status, (${now} at time zone 'UTC')::date, count(*)
        from logged group by 1, 2, 3
      union all
      select workspace_id, endpoint_id, was, '-infinity', -count(*) from (
        select workspace_id, endpoint_id, was from retried
        union all select workspace_id, endpoint_id, was from ended
      ) as gone group by 1, 2, 3
    ), counted as (${insertAttemptCounts(
      sql,
      now,
      sql`
        select workspace_id, endpoint_id, result = 'completed' as is_success, response_status, duration_ms from ended
        union all select workspace_id, endpoint_id, false, response_status, duration_ms from retried`,
    )}), ${updateHealth(sql, now)}`
}

function toRows(sql: QueueDeps['sql'], outcomes: readonly Outcome[]): Fragment {
  const column = (name: keyof Outcome) => toColumn(outcomes, name)
  return sql`unnest(
      ${column('id')}::text[], ${column('epoch')}::bigint[],
      ${column('result')}::text[], ${column('attempt')}::int[],
      ${column('delaySeconds')}::float8[], ${column('responseStatus')}::int[],
      ${column('durationMs')}::int[], ${column('responseBody')}::text[],
      ${column('responseHeaders')}::text[], ${column('error')}::text[],
      ${column('signed')}::bytea[], ${column('sentHeaders')}::text[],
      ${column('logEntry')}::text[]
    ) with ordinality as r (id, epoch, result, attempt, delay, response_status, duration_ms,
      response_body, response_headers, error, signed, sent_headers, log_entry, n)`
}

function toColumn(outcomes: readonly Outcome[], name: keyof Outcome): readonly unknown[] {
  return outcomes.map((outcome) => outcome[name])
}

function updateHealth(sql: QueueDeps['sql'], now: Fragment): Fragment {
  return sql`turn as (
      select endpoint_id, n, is_success, response_status, error,
        max(n) filter (where is_success) over (partition by endpoint_id) as last_success
      from (
        select endpoint_id, n, result = 'completed' as is_success, response_status, error from ended
        union all select endpoint_id, n, false, response_status, error from retried
      ) as written
    ), health as (
      select endpoint_id, last_success is not null as has_success, bool_or(not is_success) as has_failure,
        count(*) filter (where last_success is null or n > last_success) as failures,
        (array_agg(response_status order by n desc) filter (where not is_success))[1] as failure_status,
        (array_agg(error order by n desc) filter (where not is_success))[1] as failure_error
      from turn group by endpoint_id, last_success
    )
    update webhook_endpoint_stats s set
      failure_count = case when h.has_success then 0 else s.failure_count end + h.failures,
      last_success_at = case when h.has_success then ${now} else s.last_success_at end,
      last_failure_at = case when h.has_failure then ${now} else s.last_failure_at end,
      last_failure_status = case when h.has_failure then h.failure_status else s.last_failure_status end,
      last_failure_error = case when h.has_failure then h.failure_error else s.last_failure_error end,
      failing_since = case when h.failures = 0 then null
        when h.has_success then ${now} else coalesce(s.failing_since, ${now}) end,
      -- The mail about a pause is sent once, also when an attempt that was on the wire succeeds after it.
      notified_at = case when h.has_success and s.auto_paused_at is null then null else s.notified_at end
    from health h
    where s.endpoint_id = h.endpoint_id
      and (h.has_failure or ${isStale(sql, now)})`
}

export async function lockedEndpoints(
  { sql }: QueueDeps,
  outcomes: readonly Outcome[],
): Promise<string[]> {
  const rows = await sql<{ endpointId: string }[]>`
    with wanted as (
      select * from unnest(${outcomes.map((outcome) => outcome.id)}::text[],
        ${outcomes.map((outcome) => outcome.endpointId)}::text[]) as w (id, endpoint_id)
    ), free_delivery as (
      select id from webhook_queue where id in (select id from wanted) for update skip locked
    ), free_health as (
      select endpoint_id from webhook_endpoint_stats
      where endpoint_id in (select endpoint_id from wanted) for update skip locked
    )
    select endpoint_id from webhook_queue
    where id in (select id from wanted) and id not in (select id from free_delivery)
    union
    select endpoint_id from webhook_endpoint_stats
    where endpoint_id in (select endpoint_id from wanted)
      and endpoint_id not in (select endpoint_id from free_health)`
  return rows.map((row) => row.endpointId)
}
