import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { ApiError, rateLimited } from '../core/errors.ts'
import { RATES, type Rate, type RateName } from './rates.ts'
import type { Log } from '../core/log.ts'

export type RateLimits = Awaited<ReturnType<typeof openRateLimits>>
export type RateLimiter = ReturnType<typeof createLimiter>

export type RateState = { limit: number; remaining: number; resetAtMs: number }

const COMMAND_TIMEOUT_MS = 200
const CONNECT_TIMEOUT_MS = 2_000
const RETRY_MS = 500
const TIGHT_DIVISOR = 4
/** Beyond this, new keys share counters, which bounds the memory. */
const MAX_KEYS = 100_000
const SHARED_COUNTERS = 4_096
/** The library only counts; the limit may differ per call. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

/** A window begins with a key's first request. */
export async function openRateLimits({ redisUrl, log }: { redisUrl: string | null; log: Log }) {
  const store = redisUrl === null ? null : new RedisStore(await createClient(redisUrl), log)
  return {
    limiter: (name: RateName, own: Partial<Rate> = {}) => createLimiter(name, own, store),
    [Symbol.asyncDispose]: async () => store?.close(),
  }
}

function createLimiter(name: RateName, own: Partial<Rate>, store: RedisStore | null) {
  const row: Rate = { ...RATES[name], ...own }
  const { points: ownLimit, seconds: durationSeconds, withoutRedis } = row
  if (typeof ownLimit !== 'number') throw new Error(`The rate ${name} lacks its number.`)
  const defaultLimit: number = ownLimit
  const counterOptions = {
    keyPrefix: `signpost:rate:${name}`,
    points: UNLIMITED,
    duration: durationSeconds,
  }
  const local = new RateLimiterMemory(counterOptions)
  const shared = store && new RateLimiterRedis({ ...counterOptions, storeClient: store.client })
  const localKeys = new LocalKeys(durationSeconds * 1_000)

  /** @throws ApiError RATE_LIMITED with details `{retryAfter, limit, window}`, both times in seconds */
  async function consume(key: string, points = 1, limit = defaultLimit): Promise<RateState> {
    if (shared && store) {
      const used = store.isAvailable ? await consumeShared(shared, key, points, store) : null
      if (used) return toState(used, limit)
      if (withoutRedis === 'a quarter') limit = Math.max(1, Math.floor(limit / TIGHT_DIVISOR))
    }
    const used = await local.consume(localKeys.toCounterKey(key), points)
    if (used.isFirstInDuration) localKeys.countNew()
    return toState(used, limit)
  }

  async function check(key: string): Promise<void> {
    const used =
      shared && store?.isAvailable
        ? await shared.get(key).catch((error: unknown) => (store.markLost(error), null))
        : await local.get(localKeys.toCounterKey(key))
    if (used && used.consumedPoints >= defaultLimit)
      throw refusal(Math.max(used.msBeforeNext, 0), defaultLimit, durationSeconds)
  }

  /** Gives back one point, unless its window has ended. Never throws. */
  async function giveBack(key: string, taken: RateState): Promise<void> {
    if (shared && store?.isAvailable)
      await giveBackIn(shared, key, taken).catch((error: unknown) => store.markLost(error))
    else await giveBackIn(local, localKeys.toCounterKey(key), taken)
  }

  async function giveBackIn(counter: RateLimiterAbstract, key: string, taken: RateState) {
    const used = await counter.get(key)
    if (used === null || used.consumedPoints <= 0) return
    // The computed end of a window varies a little; another window ends much later.
    const differenceMs = Math.abs(Date.now() + used.msBeforeNext - taken.resetAtMs)
    if (differenceMs < durationSeconds * 500) await counter.reward(key, 1)
  }

  function toState(used: RateLimiterRes, limit: number): RateState {
    const leftMs = Math.max(used.msBeforeNext, 0)
    if (used.consumedPoints > limit) throw refusal(leftMs, limit, durationSeconds)
    return { limit, remaining: limit - used.consumedPoints, resetAtMs: Date.now() + leftMs }
  }

  return { consume, check, giveBack }
}

export async function isWithinLimit(consumption: Promise<unknown>): Promise<boolean> {
  try {
    await consumption
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RATE_LIMITED') return false
    throw error
  }
}

async function consumeShared(
  shared: RateLimiterAbstract,
  key: string,
  points: number,
  store: RedisStore,
): Promise<RateLimiterRes | null> {
  try {
    return await shared.consume(key, points)
  } catch (error) {
    if (error instanceof RateLimiterRes) return error
    store.markLost(error)
    return null
  }
}

function refusal(leftMs: number, limit: number, window: number): ApiError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1_000))
  return rateLimited(`Too many requests. Try again in ${seconds} s.`, seconds, limit, window)
}

/** A counter lives for two windows at most. */
class LocalKeys {
  readonly #windowMs: number
  #begun = 0
  #begunBefore = 0
  #windowEndsMs = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  countNew(): void {
    const nowMs = performance.now()
    if (nowMs >= this.#windowEndsMs) {
      this.#begunBefore = nowMs < this.#windowEndsMs + this.#windowMs ? this.#begun : 0
      this.#begun = 0
      this.#windowEndsMs = nowMs + this.#windowMs
    }
    this.#begun++
  }

  toCounterKey(key: string): string {
    if (this.#begun + this.#begunBefore < MAX_KEYS) return key
    return `#${createHash('sha1').update(key).digest().readUInt32BE() % SHARED_COUNTERS}`
  }
}

/** Loaded lazily, so that command lines start sooner. */
async function createClient(url: string): Promise<Redis> {
  const { Redis: Client } = await import('ioredis')
  return new Client(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RETRY_MS,
  })
}

export async function tryRedis(url: string, timeoutMs: number): Promise<void> {
  const { Redis: Client } = await import('ioredis')
  const client = new Client(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // The rejection only says that the connection is closed.
  let cause: unknown = null
  client.on('error', (error) => (cause = error))
  try {
    await client.connect()
    await client.ping()
  } catch (error) {
    throw cause ?? error
  } finally {
    client.disconnect()
  }
}

class RedisStore {
  readonly client: Redis
  isAvailable = false
  readonly #log: Log
  #isLossLogged = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(client: Redis, log: Log) {
    this.#log = log
    this.client = client
    // Without a listener the library prints errors; commands fail on their own.
    this.client.on('error', (error) => this.markLost(error))
    this.client.on('close', () => (this.isAvailable = false))
    this.client.on('ready', () => this.#pingAfter(0))
  }

  markLost(error: unknown): void {
    this.isAvailable = false
    if (!this.#isLossLogged)
      this.#log.warn(
        { err: error },
        'Redis does not answer; this process counts rate limits itself',
      )
    this.#isLossLogged = true
    this.#pingAfter(RETRY_MS)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.client.disconnect()
  }

  #pingAfter(delayMs: number): void {
    if (this.#isClosed || this.#timer) return
    this.#timer = setTimeout(() => {
      const isAnswered = this.client.ping().finally(() => (this.#timer = undefined))
      isAnswered.then(
        () => this.#markAvailable(),
        (error: unknown) => this.markLost(error),
      )
    }, delayMs)
    this.#timer.unref()
  }

  #markAvailable(): void {
    if (this.#isLossLogged) this.#log.info('Redis answers again')
    this.#isLossLogged = false
    this.isAvailable = true
  }
}
