import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import type { Log } from '../core/log.ts'
import { createReadMetrics } from '../processes/metrics.ts'
import { createOutageWarning, LateError, paced, sleep, type Service } from '../core/service.ts'
import type { SystemSql } from './postgres/postgres.ts'

export type Sweep = {
  readonly name: string
  readonly everyMs: number
  readonly timeLimitMs: number
  readonly run: (signal: AbortSignal) => Promise<void>
}

type Deps = {
  sql: SystemSql
  log: Log
  registry: Registry
}

/** The lease is not extended while a run past its limit goes on. */
type Held = {
  readonly sweep: Sweep
  readonly lost: AbortController
  end: Promise<void>
  isLate: boolean
  hasSucceeded: boolean
  /** Time of the last success; at first, of the start. */
  succeededAtMs: number
}

const LEASE_MS = 15_000
const RENEW_EVERY_MS = 5_000
const RETRY_MS = 60_000
const JITTER = 0.1

/**
 * Runs each sweep in the process that holds its lease. A suspended process may run a sweep for a moment beside its
 * successor, so every sweep locks or leases its rows.
 */
export class Sweeper implements Service {
  readonly name = 'sweeps'
  readonly #deps: Deps
  readonly #sweeps: readonly Sweep[]
  readonly #holder = randomUUID()
  readonly #held = new Map<string, Held>()
  readonly #failures: Map<string, number>

  constructor(deps: Deps, sweeps: readonly Sweep[]) {
    this.#deps = deps
    this.#sweeps = sweeps
    this.#failures = new Map(sweeps.map(({ name }) => [name, 0]))
    this.#register()
  }

  async run(signal: AbortSignal): Promise<void> {
    const warn = createOutageWarning(this.#deps.log)
    while (!signal.aborted) {
      await this.#renew().catch((err: unknown) =>
        warn({ err }, 'leases of sweeps not renewed; trying again'),
      )
      await sleep(paced(RENEW_EVERY_MS), signal)
    }
    const held = [...this.#held.values()]
    for (const { lost } of held) lost.abort()
    await Promise.all(held.map(({ end }) => end))
    // Without PostgreSQL the leases just expire.
    await this.#release().catch(() => {})
  }

  async #renew(): Promise<void> {
    const wanted = this.#sweeps.filter(({ name }) => !this.#held.get(name)?.isLate)
    const rows = await this.#deps.sql<{ name: string }[]>`
      insert into sweep_leases as l (name, holder, lease_until, succeeded_at)
      select name, ${this.#holder}, now() + ${paced(LEASE_MS)} * interval '1 ms',
        now() - age_ms * interval '1 ms'
      from unnest(${wanted.map(({ name }) => name)}::text[],
        ${wanted.map(({ name }) => this.#ageMs(name))}::float[]) as own (name, age_ms) order by name
      on conflict (name) do update set holder = excluded.holder, lease_until = excluded.lease_until,
        succeeded_at = coalesce(excluded.succeeded_at, l.succeeded_at)
        where l.holder = excluded.holder or l.lease_until < now()
      returning name`
    const own = new Set(rows.map(({ name }) => name))
    for (const sweep of wanted)
      if (!own.has(sweep.name)) this.#held.get(sweep.name)?.lost.abort()
      else if (!this.#held.has(sweep.name)) this.#hold(sweep)
  }

  #ageMs(name: string): number | null {
    const held = this.#held.get(name)
    return held?.hasSucceeded ? performance.now() - held.succeededAtMs : null
  }

  async #release(): Promise<void> {
    await this.#deps.sql`delete from sweep_leases where holder = ${this.#holder}`
  }

  #hold(sweep: Sweep): void {
    const held: Held = {
      ...{
        sweep,
        lost: new AbortController(),
        end: Promise.resolve(),
        isLate: false,
        hasSucceeded: false,
      },
      succeededAtMs: performance.now(),
    }
    this.#held.set(sweep.name, held)
    held.end = this.#repeat(held).finally(() => this.#held.delete(sweep.name))
  }

  async #repeat(held: Held): Promise<void> {
    const { sweep, lost } = held
    const { name, everyMs } = sweep
    const warn = createOutageWarning(this.#deps.log)
    while (!lost.signal.aborted) {
      let pauseMs = everyMs
      try {
        await runWithinLimit(held)
        held.succeededAtMs = performance.now()
        held.hasSucceeded = true
      } catch (err) {
        if (lost.signal.aborted) return
        this.#failures.set(name, this.#failures.get(name)! + 1)
        // In an outage all sweeps fail; the renewal of leases logs that.
        if (await this.#isReachable()) warn({ err, sweep: name }, 'a sweep failed; trying again')
        pauseMs = Math.min(everyMs, RETRY_MS)
      }
      await sleep(paced(pauseMs * (1 + JITTER * (2 * Math.random() - 1))), lost.signal)
    }
  }

  #isReachable(): Promise<boolean> {
    return this.#deps.sql`select 1`.then(
      () => true,
      () => false,
    )
  }

  #register(): void {
    const metrics = createReadMetrics(this.#deps.registry)
    metrics.gauge(
      'signpost_sweep_age_seconds',
      'Time since each sweep of this process last succeeded.',
      () =>
        Array.from(this.#held, ([name, { succeededAtMs }]) => [
          name,
          (performance.now() - succeededAtMs) / 1_000,
        ]),
      'sweep',
      'max',
    )
    metrics.counter(
      'signpost_sweep_failures_total',
      'Runs of sweeps that failed or took too long.',
      () => this.#failures,
      'sweep',
    )
  }
}

export type SweepState = { name: string; succeededAt: Date | null; isRunning: boolean }

/** Of all processes. */
export function readSweeps(sql: SystemSql): Promise<SweepState[]> {
  return sql<SweepState[]>`
    select name, succeeded_at, lease_until > now() as is_running from sweep_leases order by name`
}

async function runWithinLimit(held: Held): Promise<void> {
  const { name, timeLimitMs, run } = held.sweep
  const late = new AbortController()
  const timer = setTimeout(() => {
    held.isLate = true
    late.abort(new LateError(`the sweep ${name} took longer than ${timeLimitMs} ms`))
  }, timeLimitMs)
  try {
    await run(AbortSignal.any([held.lost.signal, late.signal]))
    late.signal.throwIfAborted()
  } finally {
    clearTimeout(timer)
    held.isLate = false
  }
}
