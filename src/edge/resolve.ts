import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Service } from '../base/service.ts'
import { createListener } from '../storage/listen.ts'
import type { SystemSql } from '../storage/postgres.ts'
import { createCache, type Cached } from './cache.ts'
import { toEdgeLink } from './decide.ts'
import type { EdgeLink, LinkFacts } from './link.ts'
import { createLoader } from './load.ts'

/**
 * From a host and a slug to a link, out of memory. A key is `<domain key>\n<slug key>`, the same
 * as the payload of the notification that a link has changed.
 *
 * An entry is *confirmed* while the listener has received every change since the entry was read.
 * Confirmed entries are served for as long as they are asked for. Others are doubtful:
 *
 *   disconnected      served at once, up to a day old; read again behind the answer every 5 s
 *   listener is back  read again before the answer; served all the same if the database fails
 */
export type ResolverDeps = {
  sql: SystemSql
  /** Opens a pool for the listener alone. */
  openListenerSql: () => SystemSql
  clock: Clock
  log: Log
  maxLinks?: number
  /** How long a request waits for the database. */
  budgetMs?: number
}

/** `unavailable`: not known here, and the database does not say in time. */
export type Resolved = EdgeLink | null | 'unavailable'

export type ResolverStats = {
  /** Doubtful entries that were served. */
  stale: number
  unavailable: number
  queries: number
  cachedLinks: number
  cachedMisses: number
  isConnected: boolean
}

export type Resolver = {
  /** What is known without asking; `null` means known not to exist, `undefined` not known. */
  peek(key: string): EdgeLink | null | undefined
  /** Asks the database, once for all who ask at the same time. */
  resolve(key: string, answer: (resolved: Resolved) => void): void
  stats(): ResolverStats
  /** Keeps the caches true. */
  readonly service: Service
}

/** One object, not a link in an entry: over many links each object touched is a wait for memory. */
type Entry = Cached & { generation: number } & EdgeLink & { readAtMs: number }
type Miss = Cached & { generation: number; readAtMs: number }

/**
 * Payload: `<domain key>\n<slug key>`, where the domain key of the shared default host is empty; or
 * `*<workspace id>`: every link of that workspace has changed (it was suspended, resumed, deleted).
 */
const CHANNEL = 'signpost_links'
const WHOLE_WORKSPACE = '*'
const MAX_LINKS = 250_000
/** Bounds the text of cached destinations: they may be 8 kB each. */
const MAX_LINK_CHARS = 64 * 1024 * 1024
const MAX_MISSES = 100_000
const MISS_TTL_MS = 10_000
const MAX_STALE_MS = 24 * 3_600_000
const RECHECK_MS = 5_000
const BUDGET_MS = 250
const KEPT_GENERATIONS = 1_000

export function createResolver(deps: ResolverDeps): Resolver {
  const { sql, clock, log } = deps
  const links = createCache<Entry>({
    maxEntries: deps.maxLinks ?? MAX_LINKS,
    maxWeight: MAX_LINK_CHARS,
    weigh: (link) => link.recordPart.length + link.plain.location.length,
  })
  const misses = createCache<Miss>({ maxEntries: MAX_MISSES })
  const loader = createLoader({
    fetch: (keys) => readLinks(sql, keys),
    onLoaded: keep,
    log,
    budgetMs: deps.budgetMs ?? BUDGET_MS,
  })
  const service = createListener({
    name: 'edge-listener',
    channel: CHANNEL,
    openSql: deps.openListenerSql,
    onChange: hear,
    onConnected: doubtAll,
    onConfirmed: () => (heardAtMs = clock()),
    onDisconnected: () => (isConnected = false),
    log,
  })
  /** Grows when changes may have been missed: entries of older generations are not confirmed. */
  let generation = 0
  let isConnected = false
  let heardAtMs = -Infinity
  /** Until when the entries of past generations were confirmed. */
  const confirmedUntil = new Map<number, number>()
  let stale = 0
  let unavailable = 0

  function peek(key: string): EdgeLink | null | undefined {
    const entry = links.get(key)
    if (entry !== undefined)
      return isConnected && entry.generation === generation ? entry : peekDoubtful(key, entry)
    const miss = misses.get(key)
    if (miss === undefined) return undefined
    // An age below zero is a clock that was set back: then nothing is known of the age.
    const ageMs = clock() - miss.readAtMs
    if (miss.generation === generation && ageMs >= 0 && ageMs < MISS_TTL_MS) return null
    misses.remove(key)
    return undefined
  }

  function peekDoubtful(key: string, entry: Entry): EdgeLink | undefined {
    if (isConnected || !isServable(entry)) return undefined
    stale++
    if (clock() - entry.readAtMs >= RECHECK_MS && !loader.isLoading(key)) loader.load(key, () => {})
    return entry
  }

  function resolve(key: string, answer: (resolved: Resolved) => void): void {
    loader.load(key, (loaded) => {
      if (loaded !== undefined) return answer(loaded)
      const entry = links.get(key)
      if (entry !== undefined && isServable(entry)) {
        stale++
        return answer(entry)
      }
      unavailable++
      answer('unavailable')
    })
  }

  function isServable(entry: Entry): boolean {
    const heard =
      entry.generation === generation ? heardAtMs : (confirmedUntil.get(entry.generation) ?? 0)
    return clock() - Math.max(entry.readAtMs, heard) < MAX_STALE_MS
  }

  function keep(key: string, link: EdgeLink | null): void {
    const readAtMs = clock()
    if (link === null) {
      links.remove(key)
      misses.set(flat(key), { isUsed: false, generation, readAtMs })
    } else {
      misses.remove(key)
      links.set(flat(key), toEntry(link, generation, readAtMs))
    }
  }

  function hear(payload: string): void {
    if (payload.startsWith(WHOLE_WORKSPACE)) forgetWorkspace(payload.slice(1))
    else forget(payload)
  }

  /** What is being loaded may be of that workspace as well, and is not known to be before it is there. */
  function forgetWorkspace(workspaceId: string): void {
    links.removeWhere((link) => link.workspaceId === workspaceId)
    loader.invalidateAll()
  }

  function forget(key: string): void {
    links.remove(key)
    misses.remove(key)
    loader.invalidate(key)
  }

  function doubtAll(): void {
    confirmedUntil.set(generation, heardAtMs)
    confirmedUntil.delete(generation - KEPT_GENERATIONS)
    generation++
    isConnected = true
    loader.invalidateAll()
  }

  function stats(): ResolverStats {
    return {
      stale,
      unavailable,
      queries: loader.queries(),
      cachedLinks: links.size(),
      cachedMisses: misses.size(),
      isConnected,
    }
  }

  return { peek, resolve, stats, service }
}

/**
 * Written out, since an object made by spreading keeps most of its fields in a second one, and
 * what every redirect reads comes first.
 */
function toEntry(link: EdgeLink, generation: number, readAtMs: number): Entry {
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
    readAtMs,
  }
}

/** The same text as one piece of memory; a joined string stays a tree of its parts. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}

type Row = Omit<LinkFacts, 'destination' | 'expiresAtMs' | 'utm'> & {
  domainKey: string
  slugKey: string
  destinationUrl: string
  expiresAt: Date | null
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
  utmTerm: string | null
  utmContent: string | null
}

async function readLinks(sql: SystemSql, keys: string[]): Promise<Map<string, EdgeLink>> {
  const domainKeys = keys.map((key) => key.slice(0, key.indexOf('\n')))
  const slugKeys = keys.map((key) => key.slice(key.indexOf('\n') + 1))
  const rows = await sql<Row[]>`
    select coalesce(l.domain_id, '') as domain_key, l.slug_key, l.id, l.workspace_id, l.slug,
      l.destination_url, l.redirect_type, l.expires_at,
      l.utm_source, l.utm_medium, l.utm_campaign, l.utm_term, l.utm_content,
      case when w.suspended_at is not null and l.status in ('active', 'archived')
        then 'suspended' else l.status end as status
    from unnest(${domainKeys}::text[], ${slugKeys}::text[]) as asked (domain_key, slug_key)
    join links l on coalesce(l.domain_id, '') = asked.domain_key and l.slug_key = asked.slug_key
    join workspaces w on w.id = l.workspace_id`
  return new Map(rows.map((row) => [`${row.domainKey}\n${row.slugKey}`, fromRow(row)]))
}

function fromRow(row: Row): EdgeLink {
  return toEdgeLink({
    id: row.id,
    workspaceId: row.workspaceId,
    slug: row.slug,
    destination: row.destinationUrl,
    status: row.status,
    redirectType: row.redirectType,
    expiresAtMs: row.expiresAt?.getTime() ?? null,
    utm: [
      row.utmSource ?? '',
      row.utmMedium ?? '',
      row.utmCampaign ?? '',
      row.utmTerm ?? '',
      row.utmContent ?? '',
    ],
  })
}
