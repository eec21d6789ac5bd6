import { dropOldest } from '../core/memo.ts'

type Options = {
  /** The most that a key may spend at once. */
  capacityMs: number
  /** The budget that a key regains per second. */
  refillMsPerSecond: number
  /** Beyond it, the keys that spent longest ago are forgotten. */
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

  /** Charges time that was spent. It may exceed the rest; a key owes at most twice the capacity. */
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
