import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { ApiError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'

/**
 * Counts in windows that begin with the first request of a key: in memory, or in Redis when several
 * processes are to count together.
 *
 *   gone ──Redis answers a ping──▶ there ──a command fails or takes 200 ms──▶ gone
 *
 * While Redis is gone it is pinged every half second and no request waits for it.
 */
export type RateLimits = {
  limiter(options: LimiterOptions): RateLimiter
  [Symbol.asyncDispose](): Promise<void>
}

export type LimiterOptions = {
  /** Part of the key in Redis: one name, one limiter. */
  name: string
  points: number
  durationSeconds: number
  /**
   * What holds while Redis does not answer: no limit (`open`), the same limit in this process
   * (`local`), or a quarter of it in this process (`tight`).
   */
  whenStoreIsGone: 'open' | 'local' | 'tight'
}

export type RateLimiter = {
  /**
   * Takes `points` (1) of what `key` may use in this window; `limitOverride` replaces the
   * limiter's own number for this call.
   * @throws ApiError RATE_LIMITED with details `{retryAfter, limit, window}`, both times in seconds
   */
  consume(key: string, points?: number, limitOverride?: number): Promise<RateState>
  /** Throws as {@link consume} does when nothing of this window is left, and takes nothing. */
  check(key: string): Promise<void>
  /**
   * Gives one point back of those that {@link consume} has just taken, by what it answered. Of a
   * window that has ended meanwhile nothing is given back, so that the next one has no more than its
   * own. Never throws.
   */
  giveBack(key: string, taken: RateState): Promise<void>
}

export type RateState = { limit: number; remaining: number; resetAtMs: number }

type Store = {
  client: Redis
  isThere(): boolean
  /** The command failed: nobody asks Redis again before it has answered a ping. */
  lost(error: unknown): void
}

const COMMAND_TIMEOUT_MS = 200
const CONNECT_TIMEOUT_MS = 2_000
const RETRY_MS = 500
const TIGHTER = 4
/** Beyond so many keys in two windows, new ones share counters: a flood of addresses costs no memory. */
const MAX_KEYS = 100_000
const SHARED_COUNTERS = 4_096
/** The library only counts here; the limit may differ per call. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

export function openRateLimits(deps: { redisUrl: string | null; log: Log }): RateLimits {
  const connected = deps.redisUrl === null ? null : connect(deps.redisUrl, deps.log)
  return {
    limiter: (options) => createLimiter(options, connected?.store ?? null),
    [Symbol.asyncDispose]: async () => connected?.close(),
  }
}

function createLimiter(options: LimiterOptions, store: Store | null): RateLimiter {
  const { name, durationSeconds, whenStoreIsGone } = options
  const counted = {
    keyPrefix: `signpost:rate:${name}`,
    points: UNLIMITED,
    duration: durationSeconds,
  }
  const local = new RateLimiterMemory(counted)
  const shared = store && new RateLimiterRedis({ ...counted, storeClient: store.client })
  const fold = createFold(durationSeconds * 1_000)

  async function consume(key: string, points = 1, limit = options.points): Promise<RateState> {
    if (shared && store) {
      const used = store.isThere() ? await countIn(shared, key, points, store) : null
      if (used) return judge(used, limit)
      if (whenStoreIsGone === 'open') return fresh(limit)
      if (whenStoreIsGone === 'tight') limit = Math.max(1, Math.floor(limit / TIGHTER))
    }
    const used = await local.consume(fold.keyFor(key), points)
    if (used.isFirstInDuration) fold.added()
    return judge(used, limit)
  }

  async function check(key: string): Promise<void> {
    const isShared = shared && store?.isThere()
    const used = isShared
      ? await shared.get(key).catch((error: unknown) => (store.lost(error), null))
      : await local.get(fold.keyFor(key))
    if (used && used.consumedPoints >= options.points)
      throw refusal(Math.max(used.msBeforeNext, 0), options.points, durationSeconds)
  }

  async function giveBack(key: string, taken: RateState): Promise<void> {
    if (!shared || !store?.isThere()) return giveBackIn(local, fold.keyFor(key), taken)
    await giveBackIn(shared, key, taken).catch((error: unknown) => store.lost(error))
  }

  async function giveBackIn(counter: RateLimiterAbstract, key: string, taken: RateState) {
    const used = await counter.get(key)
    if (used === null || used.consumedPoints <= 0) return
    // The end of one window is told with a little blur, and that of another is a whole one away.
    const apartMs = Math.abs(Date.now() + used.msBeforeNext - taken.resetAtMs)
    if (apartMs < durationSeconds * 500) await counter.reward(key, 1)
  }

  function judge(used: RateLimiterRes, limit: number): RateState {
    const leftMs = Math.max(used.msBeforeNext, 0)
    if (used.consumedPoints > limit) throw refusal(leftMs, limit, durationSeconds)
    return { limit, remaining: limit - used.consumedPoints, resetAtMs: Date.now() + leftMs }
  }

  function fresh(limit: number): RateState {
    return { limit, remaining: limit, resetAtMs: Date.now() + durationSeconds * 1_000 }
  }

  return { consume, check, giveBack }
}

/** Null when Redis did not say. */
async function countIn(
  shared: RateLimiterAbstract,
  key: string,
  points: number,
  store: Store,
): Promise<RateLimiterRes | null> {
  try {
    return await shared.consume(key, points)
  } catch (error) {
    if (error instanceof RateLimiterRes) return error
    store.lost(error)
    return null
  }
}

function refusal(leftMs: number, limit: number, window: number): ApiError {
  const retryAfter = Math.max(1, Math.ceil(leftMs / 1_000))
  return new ApiError('RATE_LIMITED', `Too many requests. Try again in ${retryAfter} s.`, {
    retryAfter,
    limit,
    window,
  })
}

/** Counters that are alive were begun in this window or the one before, so both together bound them. */
function createFold(windowMs: number) {
  let begun = 0
  let begunBefore = 0
  let windowEndsMs = 0
  return {
    added(): void {
      const nowMs = performance.now()
      if (nowMs >= windowEndsMs) {
        begunBefore = nowMs < windowEndsMs + windowMs ? begun : 0
        begun = 0
        windowEndsMs = nowMs + windowMs
      }
      begun++
    },
    keyFor(key: string): string {
      if (begun + begunBefore < MAX_KEYS) return key
      return `#${createHash('sha1').update(key).digest().readUInt32BE() % SHARED_COUNTERS}`
    },
  }
}

function connect(url: string, log: Log) {
  const client = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RETRY_MS,
  })
  let isThere = false
  let isLossTold = false
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function lost(error: unknown): void {
    isThere = false
    if (!isLossTold) log.warn({ err: error }, 'Redis does not answer; limits are counted here')
    isLossTold = true
    ask(RETRY_MS)
  }

  function ask(delayMs: number): void {
    if (isClosed || timer) return
    timer = setTimeout(() => {
      client.ping().then(found, (error: unknown) => {
        timer = undefined
        lost(error)
      })
    }, delayMs)
    timer.unref()
  }

  function found(): void {
    timer = undefined
    if (isLossTold) log.info('Redis answers again')
    isLossTold = false
    isThere = true
  }

  // Without a listener the library prints what it cannot deliver; commands fail on their own.
  client.on('error', lost)
  client.on('close', () => (isThere = false))
  client.on('ready', () => ask(0))
  const store: Store = { client, isThere: () => isThere, lost }
  return {
    store,
    close: () => {
      isClosed = true
      clearTimeout(timer)
      client.disconnect()
    },
  }
}
