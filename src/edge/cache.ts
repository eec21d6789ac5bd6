/**
 * A bounded map that forgets what was not asked for lately. A hit only sets a mark; the pass that
 * makes room takes entries in the order of their arrival and gives marked ones a second round. So
 * a hit costs one lookup, where a strict LRU would move the entry each time.
 */
/** The cache's own mark lies in the value: a hit touches one object less in memory. */
export type Cached = { isUsed: boolean }

/** How many marked entries one eviction may pass over, so that none takes long. */
const MAX_CHANCES = 32

/** `maxWeight` bounds the sum of what `weigh` returns; one heavier value alone is not kept. */
export function createCache<V extends Cached>(limits: {
  maxEntries: number
  maxWeight?: number
  weigh?: (value: V) => number
}) {
  const { maxEntries, maxWeight = Infinity, weigh = () => 0 } = limits
  const values = new Map<string, V>()
  let total = 0

  function get(key: string): V | undefined {
    const value = values.get(key)
    if (value !== undefined && !value.isUsed) value.isUsed = true
    return value
  }

  function set(key: string, value: V): void {
    remove(key)
    const weight = weigh(value)
    if (weight > maxWeight) return
    values.set(key, value)
    total += weight
    while (values.size > maxEntries || total > maxWeight) evictOne()
  }

  function remove(key: string): void {
    const value = values.get(key)
    if (value === undefined) return
    values.delete(key)
    total -= weigh(value)
  }

  /** Walks over everything: for what happens seldom. */
  function removeWhere(isGone: (value: V) => boolean): void {
    for (const [key, value] of values) if (isGone(value)) remove(key)
  }

  function evictOne(): void {
    let chances = MAX_CHANCES
    for (const [key, value] of values) {
      values.delete(key)
      if (!value.isUsed || chances-- === 0) {
        total -= weigh(value)
        return
      }
      value.isUsed = false
      values.set(key, value)
    }
  }

  return { get, set, remove, removeWhere, size: () => values.size }
}
