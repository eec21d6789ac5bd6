/**
 * Caches the answers of a pure function of one text, about `limit` at most. Two generations: a full
 * one becomes the older, which is dropped as a whole when the next one is full.
 */
export function memoize<T>(
  limit: number,
  answer: (argument: string) => T,
): (argument: string) => T {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return (argument) => {
    let value = young.get(argument)
    if (value !== undefined) return value
    value = old.get(argument) ?? answer(argument)
    if (young.size >= limit / 2) {
      old = young
      young = new Map()
    }
    young.set(argument, value)
    return value
  }
}

/** Deletes the entries that were added first, so that at most `maxSize` remain. */
export function dropOldest(cache: Map<string, unknown>, maxSize: number): void {
  for (const key of cache.keys()) {
    if (cache.size <= maxSize) return
    cache.delete(key)
  }
}
