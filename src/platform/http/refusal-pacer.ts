import { setTimeout as pass } from 'node:timers/promises'

export type PacerOptions = {
  /** Refusals that leave in a second while others wait. */
  perSecond?: number
  maxWaitMs?: number
  /** Beyond this number refusals leave at once. */
  maxWaiting?: number
}

/** Resolves when a refusal may leave; with false if it has to close its connection. */
export type PaceRefusal = () => Promise<boolean>

const PER_SECOND = 100
const MAX_WAIT_MS = 2_000
const MAX_WAITING = 1_000

/**
 * Paces refusals of clients that send too many requests. A client that guesses would repeat a fast
 * refusal at once, and a few hundred such clients would fill the event loop that answers all others;
 * while it waits for a slow refusal it sends nothing. The first few refusals leave without delay.
 *
 * Beyond `maxWaiting` a refusal leaves at once and closes its connection: memory stays bounded,
 * and the next guess costs a handshake.
 */
export function createRefusalPacer(options: PacerOptions = {}): PaceRefusal {
  const { perSecond = PER_SECOND, maxWaitMs = MAX_WAIT_MS, maxWaiting = MAX_WAITING } = options
  let freeAtMs = 0
  let waiting = 0

  return async () => {
    if (waiting >= maxWaiting) return false
    const nowMs = performance.now()
    const waitMs = Math.min(Math.max(0, freeAtMs - nowMs), maxWaitMs)
    freeAtMs = nowMs + waitMs + 1_000 / perSecond
    if (waitMs === 0) return true
    waiting++
    await pass(waitMs)
    waiting--
    return true
  }
}
