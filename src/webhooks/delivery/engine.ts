import type { Log } from '../../platform/core/log.ts'
import { repeat, sleep, type Service, WakeSignal } from '../../platform/core/service.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { Claims } from './claims.ts'
import { Flusher } from './flusher.ts'
import type { HostRate } from './host-rate.ts'
import { Lanes } from './lanes.ts'
import { Leases } from './leases.ts'
import { registerGauges } from './meters.ts'
import { Sender, type SenderDeps } from './sender.ts'

const HEARTBEAT_EVERY_MS = 3_000
const SWEEP_EVERY_MS = 1_000
const FORGET_EVERY_SWEEPS = 600
/** At shutdown: time for requests on the wire to end. */
const LAST_ATTEMPTS_MS = 12_000
const LAST_FLUSH_MS = 5_000

const OUTAGE = 'webhook worker cannot reach the database; trying again'

export type EngineDeps = SenderDeps & {
  sql: SystemSql
  hostRate: HostRate
}

/**
 * Delivers what is queued. A worker leases lanes, one per endpoint, claims the deliveries due in them,
 * sends them, and writes the outcomes in batches:
 *
 *   Leases: acquire lanes ─▶ Claims ─▶ Sender ─▶ Flusher: log, or queue again
 *              ▲               │ every 5 to 10 ms while there is work, else once a second;
 *              │               │ lanes with a backlog in a loop of their own
 *              └──── sweep ────┴── lanes idle for two seconds are released
 *
 * A process that dies, or hangs for longer than its lease, loses its lanes to other workers, which send its
 * claimed deliveries again. An outcome written late carries an old epoch and changes nothing.
 */
export class Engine implements Service {
  readonly name = 'deliveries'
  readonly #log: Log
  readonly #lanes: Lanes
  readonly #leases: Leases
  readonly #claims: Claims
  readonly #sender: Sender
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
    const sender = new Sender(deps, lanes, flusher, wakeSignal)
    this.#log = log
    this.#lanes = lanes
    this.#leases = leases
    this.#flusher = flusher
    this.#sender = sender
    this.#claims = new Claims({ leases, lanes, sender, flusher, wakeSignal, log })
    registerGauges(registry, lanes, flusher)
  }

  /**
   * Without this call the engine finds what is due within a second.
   * @param endpointIds separated by commas; empty: any
   */
  wake(endpointIds = ''): void {
    const named = endpointIds === '' ? undefined : endpointIds.split(',')
    if (!this.#lanes.wake(performance.now(), named)) this.#leases.lookForLanes()
    this.#wakeSignal.wake()
  }

  async run(signal: AbortSignal): Promise<void> {
    // Requests on the wire at shutdown need the lease until they end.
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
    this.#leases.lookForLanes()
    this.#wakeSignal.wake()
  }

  async #close(): Promise<void> {
    await this.#leases.giveBack(this.#lanes.takeIdle(performance.now(), 0))
    const ended = new AbortController()
    const allEnded = this.#sender.ended().then(() => ended.abort())
    await Promise.race([allEnded, sleep(LAST_ATTEMPTS_MS, ended.signal)])
    const timer = setTimeout(() => this.#flusher.giveUp(), LAST_FLUSH_MS)
    await this.#flusher.drained()
    clearTimeout(timer)
    await this.#leases.giveBack(this.#lanes.takeAll())
  }

  #repeat(signal: AbortSignal, everyMs: number, work: () => Promise<void>): Promise<void> {
    return repeat(signal, everyMs, work, this.#log, OUTAGE)
  }
}
