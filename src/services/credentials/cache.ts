import type { Clock } from '../../base/clock.ts'

export type MemoryDeps<Holder> = {
  /** How the holder of this token in this place is found; null when there is none. */
  load: (token: string, place: string | null) => Promise<Holder | null>
  /** Whether to remember it; otherwise one credential could fill the memory. */
  isKept: (holder: Holder, place: string | null) => boolean
  /** The payloads of notifications that make this answer void. */
  tagsOf: (holder: Holder) => string[]
  expiresAtMsOf: (holder: Holder) => number
  /** True while every change that was committed a moment ago has been heard. */
  isConnected: () => boolean
  clock: Clock
}

type Entry<Holder> = { holder: Holder; tags: string[]; readAtMs: number; untilMs: number }
type Load<Holder> = {
  answer: Promise<Holder | null>
  /** What has changed since it began: its answer may be from before, so nobody else joins it. */
  changed: Set<string>
  sinceMs: number
}

const MAX_ENTRIES = 20_000
const MAX_MISSES = 10_000
const TTL_MS = 10_000
const MISS_TTL_MS = 2_000
/** An older load may bring what was true before a change of a second ago. */
const JOIN_MS = 500

/**
 * Answers of a credential's check, by a hash made of the token. What must stay true: an answer is
 * given from memory only while changes are heard, for ten seconds at most and never past its end;
 * a change voids every answer about it, those on their way included.
 *
 *   unknown ──load, nothing changed meanwhile──▶ remembered ──change, 10 s, its end──▶ unknown
 */
export function createMemory<Holder>(deps: MemoryDeps<Holder>) {
  const { load, clock } = deps
  const entries = new Map<string, Entry<Holder>>()
  const keysByTag = new Map<string, Set<string>>()
  const misses = new Map<string, number>()
  const loads = new Map<string, Load<Holder>>()
  const allLoads = new Set<Load<Holder>>()

  function find(
    key: string,
    token: string,
    place: string | null,
  ): Holder | null | Promise<Holder | null> {
    if (deps.isConnected()) {
      const known = recall(key)
      if (known !== undefined) return known
    }
    const joined = loads.get(key)
    if (joined?.changed.size === 0 && performance.now() - joined.sinceMs < JOIN_MS)
      return joined.answer
    return begin(key, token, place).answer
  }

  /** `undefined`: not known. */
  function recall(key: string): Holder | null | undefined {
    const nowMs = clock()
    const entry = entries.get(key)
    if (entry) {
      // An age below zero is a clock that was set back: then nothing is known of the age.
      if (nowMs >= entry.readAtMs && nowMs < entry.untilMs) {
        entries.delete(key)
        entries.set(key, entry)
        return entry.holder
      }
      forget(key)
    }
    const missedAtMs = misses.get(key)
    if (missedAtMs === undefined) return undefined
    if (nowMs >= missedAtMs && nowMs < missedAtMs + MISS_TTL_MS) return null
    misses.delete(key)
    return undefined
  }

  function begin(key: string, token: string, place: string | null): Load<Holder> {
    const wasConnected = deps.isConnected()
    const readAtMs = clock()
    const made: Load<Holder> = {
      answer: load(token, place).then(
        (holder) => {
          end(key, made)
          if (wasConnected && isUntouched(holder, made.changed) && isKept(holder, place))
            keep(key, holder, readAtMs)
          return holder
        },
        (error: unknown) => {
          end(key, made)
          throw error
        },
      ),
      changed: new Set(),
      sinceMs: performance.now(),
    }
    loads.set(key, made)
    allLoads.add(made)
    return made
  }

  function end(key: string, made: Load<Holder>): void {
    allLoads.delete(made)
    if (loads.get(key) === made) loads.delete(key)
  }

  function isUntouched(holder: Holder | null, changed: ReadonlySet<string>): boolean {
    if (changed.size === 0) return true
    if (holder === null || changed.has(EVERYTHING)) return false
    return deps.tagsOf(holder).every((tag) => !changed.has(tag))
  }

  function isKept(holder: Holder | null, place: string | null): boolean {
    return holder === null || deps.isKept(holder, place)
  }

  function keep(key: string, holder: Holder | null, readAtMs: number): void {
    forget(key)
    misses.delete(key)
    if (holder === null) {
      misses.set(key, readAtMs)
      dropOldest(misses, MAX_MISSES, (oldest) => misses.delete(oldest))
      return
    }
    const tags = deps.tagsOf(holder)
    const untilMs = Math.min(readAtMs + TTL_MS, deps.expiresAtMsOf(holder))
    entries.set(key, { holder, tags, readAtMs, untilMs })
    for (const tag of tags) {
      const tagged = keysByTag.get(tag)
      if (tagged) tagged.add(key)
      else keysByTag.set(tag, new Set([key]))
    }
    dropOldest(entries, MAX_ENTRIES, forget)
  }

  function forget(key: string): void {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    for (const tag of entry.tags) {
      const tagged = keysByTag.get(tag)
      tagged?.delete(key)
      if (tagged?.size === 0) keysByTag.delete(tag)
    }
  }

  function drop(tag: string): void {
    for (const key of keysByTag.get(tag) ?? []) forget(key)
    voidLoads(tag)
  }

  function dropAll(): void {
    entries.clear()
    keysByTag.clear()
    voidLoads(EVERYTHING)
  }

  /** A credential that was refused may be good by now, and nothing says whose it was. */
  function voidLoads(tag: string): void {
    misses.clear()
    for (const each of allLoads) each.changed.add(tag)
  }

  return { find, drop, dropAll, size: () => entries.size + misses.size }
}

const EVERYTHING = '*'

function dropOldest(
  map: ReadonlyMap<string, unknown>,
  max: number,
  remove: (key: string) => void,
): void {
  if (map.size <= max) return
  for (const oldest of map.keys()) return remove(oldest)
}
