import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import { sleep, withinMs, type Service } from '../../base/service.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { limitReached, monthOf } from '../limits.ts'
import type { Plans } from '../plans.ts'
import { addBatch, readUsed, type Batch } from './usage-batches.ts'

type Deps = {
  /** Sees every workspace: one statement adds the counts of all of them. */
  systemSql: SystemSql
  clock: Clock
  plans: Plans
  log: Log
}

/** What a call has left, for its answer's headers. `limit` null: there is none. */
export type Quota = { limit: number | null; used: number }

export type Usage = {
  /** Counts without asking: retries of webhooks count, and are never refused. */
  count(workspaceId: string, n?: number): void
  /**
   * Counts one API call. No statement, but for the first call of a workspace in a month whose plan
   * has a limit.
   * @throws ApiError PLAN_LIMIT_REACHED with `details: {limit, max, used}`; that call is not counted
   */
  take(workspaceId: string, planId: string): Promise<Quota>
  /** Adds what is counted to the database. Never rejects: what could not be added waits. */
  flush(): Promise<void>
  /** Flushes every second, and at its end. */
  readonly service: Service
  stats(): { workspaces: number; waiting: number }
}

/** The calls of one workspace in one month, as this process knows them. */
type Entry = {
  readonly workspaceId: string
  readonly month: string
  /** What the database had when it was last heard, this process's part included. */
  stored: number
  /** In a batch that is on its way. */
  sent: number
  pending: number
  isKnown: boolean
  loading: Promise<void> | null
  idleFlushes: number
}

const FLUSH_EVERY_MS = 1_000
const LOAD_TIMEOUT_MS = 1_000
const LAST_FLUSHES = 5
const RETRY_MS = 200
/** Idle entries are looked for once in so many flushes, and forgotten at the second time. */
const SWEEP_EVERY_FLUSHES = 300

/**
 * API calls of each month, counted in memory and added to `usage_counters` once a second.
 *
 *   count, take ──▶ pending ──flush──▶ sent ──the statement is committed──▶ stored
 *                                       └──no answer: the same batch again, added once
 *
 * What must stay true: in one process the limit is exact, however many ask at once. Several
 * processes hear of each other with each flush, so that together they let through at most what
 * they take within a second above it. A process that is killed loses what it counted since its last
 * flush. A call belongs to the UTC month in which it was counted.
 */
export function createUsage({ systemSql, clock, plans, log }: Deps): Usage {
  const processId = newId('prc', clock())
  const entries = new Map<string, Entry>()
  const dirty = new Set<Entry>()
  let batch: Batch<Entry> | null = null
  let sequence = 0
  let flushes = 0
  let flushing: Promise<void> | null = null
  const currentMonth = createCalendar(clock)

  function entryOf(workspaceId: string): Entry {
    const month = currentMonth()
    const key = `${month} ${workspaceId}`
    let entry = entries.get(key)
    if (!entry) {
      entry = {
        workspaceId,
        month,
        stored: 0,
        sent: 0,
        pending: 0,
        isKnown: false,
        loading: null,
        idleFlushes: 0,
      }
      entries.set(key, entry)
    }
    return entry
  }

  function add(entry: Entry, n: number): void {
    entry.pending += n
    entry.idleFlushes = 0
    dirty.add(entry)
  }

  async function take(workspaceId: string, planId: string): Promise<Quota> {
    const plan = plans.named(planId)
    const limit = plan.limits.api_requests_monthly
    let entry = entryOf(workspaceId)
    if (limit !== null && !entry.isKnown) {
      await load(entry)
      // The month may have ended meanwhile, or the entry been forgotten.
      entry = entryOf(workspaceId)
    }
    const used = entry.stored + entry.sent + entry.pending
    if (limit !== null && used >= limit)
      throw limitReached(plans, plan, 'api_requests_monthly', used)
    add(entry, 1)
    return { limit, used: used + 1 }
  }

  /**
   * What was used before this process began to count. A database that does not answer refuses
   * nobody: until it does, this process's own count decides.
   */
  function load(entry: Entry): Promise<void> {
    entry.loading ??= withinMs(loadWhenQuiet(entry), LOAD_TIMEOUT_MS)
      .catch((error: unknown) => {
        log.warn({ err: error, workspaceId: entry.workspaceId }, 'usage cannot be read')
      })
      .finally(() => (entry.loading = null))
    return entry.loading
  }

  /** While a batch is on its way nobody can say whether the number read includes it. */
  async function loadWhenQuiet(entry: Entry): Promise<void> {
    while (entry.sent > 0 && flushing) await flushing
    if (entry.isKnown) return
    const stored = await readUsed(systemSql, entry)
    if (entry.isKnown) return
    entry.stored = stored
    entry.isKnown = true
  }

  /** One at a time; who asks while one runs gets the next one, which includes what he counted. */
  async function flush(): Promise<void> {
    while (flushing) await flushing
    flushing = sendAll()
      .catch((error: unknown) => log.warn({ err: error }, 'usage is not stored yet'))
      .finally(() => (flushing = null))
    await flushing
  }

  async function sendAll(): Promise<void> {
    if (batch) await send(batch)
    batch = nextBatch()
    if (batch) await send(batch)
    if (++flushes % SWEEP_EVERY_FLUSHES === 0) forgetIdle()
  }

  async function send(sent: Batch<Entry>): Promise<void> {
    const stored = await addBatch(systemSql, sent, new Date(clock()))
    for (const { entry, n } of sent.rows) {
      // Added by an earlier attempt, or the workspace is gone: the sum is heard next time.
      const used = stored.get(`${entry.month} ${entry.workspaceId}`)
      entry.stored = used ?? entry.stored + n
      entry.isKnown ||= used !== undefined
      entry.sent = 0
    }
    batch = null
  }

  /** An entry that is being read stays out, so that the number read is before its batch. */
  function nextBatch(): Batch<Entry> | null {
    const rows = []
    for (const entry of dirty) {
      if (entry.loading) continue
      dirty.delete(entry)
      rows.push({ entry, n: entry.pending })
      entry.sent = entry.pending
      entry.pending = 0
    }
    return rows.length === 0 ? null : { processId, sequence: ++sequence, rows }
  }

  function forgetIdle(): void {
    for (const [key, entry] of entries) {
      const isBusy = entry.pending > 0 || entry.sent > 0 || entry.loading !== null
      if (isBusy) continue
      if (entry.idleFlushes > 0) entries.delete(key)
      entry.idleFlushes += 1
    }
  }

  const service: Service = {
    name: 'usage',
    run: async (signal) => {
      while (!signal.aborted) {
        await sleep(FLUSH_EVERY_MS, signal)
        await flush()
      }
      for (let i = 0; i < LAST_FLUSHES && (batch || dirty.size > 0); i++) {
        if (i > 0) await sleep(RETRY_MS)
        await flush()
      }
      if (batch || dirty.size > 0) log.error(stats(), 'API calls were counted and not stored')
    },
  }

  function stats() {
    const waiting = entries.values().reduce((sum, { pending, sent }) => sum + pending + sent, 0)
    return { workspaces: entries.size, waiting }
  }

  return {
    count: (workspaceId, n = 1) => add(entryOf(workspaceId), n),
    take,
    flush,
    service,
    stats,
  }
}

/** The current month, computed once per day: a call costs two comparisons. */
function createCalendar(clock: Clock): () => string {
  const dayMs = 86_400_000
  let [month, fromMs] = ['', Infinity]
  return () => {
    const nowMs = clock()
    if (nowMs >= fromMs && nowMs < fromMs + dayMs) return month
    fromMs = Math.floor(nowMs / dayMs) * dayMs
    month = monthOf(nowMs)
    return month
  }
}
