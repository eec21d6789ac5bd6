type Options = {
  /** What a key may spend at once. */
  capacityMs: number
  /** What it gets back in a second. */
  refillMsPerSecond: number
  maxKeys?: number
  /** A monotonic clock. */
  nowMs?: () => number
}

/** Time that is spent by keys and comes back at a steady rate (a leaky bucket for each key). */
export type TimeBudget = {
  /** What the key has spent and not got back yet, in milliseconds. */
  spentMs(key: string): number
  /** How long until every one of the keys may spend again, in milliseconds; 0 when they may. */
  waitMs(keys: readonly string[]): number
  /** Takes time that was spent; it may exceed what was left, up to twice the capacity in all. */
  spend(keys: readonly string[], ms: number): void
}

const MAX_KEYS = 10_000

export function createTimeBudget(options: Options): TimeBudget {
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

  function spend(keys: readonly string[], ms: number): void {
    for (const key of keys) {
      const spent = Math.min(spentMs(key) + ms, 2 * capacityMs)
      buckets.delete(key)
      if (buckets.size >= maxKeys) makeRoom()
      buckets.set(key, { spentMs: spent, atMs: nowMs() })
    }
  }

  /** Forgets those that have everything back, or the one that spent longest ago. */
  function makeRoom(): void {
    for (const key of buckets.keys()) if (spentMs(key) === 0) buckets.delete(key)
    const [oldest] = buckets.keys()
    if (buckets.size >= maxKeys && oldest !== undefined) buckets.delete(oldest)
  }

  return { spentMs, waitMs, spend }
}
