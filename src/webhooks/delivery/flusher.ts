import { Histogram, type Registry } from 'prom-client'
import type { Log } from '../../platform/core/log.ts'
import { sleep, WakeSignal } from '../../platform/core/service.ts'
import type { Outcome } from './queue/queue-outcomes.ts'
import type { Queue } from './queue/queue.ts'

/**
 * How long outcomes wait for others, since a batch of one costs almost as much as a batch of ten. Until it
 * is written, a delivery is shown as being sent, and is sent again if the process dies.
 */
const GATHER_MS = 200
const ENOUGH = 400
const MAX_BATCH = 500
const MAX_UNWRITTEN = 5_000
const FIRST_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 2_000
const CHECK_LOCKS_EVERY_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

type Deps = {
  getQueue: () => Pick<Queue, 'flush' | 'lockedEndpoints'>
  log: Log
  registry: Registry
}

/** `onWritten` is called once, when the outcome is written or given up. */
type Pending = { outcome: Outcome; onWritten: () => void }

/**
 * During a database outage outcomes wait in memory. One whose data the database refuses is found by halving and
 * written without its response. When another session has locked the rows of an endpoint, only its outcomes wait.
 */
export class Flusher {
  readonly #deps: Deps
  readonly #seconds: Histogram
  #pending: Pending[] = []
  #blocked: Pending[] = []
  #locked: ReadonlySet<string> = new Set()
  #checkLocksAtMs = -Infinity
  #unwritten = 0
  #running: Promise<void> | null = null
  readonly #gathered = new WakeSignal()
  #isDraining = false
  #isGivenUp = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#seconds = new Histogram({
      name: 'signpost_delivery_flush_seconds',
      help: 'Time to write one batch of outcomes.',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
      registers: [deps.registry],
    })
  }

  get unwritten(): number {
    return this.#unwritten
  }

  isFull(): boolean {
    return this.#unwritten >= MAX_UNWRITTEN
  }

  add(outcome: Outcome, onWritten: () => void): void {
    this.#pending.push({ outcome, onWritten })
    this.#unwritten++
    this.#running ??= this.#run()
    if (this.#isReady()) this.#gathered.wake()
  }

  async drained(): Promise<void> {
    this.#isDraining = true
    this.#gathered.wake()
    while (this.#running !== null) await this.#running
  }

  /** Leaves the rest unwritten: the next owner of the lanes sends these deliveries again. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  async #run(): Promise<void> {
    while (this.#pending.length + this.#blocked.length > 0 && !this.#isGivenUp) {
      await this.#gather()
      const startedAtMs = performance.now()
      if (this.#blocked.length > 0 && startedAtMs >= this.#checkLocksAtMs) await this.#unblock()
      const batch = this.#nextBatch()
      if (batch.length > 0) {
        await this.#write(batch)
        this.#seconds.observe((performance.now() - startedAtMs) / 1000)
      }
    }
    for (const { onWritten } of [...this.#blocked.splice(0), ...this.#pending.splice(0)])
      onWritten()
    this.#running = null
  }

  async #gather(): Promise<void> {
    const wakeCount = this.#gathered.count
    if (!this.#isReady()) await this.#gathered.givenSince(wakeCount, GATHER_MS)
  }

  /** Outcomes of locked rows do not count: they have to wait. */
  #isReady(): boolean {
    return this.#pending.length >= (this.#isDraining ? 1 : ENOUGH)
  }

  #nextBatch(): Pending[] {
    const batch = this.#pending.slice(0, MAX_BATCH)
    this.#pending = this.#pending.slice(MAX_BATCH)
    return this.#locked.size === 0 ? batch : this.#block(batch)
  }

  #block(batch: readonly Pending[]): Pending[] {
    this.#blocked.push(...batch.filter((pending) => this.#isLocked(pending)))
    return batch.filter((pending) => !this.#isLocked(pending))
  }

  #isLocked({ outcome }: Pending): boolean {
    return this.#locked.has(outcome.endpointId)
  }

  async #unblock(): Promise<void> {
    await this.#checkLocks(this.#blocked)
    const free = this.#blocked.filter((pending) => !this.#isLocked(pending))
    this.#blocked = this.#blocked.filter((pending) => this.#isLocked(pending))
    this.#pending = [...free, ...this.#pending]
  }

  /** If the database does not answer, the same endpoints count as locked. */
  async #checkLocks(among: readonly Pending[]): Promise<void> {
    const queue = this.#deps.getQueue()
    this.#locked = new Set(await queue.lockedEndpoints(toOutcomes(among)).catch(() => this.#locked))
    this.#checkLocksAtMs = performance.now() + CHECK_LOCKS_EVERY_MS
  }

  async #write(batch: readonly Pending[]): Promise<void> {
    for (let failures = 0; !this.#isGivenUp; failures++) {
      try {
        await this.#deps.getQueue().flush(toOutcomes(batch))
        break
      } catch (error) {
        const code = getCode(error)
        // Class 22: the values are refused, now and later.
        if (code.startsWith('22')) return this.#writeHalves(batch, error)
        if (code === LOCK_NOT_AVAILABLE) {
          await this.#checkLocks([...this.#blocked, ...batch])
          const free = this.#block(batch)
          if (free.length === 0) return
          if (free.length < batch.length) return this.#write(free)
        }
        if (Number.isInteger(Math.log2(failures + 1)))
          this.#deps.log.warn(
            { err: error, outcomes: this.#unwritten },
            'webhook outcomes not written; trying again',
          )
        await sleep(Math.min(FIRST_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS))
      }
    }
    this.#settle(batch)
  }

  #settle(batch: readonly Pending[]): void {
    this.#unwritten -= batch.length
    for (const { onWritten } of batch) onWritten()
  }

  async #writeHalves(batch: readonly Pending[], error: unknown): Promise<void> {
    if (batch.length === 1) return this.#writeBare(batch[0]!, error)
    const middle = Math.ceil(batch.length / 2)
    await this.#write(batch.slice(0, middle))
    await this.#write(batch.slice(middle))
  }

  async #writeBare({ outcome, onWritten }: Pending, error: unknown): Promise<void> {
    const fields = { err: error, deliveryId: outcome.id }
    if (outcome.responseBody === null && outcome.responseHeaders === null) {
      this.#deps.log.error(fields, 'webhook outcome refused by the database and not written')
      return this.#settle([{ outcome, onWritten }])
    }
    this.#deps.log.error(
      fields,
      'webhook response refused by the database; outcome kept without it',
    )
    const bare = { ...outcome, responseBody: null, responseHeaders: null }
    return this.#write([{ outcome: bare, onWritten }])
  }
}

function toOutcomes(batch: readonly Pending[]): Outcome[] {
  return batch.map(({ outcome }) => outcome)
}

function getCode(error: unknown): string {
  return String((error as { code?: unknown }).code)
}
