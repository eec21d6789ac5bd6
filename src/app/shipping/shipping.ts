import type { Checks } from '../../base/checks.ts'
import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/errors.ts'
import { aborted, sleep, type Service } from '../../base/service.ts'
import { WakeSignal } from '../../base/wake-signal.ts'
import { hasLeftovers, hasSealed, holdJournal, retireJournal } from '../../clicks/journals.ts'
import type { Config } from '../../config/config.ts'
import type { Countries } from '../../facts/country.ts'
import { FINGERPRINT_PURPOSE } from '../../facts/deep-link-fingerprint.ts'
import { VISITOR_PURPOSE } from '../../storage/former-keys.ts'
import type { Stores } from '../../storage/stores.ts'
import { toThreadDatabases } from '../thread-databases.ts'
import type { ThreadFailures } from '../thread-failures.ts'
import type { Order, Task } from './messages.ts'
import { ShippingThread, type ThreadDeps } from './thread.ts'

const LOOK_EVERY_MS = 1_000
const FIND_LEFTOVERS_EVERY_MS = 5_000
/** A thread without work ends after this time, to return its memory. */
const IDLE_MS = 10_000
/** More than the shipper takes for the last segments at a shutdown. */
const STOP_MS = 8_000
const FIRST_RESTART_MS = 1_000
const LONGEST_RESTART_MS = 30_000
/** A thread that has worked for this time ends a series of failures. */
const SOUND_AFTER_MS = 60_000

type Deps = Omit<ThreadDeps, 'notices' | 'noteWork'> & {
  config: Config
  stores: Pick<Stores, 'addresses' | 'secrets' | 'notices' | 'preparation'>
  clock: Clock
  countries: Pick<Countries, 'share'>
  threadFailures: ThreadFailures
  journalDir: string
  /** False for a process that leaves the journals of others, and its own at the end, to the one that started it. */
  adopts: boolean
}

/**
 * Ships the journals of this process on a thread of its own, so that redirects do not wait for it:
 *
 *   no work ──a segment was sealed, or a process left a journal──▶ thread ──none for ten seconds──▶ no work
 *                                        ▲                            │
 *                                        └───── after a delay ◀── it failed
 *
 * Whether there is work is read from the disk each time, so nothing is lost with a message or with a thread.
 */
export class Shipping {
  readonly #deps: Deps
  readonly #sealed = new WakeSignal()
  #thread: ShippingThread | null = null
  #geo: SharedArrayBuffer | null = null
  #lastWorkMs = 0
  /** Failures of threads since one of them was sound. */
  #failures = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** For `/ready`: no role depends on it, since the journal keeps the clicks. */
  readonly checks: Checks = {
    shipping: async () => {
      if (this.#failures > 0) throw new Error('the thread that ships clicks failed')
    },
  }

  /** Called after each segment of the own journal that was sealed. */
  noteSealed(): void {
    this.#lastWorkMs = performance.now()
    this.#sealed.wake()
    if (this.#thread === null) return
    const geo = this.#deps.countries.share()
    const isReloaded = geo !== this.#geo
    this.#geo = geo
    const clockOffsetMs = this.#clockOffsetMs()
    this.#thread.post({ type: 'sealed', clockOffsetMs, ...(isReloaded && { geo }) })
  }

  /** @param ownFolder of the journal, which is closed before the signal is aborted */
  createService(ownFolder: string): Service {
    return { name: 'shipping', run: (signal) => this.#run(ownFolder, signal) }
  }

  /**
   * Ships a rescued folder on a thread of its own.
   * @returns the number of segments
   * @throws OperatorError as `shipFolder`
   */
  async shipFolder(directory: string, timeoutMs: number): Promise<number> {
    const thread = this.#start({ kind: 'folder', directory })
    const timer = setTimeout(() => thread.post({ type: 'stop' }), timeoutMs)
    const { error, answer } = await thread.ended
    clearTimeout(timer)
    if (error !== null) throw error
    if (answer?.type === 'refused') throw new OperatorError(answer.message)
    return answer!.segments
  }

  async #run(ownFolder: string, signal: AbortSignal): Promise<void> {
    const { preparation } = this.#deps.stores
    // No click is sent to a ClickHouse that may be that of another installation.
    await preparation.untilComplete(signal)
    if (signal.aborted) return
    void aborted(signal).then(() => this.#sealed.wake())
    for (;;) {
      const seen = this.#sealed.count
      // The journal is closed at this point, so no segment follows.
      const isLast = signal.aborted
      if (isLast && !this.#deps.adopts) return
      if (await this.#hasWork(ownFolder)) {
        const isStopped = await this.#runThread(ownFolder, signal)
        if (isStopped) return
      } else if (isLast) return this.#retire(ownFolder)
      else await this.#sealed.givenSince(seen, FIND_LEFTOVERS_EVERY_MS)
    }
  }

  async #hasWork(ownFolder: string): Promise<boolean> {
    if (await hasSealed(ownFolder)) return true
    const { journalDir, clock, adopts } = this.#deps
    return adopts && hasLeftovers(journalDir, ownFolder, clock())
  }

  /** Resolves when the thread has ended. @returns true if it did as the signal demands */
  async #runThread(ownFolder: string, signal: AbortSignal): Promise<boolean> {
    const { journalDir, adopts } = this.#deps
    const thread = this.#start({ kind: 'own', journalDir, ownFolder, adopts })
    const startedMs = performance.now()
    this.#lastWorkMs = startedMs
    this.#thread = thread
    let isStopped = false
    const stop = () => {
      isStopped = true
      thread.post({ type: 'stop' })
      setTimeout(() => void thread.terminate(), STOP_MS).unref()
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    const over = new AbortController()
    const idle = this.#stopWhenIdle(thread, ownFolder, startedMs, over.signal)
    const { error } = await thread.ended
    this.#thread = null
    signal.removeEventListener('abort', stop)
    over.abort()
    await idle
    if (error !== null && !isStopped) await this.#noteFailure(error, signal)
    return isStopped
  }

  async #stopWhenIdle(
    thread: ShippingThread,
    ownFolder: string,
    startedMs: number,
    over: AbortSignal,
  ): Promise<void> {
    for (;;) {
      await sleep(LOOK_EVERY_MS, over)
      if (over.aborted) return
      const nowMs = performance.now()
      const hasWork = await this.#hasWork(ownFolder)
      if (!hasWork || nowMs - startedMs > SOUND_AFTER_MS) this.#failures = 0
      if (hasWork) this.#lastWorkMs = nowMs
      else if (nowMs - this.#lastWorkMs > IDLE_MS) thread.post({ type: 'stop' })
    }
  }

  async #noteFailure(error: Error, signal: AbortSignal): Promise<void> {
    this.#failures++
    this.#deps.threadFailures.inc({ thread: 'shipping' })
    const fullMs = FIRST_RESTART_MS * 2 ** (this.#failures - 1)
    const delayMs = Math.min(fullMs, LONGEST_RESTART_MS)
    this.#deps.log.error(
      { err: error, failures: this.#failures, delayMs },
      'the thread that ships clicks failed: it starts again, and the journal keeps the clicks',
    )
    await sleep(delayMs, signal)
  }

  /** Removes the own journal without a thread, since all of it is shipped. */
  async #retire(ownFolder: string): Promise<void> {
    const { reports, log } = this.#deps
    try {
      using _lock = holdJournal(ownFolder)
      await retireJournal(ownFolder, reports)
    } catch (error) {
      log.warn(
        { err: error, folder: ownFolder },
        'an empty click journal remains for the next start',
      )
    }
  }

  #start(task: Task): ShippingThread {
    const { config, stores, countries, log, meters, reports } = this.#deps
    const { publicUrl, shortUrl, dataDir } = config
    const { addresses, notices, secrets } = stores
    this.#geo = countries.share()
    const order: Order = {
      task,
      settings: { publicUrl, shortUrl, dataDir, logLevel: log.level },
      databases: toThreadDatabases(config, addresses),
      keys: secrets.keysOf([VISITOR_PURPOSE, FINGERPRINT_PURPOSE]),
      geo: this.#geo,
      clockOffsetMs: this.#clockOffsetMs(),
    }
    const noteWork = () => (this.#lastWorkMs = performance.now())
    return new ShippingThread(order, { log, meters, notices, reports, noteWork })
  }

  /** Zero outside of tests, whose clock is turned. */
  #clockOffsetMs(): number {
    return this.#deps.clock() - Date.now()
  }
}
