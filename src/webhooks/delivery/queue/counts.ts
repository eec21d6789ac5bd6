import {
  inTransaction,
  type Fragment,
  type SystemSql,
  type Tx,
} from '../../../platform/storage/postgres/postgres.ts'
import { HOUR_MS } from '../../../platform/core/clock.ts'

/** Upper bounds of the response-time buckets, in milliseconds; the last bucket has none. */
export const RESPONSE_BOUNDS_MS = [
  ...[5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750],
  ...[1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000],
] as const

const KEPT_HOURS = 25

/** @param attempts rows of `workspace_id, endpoint_id, is_success, response_status, duration_ms` */
export function insertAttemptCounts(sql: SystemSql, now: Fragment, attempts: Fragment): Fragment {
  return sql`
    insert into webhook_attempt_counts (workspace_id, endpoint_id, hour, is_success, bucket, n)
    select workspace_id, endpoint_id, date_trunc('hour', ${now}, 'UTC'), is_success,
      case when response_status is not null
        then width_bucket(duration_ms, ${[...RESPONSE_BOUNDS_MS]}::int[]) end,
      count(*)
    from (${attempts}) as attempts group by 1, 2, 3, 4, 5`
}

const TABLES = [
  {
    name: 'webhook_tallies',
    key: 'workspace_id, endpoint_id, status, day',
    having: 'having sum(n) <> 0',
  },
  {
    name: 'webhook_attempt_counts',
    key: 'workspace_id, endpoint_id, hour, is_success, bucket',
    having: '',
  },
]
type Table = (typeof TABLES)[number]

/** Fold once there are this many more rows than the last fold left. */
const FOLD_ABOVE = 500
/** Any constant works, as long as all workers use the same one. */
const LOCK_KEY = 7_305_117_208

export function createFolding(sql: SystemSql): () => Promise<void> {
  const left = TABLES.map(() => 0)
  return async () => {
    for (const [i, table] of TABLES.entries()) left[i] = await foldIfMany(sql, table, left[i]!)
  }
}

function foldIfMany(sql: SystemSql, table: Table, before: number): Promise<number> {
  return inTransaction(sql, async (tx) => {
    const [lock] = await tx<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(${LOCK_KEY}) as is_mine`
    if (!lock!.isMine) return before
    const rows = await countRows(tx, table, before + FOLD_ABOVE + 1)
    if (rows <= before + FOLD_ABOVE) return Math.min(rows, before)
    await fold(tx, table)
    return countRows(tx, table, null)
  })
}

async function countRows(tx: Tx, { name }: Table, limit: number | null): Promise<number> {
  const [row] = await tx<[{ rows: number }]>`
    select count(*) as rows from (select from ${tx(name)} limit ${limit}) as counted`
  return row.rows
}

/** In one statement, so that readers see the same sums before and after. */
async function fold(tx: Tx, { name, key, having }: Table): Promise<void> {
  const columns = tx.unsafe(key)
  await tx`
    with gone as (
      delete from ${tx(name)} where ctid = any(array(
        select unnest(array_agg(ctid)) from ${tx(name)} t group by ${columns}
        having count(*) > 1 or not exists (select from webhook_endpoints e where e.id = t.endpoint_id)))
      returning ${columns}, n
    )
    insert into ${tx(name)} (${columns}, n)
    select ${columns}, sum(n) from gone
    -- Rows of a purged endpoint are dropped.
    where exists (select from webhook_endpoints e where e.id = gone.endpoint_id)
    group by ${columns} ${tx.unsafe(having)}`
}

export async function deleteOldAttemptCounts(sql: SystemSql, nowMs: number): Promise<void> {
  await sql`
    delete from webhook_attempt_counts where hour < ${new Date(nowMs - KEPT_HOURS * HOUR_MS)}`
}

export async function tally(
  tx: Tx,
  workspaceId: string,
  endpointId: string,
  status: number,
  n: number,
): Promise<void> {
  await tx`
    insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
    values (${workspaceId}, ${endpointId}, ${status}, '-infinity', ${n})`
}
