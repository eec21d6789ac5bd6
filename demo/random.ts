export type Random = {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number below the limit. */
  below(limit: number): number
  /** One of the values, each as often as its weight says. */
  pick<T>(weighted: readonly (readonly [T, number])[]): T
}

/** The same numbers at each start, so that every demo shows the same workspace (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    pick(weighted) {
      const total = weighted.reduce((sum, [, weight]) => sum + weight, 0)
      let left = next() * total
      for (const [value, weight] of weighted) if ((left -= weight) < 0) return value
      return weighted.at(-1)![0]
    },
  }
}
