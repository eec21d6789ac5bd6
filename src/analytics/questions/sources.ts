import type { Group } from './dimensions.ts'
import {
  foldsOf,
  inFolds,
  isNotFolded,
  monthPeriod,
  unfinishedMonths,
  type Folds,
} from './folds.ts'
import type { Scope } from './scope.ts'
import { day, foldedDays, hour, instant, toSpan, type Rows, type SourceRows } from './span.ts'

/**
 * Rows to count clicks from: `folded` rows are in `click_days`, the others in `clicks`. Each click of a scope is
 * in the rows of exactly one source:
 *
 *   days, hours   whole ones, from projections (span.ts)
 *   clicks        the rest, click by click
 *   folded        days of months whose clicks were deleted (retention.ts)
 *
 * A month whose deletion has not finished is read click by click, without the clicks that `click_days` has
 * already: usually none are left.
 */
export type Source = { rows: SourceRows; where: string }

/** Bounds of buckets in milliseconds; null: all clicks ever counted. */
export type Bounds = readonly number[] | null

type Question = { scope: Scope; folds: Folds }

/**
 * Ends a select from `clicks`. Without it ClickHouse compares the select with every projection, which takes longer
 * than most reads.
 * @param projection the projection to read; null: single clicks
 */
export function readFrom(projection: string | null): string {
  return projection === null
    ? 'settings optimize_use_projections = 0'
    : `settings preferred_optimize_projection_name = '${projection}'`
}

const UNITS = {
  days: { column: 'toDate(at)', literal: day },
  hours: { column: 'toStartOfHour(at)', literal: hour },
  clicks: { column: 'at', literal: instant },
} as const
type Unit = keyof typeof UNITS

export function clickSources(
  { scope, folds: all }: Question,
  bounds: Bounds,
  rows: Rows,
): Source[] {
  const folds = within(all, bounds)
  const months = unfinishedMonths(folds)
  const span = bounds === null ? ALL_DAYS : toSpan(bounds, rows)
  const sources: Source[] = (['days', 'hours', 'clicks'] as const).flatMap((unit) =>
    span[unit] === null
      ? []
      : [{ rows: unit, where: and(scope.where, span[unit], ...months.map(isOutside(unit))) }],
  )
  const notFolded = isNotFolded(folds)
  if (notFolded === null) return sources
  const range = bounds === null ? '' : toSpan(bounds, 'clicks').clicks
  const isUnfinished = `toYYYYMM(at) in (${months.join(', ')})`
  return [...sources, { rows: 'clicks', where: and(scope.where, range, isUnfinished, notFolded) }]
}

/** The source in `click_days`; none when nothing is folded, or the filters need labels of two groups. */
export function foldedSources(
  { scope, folds: all }: Question,
  bounds: Bounds,
  wanted: Group | 'visits',
): Source[] {
  const folds = within(all, bounds)
  const group = foldedGroup(scope, wanted)
  if (folds.length === 0 || group === null) return []
  const days = bounds === null ? '' : foldedDays(bounds)
  return [{ rows: 'folded', where: and(scope.where, `grp = '${group}'`, days, inFolds(folds)) }]
}

/** A row of `click_days` has the labels of one group. */
function foldedGroup({ filtered }: Scope, wanted: Group | 'visits'): Group | 'visits' | null {
  const [first, ...others] = filtered
  if (first === undefined) return wanted
  return others.length === 0 && (wanted === 'visits' || wanted === first) ? first : null
}

const ALL_DAYS = { days: '', hours: null, clicks: null }

function within(folds: Folds, bounds: Bounds): Folds {
  return bounds === null ? folds : foldsOf(folds, { startMs: bounds[0]!, endMs: bounds.at(-1)! })
}

function isOutside(unit: Unit): (month: number) => string {
  const { column, literal } = UNITS[unit]
  return (month) => {
    const { startMs, endMs } = monthPeriod(month)
    return `not (${column} >= ${literal(startMs)} and ${column} < ${literal(endMs)})`
  }
}

function and(...conditions: readonly (string | null)[]): string {
  return conditions.filter(Boolean).join(' and ')
}
