import { RATES } from '../../platform/limits/rates.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/core/clock.ts'
import { ApiError, rateLimited } from '../../platform/core/errors.ts'
import { dropOldest } from '../../platform/core/functions.ts'
import type { RateLimiter, RateLimits, RateState } from '../../platform/limits/rate-limits.ts'

export type Rates = Record<(typeof TIERS)[number], number>

type Tier = keyof Rates

const TIERS = ['api', 'auth', 'ingestion', 'preview'] as const
const MAX_BLOCKED = 10_000

export type Limits = ReturnType<typeof createLimits>

export function createLimits(rateLimits: RateLimits, rates: Rates, clock: Clock) {
  const tiers = new Map<Tier, RateLimiter>()
  for (const name of TIERS) tiers.set(name, rateLimits.limiter(name, { points: rates[name] }))
  const refusals = rateLimits.limiter('refusals')
  const blockedUntilMs = new Map<string, number>()

  /** Adds the headers that report the count. @throws ApiError RATE_LIMITED */
  async function take(
    reply: FastifyReply,
    tier: Tier,
    key: string,
    limitOverride?: number,
  ): Promise<void> {
    const { seconds } = RATES[tier]
    try {
      const state = await tiers.get(tier)!.consume(key, 1, limitOverride)
      sendHeaders(reply, tier, seconds, state)
    } catch (error) {
      const details = rateDetails(error)
      if (details) {
        const resetAtMs = Date.now() + details.retryAfter * 1_000
        sendHeaders(reply, tier, seconds, { ...details, remaining: 0, resetAtMs })
      }
      throw error
    }
  }

  /**
   * Valid credentials are not counted, so a client that guesses cannot block others behind its address. @throws
   * ApiError RATE_LIMITED
   */
  async function countRefusal(address: string): Promise<void> {
    const knownLeftMs = (blockedUntilMs.get(address) ?? 0) - clock()
    if (knownLeftMs > 0) throw tooManyRefusals(knownLeftMs)
    blockedUntilMs.delete(address)
    try {
      await refusals.consume(address)
    } catch (error) {
      const details = rateDetails(error)
      if (!details) throw error
      const leftMs = details.retryAfter * 1_000
      blockedUntilMs.set(address, clock() + leftMs)
      dropOldest(blockedUntilMs, MAX_BLOCKED)
      throw tooManyRefusals(leftMs)
    }
  }

  return { take, countRefusal }
}

/** Null for any other error than a 429. */
export function rateDetails(
  error: unknown,
): { retryAfter: number; limit: number; window: number } | null {
  if (!(error instanceof ApiError) || error.code !== 'RATE_LIMITED') return null
  const { retryAfter, limit, window } = error.details as Record<string, unknown>
  if (typeof retryAfter !== 'number' || typeof limit !== 'number' || typeof window !== 'number')
    return null
  return { retryAfter, limit, window }
}

function tooManyRefusals(leftMs: number): ApiError {
  const message = 'Too many requests with an invalid credential.'
  const { points, seconds } = RATES.refusals
  return rateLimited(message, leftMs / 1_000, points as number, seconds)
}

/** `X-RateLimit-*` with the reset in epoch seconds, and draft-ietf-httpapi-ratelimit-headers. */
function sendHeaders(
  reply: FastifyReply,
  tier: Tier,
  windowSeconds: number,
  { limit, remaining, resetAtMs }: RateState,
): void {
  const leftSeconds = Math.max(0, Math.ceil((resetAtMs - Date.now()) / 1_000))
  reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': Math.ceil(resetAtMs / 1_000),
    ratelimit: `"${tier}";r=${remaining};t=${leftSeconds}`,
    'ratelimit-policy': `"${tier}";q=${limit};w=${windowSeconds}`,
  })
}

export type Quota = {
  /** A null limit is unlimited. @throws ApiError PLAN_LIMIT_REACHED */
  take(workspaceId: string, plan: string): Promise<{ limit: number | null; used: number }>
}

/** Paths that are not counted: a user who has used up a plan must be able to see it and buy another. */
const FREE_PATH = /^\/v1\/(auth|billing|plans)(\/|$)/

export function isCounted(path: string): boolean {
  return !FREE_PATH.test(path)
}

export async function takeQuota(
  quota: Quota,
  { membership, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!membership || !isCounted(routeOptions.url ?? '')) return
  const { limit, used } = await quota.take(membership.workspaceId, membership.plan)
  if (limit === null) return
  reply.headers({
    'x-quota-limit': limit,
    'x-quota-remaining': Math.max(0, limit - used),
  })
}
