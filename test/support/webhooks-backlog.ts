import { newId } from '../../src/platform/core/ids.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import type { DeliveryWorld } from './delivery-world.ts'

/**
 * A backlog as a receiver leaves it that has failed for long: the older half has failed, the newer
 * half waits, a few rows of each are among the other half, and some are on the wire. Beside it what
 * has ended, over 20 days. Counters as the engine would have left them.
 */
export async function fillBacklog(
  { sql, clock }: Pick<DeliveryWorld, 'sql' | 'clock'>,
  principal: Principal,
  endpointId: string,
  rows: { live: number; ended: number },
): Promise<void> {
  const { workspaceId } = principal
  const now = new Date(clock())
  const eventId = newId('evt', now.getTime())
  await sql`
    insert into events (id, created_at, workspace_id, type, data)
    values (${eventId}, ${now}, ${workspaceId}, 'link.created', '{}')`
  await sql`
    insert into webhook_queue (id, workspace_id, endpoint_id, event_id, event_at, event_type, status,
      attempts, is_hurried, due_at, created_at)
    select 'del_' || ${endpointId}::text || n, ${workspaceId}, ${endpointId}, ${eventId}, ${now},
      'link.created', case when n <= 20 then 1 when has_failed then 3 else 0 end,
      case when has_failed or is_hurried then 2 else 0 end, is_hurried,
      ${now}::timestamptz + n * interval '1 ms',
      ${now}::timestamptz - (${rows.live}::int - n) * interval '10 ms'
    from (
      select n, n <= ${rows.live / 2}::int and n % 1000 <> 7 or n % ${Math.floor(rows.live / 20)}::int = 11
          as has_failed,
        n <= ${rows.live / 2}::int and n % 1000 = 7 as is_hurried
      from generate_series(1, ${rows.live}::int) as n
    ) as made`
  await sql`
    insert into webhook_log (id, finished_at, workspace_id, endpoint_id, event_id, event_at, event_type,
      status, attempts, response_status, duration_ms, created_at)
    select 'end_' || ${endpointId}::text || n, ended_at, ${workspaceId}, ${endpointId}, ${eventId}, ${now},
      'link.created', case when n % 5 = 0 then 4 else 2 end, 1, 200, 12, ended_at
    from (
      select n, ${now}::timestamptz - n * interval '20 days' / ${rows.ended}::int as ended_at
      from generate_series(1, ${rows.ended}::int) as n
    ) as made`
  await sql`
    insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
    select workspace_id, endpoint_id, status, '-infinity'::date, count(*) from webhook_queue
    where endpoint_id = ${endpointId} group by 1, 2, 3
    union all
    select workspace_id, endpoint_id, status, (finished_at at time zone 'UTC')::date, count(*)
    from webhook_log where endpoint_id = ${endpointId} group by 1, 2, 3, 4`
}
