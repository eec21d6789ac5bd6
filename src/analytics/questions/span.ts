import { DAY_MS, HOUR_MS } from '../../platform/core/clock.ts'

/**
 * Divides the time between the first and the last bound so that no row holds clicks of two buckets:
 *
 *     bound       00:00 UTC            00:00 UTC      bound       bound
 *       |-clicks|hours-|------ days -------|---hours---|--clicks|---|
 *
 * A UTC day or hour is whole when no bound is inside it.
 */
type Span = {
  /** Conditions on `clicks`; null when nothing is read that way. */
  days: string | null
  hours: string | null
  clicks: string | null
}

/** Kinds of rows that exist: by day, also by hour, or clicks alone. */
export type Rows = 'days' | 'hours' | 'clicks'

const NOON_MS = 12 * HOUR_MS

/** @param bounds ascending, at least two */
export function toSpan(bounds: readonly number[], rows: Rows): Span {
  const days = rows === 'clicks' ? null : wholeUnits(bounds, DAY_MS)
  const hours = rows === 'hours' ? wholeUnits(bounds, HOUR_MS) : null
  return {
    days: days && inUnits(days, 'toDate(at)', day),
    hours: hours && hoursSql(hours, days),
    clicks: clicksSql(bounds, hours ?? days),
  }
}

/** The start of the bucket of a row, in milliseconds. */
export function bucketOf(bounds: readonly number[] | null, rows: SourceRows): string {
  if (bounds === null) return 'toInt64(0)'
  const starts = bounds.slice(0, -1)
  if (starts.length === 1) return `toInt64(${starts[0]})`
  // One literal: a function for each of thousands of starts takes seconds to analyze.
  return `roundDown(${MS_OF[rows]}, cast([${starts.join(', ')}], 'Array(Int64)'))`
}

const MS_OF = {
  days: 'toInt64(toUInt32(toDate(at))) * 86400000',
  hours: 'toInt64(toUnixTimestamp(toStartOfHour(at))) * 1000',
  clicks: 'toUnixTimestamp64Milli(at)',
  // A day belongs to the bucket with its noon: most of it, in every time zone.
  folded: `toInt64(toUInt32(day)) * 86400000 + ${NOON_MS}`,
} as const
/** `folded`: days of `click_days`. */
export type SourceRows = keyof typeof MS_OF

/** Units between two instants, without the ones that hold a bound. */
type Units = { unitMs: number; fromMs: number; toMs: number; cut: readonly number[] }

function wholeUnits(bounds: readonly number[], unitMs: number): Units | null {
  const fromMs = Math.ceil(bounds[0]! / unitMs) * unitMs
  const toMs = Math.floor(bounds.at(-1)! / unitMs) * unitMs
  const cut = new Set<number>()
  for (const bound of bounds) {
    const start = Math.floor(bound / unitMs) * unitMs
    if (start !== bound && start >= fromMs && start < toMs) cut.add(start)
  }
  return (toMs - fromMs) / unitMs > cut.size ? { unitMs, fromMs, toMs, cut: [...cut] } : null
}

function inUnits(units: Units, unit: string, literal: (ms: number) => string): string {
  const range = `${unit} >= ${literal(units.fromMs)} and ${unit} < ${literal(units.toMs)}`
  return units.cut.length === 0 ? range : `${range} and ${unit} not in ${list(units, literal)}`
}

/** Whole hours that are in no whole day. */
function hoursSql(hours: Units, days: Units | null): string | null {
  const unit = 'toStartOfHour(at)'
  const range = inUnits(hours, unit, hour)
  if (days === null) return range
  const outside = outsideOf(hours, days, unit, `toDate(${unit})`, hour)
  return outside && `${range} and ${outside}`
}

/** Clicks that are in no whole unit. */
function clicksSql(bounds: readonly number[], units: Units | null): string | null {
  const [fromMs, toMs] = [bounds[0]!, bounds.at(-1)!]
  const range = `at >= ${instant(fromMs)} and at < ${instant(toMs)}`
  if (units === null) return range
  const unit = units.unitMs === DAY_MS ? 'toDate(at)' : 'toStartOfHour(at)'
  const outside = outsideOf({ fromMs, toMs }, units, 'at', unit, instant)
  return outside && `${range} and ${outside}`
}

/** The part of a range that is in no whole unit; null when there is none. */
function outsideOf(
  range: { fromMs: number; toMs: number },
  units: Units,
  column: string,
  unit: string,
  literal: (ms: number) => string,
): string | null {
  const parts = [
    ...(range.fromMs < units.fromMs ? [`${column} < ${literal(units.fromMs)}`] : []),
    ...(range.toMs > units.toMs ? [`${column} >= ${literal(units.toMs)}`] : []),
    ...(units.cut.length > 0
      ? [`${unit} in ${list(units, units.unitMs === DAY_MS ? day : hour)}`]
      : []),
  ]
  return parts.length === 0 ? null : `(${parts.join(' or ')})`
}

function list({ cut }: Units, literal: (ms: number) => string): string {
  return `(${cut.map(literal).join(', ')})`
}

/** Computed numbers stand in the statement itself and need no parameters. */
export function instant(ms: number): string {
  return `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`
}

export function hour(ms: number): string {
  return `toDateTime(${ms / 1_000}, 'UTC')`
}

export function day(ms: number): string {
  return `toDate('${new Date(ms).toISOString().slice(0, 10)}')`
}

/** The days of `click_days` whose noon is between the first and the last bound. */
export function foldedDays(bounds: readonly number[]): string {
  const first = Math.ceil((bounds[0]! - NOON_MS) / DAY_MS) * DAY_MS
  const end = Math.ceil((bounds.at(-1)! - NOON_MS) / DAY_MS) * DAY_MS
  return `day >= ${day(first)} and day < ${day(end)}`
}
