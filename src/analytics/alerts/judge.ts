import { HOUR_MS, MINUTE_MS } from '../../platform/core/clock.ts'
import type { Zone } from '../../platform/resources/zone.ts'
import type { ClicksState } from './schema.ts'

const WEEKS = 4
const WEEK_MS = 7 * 24 * HOUR_MS
/** Fewer weeks say nothing about what is usual. */
const MIN_WEEKS = 2
/** Below it, a few clicks more or less would be far from the usual. */
const MIN_CLICKS = 20
/** The usual number must be missed by this factor, and by this many times the spread. */
const FACTOR = 2
const SPREADS = 3
/** Clicks of an hour are stored within seconds; an edge that is slower may take minutes. */
const SETTLED_MS = 10 * MINUTE_MS

/** Ten minutes past the next full hour, by UTC. */
export function getNextCheckMs(nowMs: number): number {
  return Math.floor((nowMs - SETTLED_MS) / HOUR_MS) * HOUR_MS + HOUR_MS + SETTLED_MS
}

/** Start of the last full hour, by UTC. */
export function getLastHourMs(nowMs: number): number {
  return Math.floor(nowMs / HOUR_MS) * HOUR_MS - HOUR_MS
}

/** The hours with the same local time of day and weekday, the latest first, since the target exists. */
export function listSameHours(zone: Zone, hourMs: number, sinceMs: number): number[] {
  return Array.from({ length: WEEKS }, (_, week) => {
    const localMs = zone.toLocal(hourMs) - (week + 1) * WEEK_MS
    return Math.floor(zone.fromLocal(localMs) / HOUR_MS) * HOUR_MS
  }).filter((at) => at >= sinceMs)
}

export type Judgment = { state: ClicksState; usual: number }

/**
 * Far above the usual: at least 20 clicks, more than twice the median of the same hours, and more than three spreads
 * above it; far below: the same downwards, from a median of at least 20. The spread is the median distance from the
 * median, and at least its square root, which chance alone makes.
 * @returns null while too few weeks are known
 */
export function judge(count: number, sameHours: readonly number[]): Judgment | null {
  if (sameHours.length < MIN_WEEKS) return null
  const usual = medianOf(sameHours)
  const distances = sameHours.map((each) => Math.abs(each - usual))
  const spread = Math.max(medianOf(distances), Math.sqrt(usual))
  const isFar = Math.abs(count - usual) > SPREADS * spread
  const isHigh = isFar && count >= MIN_CLICKS && count > FACTOR * usual
  const isLow = isFar && usual >= MIN_CLICKS && count < usual / FACTOR
  return { state: isHigh ? 'high' : isLow ? 'low' : 'usual', usual: Math.round(usual) }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
}
