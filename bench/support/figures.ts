/** @param share 0.5 for the median */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** `1.02 (0.98–1.10)`: the median, the least and the greatest. */
export function spread(numbers: readonly number[]): string {
  const range = [Math.min(...numbers), Math.max(...numbers)].map((number) => number.toFixed(2))
  return `${median(numbers).toFixed(2)} (${range.join('–')})`
}

/**
 * Says whether figures may be printed: not those of a run in which a request failed. That is printed
 * instead, and the bench ends with 1.
 */
export function isSound(name: string, failures: number): boolean {
  if (failures === 0) return true
  console.log(`${name}: ${failures} requests FAILED`)
  process.exitCode = 1
  return false
}
