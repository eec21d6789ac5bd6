import type { FastifyReply } from 'fastify'
import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { RateLimiter, RateLimits, RateState } from '../storage/rate-limits.ts'

/** Requests per window, of one key, person or address. */
export type Rates = {
  /** A minute. */
  api: number
  /** A minute and address. */
  auth: number
  /** A second. */
  ingestion: number
  /** A minute. */
  preview: number
}

type Tier = keyof Rates

/** What holds while the shared store is gone: the API counts here, sign-in does so tightly. */
const TIERS = {
  api: { durationSeconds: 60, whenStoreIsGone: 'local' },
  auth: { durationSeconds: 60, whenStoreIsGone: 'tight' },
  ingestion: { durationSeconds: 1, whenStoreIsGone: 'local' },
  preview: { durationSeconds: 60, whenStoreIsGone: 'local' },
} as const

/** Bad credentials a minute and address. Far above what a client with an old key sends by mistake. */
const REFUSALS = { name: 'refusals', points: 6_000, durationSeconds: 60 } as const
const MAX_SHUT_OUT = 10_000

export type Limits = ReturnType<typeof createLimits>

/** The rate limits of requests, and their headers. */
export function createLimits(rateLimits: RateLimits, rates: Rates, clock: Clock) {
  const tiers = new Map<Tier, RateLimiter>()
  for (const name of Object.keys(TIERS) as Tier[])
    tiers.set(name, rateLimits.limiter({ name, points: rates[name], ...TIERS[name] }))
  const refusals = rateLimits.limiter({ ...REFUSALS, whenStoreIsGone: 'local' })
  /** Addresses with too many bad credentials, and until when: those are counted no further. */
  const shutOutUntilMs = new Map<string, number>()

  /**
   * Counts a request and says so in its answer.
   * @throws ApiError RATE_LIMITED
   */
  async function take(
    reply: FastifyReply,
    tier: Tier,
    key: string,
    limitOverride?: number,
  ): Promise<void> {
    const { durationSeconds } = TIERS[tier]
    try {
      const state = await tiers.get(tier)!.consume(key, 1, limitOverride)
      sendHeaders(reply, tier, durationSeconds, state)
    } catch (error) {
      const details = rateDetails(error)
      if (details) {
        const resetAtMs = Date.now() + details.retryAfter * 1_000
        sendHeaders(reply, tier, durationSeconds, { ...details, remaining: 0, resetAtMs })
      }
      throw error
    }
  }

  /**
   * Counts a bad credential; beyond the limit the answer to one is a 429. A good one is not asked
   * here: whoever guesses must not shut out the others behind the same address.
   * @throws ApiError RATE_LIMITED
   */
  async function countRefusal(address: string): Promise<void> {
    const knownLeftMs = (shutOutUntilMs.get(address) ?? 0) - clock()
    if (knownLeftMs > 0) throw tooManyGuesses(knownLeftMs)
    shutOutUntilMs.delete(address)
    try {
      await refusals.consume(address)
    } catch (error) {
      const details = rateDetails(error)
      if (!details) throw error
      const leftMs = details.retryAfter * 1_000
      if (shutOutUntilMs.size >= MAX_SHUT_OUT) shutOutUntilMs.clear()
      shutOutUntilMs.set(address, clock() + leftMs)
      throw tooManyGuesses(leftMs)
    }
  }

  return { take, countRefusal }
}

/** The details of a 429, whoever threw it. */
export function rateDetails(
  error: unknown,
): { retryAfter: number; limit: number; window: number } | null {
  if (!(error instanceof ApiError) || error.code !== 'RATE_LIMITED') return null
  const { retryAfter, limit, window } = error.details as Record<string, unknown>
  if (typeof retryAfter !== 'number' || typeof limit !== 'number' || typeof window !== 'number')
    return null
  return { retryAfter, limit, window }
}

function tooManyGuesses(leftMs: number): ApiError {
  const retryAfter = Math.max(1, Math.ceil(leftMs / 1_000))
  return new ApiError('RATE_LIMITED', 'Too many requests with a bad credential.', {
    retryAfter,
    limit: REFUSALS.points,
    window: REFUSALS.durationSeconds,
  })
}

/** `X-RateLimit-*` with the reset in epoch seconds, and the fields of draft-ietf-httpapi-ratelimit-headers. */
function sendHeaders(
  reply: FastifyReply,
  tier: Tier,
  windowSeconds: number,
  { limit, remaining, resetAtMs }: RateState,
): void {
  const left = Math.max(0, Math.ceil((resetAtMs - Date.now()) / 1_000))
  reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': Math.ceil(resetAtMs / 1_000),
    ratelimit: `"${tier}";r=${remaining};t=${left}`,
    'ratelimit-policy': `"${tier}";q=${limit};w=${windowSeconds}`,
  })
}
