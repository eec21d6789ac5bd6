import type { Sql, Tx } from '../../storage/postgres.ts'
import { inRanges, type SegmentRanges } from './segment-ranges.ts'

/** The months of a period whose clicks are read from `click_days`. Null where there is none. */
export type Folds = {
  /** Of the attempts whose rows count. */
  ids: readonly string[]
  /** UTC months, as 202511, in ascending order. */
  months: readonly number[]
  /** Months whose clicks may be in both tables, with the segments that `click_days` has. */
  unfinished: readonly { month: number; segments: SegmentRanges }[]
}

/** Replicas may delete rows later than the one that was asked. */
const DELETED_EVERYWHERE = '1 day'

/**
 * Reads which months are folded. A statement of ClickHouse must begin within two minutes after it, in which
 * no row is deleted that it expects: it then misses no click and counts none twice.
 * @param period reads the folds of its months alone
 */
export async function readFolds(
  sql: Sql | Tx,
  period?: { startMs: number; endMs: number },
): Promise<Folds | null> {
  const [first, last] = period ? [toMonth(period.startMs), toMonth(period.endMs - 1)] : [0, 999_912]
  const rows = await sql<{ id: string; month: number; segments: SegmentRanges | null }[]>`
    select id, month,
      case when state <> 'done' or ended_at > now() - ${DELETED_EVERYWHERE}::interval
        then segments end as segments
    from click_folds
    where state in ('folded', 'deleting', 'done') and month between ${first} and ${last}
    order by month, id`
  if (rows.length === 0) return null
  return {
    ids: rows.map(({ id }) => id),
    months: [...new Set(rows.map(({ month }) => month))],
    unfinished: rows.flatMap(({ month, segments }) => (segments ? [{ month, segments }] : [])),
  }
}

/** The condition that a row of `click_days` counts. */
export function inFolds({ ids }: Folds): string {
  return `fold in (${ids.map(toText).join(', ')})`
}

/** The condition that a row of `clicks` is not in `click_days` as well; null if none is. */
export function isNotFolded({ unfinished }: Folds): string | null {
  if (unfinished.length === 0) return null
  const folded = unfinished.map(
    ({ month, segments }) => `toYYYYMM(at) = ${month} and ${inRanges(segments)}`,
  )
  return `not (${folded.join(' or ')})`
}

/** The UTC month of an instant, as 202511. */
export function toMonth(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

/** From the first instant of a UTC month to that of the next. */
export function monthPeriod(month: number): { startMs: number; endMs: number } {
  const [year, index] = [Math.floor(month / 100), (month % 100) - 1]
  return { startMs: Date.UTC(year, index), endMs: Date.UTC(year, index + 1) }
}

function toText(id: string): string {
  if (!/^\w+$/.test(id)) throw new Error(`${JSON.stringify(id)} is not the id of a fold`)
  return `'${id}'`
}
