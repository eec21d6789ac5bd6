import { ApiError, rateLimited } from '../../core/errors.ts'
import { FairQueue } from '../../work/fair-queue.ts'
import type { Places } from '../../limits/places.ts'
import type { Share } from '../../limits/times.ts'
import { sleep } from '../../core/service.ts'
import { createTimeBudget } from '../../work/pacing.ts'

type Options = {
  places: Places
  share: Share
  maxReadMs: number
  maxWaitMs?: number
}

/** A read has a few statements; if it exceeds this many time limits, the database hangs. */
const HUNG_AFTER_LIMITS = 3
/** With the read itself below the gateway's time limit. */
const MAX_WAIT_MS = 6_000
const MAX_PAUSE_MS = 4_000
const SPENDER_MS = 1_000
const HEAVY_USERS = 'spenders'

/**
 * Bounds reads that a workspace can make expensive (docs/decisions/0012-bounds.md): two at a time per owner, four in
 * all, with a budget of database time. A caller that sends one read after the other is slowed down, not refused.
 * Owners who have spent much share the places of one owner, so that many of them do not delay the others.
 */
export class ReadBounds {
  readonly #maxReadMs: number
  readonly #maxWaitMs: number
  readonly #share: Share
  readonly #budget
  readonly #ownPlaces
  readonly #allPlaces
  #lastEndedMs = -Infinity

  constructor(options: Options) {
    this.#maxReadMs = options.maxReadMs
    this.#maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS
    this.#share = options.share
    const capacityMs = options.share.seconds * 1_000
    this.#budget = createTimeBudget({
      capacityMs,
      refillMsPerSecond: capacityMs / options.share.windowSeconds,
    })
    this.#ownPlaces = new FairQueue({ ...options.places, maxRunning: Infinity })
    // A read that waits here has a place of its owner, which bounds how many wait.
    this.#allPlaces = new FairQueue({ ...options.places, maxWaitingPerKey: Infinity })
  }

  /**
   * @param owners user first, then workspace
   * @throws ApiError RATE_LIMITED when too many reads wait, or this one would wait for too long
   */
  async run<T>(
    owners: readonly string[],
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    this.#toPauseMs(owners)
    const timeout = AbortSignal.timeout(this.#maxWaitMs)
    const waiting = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      return await this.#ownPlaces.run(owners, waiting, async () => {
        const pauseMs = this.#toPauseMs(owners)
        if (pauseMs > 0) await sleep(pauseMs, waiting)
        const isSpender = owners.some((owner) => this.#budget.spentMs(owner) > SPENDER_MS)
        const measured = () => this.#measured(owners, signal, work)
        return this.#allPlaces.run(owners, waiting, measured, isSpender ? HEAVY_USERS : undefined)
      })
    } catch (error) {
      if (error !== timeout.reason) throw error
      if (performance.now() - this.#lastEndedMs > this.#maxWaitMs) throw new ApiError('UNAVAILABLE')
      throw this.#refusal(
        'Your other reads take too long. Wait for some of them to be answered.',
        1_000,
      )
    }
  }

  tooExpensive(): ApiError {
    return this.#refusal(
      `This read takes more than ${this.#maxReadMs / 1_000} seconds of database time. Narrow it: a smaller offset, a shorter period, or a more selective filter.`,
      1_000,
    )
  }

  #toPauseMs(owners: readonly string[]): number {
    const waitMs = this.#budget.waitMs(owners)
    if (waitMs <= MAX_PAUSE_MS) return waitMs
    throw this.#refusal(
      `Reads have taken more than ${this.#share.seconds} seconds of database time in ${this.#share.windowSeconds}. Send fewer of them, or narrower ones.`,
      waitMs,
    )
  }

  async #measured<T>(
    owners: readonly string[],
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const startedAtMs = performance.now()
    const spend = () => {
      const durationMs = performance.now() - startedAtMs
      // The database hung: the owner is not charged.
      if (durationMs < HUNG_AFTER_LIMITS * this.#maxReadMs)
        this.#budget.spend(owners, Math.min(durationMs, this.#maxReadMs))
    }
    try {
      const result = await work()
      spend()
      this.#lastEndedMs = performance.now()
      return result
    } catch (error) {
      if (!signal?.aborted) this.#lastEndedMs = performance.now()
      // Not charged for an unavailable database.
      if (error instanceof ApiError || signal?.aborted) spend()
      throw error
    }
  }

  #refusal(message: string, waitMs: number): ApiError {
    return rateLimited(message, waitMs / 1_000, this.#share.seconds, this.#share.windowSeconds)
  }
}
