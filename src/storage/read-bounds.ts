import { ApiError } from '../base/errors.ts'
import { FairQueue } from '../base/fair-queue.ts'
import { sleep } from '../base/service.ts'
import { createTimeBudget } from '../base/time-budget.ts'

type Options = {
  /** Reads of all owners together that run at a time. */
  maxRunning: number
  /** Of one user, and of one workspace. */
  maxRunningPerOwner: number
  maxWaitingPerOwner?: number
  /** Database time that an owner may spend at once, and that it gets back in `windowSeconds`. */
  budgetSeconds?: number
  windowSeconds?: number
  /** The most that one read is charged for: its time limit in the database. */
  maxReadMs: number
  /** How long a read may wait in all before it begins. */
  maxWaitMs?: number
}

export type ReadBounds = {
  /**
   * Runs a read within the bounds of its owners, and charges them for the time it takes. Owners who
   * have spent their time wait until they have got some back.
   * @param owners user first, then workspace
   * @throws ApiError RATE_LIMITED when too many reads wait, or one would wait for too long
   */
  run<T>(
    owners: readonly string[],
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T>
  /** The 429 of a read that was cut off at its time limit. */
  tooExpensive(): ApiError
}

const MAX_WAITING_PER_OWNER = 32
const BUDGET_SECONDS = 3
const WINDOW_SECONDS = 10
/** A read of few statements ends within so many of its time limits. */
const HUNG_AFTER_LIMITS = 3
/** Together with the read itself below what the gateway waits for an answer. */
const MAX_WAIT_MS = 6_000
const MAX_PAUSE_MS = 4_000
/** From here on an owner's reads share the places of one owner with those of all others like it. */
const FRUGAL_MS = 1_000
const SPENDERS = 'spenders'

/**
 * Bounds reads that a workspace can make expensive (docs/decisions/0014-isolation.md), each for a user
 * and for a workspace, since one user may own many workspaces:
 *
 *   run ──a place of the owner──▶ pause, if its time is spent ──a place of all──▶ database ──▶ charged
 *    │        (2 at a time)                  │                (4 at a time, users in turns)
 *    └──32 wait: 429                         └──longer than 4 s: 429
 *
 * What has waited for 6 s in all is a 429 as well, since its owner's own reads are what it waits for.
 *
 * A caller that sends one read after the other is slowed down and not refused. Owners who have
 * spent much share the places of one owner, so that many of them do not keep frugal ones waiting.
 */
export function createReadBounds(options: Options): ReadBounds {
  const { maxRunning, maxRunningPerOwner, maxReadMs } = options
  const { maxWaitingPerOwner = MAX_WAITING_PER_OWNER, maxWaitMs = MAX_WAIT_MS } = options
  const { budgetSeconds = BUDGET_SECONDS, windowSeconds = WINDOW_SECONDS } = options
  const message = 'Too many reads at a time. Wait for some of them to be answered.'
  const maxRunningPerKey = maxRunningPerOwner
  const own = new FairQueue({ maxRunningPerKey, maxWaitingPerKey: maxWaitingPerOwner, message })
  // What waits here has a place of its owner, which is the bound.
  const all = new FairQueue({ maxRunning, maxRunningPerKey, maxWaitingPerKey: Infinity, message })
  /** When a read of any owner last ended by itself. */
  let lastEndedMs = -Infinity
  const budget = createTimeBudget({
    capacityMs: budgetSeconds * 1_000,
    refillMsPerSecond: (budgetSeconds * 1_000) / windowSeconds,
  })

  function refuse(sentence: string, waitMs: number): ApiError {
    const retryAfter = Math.max(1, Math.ceil(waitMs / 1_000))
    const details = { retryAfter, limit: budgetSeconds, window: windowSeconds }
    return new ApiError('RATE_LIMITED', sentence, details)
  }

  /** @throws ApiError RATE_LIMITED when the owners have no time for longer than a pause */
  function pauseOf(owners: readonly string[]): number {
    const waitMs = budget.waitMs(owners)
    if (waitMs <= MAX_PAUSE_MS) return waitMs
    throw refuse(
      `Reads have taken more than ${budgetSeconds} seconds of database time in ${windowSeconds}. Send fewer of them, or narrower ones.`,
      waitMs,
    )
  }

  async function measured<T>(
    owners: readonly string[],
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now()
    const spend = () => {
      const tookMs = performance.now() - startedAt
      // No read keeps the database busy for so long: the database hangs, which no owner pays for.
      if (tookMs < HUNG_AFTER_LIMITS * maxReadMs) budget.spend(owners, Math.min(tookMs, maxReadMs))
    }
    try {
      const result = await work()
      spend()
      lastEndedMs = performance.now()
      return result
    } catch (error) {
      if (!signal?.aborted) lastEndedMs = performance.now()
      // An owner is not charged for a database that is away.
      if (error instanceof ApiError || signal?.aborted) spend()
      throw error
    }
  }

  async function run<T>(
    owners: readonly string[],
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    pauseOf(owners)
    const deadline = AbortSignal.timeout(maxWaitMs)
    const waiting = signal ? AbortSignal.any([signal, deadline]) : deadline
    try {
      return await own.run(owners, waiting, async () => {
        // Reads that ran in the meantime may have spent the time.
        const pauseMs = pauseOf(owners)
        if (pauseMs > 0) await sleep(pauseMs, waiting)
        const isSpender = owners.some((owner) => budget.spentMs(owner) > FRUGAL_MS)
        return all.run(
          owners,
          waiting,
          () => measured(owners, signal, work),
          isSpender ? SPENDERS : undefined,
        )
      })
    } catch (error) {
      if (error !== deadline.reason) throw error
      // No read at all has ended in that time: the database hangs, and not this owner.
      if (performance.now() - lastEndedMs > maxWaitMs) throw new ApiError('UNAVAILABLE')
      throw refuse('Your other reads take too long. Wait for some of them to be answered.', 1_000)
    }
  }

  return {
    run,
    tooExpensive: () =>
      refuse(
        `This read takes more than ${maxReadMs / 1_000} seconds of database time. Narrow it: a smaller offset, a shorter period, or a more selective filter.`,
        1_000,
      ),
  }
}
