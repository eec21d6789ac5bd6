import { newId } from '../../platform/core/ids.ts'
import {
  createOutageWarning,
  repeat,
  sleep,
  withinMs,
  type Service,
} from '../../platform/core/service.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { limitReached, monthOf } from '../../platform/plans/limits.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'plans' | 'log'>

export type Quota = { limit: number | null; used: number }

type Entry = {
  readonly workspaceId: string
  readonly month: string
  /** The sum in the database at the last flush, including this process. */
  stored: number
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
const SWEEP_EVERY_FLUSHES = 300

/**
 * Adds the API calls of each month to `usage_counters` once a second. Within a process the limit is exact;
 * processes read each other's counts with every flush, so together they exceed it at most by the calls of a
 * second. A killed process loses the calls since its last flush.
 */
export class Usage {
  readonly #deps: Deps
  readonly #processId: string
  readonly #warn: ReturnType<typeof createOutageWarning>
  readonly #entries = new Map<string, Entry>()
  readonly #dirty = new Set<Entry>()
  #batch: Batch<Entry> | null = null
  #sequence = 0
  #flushes = 0
  #flushing: Promise<void> | null = null

  constructor(deps: Deps) {
    this.#deps = deps
    this.#processId = newId('prc', deps.clock())
    this.#warn = createOutageWarning(deps.log)
  }

  readonly service: Service = { name: 'usage', run: (signal) => this.#run(signal) }

  /** Counts without a limit, for retries of webhooks, which are never refused. */
  count(workspaceId: string, n = 1): void {
    this.#add(this.#getEntry(workspaceId), n)
  }

  /** @throws ApiError PLAN_LIMIT_REACHED; that call is not counted */
  async take(workspaceId: string, planId: string): Promise<Quota> {
    const { plans } = this.#deps
    const plan = plans.named(planId)
    const limit = plan.limits.api_requests_monthly
    let entry = this.#getEntry(workspaceId)
    if (limit !== null && !entry.isKnown) {
      await this.#load(entry)
      // Meanwhile the month may have ended, or the entry may have been removed.
      entry = this.#getEntry(workspaceId)
    }
    const used = entry.stored + entry.sent + entry.pending
    if (limit !== null && used >= limit)
      throw limitReached(plans, plan, 'api_requests_monthly', used)
    this.#add(entry, 1)
    return { limit, used: used + 1 }
  }

  /** Adds the counts to the database. Never rejects: what could not be added stays pending. */
  async flush(): Promise<void> {
    // A call during a flush waits for the next one, which includes the counts of its caller.
    while (this.#flushing) await this.#flushing
    this.#flushing = this.#sendAll()
      .catch((error: unknown) =>
        this.#warn({ err: error }, 'counted API calls not stored; trying again'),
      )
      .finally(() => (this.#flushing = null))
    await this.#flushing
  }

  stats(): { workspaces: number; waiting: number } {
    const entries = this.#entries.values()
    const waiting = entries.reduce((sum, { pending, sent }) => sum + pending + sent, 0)
    return { workspaces: this.#entries.size, waiting }
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { log } = this.#deps
    await repeat(
      signal,
      FLUSH_EVERY_MS,
      () => this.flush(),
      log,
      'counted API calls not stored; trying again',
    )
    const hasRest = () => this.#batch !== null || this.#dirty.size > 0
    for (let i = 0; i < LAST_FLUSHES && hasRest(); i++) {
      if (i > 0) await sleep(RETRY_MS)
      await this.flush()
    }
    if (hasRest()) log.error(this.stats(), 'counted API calls were not stored')
  }

  #getEntry(workspaceId: string): Entry {
    const month = monthOf(this.#deps.clock())
    const key = `${month} ${workspaceId}`
    let entry = this.#entries.get(key)
    if (!entry) {
      const counts = { stored: 0, sent: 0, pending: 0, idleFlushes: 0 }
      entry = { workspaceId, month, ...counts, isKnown: false, loading: null }
      this.#entries.set(key, entry)
    }
    return entry
  }

  #add(entry: Entry, n: number): void {
    entry.pending += n
    entry.idleFlushes = 0
    this.#dirty.add(entry)
  }

  /** Without an answer of the database only the calls of this process count, so none is refused too early. */
  #load(entry: Entry): Promise<void> {
    entry.loading ??= withinMs(this.#loadBetweenBatches(entry), LOAD_TIMEOUT_MS)
      .catch((error: unknown) => {
        this.#deps.log.warn(
          { err: error, workspaceId: entry.workspaceId },
          'counted API calls of a workspace not read; until they are, only the calls of this process count towards its limit',
        )
      })
      .finally(() => (entry.loading = null))
    return entry.loading
  }

  /** During a flush, the sum in the database may or may not include the batch. */
  async #loadBetweenBatches(entry: Entry): Promise<void> {
    while (entry.sent > 0 && this.#flushing) await this.#flushing
    if (entry.isKnown) return
    const stored = await readUsed(this.#deps.systemSql, entry)
    if (entry.isKnown) return
    entry.stored = stored
    entry.isKnown = true
  }

  async #sendAll(): Promise<void> {
    if (this.#batch) await this.#send(this.#batch)
    this.#batch = this.#nextBatch()
    if (this.#batch) await this.#send(this.#batch)
    if (++this.#flushes % SWEEP_EVERY_FLUSHES === 0) this.#removeIdle()
  }

  async #send(batch: Batch<Entry>): Promise<void> {
    const { systemSql, clock } = this.#deps
    const stored = await addBatch(systemSql, batch, new Date(clock()))
    for (const { entry, n } of batch.rows) {
      // Undefined after an earlier attempt added it, and for a deleted workspace.
      const used = stored.get(`${entry.month} ${entry.workspaceId}`)
      entry.stored = used ?? entry.stored + n
      entry.isKnown ||= used !== undefined
      entry.sent = 0
    }
    this.#batch = null
  }

  /** Leaves out entries that are being loaded, so that the loaded sum excludes their batch. */
  #nextBatch(): Batch<Entry> | null {
    const rows = []
    for (const entry of this.#dirty) {
      if (entry.loading) continue
      this.#dirty.delete(entry)
      rows.push({ entry, n: entry.pending })
      entry.sent = entry.pending
      entry.pending = 0
    }
    if (rows.length === 0) return null
    return { processId: this.#processId, sequence: ++this.#sequence, rows }
  }

  #removeIdle(): void {
    for (const [key, entry] of this.#entries) {
      const isBusy = entry.pending > 0 || entry.sent > 0 || entry.loading !== null
      if (isBusy) continue
      if (entry.idleFlushes > 0) this.#entries.delete(key)
      entry.idleFlushes += 1
    }
  }
}

/** Counts that a process adds at once. A batch is sent unchanged until its result is known. */
type Batch<Counted> = {
  processId: string
  sequence: number
  rows: readonly { entry: Counted; n: number }[]
}

type WorkspaceMonth = { workspaceId: string; month: string }

const NAME = 'api_requests_monthly'
const PROCESS_IS_GONE_MS = 30 * 86_400_000

/** In one statement, unless an earlier attempt has done so. @returns the new sums by `<month> <workspace id>` */
export async function addBatch(
  systemSql: SystemSql,
  { processId, sequence, rows }: Batch<WorkspaceMonth>,
  now: Date,
): Promise<Map<string, number>> {
  // The key share locks leave out deleted workspaces and hold off further deletions. Their order
  // prevents deadlocks between processes.
  const stored = await systemSql<{ workspaceId: string; period: string; used: number }[]>`
    with fresh as (
      insert into usage_batches as b (process_id, sequence, added_at)
      values (${processId}, ${sequence}, ${now})
      on conflict (process_id) do update
        set sequence = excluded.sequence, added_at = excluded.added_at
        where b.sequence < excluded.sequence
      returning 1
    ), gone as (
      delete from usage_batches
      where added_at < ${new Date(now.getTime() - PROCESS_IS_GONE_MS)} and process_id <> ${processId}
    ), counted as (
      select w.id, c.period, c.n
      from unnest(
        ${rows.map(({ entry }) => entry.workspaceId)}::text[],
        ${rows.map(({ entry }) => entry.month)}::text[],
        ${rows.map(({ n }) => n)}::bigint[]
      ) as c (id, period, n)
      join workspaces w on w.id = c.id
      where exists (select from fresh)
      order by w.id, c.period
      for key share of w
    )
    insert into usage_counters as counter (workspace_id, name, period, used)
    select id, ${NAME}, period, n from counted
    on conflict (workspace_id, name, period, shard) do update set used = counter.used + excluded.used
    returning workspace_id, period, used`
  return new Map(stored.map((row) => [`${row.period} ${row.workspaceId}`, row.used]))
}

async function readUsed(systemSql: SystemSql, { workspaceId, month }: WorkspaceMonth) {
  const [counter] = await systemSql<{ used: number }[]>`
    select used from usage_counters
    where workspace_id = ${workspaceId} and name = ${NAME} and period = ${month}`
  return counter?.used ?? 0
}
