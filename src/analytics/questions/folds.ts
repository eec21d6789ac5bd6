import type { Sql, Tx } from '../../platform/storage/postgres/postgres.ts'
import { inRanges, type SegmentRanges } from '../../platform/storage/clickhouse/segment-ranges.ts'
import { DAY_MS } from '../../platform/core/clock.ts'

/** The folded UTC months in order, each with the attempt whose rows of `click_days` count. */
export type Folds = readonly Fold[]

type Fold = {
  id: string
  /** As 202511. */
  month: number
  /** While clicks of the month may be in both tables: the segments that `click_days` has. */
  segments: SegmentRanges | null
}

/** Replicas may delete rows later than the one that answered. */
const DELETED_EVERYWHERE = '1 day'

/**
 * Reads which months are folded. Statements of ClickHouse must begin within two minutes: until then no row that they
 * expect is deleted, so they miss no click and count none twice.
 */
export function readFolds(sql: Sql | Tx): Promise<Folds> {
  return sql<Fold[]>`
    select id, month,
      case when state <> 'done' or ended_at > now() - ${DELETED_EVERYWHERE}::interval
        then segments end as segments
    from click_folds where state in ('folded', 'deleting', 'done') order by month, id`
}

/** The folds whose days may belong to a period, in any time zone. */
export function foldsOf(folds: Folds, period: { startMs: number; endMs: number }): Folds {
  const [first, last] = [toMonth(period.startMs - DAY_MS), toMonth(period.endMs + DAY_MS)]
  return folds.filter(({ month }) => month >= first && month <= last)
}

/** The condition that a row of `click_days` counts. */
export function inFolds(folds: Folds): string {
  return folds.length === 0 ? '0' : `fold in (${folds.map(({ id }) => toText(id)).join(', ')})`
}

/** Months whose clicks may be in both tables. */
export function unfinishedMonths(folds: Folds): number[] {
  return [...new Set(folds.filter(({ segments }) => segments).map(({ month }) => month))]
}

/** The condition that a row of `clicks` is not in `click_days` as well; null if none is. */
export function isNotFolded(folds: Folds): string | null {
  const folded = folds.flatMap(({ month, segments }) =>
    segments ? [`toYYYYMM(at) = ${month} and ${inRanges(segments)}`] : [],
  )
  return folded.length === 0 ? null : `not (${folded.join(' or ')})`
}

/** The UTC month of an instant, as 202511. */
export function toMonth(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

/** From the first instant of a UTC month to the first of the next. */
export function monthPeriod(month: number): { startMs: number; endMs: number } {
  const [year, index] = [Math.floor(month / 100), (month % 100) - 1]
  return { startMs: Date.UTC(year, index), endMs: Date.UTC(year, index + 1) }
}

function toText(id: string): string {
  if (!/^\w+$/.test(id)) throw new Error(`${JSON.stringify(id)} is not the id of a fold`)
  return `'${id}'`
}
