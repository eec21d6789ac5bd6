import { DAY_MS, HOUR_MS, type Clock } from '../../platform/core/clock.ts'
import type { Fragment, SystemSql } from '../../platform/storage/postgres/postgres.ts'

type Deps = { sql: SystemSql; clock: Clock; ownHosts: readonly string[] }

/** Let's Encrypt accepts 300 orders of an installation in this time. */
const WINDOW_MS = 3 * HOUR_MS
/** For all accounts together; the rest is for renewals and the hosts of the settings. */
const MAX_ORDERS = 200
const MAX_OWNER_ORDERS = 50
/** Let's Encrypt issues certificates for 50 hosts of a registrable domain in this time. */
export const ZONE_WINDOW_MS = 7 * DAY_MS
const MAX_ZONE_HOSTS = 40

/** Hosts of the settings, the first attempt of a renewal and started orders do not count, so they never wait. */
export function isShared({ sql, ownHosts }: Deps): Fragment {
  return sql`(
    c.owner_id is not null and c.order_url is null and (c.chain is null or c.failures > 0)
    and c.hostname <> all(${[...ownHosts]}::text[]))`
}

export function hasRoom({ sql, clock }: Deps): Fragment {
  const since = new Date(clock() - WINDOW_MS)
  return sql`((select count(*) from tls_orders where ordered_at > ${since}) < ${MAX_ORDERS})`
}

/** Postpones due hosts whose account or registrable domain has used its share, and shows that at their domains. */
export async function postponeOverShare(deps: Deps): Promise<void> {
  const { sql, clock } = deps
  const now = new Date(clock())
  const since = new Date(clock() - WINDOW_MS)
  const zonesSince = new Date(clock() - ZONE_WINDOW_MS)
  await sql`
    with owners as (
      select owner_id, (array_agg(ordered_at order by ordered_at desc))[${MAX_OWNER_ORDERS}]
        + ${WINDOW_MS} * interval '1 ms' as free_at
      from tls_orders where ordered_at > ${since} group by owner_id having count(*) >= ${MAX_OWNER_ORDERS}
    ), zones as (
      select zone, (array_agg(last_at order by last_at desc))[${MAX_ZONE_HOSTS}]
        + ${ZONE_WINDOW_MS} * interval '1 ms' as free_at
      from (
        select zone, hostname, max(ordered_at) as last_at from tls_orders
        where ordered_at > ${zonesSince} group by zone, hostname) hosts
      group by zone having count(*) >= ${MAX_ZONE_HOSTS}
    ), over as (
      select c.hostname, greatest(o.free_at, z.free_at) as free_at
      from tls_certificates c left join owners o on o.owner_id = c.owner_id
      left join zones z on z.zone = c.zone and not exists (
        select from tls_orders t where t.hostname = c.hostname and t.ordered_at > ${zonesSince})
      where c.next_attempt_at <= ${now} and (c.lease_until is null or c.lease_until <= ${now})
        and ${isShared(deps)} and (o.free_at is not null or z.free_at is not null)
      for update of c skip locked
    ), postponed as (
      update tls_certificates c set next_attempt_at = over.free_at from over where c.hostname = over.hostname
      returning c.hostname, c.next_attempt_at
    )
    update domains d set ssl_next_attempt_at = postponed.next_attempt_at,
      ssl_failure_reason = case when d.ssl_status = 'failed' then d.ssl_failure_reason else 'share_used' end
    from postponed
    where d.hostname = postponed.hostname and d.status in ('verified', 'misconfigured') and d.ssl_status <> 'active'`
}

export function ordersByOwner({ sql, clock }: Deps): Fragment {
  const since = new Date(clock() - DAY_MS)
  return sql`(
    select owner_id, count(*) as orders from tls_orders where ordered_at > ${since} group by owner_id)`
}
