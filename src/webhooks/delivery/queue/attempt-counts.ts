import type { Fragment, SystemSql, Tx } from '../../../platform/storage/postgres/postgres.ts'

/** Bounds of the response times that are told apart, in milliseconds; the last bucket has no upper one. */
export const RESPONSE_BOUNDS_MS = [
  ...[5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750],
  ...[1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000],
] as const

const HOUR_MS = 3_600_000
/** The hours of a day, and the present one. */
const KEPT_HOURS = 25

/**
 * Counts attempts, as a part of the statement that writes their outcomes.
 * @param attempts rows of `workspace_id, endpoint_id, is_success, response_status, duration_ms`
 */
export function insertAttemptCounts(sql: SystemSql, now: Fragment, attempts: Fragment): Fragment {
  return sql`
    insert into webhook_attempt_counts (workspace_id, endpoint_id, hour, is_success, bucket, n)
    select workspace_id, endpoint_id, date_trunc('hour', ${now}, 'UTC'), is_success,
      case when response_status is not null
        then width_bucket(duration_ms, ${[...RESPONSE_BOUNDS_MS]}::int[]) end,
      count(*)
    from (${attempts}) as attempts group by 1, 2, 3, 4, 5`
}

/** @param limit counts no further */
export async function countAttemptCounts(tx: Tx, limit: number | null): Promise<number> {
  const [row] = await tx<{ rows: number }[]>`
    select count(*) as rows from (select from webhook_attempt_counts limit ${limit}) as counts`
  return row!.rows
}

/** Folds many differences into one row, in one statement, so that readers see the same sum before and after. */
export async function foldAttemptCounts(tx: Tx): Promise<void> {
  await tx`
    with gone as (
      delete from webhook_attempt_counts where ctid = any(array(
        select unnest(array_agg(ctid)) from webhook_attempt_counts t
        group by workspace_id, endpoint_id, hour, is_success, bucket
        having count(*) > 1 or not exists (select from webhook_endpoints e where e.id = t.endpoint_id)))
      returning workspace_id, endpoint_id, hour, is_success, bucket, n
    )
    insert into webhook_attempt_counts (workspace_id, endpoint_id, hour, is_success, bucket, n)
    select workspace_id, endpoint_id, hour, is_success, bucket, sum(n) from gone
    -- Rows of an endpoint that has been purged are dropped.
    where exists (select from webhook_endpoints e where e.id = gone.endpoint_id)
    group by 1, 2, 3, 4, 5`
}

export async function deleteOldAttemptCounts(sql: SystemSql, nowMs: number): Promise<void> {
  await sql`
    delete from webhook_attempt_counts where hour < ${new Date(nowMs - KEPT_HOURS * HOUR_MS)}`
}
