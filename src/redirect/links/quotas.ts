import type { Log } from '../../platform/core/log.ts'
import { sleep, withinMs } from '../../platform/core/service.ts'
import type { EdgeLink, EdgeOptions } from '../../decision/link.ts'
import { closePostgres, type SystemSql } from '../../platform/storage/postgres/postgres.ts'

export type QuotasDeps = {
  /** Opens a pool for these statements only. After a lost connection, another pool replaces it. */
  openSql: () => SystemSql
  log: Log
  budgetMs?: number
}

/**
 * `exhausted`: the link has served its `maxClicks`. `changed`: it no longer has that limit, and the link
 * in memory is out of date. `unavailable`: the database did not answer in time.
 */
export type QuotaOutcome = 'granted' | 'exhausted' | 'changed' | 'unavailable'
/** Take `one` redirect, or only check that some are `left`. */
export type QuotaNeed = 'one' | 'left'

type Waiter = {
  readonly options: EdgeOptions
  readonly need: QuotaNeed
  readonly sinceMs: number
  readonly isGone: () => boolean
  answer: ((outcome: QuotaOutcome) => void) | null
}

const BUDGET_MS = 1_000
const MAX_WAITING = 10_000
const MAX_STATEMENTS = 3
const MAX_LINKS_PER_STATEMENT = 500
/** Time between two statements, so that a flood causes at most 100 a second. */
const SPACING_MS = 10
const CHECK_OVERDUE_EVERY_MS = 50
const PROBE_TIMEOUT_MS = 1_000
const RETRY_MS = 250
const CLOSE_TIMEOUT_MS = 1_000
/** PostgreSQL is stopping or starting; the connection is lost. */
const STOPPING = /^57P/

/**
 * Counts the redirects of links with `maxClicks` in PostgreSQL before they are sent.
 *
 *   claim ─▶ waiting ─one statement for all links─▶ granted or exhausted ─▶ journal, answer
 *
 * Invariants: all edges together grant at most `maxClicks`. A statement takes no more redirects than requests
 * wait, so that a crash wastes at most those in flight. A link is in one statement at a time, so that a locked
 * row delays no other link. An exhausted link is remembered until it changes, which loads it again with other
 * options.
 *
 * PostgreSQL may still execute a statement whose reply was lost. So after a lost connection no statement runs
 * until another connection answers, and a long outage wastes no more than a short one.
 */
export class Quotas {
  readonly #deps: QuotasDeps
  readonly #budgetMs: number
  readonly #exhausted = new WeakSet<EdgeOptions>()
  #sql: SystemSql
  readonly #queued = new Map<string, Waiter[]>()
  readonly #waiting = new Set<Waiter>()
  readonly #busyLinks = new Set<string>()
  #running = 0
  #statements = 0
  #unavailable = 0
  #lastStartMs = -Infinity
  #isScheduled = false
  #recovering: Promise<void> | null = null
  #overdueTimer: NodeJS.Timeout | null = null
  readonly #closing = new AbortController()

  constructor(deps: QuotasDeps) {
    this.#deps = deps
    this.#budgetMs = deps.budgetMs ?? BUDGET_MS
    this.#sql = deps.openSql()
  }

  /**
   * Calls back once, within this call if the outcome is known.
   * @param isGone true once the client has disconnected, so that it takes no redirect
   */
  claim(
    link: EdgeLink,
    need: QuotaNeed,
    isGone: () => boolean,
    answer: (outcome: QuotaOutcome) => void,
  ): void {
    const options = link.options!
    if (this.#exhausted.has(options)) return answer('exhausted')
    const isClosed = this.#closing.signal.aborted
    if (this.#recovering !== null || isClosed || this.#waiting.size >= MAX_WAITING) {
      this.#unavailable++
      return answer('unavailable')
    }
    const waiter: Waiter = { options, need, isGone, answer, sinceMs: performance.now() }
    this.#waiting.add(waiter)
    const others = this.#queued.get(link.id)
    this.#overdueTimer ??= setInterval(() => this.#answerOverdue(), CHECK_OVERDUE_EVERY_MS)
    if (others !== undefined) {
      others.push(waiter)
      return
    }
    this.#queued.set(link.id, [waiter])
    if (!this.#busyLinks.has(link.id)) this.#schedule()
  }

  stats() {
    return {
      statements: this.#statements,
      waiting: this.#waiting.size,
      unavailable: this.#unavailable,
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#answerAll([...this.#waiting], 'unavailable')
    if (this.#overdueTimer !== null) clearInterval(this.#overdueTimer)
    await this.#recovering
    await closePostgres(this.#sql, CLOSE_TIMEOUT_MS)
  }

  /** Runs at the end of a turn of the event loop, so that its requests share a statement. */
  #schedule(): void {
    if (this.#isScheduled || this.#running >= MAX_STATEMENTS) return
    if (this.#nextLinks().length === 0) return
    this.#isScheduled = true
    const waitMs = this.#lastStartMs + SPACING_MS - performance.now()
    const start = () => {
      this.#isScheduled = false
      void this.#run()
    }
    if (waitMs <= 0) setImmediate(start)
    else setTimeout(start, waitMs)
  }

  #nextLinks(): string[] {
    const links: string[] = []
    for (const linkId of this.#queued.keys()) {
      if (links.length === MAX_LINKS_PER_STATEMENT) break
      if (!this.#busyLinks.has(linkId)) links.push(linkId)
    }
    return links
  }

  /** The waiters of one statement by link, without those that have been answered or have left. */
  #nextBatch(): Map<string, Waiter[]> {
    const batch = new Map<string, Waiter[]>()
    for (const linkId of this.#nextLinks()) {
      const present: Waiter[] = []
      for (const waiter of this.#queued.get(linkId)!) {
        if (waiter.answer !== null && waiter.isGone()) this.#answerAll([waiter], 'unavailable')
        else if (waiter.answer !== null) present.push(waiter)
      }
      this.#queued.delete(linkId)
      if (present.length > 0) batch.set(linkId, present)
    }
    return batch
  }

  async #run(): Promise<void> {
    const batch = this.#nextBatch()
    if (batch.size === 0) return this.#schedule()
    this.#lastStartMs = performance.now()
    this.#statements++
    this.#running++
    for (const linkId of batch.keys()) this.#busyLinks.add(linkId)
    const wanted = new Map<string, number>()
    for (const [linkId, waiters] of batch)
      wanted.set(linkId, waiters.filter(({ need }) => need === 'one').length)
    this.#schedule()
    try {
      const taken = await withinMs(takeClicks(this.#sql, wanted), this.#budgetMs)
      for (const [linkId, waiters] of batch) this.#settle(waiters, taken.get(linkId))
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'clicks of links with maxClicks could not be counted')
      for (const waiters of batch.values()) this.#answerAll(waiters, 'unavailable')
      if (isConnectionLost(error)) this.#recover()
    }
    for (const linkId of batch.keys()) this.#busyLinks.delete(linkId)
    this.#running--
    this.#schedule()
  }

  #settle(waiters: readonly Waiter[], taken: Taken | undefined): void {
    if (taken === undefined) return this.#answerAll(waiters, 'changed')
    let { granted } = taken
    for (const waiter of waiters) {
      const isGranted = waiter.need === 'one' ? granted-- > 0 : taken.isLeft
      if (!taken.isLeft) this.#exhausted.add(waiter.options)
      this.#answerAll([waiter], isGranted ? 'granted' : 'exhausted')
    }
  }

  #answerAll(waiters: readonly Waiter[], outcome: QuotaOutcome): void {
    for (const waiter of waiters) {
      const { answer } = waiter
      if (answer === null) continue
      waiter.answer = null
      this.#waiting.delete(waiter)
      if (outcome === 'unavailable') this.#unavailable++
      answer(outcome)
    }
  }

  #answerOverdue(): void {
    const now = performance.now()
    for (const waiter of this.#waiting) {
      if (now - waiter.sinceMs < this.#budgetMs) break
      this.#answerAll([waiter], 'unavailable')
    }
    if (this.#waiting.size > 0 || this.#overdueTimer === null) return
    clearInterval(this.#overdueTimer)
    this.#overdueTimer = null
  }

  /** Refuses all requests at once until a connection answers. */
  #recover(): void {
    if (this.#recovering !== null) return
    this.#recovering = this.#reconnect().finally(() => (this.#recovering = null))
    this.#queued.clear()
    this.#answerAll([...this.#waiting], 'unavailable')
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await closePostgres(this.#sql, CLOSE_TIMEOUT_MS)
      this.#sql = this.#deps.openSql()
      try {
        await withinMs(this.#sql`select 1`.execute(), PROBE_TIMEOUT_MS)
        return
      } catch {
        await sleep(RETRY_MS, signal)
      }
    }
  }
}

/** False for an error that a reachable PostgreSQL reported, such as a lock timeout. */
function isConnectionLost(error: unknown): boolean {
  const { severity, code } = error as { severity?: string; code?: string }
  return severity === undefined || STOPPING.test(code ?? '')
}

type Taken = { granted: number; isLeft: boolean }

/**
 * Takes redirects of several links in one statement, fewer than wanted if fewer are left. A link missing from
 * the result no longer has `maxClicks`.
 *
 * Two statements with the same link wait for each other's commit. Both lock rows in the same order, so that
 * they cannot deadlock. A row without redirects left is not written.
 * @param wanted redirects by link id; 0 only checks whether some are left
 */
async function takeClicks(
  sql: SystemSql,
  wanted: ReadonlyMap<string, number>,
): Promise<Map<string, Taken>> {
  const rows = await sql<(Taken & { linkId: string })[]>`
    with wanted as (
      select * from unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::int[])
        as wanted (link_id, clicks)
    ), locked as (
      select q.link_id, q.served, q.max_clicks, wanted.clicks
      from link_quotas q join wanted on wanted.link_id = q.link_id
      order by q.link_id for no key update of q
    ), taken as (
      update link_quotas q set served = least(locked.max_clicks, locked.served + locked.clicks)
      from locked
      where q.link_id = locked.link_id and locked.clicks > 0 and locked.served < locked.max_clicks
      returning q.link_id, q.served
    )
    select locked.link_id, coalesce(taken.served - locked.served, 0) as granted,
      coalesce(taken.served, locked.served) < locked.max_clicks as is_left
    from locked left join taken on taken.link_id = locked.link_id`
  return new Map(rows.map((row) => [row.linkId, row]))
}
