import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

/** Counts that a process adds at once. A batch is sent unchanged until its result is known. */
export type Batch<Entry> = {
  processId: string
  sequence: number
  rows: readonly { entry: Entry; n: number }[]
}

type WorkspaceMonth = { workspaceId: string; month: string }

const NAME = 'api_requests_monthly'
/** A process without batches for this long has ended. */
const PROCESS_IS_GONE_MS = 30 * 86_400_000

/**
 * Adds a batch to the counters in one statement, unless an earlier attempt has done so.
 * @returns the new sums by `<month> <workspace id>`; empty after an earlier attempt
 */
export async function addBatch(
  systemSql: SystemSql,
  { processId, sequence, rows }: Batch<WorkspaceMonth>,
  now: Date,
): Promise<Map<string, number>> {
  // The key share locks leave out deleted workspaces and hold off further deletions. Their order
  // prevents deadlocks between processes.
  const stored = await systemSql<{ workspaceId: string; period: string; used: number }[]>`
    with fresh as (
      insert into usage_batches as b (process_id, sequence, added_at)
      values (${processId}, ${sequence}, ${now})
      on conflict (process_id) do update
        set sequence = excluded.sequence, added_at = excluded.added_at
        where b.sequence < excluded.sequence
      returning 1
    ), gone as (
      delete from usage_batches
      where added_at < ${new Date(now.getTime() - PROCESS_IS_GONE_MS)} and process_id <> ${processId}
    ), counted as (
      select w.id, c.period, c.n
      from unnest(
        ${rows.map(({ entry }) => entry.workspaceId)}::text[],
        ${rows.map(({ entry }) => entry.month)}::text[],
        ${rows.map(({ n }) => n)}::bigint[]
      ) as c (id, period, n)
      join workspaces w on w.id = c.id
      where exists (select from fresh)
      order by w.id, c.period
      for key share of w
    )
    insert into usage_counters as counter (workspace_id, name, period, used)
    select id, ${NAME}, period, n from counted
    on conflict (workspace_id, name, period, shard) do update set used = counter.used + excluded.used
    returning workspace_id, period, used`
  return new Map(stored.map((row) => [`${row.period} ${row.workspaceId}`, row.used]))
}

export async function readUsed(
  systemSql: SystemSql,
  { workspaceId, month }: WorkspaceMonth,
): Promise<number> {
  const [counter] = await systemSql<{ used: number }[]>`
    select used from usage_counters
    where workspace_id = ${workspaceId} and name = ${NAME} and period = ${month}`
  return counter?.used ?? 0
}
