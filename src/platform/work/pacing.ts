import { dropOldest } from '../core/functions.ts'
import { setTimeout as pass } from 'node:timers/promises'

type Options = {
  capacityMs: number
  refillMsPerSecond: number
  maxKeys?: number
  nowMs?: () => number
}

const MAX_KEYS = 10_000

/** Time that keys spend and regain at a steady rate (one leaky bucket per key). */
export function createTimeBudget(options: Options) {
  const { capacityMs, refillMsPerSecond, maxKeys = MAX_KEYS } = options
  const { nowMs = () => performance.now() } = options
  const buckets = new Map<string, { spentMs: number; atMs: number }>()

  function spentMs(key: string): number {
    const bucket = buckets.get(key)
    if (!bucket) return 0
    const refilledMs = ((nowMs() - bucket.atMs) * refillMsPerSecond) / 1_000
    return Math.max(0, bucket.spentMs - refilledMs)
  }

  function waitMs(keys: readonly string[]): number {
    const overMs = Math.max(...keys.map((key) => spentMs(key) - capacityMs))
    return overMs <= 0 ? 0 : (overMs * 1_000) / refillMsPerSecond
  }

  /** A key owes at most twice the capacity. */
  function spend(keys: readonly string[], ms: number): void {
    for (const key of keys) {
      const spent = Math.min(spentMs(key) + ms, 2 * capacityMs)
      buckets.delete(key)
      buckets.set(key, { spentMs: spent, atMs: nowMs() })
      dropOldest(buckets, maxKeys)
    }
  }

  return { spentMs, waitMs, spend }
}

export type PacerOptions = {
  perSecond?: number
  maxWaitMs?: number
  maxWaiting?: number
}

/** False if the refusal has to close its connection. */
type PaceRefusal = () => Promise<boolean>

const PER_SECOND = 100
const MAX_WAIT_MS = 2_000
const MAX_WAITING = 1_000

/**
 * A client that guesses would repeat a fast refusal at once, and a few hundred such clients would fill the event
 * loop. The first few are sent without delay. Beyond `maxWaiting` a refusal closes its connection: memory stays
 * bounded.
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
