import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import { createOutageWarning, withinMs } from '../core/service.ts'

/** `undefined`: the database did not answer in time. */
type Loaded<Value> = Value | null | undefined
type Callback<Value> = (loaded: Loaded<Value>) => void

type Load<Value> = {
  readonly key: string
  readonly sinceMs: number
  callbacks: Callback<Value>[]
  isStale: boolean
  isOverdue: boolean
}

type LoaderDeps<Value> = {
  fetch: (keys: string[]) => Promise<Map<string, Value>>
  onLoaded: (key: string, value: Value | null) => void
  log: Log
  what: string
  budgetMs: number
}

const MAX_QUEUED = 10_000
const MAX_KEYS_PER_QUERY = 500
const MAX_QUERIES = 2
/** A flood of unknown slugs causes at most 200 queries a second. */
const SPACING_MS = 5
const QUERY_TIMEOUT_MS = 5_000
const MAX_TURN_MS = 1
const CHECK_OVERDUE_EVERY_MS = 25

/** Reads each key at most once at a time, and many keys in one query. */
export class Loader<Value> {
  readonly #deps: LoaderDeps<Value>
  readonly #warn: ReturnType<typeof createOutageWarning>
  readonly #pending = new Map<string, Load<Value>>()
  readonly #awaited = new Set<Load<Value>>()
  #queue: Load<Value>[] = []
  #running = 0
  #queries = 0
  #lastStartMs = -Infinity
  #startTimer: NodeJS.Timeout | null = null
  #overdueTimer: NodeJS.Timeout | null = null

  constructor(deps: LoaderDeps<Value>) {
    this.#deps = deps
    this.#warn = createOutageWarning(deps.log)
  }

  /** Synchronous only if the database is known to be slow. */
  load(key: string, callback: Callback<Value>): void {
    const joined = this.#pending.get(key)
    if (joined?.isOverdue || (!joined && this.#queue.length >= MAX_QUEUED))
      return callback(undefined)
    if (joined) {
      joined.callbacks.push(callback)
      return
    }
    const sinceMs = performance.now()
    const load = { key, sinceMs, callbacks: [callback], isStale: false, isOverdue: false }
    this.#pending.set(key, load)
    this.#awaited.add(load)
    this.#queue.push(load)
    this.#overdueTimer ??= setInterval(() => this.#answerOverdue(), CHECK_OVERDUE_EVERY_MS)
    this.#startDue()
  }

  isLoading(key: string): boolean {
    return this.#pending.has(key)
  }

  /** A running load must not be cached, nor joined by later requests. */
  invalidate(key: string): void {
    const load = this.#pending.get(key)
    if (load === undefined) return
    load.isStale = true
    this.#pending.delete(key)
  }

  invalidateAll(): void {
    for (const load of this.#pending.values()) load.isStale = true
    this.#pending.clear()
  }

  queries(): number {
    return this.#queries
  }

  #startDue(): void {
    if (this.#queue.length === 0 || this.#running >= MAX_QUERIES || this.#startTimer !== null)
      return
    const waitMs = this.#lastStartMs + SPACING_MS - performance.now()
    if (waitMs <= 0) void this.#runQuery()
    else
      this.#startTimer = setTimeout(() => {
        this.#startTimer = null
        this.#startDue()
      }, waitMs)
  }

  async #runQuery(): Promise<void> {
    const loads = this.#queue.slice(0, MAX_KEYS_PER_QUERY)
    this.#queue = this.#queue.slice(MAX_KEYS_PER_QUERY)
    this.#lastStartMs = performance.now()
    this.#running++
    this.#queries++
    try {
      const keys = new Set(loads.map((load) => load.key))
      const found = await withinMs(this.#deps.fetch([...keys]), QUERY_TIMEOUT_MS)
      await this.#finishAll(loads, (load) => found.get(load.key) ?? null)
    } catch (error) {
      this.#warn({ err: error }, `${this.#deps.what} could not be read from PostgreSQL`)
      await this.#finishAll(loads, () => undefined)
    }
    this.#running--
    this.#startDue()
  }

  /** Lets other requests run in between: each callback may render a page. */
  async #finishAll(
    loads: readonly Load<Value>[],
    toLoaded: (load: Load<Value>) => Loaded<Value>,
  ): Promise<void> {
    let turnEndsMs = performance.now() + MAX_TURN_MS
    for (const load of loads) {
      if (performance.now() >= turnEndsMs) {
        await nextTurn()
        turnEndsMs = performance.now() + MAX_TURN_MS
      }
      this.#finish(load, toLoaded(load))
    }
  }

  #finish(load: Load<Value>, loaded: Loaded<Value>): void {
    if (!load.isStale) this.#pending.delete(load.key)
    if (!load.isStale && loaded !== undefined) this.#deps.onLoaded(load.key, loaded)
    this.#answer(load, loaded)
  }

  #answer(load: Load<Value>, loaded: Loaded<Value>): void {
    this.#awaited.delete(load)
    const { callbacks } = load
    load.callbacks = []
    for (const callback of callbacks) callback(loaded)
  }

  #answerOverdue(): void {
    const now = performance.now()
    for (const load of this.#awaited) {
      if (now - load.sinceMs < this.#deps.budgetMs) break
      load.isOverdue = true
      this.#answer(load, undefined)
    }
    if (this.#awaited.size > 0 || this.#overdueTimer === null) return
    clearInterval(this.#overdueTimer)
    this.#overdueTimer = null
  }
}
