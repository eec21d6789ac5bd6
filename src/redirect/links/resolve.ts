import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Service } from '../../platform/core/service.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { BioPage, readBioPages } from '../pages/bio-pages.ts'
import { createCache, type Cached } from './cache.ts'
import type { EdgeLink, LinkFacts } from '../../decision/link.ts'
import { toEdgeLink } from '../../decision/prepare.ts'
import { encodeLinkPart } from '../../clicks/journal/format.ts'
import { domainIdOf, type Hosts } from '../hosts/hosts.ts'
import { readLinkChanges } from './link-changes.ts'
import { Loader } from '../../platform/work/load.ts'
import type { Snapshot } from './snapshot.ts'

export type ResolverDeps = {
  sql: SystemSql
  openChangesSql: () => SystemSql
  /** The reader of changes keeps them up to date. */
  hosts: Pick<Hosts, 'keyOf' | 'load' | 'reload'>
  /** Set once the server has its port. */
  sharedOrigin: () => string
  snapshot?: Snapshot | null
  clock: Clock
  log: Log
  maxLinks?: number
  changesEveryMs?: number
  budgetMs?: number
}

/** A link for memory, and its facts for the snapshot. */
type Read = { link: EdgeLink; facts: LinkFacts }

/** `unavailable`: not in memory, and the database did not answer in time. */
export type Resolved = Found | null | 'unavailable'
export type Found = EdgeLink | BioPage

/** One object per link, because reading each further object costs a cache miss of the processor. */
type LinkEntry = Cached & { generation: number } & EdgeLink & { readAtMs: number }
type Entry = LinkEntry | BioPage
type Miss = Cached & { generation: number; readAtMs: number }

const WHOLE_WORKSPACE = '*'
const MAX_LINKS = 250_000
/** For the text of cached links: a destination may have 8 kB. */
const MAX_LINK_CHARS = 64 * 1024 * 1024
const MAX_MISSES = 100_000
const MISS_TTL_MS = 10_000
const MAX_STALE_MS = 24 * 3_600_000
const RECHECK_MS = 5_000
const BUDGET_MS = 250
const KEPT_GENERATIONS = 1_000
/** Entries from the snapshot are never confirmed. */
const OF_SNAPSHOT = -1

/**
 * Resolves a host and a slug to a link, from memory if possible. A key is `<key of the host>\n<slug key>`;
 * the shared host's key is empty. A changed domain gets a new key, so its cached links are not found any
 * more and are evicted in time.
 *
 * An entry is *confirmed* while every change since it was read has been read too
 * (src/redirect/links/link-changes.ts). Confirmed entries are served at any age. Others are unconfirmed:
 *
 *   changes not read        served at once, up to a day old; read again in the background every 5 s
 *   changes read again      read again before answering; served all the same if the database fails
 *
 * While PostgreSQL is unavailable, a link that is not in memory comes from the snapshot, unconfirmed.
 */
export class Resolver {
  readonly service: Service
  readonly #clock: Clock
  readonly #hosts: ResolverDeps['hosts']
  readonly #links: ReturnType<typeof createCache<Entry>>
  readonly #misses: ReturnType<typeof createCache<Miss>>
  readonly #loader: Loader<Read | BioPage>
  readonly #snapshot: Snapshot | null
  /** Grows when changes may have been missed; entries of older generations are unconfirmed. */
  #generation = 0
  #isConnected = false
  /** The last load failed: do not wait for links that the snapshot has. */
  #isDatabaseDown = false
  #confirmedAtMs = -Infinity
  /** Until when the entries of past generations were confirmed. */
  readonly #confirmedUntil = new Map<number, number>()
  #stale = 0
  #unavailable = 0

  constructor(deps: ResolverDeps) {
    const { sql, openChangesSql, hosts, sharedOrigin, clock, log, changesEveryMs } = deps
    this.#clock = clock
    this.#hosts = hosts
    this.#snapshot = deps.snapshot ?? null
    this.#links = createCache<Entry>({
      maxEntries: deps.maxLinks ?? MAX_LINKS,
      maxWeight: MAX_LINK_CHARS,
      weigh: (found) => (found instanceof BioPage ? found.weight : weighLink(found)),
    })
    this.#misses = createCache<Miss>({ maxEntries: MAX_MISSES })
    this.#loader = new Loader({
      fetch: (keys) => readFound(sql, keys, sharedOrigin(), clock()),
      onLoaded: (key, read) => this.#keep(key, read),
      log,
      what: 'links',
      budgetMs: deps.budgetMs ?? BUDGET_MS,
    })
    this.service = readLinkChanges({
      openSql: openChangesSql,
      onChange: (key) => this.change(key),
      hosts,
      onConnected: () => this.#startGeneration(),
      onConfirmed: () => {
        this.#confirmedAtMs = clock()
        this.#snapshot?.confirm()
      },
      onDisconnected: () => (this.#isConnected = false),
      log,
      ...(changesEveryMs !== undefined && { everyMs: changesEveryMs }),
    })
  }

  /** `null`: known not to exist; `undefined`: unknown. */
  peek(key: string): Found | null | undefined {
    const entry = this.#links.get(key)
    if (entry instanceof BioPage && entry.rendered.endsAtMs <= this.#clock()) return undefined
    if (entry !== undefined)
      return this.#isConnected && entry.generation === this.#generation
        ? entry
        : this.#peekUnconfirmed(key, entry)
    const miss = this.#misses.get(key)
    if (miss === undefined) return undefined
    // Negative after the clock was set back, so treated as unknown.
    const ageMs = this.#clock() - miss.readAtMs
    if (miss.generation === this.#generation && ageMs >= 0 && ageMs < MISS_TTL_MS) return null
    this.#misses.remove(key)
    return undefined
  }

  /** Reads from the database, once for all concurrent requests for the key. */
  resolve(key: string, answer: (resolved: Resolved) => void): void {
    const kept = this.#isDatabaseDown ? this.#restore(key) : null
    if (kept !== null) {
      if (!this.#loader.isLoading(key)) this.#loader.load(key, () => {})
      return answer(kept)
    }
    this.#loader.load(key, (loaded) => {
      this.#isDatabaseDown = loaded === undefined
      if (loaded !== undefined) return answer(loaded && toFound(loaded))
      const entry = this.#links.get(key)
      if (entry !== undefined && this.#isServable(entry)) {
        this.#stale++
        return answer(entry)
      }
      const restored = this.#restore(key)
      if (restored !== null) return answer(restored)
      this.#unavailable++
      answer('unavailable')
    })
  }

  /**
   * Drops a changed link (`<domain id>\n<slug key>`) or all links of a workspace (`*<workspace id>`).
   * Changed domains are left to the reader of changes.
   */
  change(announced: string): void {
    if (announced.startsWith(WHOLE_WORKSPACE))
      return this.#forgetWorkspace(announced.slice(WHOLE_WORKSPACE.length))
    this.#snapshot?.forgetLink(announced)
    const end = announced.indexOf('\n')
    if (end === 0) return this.forget(announced)
    const host = end === -1 ? null : this.#hosts.keyOf(announced.slice(0, end))
    if (host !== null) this.forget(host + announced.slice(end))
  }

  #forgetWorkspace(workspaceId: string): void {
    this.#snapshot?.forgetWorkspace(workspaceId)
    this.#links.removeWhere((link) => link.workspaceId === workspaceId)
    // A link's workspace is unknown until it is loaded.
    this.#loader.invalidateAll()
  }

  forget(key: string): void {
    this.#links.remove(key)
    this.#misses.remove(key)
    this.#loader.invalidate(key)
  }

  /** `stale`: unconfirmed entries that were served. */
  stats() {
    return {
      stale: this.#stale,
      unavailable: this.#unavailable,
      queries: this.#loader.queries(),
      cachedLinks: this.#links.size(),
      cachedMisses: this.#misses.size(),
      isConnected: this.#isConnected,
    }
  }

  #peekUnconfirmed(key: string, entry: Entry): Found | undefined {
    if (this.#isConnected || !this.#isServable(entry)) return undefined
    this.#stale++
    if (this.#clock() - entry.readAtMs >= RECHECK_MS && !this.#loader.isLoading(key))
      this.#loader.load(key, () => {})
    return entry
  }

  #isServable(entry: Entry): boolean {
    const confirmedMs =
      entry.generation === this.#generation
        ? this.#confirmedAtMs
        : (this.#confirmedUntil.get(entry.generation) ?? 0)
    return this.#clock() - Math.max(entry.readAtMs, confirmedMs) < MAX_STALE_MS
  }

  /** Loads a link from the snapshot into memory. */
  #restore(key: string): EdgeLink | null {
    const kept = this.#snapshot?.findLink(toSnapshotKey(key)) ?? null
    if (kept === null) return null
    const link = toEdgeLink(kept.facts, encodeLinkPart)
    const entry = toEntry(link, OF_SNAPSHOT, kept.confirmedAtMs)
    this.#links.set(flatten(key), entry)
    this.#stale++
    return entry
  }

  #keep(key: string, read: Read | BioPage | null): void {
    const readAtMs = this.#clock()
    const generation = this.#generation
    if (read === null) {
      this.#snapshot?.missLink(toSnapshotKey(key))
      this.#links.remove(key)
      this.#misses.set(flatten(key), { isUsed: false, generation, readAtMs })
    } else {
      // Each process renders pages itself, so the snapshot contains only links.
      if (read instanceof BioPage) this.#snapshot?.missLink(toSnapshotKey(key))
      else this.#snapshot?.keepLink(toSnapshotKey(key), read.facts)
      this.#misses.remove(key)
      const entry =
        read instanceof BioPage
          ? Object.assign(read, { generation, readAtMs })
          : toEntry(read.link, generation, readAtMs)
      this.#links.set(flatten(key), entry)
    }
  }

  #startGeneration(): void {
    this.#confirmedUntil.set(this.#generation, this.#confirmedAtMs)
    this.#confirmedUntil.delete(this.#generation - KEPT_GENERATIONS)
    this.#generation++
    this.#isConnected = true
    this.#isDatabaseDown = false
    this.#loader.invalidateAll()
    this.#snapshot?.beginSession()
  }
}

/** Without the domain's generation, which means nothing to another process. */
function toSnapshotKey(key: string): string {
  return `${domainIdOf(key)}${key.slice(key.indexOf('\n'))}`
}

/**
 * Written out, because spreading would store most fields in a second object. The fields that every redirect
 * reads come first.
 */
function toEntry(link: EdgeLink, generation: number, readAtMs: number): LinkEntry {
  return {
    isUsed: false,
    generation,
    status: link.status,
    expiresAtMs: link.expiresAtMs,
    plain: link.plain,
    recordPart: link.recordPart,
    id: link.id,
    workspaceId: link.workspaceId,
    slug: link.slug,
    destination: link.destination,
    redirectType: link.redirectType,
    utm: link.utm,
    options: link.options,
    readAtMs,
  }
}

/** The same text in one piece of memory; a concatenated string is a tree. */
function flatten(text: string): string {
  return Buffer.from(text).toString()
}

function toFound(read: Read | BioPage): Found {
  return read instanceof BioPage ? read : read.link
}

function weighLink({ recordPart, plain, options }: EdgeLink): number {
  return recordPart.length + plain.location.length + (options?.weight ?? 0)
}

type Row = Omit<LinkFacts, 'id' | 'destination' | 'expiresAtMs' | 'utm'> & {
  key: string
  id: string | null
  destinationUrl: string
  expiresAt: Date | null
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
  utmTerm: string | null
  utmContent: string | null
}

/**
 * Pages are few, so they are read in a separate statement, and only when an address is a page's.
 */
async function readFound(
  sql: SystemSql,
  keys: string[],
  sharedOrigin: string,
  nowMs: number,
): Promise<Map<string, Read | BioPage>> {
  const rows = await readLinks(sql, keys)
  const links = rows.flatMap((row) =>
    row.id === null ? [] : [[row.key, toRead({ ...row, id: row.id })] as const],
  )
  const ofPages = rows.flatMap(({ id, key }) => (id === null ? [key] : []))
  if (ofPages.length === 0) return new Map(links)
  const pages = await readBioPages(sql, toAddresses(ofPages), { sharedOrigin, nowMs })
  return new Map<string, Read | BioPage>([...links, ...pages])
}

/** The keys, with domain id and slug key of each. */
function toAddresses(keys: string[]): [string[], string[], string[]] {
  return [keys, keys.map(domainIdOf), keys.map((key) => key.slice(key.indexOf('\n') + 1))]
}

function readLinks(sql: SystemSql, wanted: string[]): Promise<Row[]> {
  const [keys, domainIds, slugKeys] = toAddresses(wanted)
  return sql<Row[]>`
    select wanted.key, a.domain_id, l.id, l.workspace_id, l.slug,
      l.destination_url, l.redirect_type, l.expires_at,
      l.utm_source, l.utm_medium, l.utm_campaign, l.utm_term, l.utm_content,
      l.options, l.password_hash,
      case when w.suspended_at is not null and l.status in ('active', 'archived')
        then 'suspended' else l.status end as status
    from unnest(${keys}::text[], ${domainIds}::text[], ${slugKeys}::text[])
      as wanted (key, domain_id, slug_key)
    join link_addresses a on a.domain_id = wanted.domain_id and a.slug_key = wanted.slug_key
    left join links l on l.id = a.link_id
    left join workspaces w on w.id = l.workspace_id
    where l.id is not null or starts_with(a.link_id, 'bio_')`
}

function toRead(row: Row & { id: string }): Read {
  const facts: LinkFacts = {
    id: row.id,
    workspaceId: row.workspaceId,
    domainId: row.domainId,
    slug: row.slug,
    destination: row.destinationUrl,
    status: row.status,
    redirectType: row.redirectType,
    expiresAtMs: row.expiresAt?.getTime() ?? null,
    options: row.options,
    passwordHash: row.passwordHash,
    utm: [
      row.utmSource ?? '',
      row.utmMedium ?? '',
      row.utmCampaign ?? '',
      row.utmTerm ?? '',
      row.utmContent ?? '',
    ],
  }
  return { link: toEdgeLink(facts, encodeLinkPart), facts }
}
