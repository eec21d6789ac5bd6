import type { Log } from '../../platform/core/log.ts'
import { createOutageWarning, sleep, type Service } from '../../platform/core/service.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { Claims } from './claims.ts'
import { Flusher } from './flusher.ts'
import type { HostRate } from './host-rate.ts'
import { Lanes } from './lanes.ts'
import { Leases } from './leases.ts'
import { registerGauges } from './meters.ts'
import { Sending, type SendingDeps } from './sending.ts'
import { WakeSignal } from '../../platform/core/wake-signal.ts'

const HEARTBEAT_EVERY_MS = 3_000
const SWEEP_EVERY_MS = 1_000
const FORGET_EVERY_SWEEPS = 600
/** A shutdown waits this long for requests on the wire, */
const LAST_ATTEMPTS_MS = 12_000
/** and then this long for their outcomes to be written. */
const LAST_FLUSH_MS = 5_000

export type EngineDeps = SendingDeps & {
  sql: SystemSql
  /** Limits the deliveries per second to one host. */
  hostRate: HostRate
}

/**
 * Delivers what is queued. A worker leases lanes, one per endpoint, claims the deliveries due in them,
 * sends them, and writes the outcomes in batches:
 *
 *   Leases: acquire lanes ─▶ Claims ─▶ Sending ─▶ Flusher: log, or queue again
 *              ▲               │ every 5 to 10 ms while there is work, else once a second;
 *              │               │ lanes with a backlog apart, and less often where others would wait
 *              └──── sweep ────┴── lanes idle for two seconds are released
 *
 * A process that dies, or hangs for longer than its lease, loses its lanes to others; the deliveries
 * that it claimed are sent again. An outcome written late carries an old epoch and changes nothing.
 */
export class Engine implements Service {
  readonly name = 'deliveries'
  readonly #log: Log
  readonly #lanes: Lanes
  readonly #leases: Leases
  readonly #claims: Claims
  readonly #sending: Sending
  readonly #flusher: Flusher
  readonly #wakeSignal = new WakeSignal()
  #sweeps = 0
  #sweptUpTo = ''

  constructor(deps: EngineDeps) {
    const { sql, clock, log, registry } = deps
    const lanes = new Lanes(deps.hostRate)
    const leases = new Leases({ sql, clock, log, lanes })
    const flusher = new Flusher({ getQueue: () => leases.current.queue, log, registry })
    const wakeSignal = this.#wakeSignal
    const sending = new Sending(deps, lanes, flusher, wakeSignal)
    this.#log = log
    this.#lanes = lanes
    this.#leases = leases
    this.#flusher = flusher
    this.#sending = sending
    this.#claims = new Claims({ leases, lanes, sending, flusher, wakeSignal, log })
    registerGauges(registry, lanes, flusher)
  }

  /**
   * Something became due; without this call the engine finds it within a second.
   * @param endpointIds the endpoints, separated by commas; empty for any
   */
  wake(endpointIds = ''): void {
    const named = endpointIds === '' ? undefined : endpointIds.split(',')
    if (!this.#lanes.wake(performance.now(), named)) this.#leases.lookForLanes()
    this.#wakeSignal.wake()
  }

  async run(signal: AbortSignal): Promise<void> {
    // Requests that are on the wire at shutdown need the lease until they have ended.
    const closed = new AbortController()
    signal.addEventListener('abort', () => this.#wakeSignal.wake(), { once: true })
    const beating = this.#repeat(closed.signal, HEARTBEAT_EVERY_MS, () => this.#leases.renew())
    const sweeping = this.#repeat(signal, SWEEP_EVERY_MS, () => this.#sweep())
    await this.#claims.run(signal)
    await sweeping
    await this.#close()
    closed.abort()
    await beating
    await this.#leases.current.queue.retire().catch(() => {})
  }

  async #sweep(): Promise<void> {
    const { queue } = this.#leases.current
    if (this.#sweeps++ % FORGET_EVERY_SWEEPS === 0) await queue.forgetWorkers()
    this.#sweptUpTo = await queue.sweep(this.#sweptUpTo)
    // Lanes that became ready by the passage of time are looked for now.
    this.#leases.lookForLanes()
    this.#wakeSignal.wake()
  }

  /** Releases lanes at rest at once, and the others when their requests have ended. */
  async #close(): Promise<void> {
    await this.#leases.giveBack(this.#lanes.takeIdle(performance.now(), 0))
    const ended = new AbortController()
    const allEnded = this.#sending.ended().then(() => ended.abort())
    await Promise.race([allEnded, sleep(LAST_ATTEMPTS_MS, ended.signal)])
    const timer = setTimeout(() => this.#flusher.giveUp(), LAST_FLUSH_MS)
    await this.#flusher.drained()
    clearTimeout(timer)
    await this.#leases.giveBack(this.#lanes.takeAll())
  }

  async #repeat(signal: AbortSignal, everyMs: number, work: () => Promise<void>): Promise<void> {
    const warn = createOutageWarning(this.#log)
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted)
          warn({ err: error }, 'webhook worker cannot reach the database; trying again')
      })
      await sleep(everyMs, signal)
    }
  }
}
