import type { Claim } from './queue-claims.ts'
import { MAX_ATTEMPTS } from './states.ts'

/** Upward only: a retry never comes earlier than the schedule says. */
const MAX_JITTER_SHARE = 0.05
const MAX_JITTER_SECONDS = 10

/**
 * Decides what follows a failed attempt (spec, Delivery outcome and retries): after failed attempt n,
 * the delay in row n of the schedule; after the fifth, or an extra attempt, the dead letter.
 * @param schedule five delays in seconds
 */
export function afterFailure(
  schedule: readonly number[],
  claim: Pick<Claim, 'attempts' | 'isExtra'>,
  random: () => number = Math.random,
): { result: 'retry'; delaySeconds: number } | { result: 'dead'; delaySeconds: 0 } {
  const attempt = claim.attempts + 1
  if (claim.isExtra || attempt >= MAX_ATTEMPTS) return { result: 'dead', delaySeconds: 0 }
  const delaySeconds = schedule[attempt - 1]!
  const jitter = Math.min(delaySeconds * MAX_JITTER_SHARE, MAX_JITTER_SECONDS) * random()
  return { result: 'retry', delaySeconds: delaySeconds + jitter }
}
