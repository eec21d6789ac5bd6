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
 * The rows that a number is counted from. Each click of the scope is in the rows of one source:
 *
 *   clicks      whole days, whole hours, and the rest click by click (span.ts)
 *   click_days  days of months whose clicks were deleted (retention.ts)
 *
 * Of a month whose deletion is not finished, `clicks` is read click by click, without those that are in
 * `click_days` already: usually none.
 */
export type Source = { table: 'clicks' | 'click_days'; rows: SourceRows; where: string }

type Question = { scope: Scope; folds: Folds }

const UNITS = {
  days: { column: 'toDate(at)', literal: day },
  hours: { column: 'toStartOfHour(at)', literal: hour },
  clicks: { column: 'at', literal: instant },
} as const

/**
 * The sources of the clicks between the first and the last bound.
 * @param group of `click_days`: `visits`, or that of the labels
 */
export function sourcesOf(
  { scope, folds: all }: Question,
  bounds: readonly number[],
  rows: Rows,
  group: Group | 'visits' = 'visits',
): Source[] {
  const folds = foldsOf(all, { startMs: bounds[0]!, endMs: bounds.at(-1)! })
  const span = toSpan(bounds, rows)
  const months = unfinishedMonths(folds)
  const range = `at >= ${instant(bounds[0]!)} and at < ${instant(bounds.at(-1)!)}`
  return [
    ...(['days', 'hours', 'clicks'] as const).flatMap((unit) =>
      span[unit] === null
        ? []
        : [toSource(scope, unit, [span[unit], ...months.map((month) => isOutside(month, unit))])],
    ),
    ...lateOf(scope, folds, [range]),
    ...foldedOf(scope, folds, [foldedDays(bounds)], group),
  ]
}

/** The sources of all clicks that were ever counted. */
export function lifetimeSources({ scope, folds }: Question): Source[] {
  const outside = unfinishedMonths(folds).map((month) => isOutside(month, 'days'))
  return [
    toSource(scope, 'days', outside),
    ...lateOf(scope, folds, []),
    ...foldedOf(scope, folds, [], 'visits'),
  ]
}

/**
 * A select of keys, the number of clicks `c` and the state of the visitors `v`.
 * @param keys columns, as they are selected
 * @param groupBy their names
 * @param states of visitors: by workspace or by link; states of different precision cannot be merged
 */
export function selectFrom(
  source: Source,
  keys: readonly string[],
  groupBy: string,
  states?: 'workspace' | 'links',
): string {
  const { table, where } = source
  const precision = states === 'workspace' ? '(14)' : ''
  if (table === 'clicks') {
    const state = states ? [`uniqCombined64State${precision}(visitor) as v`] : []
    const columns = [...keys, 'count() as c', ...state].join(', ')
    return `select ${columns} from clicks where ${where} group by ${groupBy}`
  }
  const state = { workspace: ['workspace_visitors as v'], links: ['link_visitors as v'], none: [] }
  const columns = [...keys, 'clicks as c', ...state[states ?? 'none']].join(', ')
  return `select ${columns} from click_days where ${where}`
}

/** Clicks of deleted months are known by labels of one group at a time. */
export function foldedGroup(
  { filtered }: Pick<Scope, 'filtered'>,
  group: Group | 'visits',
): Group | 'visits' | null {
  const [first, ...others] = filtered
  if (first === undefined) return group
  return others.length === 0 && (group === 'visits' || group === first) ? first : null
}

function toSource(scope: Scope, rows: SourceRows, conditions: readonly string[]): Source {
  return { table: 'clicks', rows, where: [scope.where, ...conditions].join(' and ') }
}

/** The clicks of unfinished months that are in `clicks` alone. */
function lateOf(scope: Scope, folds: Folds, conditions: readonly string[]): Source[] {
  const isLate = isNotFolded(folds)
  if (isLate === null) return []
  const isIn = `toYYYYMM(at) in (${unfinishedMonths(folds).join(', ')})`
  return [toSource(scope, 'clicks', [...conditions, isIn, isLate])]
}

function foldedOf(
  scope: Scope,
  folds: Folds,
  conditions: readonly string[],
  wanted: Group | 'visits',
): Source[] {
  const group = foldedGroup(scope, wanted)
  if (folds.length === 0 || group === null) return []
  const where = [scope.where, `grp = '${group}'`, ...conditions, inFolds(folds)].join(' and ')
  return [{ table: 'click_days', rows: 'folded', where }]
}

function isOutside(month: number, unit: keyof typeof UNITS): string {
  const { startMs, endMs } = monthPeriod(month)
  const { column, literal } = UNITS[unit]
  return `not (${column} >= ${literal(startMs)} and ${column} < ${literal(endMs)})`
}
