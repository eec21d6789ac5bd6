import type { Clock } from '../base/clock.ts'
import type { Secrets } from '../base/secrets.ts'
import type { SystemSql } from '../storage/postgres.ts'
import { TLS_ACCOUNT_KEY, TLS_KEY } from '../storage/sealed-columns.ts'
import { newPrivateKey, toPem } from './jws.ts'
import type { ChallengeType, Issued, StartedOrder } from './order.ts'

type Deps = {
  sql: SystemSql
  secrets: Pick<Secrets, 'seal' | 'open'>
  clock: Clock
  /** Address of the directory of the certificate authority. */
  directory: string
  /** Names this process in leases. */
  holder: string
  /** Hosts of PUBLIC_URL and SHORT_URL that need a certificate. */
  ownHosts: readonly string[]
}

export type Account = { key: string; url: string | null }

/** A host whose certificate is due, leased to this process. */
export type DueHost = {
  hostname: string
  order: StartedOrder | null
  /** Null for no preference. */
  challenge: ChallengeType | null
  failures: number
}

/**
 * The reason why a domain has no certificate. `unreachable` is the authority; the others are its refusals: it could not find the host
 * (`dns`), could not connect to it (`connection`) or got another answer (`wrong_answer`), a CAA record names
 * other authorities (`caa`), or a limit of the authority is reached (`rate_limited`).
 */
export type SslFailureReason =
  | 'dns'
  | 'connection'
  | 'wrong_answer'
  | 'caa'
  | 'rate_limited'
  | 'refused'
  | 'unreachable'

/** Longer than one attempt takes, so that no two processes order for one host. */
export const LEASE_MS = 300_000
const HOSTS_PER_ROUND = 100
/**
 * New hosts of one workspace in a day. Authorities limit the orders of an account, such as 300 in three hours, which all
 * workspaces share.
 */
const MAX_NEW_HOSTS_PER_DAY = 50
const DAY_MS = 86_400_000
const CHALLENGES_KEPT_MS = DAY_MS
/** Renewal that failed for so long after the end of a certificate says that the host is gone. */
const UNUSED_KEPT_MS = 7 * DAY_MS

/** Accounts, certificates and leases, which all edges share. Private keys are sealed. */
export class TlsStore {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The account at an authority; its key is made at the first call of all edges. */
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

  /** @param url null for an account that the authority does not know any more */
  async saveAccountUrl(url: string | null): Promise<void> {
    const { sql, directory } = this.#deps
    await sql`update tls_accounts set url = ${url} where directory = ${directory}`
  }

  /** Makes certificates due that another authority has issued, such as one for tests. */
  async replaceForeign(): Promise<void> {
    const { sql, clock, directory } = this.#deps
    await sql`
      update tls_certificates
      set directory = ${directory}, next_attempt_at = ${new Date(clock())}, failures = 0, order_url = null,
        order_key_sealed = null, holder = null, lease_until = null
      where directory <> ${directory}`
  }

  /**
   * Adds the hosts of the settings, and domains that were verified since the last call; of one workspace only so many
   * in a day, and the others when the day is over.
   */
  async addHosts(): Promise<void> {
    const { sql, clock, ownHosts, directory } = this.#deps
    const now = new Date(clock())
    await sql`
      with fresh as (
        select hostname, workspace_id from (
          select hostname, workspace_id, row_number() over (partition by workspace_id order by verified_at, id) as turn
          from domains where status = 'verified' and ssl_status = 'none'
        ) as waiting
        where turn + (
          select count(*) from tls_certificates c
          where c.ordered_for = waiting.workspace_id and c.created_at > ${new Date(clock() - DAY_MS)}
        ) <= ${MAX_NEW_HOSTS_PER_DAY}
        limit ${HOSTS_PER_ROUND}
      ), known as (
        insert into tls_certificates (hostname, ordered_for, directory, next_attempt_at, created_at, updated_at)
        select hostname, workspace_id, ${directory}, ${now}, ${now}, ${now} from (
          select hostname, workspace_id from fresh
          union all select unnest(${[...ownHosts]}::text[]), null) wanted
        on conflict (hostname) do nothing
      )
      update domains d
      set ssl_status = case when exists (
        select from tls_certificates c where c.hostname = d.hostname and c.not_after > ${now})
        then 'active' else 'pending' end
      from fresh where d.hostname = fresh.hostname and d.status = 'verified'`
  }

  /** Leases the host that has been due for the longest; renewals first, so that new domains delay none of them. */
  async claim(): Promise<DueHost | null> {
    const { sql, secrets, clock, holder, ownHosts } = this.#deps
    const now = new Date(clock())
    type Row = Omit<DueHost, 'order'> & {
      orderUrl: string | null
      orderKeySealed: Uint8Array | null
    }
    const [row] = await sql<Row[]>`
      update tls_certificates set holder = ${holder}, lease_until = ${new Date(clock() + LEASE_MS)}
      where hostname = (
        select hostname from tls_certificates c
        where next_attempt_at <= ${now} and (lease_until is null or lease_until <= ${now})
          and (hostname = any(${[...ownHosts]}::text[]) or exists (
            select from domains d where d.hostname = c.hostname and d.status = 'verified'))
        order by chain is null, next_attempt_at limit 1
        for update skip locked)
      returning hostname, order_url, order_key_sealed, challenge, failures`
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

  /** @throws when another process has the lease */
  async saveOrder(hostname: string, { url, key }: StartedOrder): Promise<void> {
    const { sql, secrets, holder } = this.#deps
    const sealed = secrets.seal(TLS_KEY.purpose, TLS_KEY.boundTo(hostname), key)
    const { count } = await sql`
      update tls_certificates set order_url = ${url}, order_key_sealed = ${sealed}
      where hostname = ${hostname} and holder = ${holder}`
    if (count === 0) throw new Error(`the lease for ${hostname} has ended`)
  }

  /** The answer of the latest token of a host is also the one for validations that name no token (TLS-ALPN-01). */
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
      update domains d set ssl_status = 'active', ssl_failure_reason = null from saved
      where d.hostname = saved.hostname and d.status in ('verified', 'misconfigured')`
  }

  /**
   * `challenge` is that of the next attempt. `isOver`: the order is of no use any more; else the next attempt goes on with
   * it. `reason`: why the domain is shown as failed if it has no certificate; null for an attempt that another one follows
   * soon.
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
      set ssl_status = 'failed', ssl_failure_reason = coalesce(${reason}, ssl_failure_reason, 'unreachable') from failed
      where d.hostname = failed.hostname and d.status in ('verified', 'misconfigured')
        and (failed.not_after <= ${new Date(clock())} or (failed.not_after is null and ${reason}::text is not null))`
  }

  /** Ends the lease of an attempt that was cut off, so that another edge goes on with its order. */
  async release(hostname: string): Promise<void> {
    const { sql, holder } = this.#deps
    await sql`
      update tls_certificates set holder = null, lease_until = null
      where hostname = ${hostname} and holder = ${holder}`
  }

  /** Deletes old challenges, and the certificates of hosts that are not served any more. */
  async deleteUnused(): Promise<void> {
    const { sql, clock, ownHosts } = this.#deps
    await sql`delete from tls_challenges where created_at < ${new Date(clock() - CHALLENGES_KEPT_MS)}`
    await sql`
      delete from tls_certificates c
      where updated_at < ${new Date(clock() - UNUSED_KEPT_MS)}
        and hostname <> all(${[...ownHosts]}::text[]) and not exists (
          select from domains d where d.hostname = c.hostname and d.status in ('verified', 'misconfigured'))`
  }
}
