/**
 * The states of a delivery (spec, Webhook delivery status). Live ones are rows of webhook_queue,
 * ended ones rows of webhook_log, written once.
 *
 *                     ┌────────────── retry (POST): due now ──────────────┐
 *                     ▼                                                   │
 *   event, test ──▶ PENDING ──claim──▶ PROCESSING ──2xx──▶ COMPLETED      │
 *                     ▲                │ │ ▲  ▲ │                         │
 *                     │                │ │ │  │ └─ the worker was lost:   │
 *                     │                │ │ │  └─── claimed again          │
 *                     │                │ │ └──────claim, when due────── FAILED
 *                     │                │ └────not 2xx, attempts remain────▲
 *                     │                └──not 2xx, fifth, or extra──▶ DEAD_LETTER
 *                     └──────────── retry (POST): one extra attempt ──────────┘
 *
 * A worker that was lost with a delivery uses up no attempt; the third time it counts as a failed
 * one, so that a delivery that kills workers ends as well. An outcome is written only if it carries the
 * current epoch of the lane. Pause and resume, a new URL, a new secret and a deletion apply to every
 * delivery that is not on the wire: they are read with the claim.
 */
export const STATUS = { pending: 0, processing: 1, completed: 2, failed: 3, deadLetter: 4 } as const

export const STATUS_NAMES = ['pending', 'processing', 'completed', 'failed', 'dead_letter'] as const

export const MAX_ATTEMPTS = 5

/** A delivery that was lost with this many workers counts as a failed attempt. */
export const MAX_ORPHANED = 3

/** Only adds: a retry never comes earlier than the schedule says. */
const MAX_JITTER_SHARE = 0.05
const MAX_JITTER_SECONDS = 10

/**
 * The next delay of the schedule, or the dead letter after the fifth or an extra attempt (spec, Delivery outcome
 * and retries).
 */
export function afterFailure(
  schedule: readonly number[],
  { attempts, isExtra }: { attempts: number; isExtra: boolean },
): { result: 'retry' | 'dead'; delaySeconds: number } {
  const attempt = attempts + 1
  if (isExtra || attempt >= MAX_ATTEMPTS) return { result: 'dead', delaySeconds: 0 }
  const delaySeconds = schedule[attempt - 1]!
  const jitter = Math.min(delaySeconds * MAX_JITTER_SHARE, MAX_JITTER_SECONDS) * Math.random()
  return { result: 'retry', delaySeconds: delaySeconds + jitter }
}
