import type { Clock } from '../../platform/core/clock.ts'
import { dropOldest } from '../../platform/core/functions.ts'
import type { Tx, SystemSql } from '../../platform/storage/postgres/postgres.ts'

export type Changed =
  | `user:${string}`
  | `workspace:${string}`
  | `key:${string}`
  | `session:${string}`

export const CREDENTIALS_CHANNEL = 'signpost_credentials'

/** Voids cached credential checks in every process, within a second of the commit. */
export async function announceCredentials(
  tx: Tx | SystemSql,
  ...changes: Changed[]
): Promise<void> {
  for (const change of changes) await tx`select pg_notify(${CREDENTIALS_CHANNEL}, ${change})`
}

type CacheDeps<Holder> = {
  load: (token: string, wantedWorkspaceId: string | null) => Promise<Holder | null>
  /** False for answers that are not cached, because one credential could cause any number of them. */
  isStored: (holder: Holder, wantedWorkspaceId: string | null) => boolean
  getTags: (holder: Holder) => string[]
  getExpiresAtMs: (holder: Holder) => number
  isConnected: () => boolean
  clock: Clock
}

type Entry<Holder> = { holder: Holder; tags: string[]; readAtMs: number; untilMs: number }
type Load<Holder> = {
  answer: Promise<Holder | null>
  /** Changes since the load began. Its answer may be older, so no other caller joins it. */
  changed: Set<string>
  sinceMs: number
}

const MAX_ENTRIES = 20_000
const MAX_MISSES = 10_000
const TTL_MS = 10_000
const MISS_TTL_MS = 2_000
/** An older load might miss a change that is a second old. */
const JOIN_MS = 500
const EVERYTHING = '*'

/**
 * Invariants: an answer is served from the cache only while changes are received, for at most ten seconds and
 * never past its expiry; a change voids every answer about it, including those that are being loaded.
 */
export class CredentialCache<Holder> {
  readonly #deps: CacheDeps<Holder>
  readonly #entries = new Map<string, Entry<Holder>>()
  readonly #keysByTag = new Map<string, Set<string>>()
  readonly #misses = new Map<string, number>()
  readonly #loads = new Map<string, Load<Holder>>()
  readonly #allLoads = new Set<Load<Holder>>()

  constructor(deps: CacheDeps<Holder>) {
    this.#deps = deps
  }

  get size(): number {
    return this.#entries.size + this.#misses.size
  }

  find(key: string, token: string, wantedWorkspaceId: string | null) {
    if (this.#deps.isConnected()) {
      const cached = this.#lookUp(key)
      if (cached !== undefined) return cached
    }
    const current = this.#loads.get(key)
    if (current?.changed.size === 0 && performance.now() - current.sinceMs < JOIN_MS)
      return current.answer
    return this.#load(key, token, wantedWorkspaceId)
  }

  drop(tag: string): void {
    for (const key of this.#keysByTag.get(tag) ?? []) this.#remove(key)
    this.#voidLoads(tag)
  }

  dropAll(): void {
    this.#entries.clear()
    this.#keysByTag.clear()
    this.#voidLoads(EVERYTHING)
  }

  #lookUp(key: string): Holder | null | undefined {
    const nowMs = this.#deps.clock()
    const entry = this.#entries.get(key)
    if (entry) {
      // After the clock was set back, the age of an entry is unknown.
      if (nowMs >= entry.readAtMs && nowMs < entry.untilMs) {
        this.#entries.delete(key)
        this.#entries.set(key, entry)
        return entry.holder
      }
      this.#remove(key)
    }
    const missedAtMs = this.#misses.get(key)
    if (missedAtMs === undefined) return undefined
    if (nowMs >= missedAtMs && nowMs < missedAtMs + MISS_TTL_MS) return null
    this.#misses.delete(key)
    return undefined
  }

  #load(key: string, token: string, wantedWorkspaceId: string | null): Promise<Holder | null> {
    const wasConnected = this.#deps.isConnected()
    const readAtMs = this.#deps.clock()
    const end = () => {
      this.#allLoads.delete(load)
      if (this.#loads.get(key) === load) this.#loads.delete(key)
    }
    const load: Load<Holder> = {
      answer: this.#deps.load(token, wantedWorkspaceId).then(
        (holder) => {
          end()
          const isStored = holder === null || this.#deps.isStored(holder, wantedWorkspaceId)
          if (wasConnected && isStored && this.#isUnchanged(holder, load.changed))
            this.#store(key, holder, readAtMs)
          return holder
        },
        (error: unknown) => {
          end()
          throw error
        },
      ),
      changed: new Set(),
      sinceMs: performance.now(),
    }
    this.#loads.set(key, load)
    this.#allLoads.add(load)
    return load.answer
  }

  #isUnchanged(holder: Holder | null, changed: ReadonlySet<string>): boolean {
    if (changed.size === 0) return true
    if (holder === null || changed.has(EVERYTHING)) return false
    return this.#deps.getTags(holder).every((tag) => !changed.has(tag))
  }

  #store(key: string, holder: Holder | null, readAtMs: number): void {
    this.#remove(key)
    this.#misses.delete(key)
    if (holder === null) {
      this.#misses.set(key, readAtMs)
      dropOldest(this.#misses, MAX_MISSES)
      return
    }
    const tags = this.#deps.getTags(holder)
    const untilMs = Math.min(readAtMs + TTL_MS, this.#deps.getExpiresAtMs(holder))
    this.#entries.set(key, { holder, tags, readAtMs, untilMs })
    for (const tag of tags) {
      const tagged = this.#keysByTag.get(tag)
      if (tagged) tagged.add(key)
      else this.#keysByTag.set(tag, new Set([key]))
    }
    if (this.#entries.size > MAX_ENTRIES) this.#remove(this.#entries.keys().next().value!)
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    for (const tag of entry.tags) {
      const tagged = this.#keysByTag.get(tag)
      tagged?.delete(key)
      if (tagged?.size === 0) this.#keysByTag.delete(tag)
    }
  }

  /** Also drops all refusals: a refused credential may be valid now, and its user is unknown. */
  #voidLoads(tag: string): void {
    this.#misses.clear()
    for (const load of this.#allLoads) load.changed.add(tag)
  }
}
