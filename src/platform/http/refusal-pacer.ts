import { setTimeout as pass } from 'node:timers/promises'

export type PacerOptions = {
  perSecond?: number
  maxWaitMs?: number
  maxWaiting?: number
}

/** Resolves when to send a refusal; with false if it has to close its connection. */
type PaceRefusal = () => Promise<boolean>

const PER_SECOND = 100
const MAX_WAIT_MS = 2_000
const MAX_WAITING = 1_000

/**
 * Paces refusals. A client that guesses would repeat a fast refusal at once, and a few hundred such clients would fill the
 * event loop; while it waits for a slow one it sends nothing. The first few refusals are sent without delay. Beyond
 * `maxWaiting` a refusal closes its connection: memory stays bounded, and the next guess costs a handshake.
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
