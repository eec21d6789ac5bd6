import type { SystemSql } from '../../storage/postgres.ts'

/** What one process adds at once. It is sent again as it is until it is known to be added. */
export type Batch<Entry> = {
  processId: string
  sequence: number
  rows: readonly { entry: Entry; n: number }[]
}

type Place = { workspaceId: string; month: string }

const NAME = 'api_requests_monthly'
/** A process that has added nothing for so long is gone. */
const PROCESS_IS_GONE_MS = 30 * 86_400_000

/**
 * Adds a batch to the counters in one statement, unless an earlier attempt has done so.
 * @returns what is used since, by `<month> <workspace id>`; nothing when the batch was there already
 */
export async function addBatch(
  systemSql: SystemSql,
  { processId, sequence, rows }: Batch<Place>,
  now: Date,
): Promise<Map<string, number>> {
  // Workspaces that are deleted at this moment are left out, and none is deleted meanwhile. The
  // order keeps two processes from waiting for each other.
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
    on conflict (workspace_id, name, period) do update set used = counter.used + excluded.used
    returning workspace_id, period, used`
  return new Map(stored.map((row) => [`${row.period} ${row.workspaceId}`, row.used]))
}

export async function readUsed(
  systemSql: SystemSql,
  { workspaceId, month }: Place,
): Promise<number> {
  const [counter] = await systemSql<{ used: number }[]>`
    select used from usage_counters
    where workspace_id = ${workspaceId} and name = ${NAME} and period = ${month}`
  return counter?.used ?? 0
}
