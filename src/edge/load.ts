import type { Log } from '../base/log.ts'
import { withinMs } from '../base/service.ts'
import type { EdgeLink } from './link.ts'

/** `undefined`: the database did not answer in time. */
type Loaded = EdgeLink | null | undefined
type Waiting = (loaded: Loaded) => void

type Load = {
  readonly key: string
  readonly sinceMs: number
  waiting: Waiting[]
  /** Changed since it was asked for: what comes back is passed on but not kept. */
  isStale: boolean
  isOverdue: boolean
}

export type LoaderDeps = {
  /** Reads many links in one query; keys that are absent from the map do not exist. */
  fetch: (keys: string[]) => Promise<Map<string, EdgeLink>>
  /** What may be kept. */
  onLoaded: (key: string, link: EdgeLink | null) => void
  log: Log
  /** How long a request waits for the database. */
  budgetMs: number
}

const MAX_QUEUED = 10_000
const MAX_KEYS_PER_QUERY = 500
const MAX_QUERIES = 2
/** Queries begin at least this far apart: a storm of unknown slugs is 200 queries a second. */
const SPACING_MS = 5
/** A query that takes longer is given up, so that it does not hold its place for ever. */
const ABANDON_MS = 5_000
const WATCH_EVERY_MS = 25
const COMPLAIN_EVERY_MS = 10_000

/**
 * Reads links, each key at most once at a time and many keys in one query. What is asked for
 * while queries are under way waits for the next one.
 */
export function createLoader({ fetch, onLoaded, log, budgetMs }: LoaderDeps) {
  /** Loads that may be joined. */
  const pending = new Map<string, Load>()
  /** Every load somebody waits for, oldest first. */
  const watched = new Set<Load>()
  let queue: Load[] = []
  let running = 0
  let queries = 0
  let lastStartMs = -Infinity
  let complainedAtMs = -Infinity
  let pumpTimer: NodeJS.Timeout | null = null
  let watchTimer: NodeJS.Timeout | null = null

  /** `waiting` is called once, never within this call unless the database is known to be stuck. */
  function ask(key: string, waiting: Waiting): void {
    const joined = pending.get(key)
    if (joined?.isOverdue || (!joined && queue.length >= MAX_QUEUED)) {
      waiting(undefined)
      return
    }
    if (joined) {
      joined.waiting.push(waiting)
      return
    }
    const made: Load = {
      key,
      sinceMs: performance.now(),
      waiting: [waiting],
      isStale: false,
      isOverdue: false,
    }
    pending.set(key, made)
    watched.add(made)
    queue.push(made)
    watchTimer ??= setInterval(watch, WATCH_EVERY_MS)
    pump()
  }

  function isLoading(key: string): boolean {
    return pending.has(key)
  }

  /** The key has changed: loads under way must not be kept, nor joined by later requests. */
  function invalidate(key: string): void {
    const load = pending.get(key)
    if (load === undefined) return
    load.isStale = true
    pending.delete(key)
  }

  function invalidateAll(): void {
    for (const load of pending.values()) load.isStale = true
    pending.clear()
  }

  function pump(): void {
    if (queue.length === 0 || running >= MAX_QUERIES || pumpTimer !== null) return
    const waitMs = lastStartMs + SPACING_MS - performance.now()
    if (waitMs <= 0) void run()
    else
      pumpTimer = setTimeout(() => {
        pumpTimer = null
        pump()
      }, waitMs)
  }

  async function run(): Promise<void> {
    const loads = queue.slice(0, MAX_KEYS_PER_QUERY)
    queue = queue.slice(MAX_KEYS_PER_QUERY)
    lastStartMs = performance.now()
    running++
    queries++
    try {
      const keys = new Set(loads.map((load) => load.key))
      const found = await withinMs(fetch([...keys]), ABANDON_MS)
      for (const load of loads) finish(load, found.get(load.key) ?? null)
    } catch (error) {
      complain(error)
      for (const load of loads) finish(load, undefined)
    }
    running--
    pump()
  }

  /** During an outage every query fails: one line in ten seconds says as much as all of them. */
  function complain(error: unknown): void {
    if (performance.now() - complainedAtMs < COMPLAIN_EVERY_MS) return
    complainedAtMs = performance.now()
    log.warn({ err: error }, 'links cannot be read')
  }

  function finish(load: Load, loaded: Loaded): void {
    if (!load.isStale) pending.delete(load.key)
    if (!load.isStale && loaded !== undefined) onLoaded(load.key, loaded)
    answer(load, loaded)
  }

  function answer(load: Load, loaded: Loaded): void {
    watched.delete(load)
    const waiting = load.waiting
    load.waiting = []
    for (const tell of waiting) tell(loaded)
  }

  /** Answers those whose budget is spent; their load goes on and may still be kept. */
  function watch(): void {
    const now = performance.now()
    for (const load of watched) {
      if (now - load.sinceMs < budgetMs) break
      load.isOverdue = true
      answer(load, undefined)
    }
    if (watched.size > 0 || watchTimer === null) return
    clearInterval(watchTimer)
    watchTimer = null
  }

  return { load: ask, isLoading, invalidate, invalidateAll, queries: () => queries }
}
