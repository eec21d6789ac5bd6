import type { Tx } from '../../../platform/storage/postgres/postgres.ts'

/** Adds to the count of an endpoint's live deliveries in one status. */
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

/** @param limit counts no further */
export async function countTallies(tx: Tx, limit: number | null): Promise<number> {
  const [row] = await tx<{ rows: number }[]>`
    select count(*) as rows from (select from webhook_tallies limit ${limit}) as tallies`
  return row!.rows
}

/**
 * Folds many differences into one row, in one statement, so that readers see the same sum before and
 * after. A single row stays as it is: there is one for each endpoint, status and day.
 */
export async function foldTallies(tx: Tx): Promise<void> {
  await tx`
    with gone as (
      delete from webhook_tallies where ctid = any(array(
        select unnest(array_agg(ctid)) from webhook_tallies t group by workspace_id, endpoint_id, status, day
        having count(*) > 1 or not exists (select from webhook_endpoints e where e.id = t.endpoint_id)))
      returning workspace_id, endpoint_id, status, day, n
    )
    insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
    select workspace_id, endpoint_id, status, day, sum(n) from gone
    -- Rows of an endpoint that has been purged are dropped.
    where exists (select from webhook_endpoints e where e.id = gone.endpoint_id)
    group by 1, 2, 3, 4 having sum(n) <> 0`
}
