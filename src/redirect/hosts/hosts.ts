import { isIPv4 } from 'node:net'
import type { Clock } from '../../platform/core/clock.ts'
import { memoize } from '../../platform/core/functions.ts'
import { toAscii } from '../../decision/location.ts'
import { toHostname } from '../../platform/facts/short-url.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import type { Snapshot } from '../links/snapshot.ts'
import type { Brand } from '../pages/brand.ts'

/** A host whose links this server serves: a branded one, or the shared default host. */
export type ServedHost = {
  /**
   * Prefix of the cache keys of its links: id and generation of the domain, both empty for the shared host.
   */
  readonly key: string
  readonly domainId: string
  readonly isCaseSensitive: boolean
  /** Printable ASCII, ready for a header. */
  readonly rootRedirectUrl: string | null
  readonly notFoundUrl: string | null
  readonly expiredUrl: string | null
  /** Always null for the shared host, where a workspace could imitate another one. */
  readonly brand: Brand | null
  /** When a domain without its DNS records stops being served; Infinity for all others. */
  readonly servedUntilMs: number
  readonly updatedAtMs: number
}

export const SHARED_HOST: ServedHost = {
  key: '',
  domainId: '',
  isCaseSensitive: false,
  rootRedirectUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
  brand: null,
  servedUntilMs: Infinity,
  updatedAtMs: 0,
}

export const FOREIGN_HOST: ServedHost = { ...SHARED_HOST }

type Row = {
  id: string
  hostname: string
  isCaseSensitive: boolean
  rootRedirectUrl: string | null
  notFoundUrl: string | null
  expiredUrl: string | null
  /** Names of the URL fields above whose host the operator has blocked. */
  blockedUrls: string[]
  workspaceName: string
  brandColor: string | null
  logoMediaId: string | null
  misconfiguredSince: Date | null
  updatedAt: Date
}

/** A row from the snapshot, which is JSON. */
type KeptRow = Omit<Row, 'misconfiguredSince' | 'updatedAt'> & {
  misconfiguredSince: string | null
  updatedAt: string
}

const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/
const CACHED_HOSTS = 10_000
const GRACE_MS = 72 * 3_600_000

/**
 * The hosts of links: those in the settings, and every domain that is verified, or was until its DNS
 * records changed less than 72 hours ago. All are in memory and stay there while PostgreSQL is unavailable.
 *
 * With `origins` (PUBLIC_URL, SHORT_URL), links of the shared host answer on these hosts and on loopback,
 * on any port, because proxies and containers change the port. Without origins, on every host that is no
 * domain.
 */
export class Hosts {
  readonly #clock: Clock
  readonly #snapshot: Snapshot | null
  readonly #shared: ReadonlySet<string>
  #domains = new Map<string, ServedHost>()
  #names = new Map<string, string>()
  #generation = 0
  /** For Host headers with a port or a final dot, and for hosts that are no domain. */
  #parse: (host: string) => ServedHost | null

  constructor(origins: readonly string[], clock: Clock, snapshot: Snapshot | null = null) {
    this.#clock = clock
    this.#snapshot = snapshot
    this.#shared = new Set(origins.map((origin) => new URL(origin).hostname))
    this.#parse = this.#createParser()
  }

  get size(): number {
    return this.#domains.size
  }

  /** @param host Host header in lower case @returns null for an unknown or invalid one */
  find(host: string): ServedHost | null {
    const found = this.#domains.get(host) ?? this.#parse(host)
    if (found === null || found.servedUntilMs === Infinity || this.#clock() < found.servedUntilMs)
      return found
    return this.#findShared(host)
  }

  /**
   * Whether this name, in lower case, is a domain that is served now. Remembers no unknown names.
   */
  servesDomain(name: string): boolean {
    const domain = this.#domains.get(name)
    return domain !== undefined && this.#clock() < domain.servedUntilMs
  }

  /** The key prefix of a domain's links; null for a domain that is not served. */
  keyOf(domainId: string): string | null {
    const name = this.#names.get(domainId)
    return name === undefined ? null : (this.#domains.get(name)?.key ?? null)
  }

  /** Reads all domains. Cached links of unchanged domains stay valid. */
  async load(sql: SystemSql): Promise<void> {
    const rows = await sql<Row[]>`${selectServed(sql)}`
    this.#replaceAll(rows)
    this.#snapshot?.keepDomains(new Map(rows.map((row) => [row.id, row])))
  }

  /** Takes the domains of the snapshot while PostgreSQL is unavailable. */
  restore(): void {
    this.#replaceAll((this.#snapshot?.findDomains() ?? []).map((kept) => toRow(kept as KeptRow)))
  }

  #replaceAll(rows: readonly Row[]): void {
    const before = this.#domains
    this.#domains = new Map()
    this.#names = new Map()
    for (const row of rows) {
      const known = before.get(row.hostname)
      const isSame = known?.domainId === row.id && known.updatedAtMs === row.updatedAt.getTime()
      // The brand is of the workspace, and changes without the domain.
      this.#put(row, isSame ? { ...known, brand: toBrand(row) } : this.#toHost(row))
    }
    this.#parse = this.#createParser()
  }

  /** Reads changed domains. Their cached links are not used any more. */
  async reload(sql: SystemSql, domainIds: readonly string[]): Promise<void> {
    const rows = await sql<Row[]>`
      ${selectServed(sql)} and d.id = any(${[...domainIds]}::text[])`
    for (const id of domainIds) {
      const name = this.#names.get(id)
      this.#names.delete(id)
      // Another domain may have taken the host.
      if (name !== undefined && this.#domains.get(name)?.domainId === id) this.#domains.delete(name)
    }
    for (const row of rows) this.#put(row, this.#toHost(row))
    this.#parse = this.#createParser()
    const changed = new Map(rows.map((row) => [row.id, row]))
    for (const id of domainIds) this.#snapshot?.changeDomain(id, changed.get(id) ?? null)
  }

  #put({ id, hostname }: Row, host: ServedHost): void {
    this.#domains.set(hostname, host)
    this.#names.set(id, hostname)
  }

  #toHost(row: Row): ServedHost {
    const { id, isCaseSensitive, misconfiguredSince, updatedAt } = row
    return {
      key: `${id}:${++this.#generation}`,
      domainId: id,
      isCaseSensitive,
      rootRedirectUrl: toLocation(row, 'rootRedirectUrl'),
      notFoundUrl: toLocation(row, 'notFoundUrl'),
      expiredUrl: toLocation(row, 'expiredUrl'),
      brand: toBrand(row),
      servedUntilMs:
        misconfiguredSince === null ? Infinity : misconfiguredSince.getTime() + GRACE_MS,
      updatedAtMs: updatedAt.getTime(),
    }
  }

  /** Replaced with the domains, whose names it remembers. */
  #createParser() {
    return memoize(CACHED_HOSTS, (host): ServedHost | null => {
      const domain = HOST.test(host) ? this.#domains.get(toHostname(host)) : undefined
      return domain ?? this.#findShared(host)
    })
  }

  #findShared(host: string): ServedHost | null {
    return isShared(host, this.#shared) ? SHARED_HOST : null
  }
}

/** The domain id in a link's key; empty for the shared host. */
export function domainIdOf(key: string): string {
  const [prefix = ''] = key.split('\n', 1)
  return prefix.split(':', 1)[0]!
}

function isShared(host: string, ours: ReadonlySet<string>): boolean {
  // HTTP/1.0 has no Host header; its client connects to the address itself.
  if (host === '') return ours.size === 0
  if (!HOST.test(host)) return false
  if (ours.size === 0) return true
  const name = toHostname(host)
  return ours.has(name) || isLoopback(name)
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === '[::1]') return true
  return isIPv4(name) && name.startsWith('127.')
}

function toRow(kept: KeptRow): Row {
  const { misconfiguredSince: since, updatedAt } = kept
  return {
    ...kept,
    misconfiguredSince: since === null ? null : new Date(since),
    updatedAt: new Date(updatedAt),
  }
}

function selectServed(sql: SystemSql) {
  return sql`
    select d.id, d.hostname, d.case_sensitive as is_case_sensitive, d.root_redirect_url, d.not_found_url,
      d.expired_url, d.blocked_urls, case when d.status = 'misconfigured'
        then coalesce(d.misconfigured_since, d.updated_at) end as misconfigured_since, d.updated_at,
      w.name as workspace_name, case when w.suspended_at is null then w.brand_color end as brand_color,
      case when w.suspended_at is null then w.logo_media_id end as logo_media_id
    from domains d join workspaces w on w.id = d.workspace_id
    where d.status in ('verified', 'misconfigured')`
}

/** Rows in a snapshot of an earlier version have no brand. */
function toBrand({ workspaceName: name, brandColor, logoMediaId }: Row): Brand | null {
  if (!brandColor && !logoMediaId) return null
  return { name, color: brandColor, logoMediaId }
}

function toLocation(
  row: Row,
  field: 'rootRedirectUrl' | 'notFoundUrl' | 'expiredUrl',
): string | null {
  const url = row[field]
  return url === null || row.blockedUrls.includes(field) ? null : toAscii(url, 'utf8')
}
