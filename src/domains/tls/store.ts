import { getDomain } from 'tldts'
import { DAY_MS, HOUR_MS, type Clock } from '../../platform/core/clock.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import type { Fragment, SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { TLS_ACCOUNT_KEY, TLS_KEY } from '../../platform/storage/installation/sealed-columns.ts'
import { newPrivateKey, toPem } from './signing.ts'
import type { SslFailureReason } from '../domains/schema.ts'
import type { ChallengeType, Issued, StartedOrder } from './order.ts'

type Deps = {
  sql: SystemSql
  secrets: Pick<Secrets, 'seal' | 'open'>
  clock: Clock
  directory: string
  /** Names this process in leases. */
  holder: string
  /** Hosts of PUBLIC_URL and SHORT_URL that need a certificate. */
  ownHosts: readonly string[]
}

type Account = { key: string; url: string | null }

export type DueHost = {
  hostname: string
  order: StartedOrder | null
  challenge: ChallengeType | null
  failures: number
}

/** Longer than an attempt, so that no two processes order for one host. */
export const LEASE_MS = 300_000
const HOSTS_PER_ROUND = 1_000
const CHALLENGES_KEPT_MS = DAY_MS
/** A host whose renewal has failed for so long is gone. */
const UNUSED_KEPT_MS = 7 * DAY_MS

export class TlsStore {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async account(): Promise<Account> {
    const { sql, secrets, clock, directory } = this.#deps
    const { purpose, boundTo } = TLS_ACCOUNT_KEY
    const read = () => sql<{ keySealed: Uint8Array; url: string | null }[]>`
      select key_sealed, url from tls_accounts where directory = ${directory}`
    let [row] = await read()
    if (row === undefined) {
      const keySealed = secrets.seal(purpose, boundTo(directory), toPem(newPrivateKey()))
      await sql`
        insert into tls_accounts (directory, key_sealed, created_at)
        values (${directory}, ${keySealed}, ${new Date(clock())}) on conflict do nothing`
      row = (await read())[0]!
    }
    return { key: secrets.open(purpose, boundTo(directory), row.keySealed), url: row.url }
  }

  async saveAccountUrl(url: string | null): Promise<void> {
    const { sql, directory } = this.#deps
    await sql`update tls_accounts set url = ${url} where directory = ${directory}`
  }

  /** Makes certificates of another authority due, such as a staging authority. */
  async replaceForeign(): Promise<void> {
    const { sql, clock, directory } = this.#deps
    await sql`
      update tls_certificates
      set directory = ${directory}, next_attempt_at = ${new Date(clock())}, failures = 0, order_url = null,
        order_key_sealed = null, holder = null, lease_until = null
      where directory <> ${directory}`
  }

  /** Adds the hosts of the settings and newly verified domains; accounts take turns. */
  async addHosts(): Promise<void> {
    const { sql, clock, ownHosts, directory } = this.#deps
    const now = new Date(clock())
    const fresh = await sql<{ hostname: string; ownerId: string }[]>`
      select hostname, owner_id from (
        select d.hostname, coalesce(o.user_id, d.workspace_id) as owner_id,
          row_number() over (partition by coalesce(o.user_id, d.workspace_id) order by d.verified_at, d.id) as turn
        from domains d left join lateral (
          select m.user_id from members m where m.workspace_id = d.workspace_id and m.role = 'owner'
          order by m.created_at, m.user_id limit 1) o on true
        where d.status = 'verified' and d.ssl_status = 'none'
      ) as waiting
      order by turn limit ${HOSTS_PER_ROUND}`
    const names = fresh.map(({ hostname }) => hostname)
    const owners = fresh.map(({ ownerId }) => ownerId)
    await sql`
      with known as (
        insert into tls_certificates (hostname, owner_id, zone, directory, next_attempt_at, created_at, updated_at)
        select hostname, owner_id, zone, ${directory}, ${now}, ${now}, ${now} from (
          select * from unnest(${names}::text[], ${owners}::text[], ${names.map(toZone)}::text[])
          union all select unnest(${[...ownHosts]}::text[]), null, null) wanted (hostname, owner_id, zone)
        order by hostname
        on conflict (hostname) do update set owner_id = excluded.owner_id, zone = excluded.zone
        where excluded.owner_id <> coalesce(tls_certificates.owner_id, '')
      )
      update domains d
      set ssl_next_attempt_at = null, ssl_status = case when exists (
        select from tls_certificates c where c.hostname = d.hostname and c.not_after > ${now})
        then 'active' else 'pending' end
      where d.hostname = any(${names}::text[]) and d.status = 'verified'`
  }

  /** Hosts of the settings first, then renewals, then new domains, of the account with the fewest orders. */
  async claim(): Promise<DueHost | null> {
    const { sql, secrets, clock, holder, ownHosts } = this.#deps
    const now = new Date(clock())
    type Row = Omit<DueHost, 'order'> & {
      orderUrl: string | null
      orderKeySealed: Uint8Array | null
    }
    await postponeOverShare(this.#deps)
    const shared = isShared(this.#deps)
    const [row] = await sql<Row[]>`
      with claimed as (
        update tls_certificates set holder = ${holder}, lease_until = ${new Date(clock() + LEASE_MS)}
        where hostname = (
          select c.hostname from tls_certificates c
          left join ${ordersByOwner(this.#deps)} used on used.owner_id = c.owner_id
          where c.next_attempt_at <= ${now} and (c.lease_until is null or c.lease_until <= ${now})
            and (c.hostname = any(${[...ownHosts]}::text[]) or exists (
              select from domains d where d.hostname = c.hostname and d.status = 'verified'))
            and (not ${shared} or ${hasRoom(this.#deps)})
          order by c.hostname = any(${[...ownHosts]}::text[]) desc, ${shared}, c.chain is null,
            coalesce(used.orders, 0), c.next_attempt_at
          limit 1
          for update of c skip locked)
        returning hostname, order_url, order_key_sealed, challenge, failures
      ), shown as (
        update domains d set ssl_failure_reason = null, ssl_next_attempt_at = null from claimed
        where d.hostname = claimed.hostname and d.ssl_failure_reason = 'share_used'
      )
      select * from claimed`
    if (row === undefined) return null
    const { orderUrl, orderKeySealed, ...host } = row
    const order =
      orderUrl === null
        ? null
        : {
            url: orderUrl,
            key: secrets.open(TLS_KEY.purpose, TLS_KEY.boundTo(host.hostname), orderKeySealed!),
          }
    return { ...host, order }
  }

  async saveOrder(hostname: string, { url, key }: StartedOrder): Promise<void> {
    const { sql, secrets, clock, holder } = this.#deps
    const sealed = secrets.seal(TLS_KEY.purpose, TLS_KEY.boundTo(hostname), key)
    const { count } = await sql`
      with c as (
        select * from tls_certificates where hostname = ${hostname} and holder = ${holder} for update
      ), counted as (
        insert into tls_orders (hostname, owner_id, zone, ordered_at)
        select hostname, owner_id, zone, ${new Date(clock())} from c where ${isShared(this.#deps)}
      )
      update tls_certificates t set order_url = ${url}, order_key_sealed = ${sealed} from c where t.hostname = c.hostname`
    if (count === 0) throw new Error(`the lease for ${hostname} has ended`)
  }

  /** Validations that name no token (TLS-ALPN-01) get the host's latest answer. */
  async publish(hostname: string, token: string, answer: string): Promise<void> {
    const { sql, clock } = this.#deps
    await sql`
      insert into tls_challenges (hostname, token, answer, created_at)
      values (${hostname}, ${token}, ${answer}, ${new Date(clock())})
      on conflict (hostname, token) do update set created_at = excluded.created_at`
  }

  async saveCertificate(
    hostname: string,
    issued: Issued,
    { renewAt, challenge }: { renewAt: Date; challenge: ChallengeType },
  ): Promise<void> {
    const { sql, secrets, clock, holder } = this.#deps
    const sealed = secrets.seal(TLS_KEY.purpose, TLS_KEY.boundTo(hostname), issued.key)
    await sql`
      with saved as (
        update tls_certificates
        set chain = ${issued.chain}, key_sealed = ${sealed}, not_after = ${new Date(issued.notAfterMs)},
          next_attempt_at = ${renewAt}, challenge = ${challenge}, failures = 0, last_error = null, order_url = null,
          order_key_sealed = null, holder = null, lease_until = null, updated_at = ${new Date(clock())}
        where hostname = ${hostname} and holder = ${holder}
        returning hostname
      ), answered as (delete from tls_challenges where hostname in (select hostname from saved))
      update domains d set ssl_status = 'active', ssl_failure_reason = null, ssl_next_attempt_at = null from saved
      where d.hostname = saved.hostname and d.status in ('verified', 'misconfigured')`
  }

  /**
   * @param failure.challenge for the next attempt
   * @param failure.isOver false: the next attempt continues this order
   * @param failure.reason shown for a domain without a certificate; null if another attempt follows soon
   */
  async saveFailure(
    hostname: string,
    failure: {
      message: string
      nextAt: Date
      challenge: ChallengeType
      isOver: boolean
      reason: SslFailureReason | null
    },
  ): Promise<void> {
    const { sql, clock, holder } = this.#deps
    const { message, nextAt, challenge, isOver, reason } = failure
    await sql`
      with failed as (
        update tls_certificates
        set failures = failures + 1, last_error = ${message}, next_attempt_at = ${nextAt}, challenge = ${challenge}, holder = null,
          lease_until = null, order_url = case when ${isOver} then null else order_url end,
          order_key_sealed = case when ${isOver} then null else order_key_sealed end
        where hostname = ${hostname} and holder = ${holder}
        returning hostname, not_after
      )
      update domains d
      set ssl_status = 'failed', ssl_failure_reason = coalesce(${reason}, ssl_failure_reason, 'unreachable'),
        ssl_next_attempt_at = ${nextAt} from failed
      where d.hostname = failed.hostname and d.status in ('verified', 'misconfigured')
        and (failed.not_after <= ${new Date(clock())} or (failed.not_after is null and ${reason}::text is not null))`
  }

  async release(hostname: string): Promise<void> {
    const { sql, holder } = this.#deps
    await sql`
      update tls_certificates set holder = null, lease_until = null
      where hostname = ${hostname} and holder = ${holder}`
  }

  async deleteUnused(): Promise<void> {
    const { sql, clock, ownHosts } = this.#deps
    await sql`delete from tls_orders where ordered_at < ${new Date(clock() - ZONE_WINDOW_MS)}`
    await sql`delete from tls_challenges where created_at < ${new Date(clock() - CHALLENGES_KEPT_MS)}`
    await sql`
      delete from tls_certificates c
      where updated_at < ${new Date(clock() - UNUSED_KEPT_MS)}
        and hostname <> all(${[...ownHosts]}::text[]) and not exists (
          select from domains d where d.hostname = c.hostname and d.status in ('verified', 'misconfigured'))`
  }
}

/** The registrable domain, by which authorities count. */
function toZone(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
}

type ShareDeps = { sql: SystemSql; clock: Clock; ownHosts: readonly string[] }

/** Let's Encrypt accepts 300 orders of an installation in this time. */
const WINDOW_MS = 3 * HOUR_MS
/** For all accounts together; the rest is for renewals and the hosts of the settings. */
const MAX_ORDERS = 200
const MAX_OWNER_ORDERS = 50
/** Let's Encrypt issues certificates for 50 hosts of a registrable domain in this time. */
const ZONE_WINDOW_MS = 7 * DAY_MS
const MAX_ZONE_HOSTS = 40

/** Hosts of the settings, the first attempt of a renewal and started orders do not count, so they never wait. */
function isShared({ sql, ownHosts }: ShareDeps): Fragment {
  return sql`(
    c.owner_id is not null and c.order_url is null and (c.chain is null or c.failures > 0)
    and c.hostname <> all(${[...ownHosts]}::text[]))`
}

function hasRoom({ sql, clock }: ShareDeps): Fragment {
  const since = new Date(clock() - WINDOW_MS)
  return sql`((select count(*) from tls_orders where ordered_at > ${since}) < ${MAX_ORDERS})`
}

/** Postpones due hosts whose account or registrable domain has used its share, and shows that at their domains. */
async function postponeOverShare(deps: ShareDeps): Promise<void> {
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

function ordersByOwner({ sql, clock }: ShareDeps): Fragment {
  const since = new Date(clock() - DAY_MS)
  return sql`(
    select owner_id, count(*) as orders from tls_orders where ordered_at > ${since} group by owner_id)`
}
