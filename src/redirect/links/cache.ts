/** The mark is part of the value, so that a hit reads one object less. */
export type Cached = { isUsed: boolean }

/** How many marked entries one eviction may skip, which limits its time. */
const MAX_CHANCES = 32

/**
 * A bounded map that evicts entries that were not used recently. A hit only sets a mark; an eviction goes
 * in the order of insertion and moves marked entries to the end, without their mark. So a hit costs one
 * lookup, whereas a strict LRU would move the entry each time.
 *
 * `maxWeight` limits the sum of `weigh`; a single heavier value is not kept.
 */
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

  /** Evicts before inserting, so that a new entry never evicts itself. */
  function set(key: string, value: V): void {
    remove(key)
    const weight = weigh(value)
    if (weight > maxWeight) return
    while (values.size >= maxEntries || total + weight > maxWeight) evictOne()
    values.set(key, value)
    total += weight
  }

  function remove(key: string): void {
    const value = values.get(key)
    if (value === undefined) return
    values.delete(key)
    total -= weigh(value)
  }

  /** Visits every entry, so only for rare events. */
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
