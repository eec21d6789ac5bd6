import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { ask, type AnalyticsDeps } from '../questions/ask.ts'
import type { Counted } from '../questions/counting.ts'
import { toSeries } from '../questions/period.ts'
import type { Granularity } from '../questions/query.ts'
import {
  readImportedDays,
  toIso,
  toMeta,
  type Question,
  type Subject,
} from '../questions/question.ts'
import { countAll, NOTHING_EARNED, type EarnedParts } from './conversions.ts'
import type { TimeseriesQuery } from './schema.ts'

/**
 * Clicks and visitors of each hour, day, week or month of the period, with zeros where there are none.
 * @throws ApiError VALIDATION_ERROR for a wrong period or filter, or more than 2,200 hours
 */
export async function timeseries(
  deps: AnalyticsDeps,
  principal: Principal,
  subject: Subject,
  query: TimeseriesQuery,
  signal?: AbortSignal,
) {
  const { counted, earned, question, bounds, granularity, imported } = await ask(
    deps,
    principal,
    { name: 'timeseries', subject, query, signal },
    async (read, asked) => {
      const series = toSeries(asked, query.granularity)
      return {
        ...series,
        imported: await readImportedSeries(deps, principal, asked, series, signal),
        ...(await countAll(read, asked, { buckets: series.bounds })),
      }
    },
  )
  return page(toBucketRows(bounds, counted, earned, imported), {
    ...toMeta(question, earned),
    granularity,
    approximate: counted.isApproximate,
  })
}

/** Imported clicks by the start of their bucket. */
export type ImportedSeries = ReadonlyMap<number, number>

/** A day counts in the bucket of its noon. Imported days have no hours, so hourly series leave them out. */
export async function readImportedSeries(
  deps: AnalyticsDeps,
  principal: Principal,
  question: Question,
  { bounds, granularity }: { bounds: readonly number[]; granularity: Granularity },
  signal?: AbortSignal,
): Promise<ImportedSeries> {
  const series = new Map<number, number>()
  if (granularity === 'hour') return series
  const period = { startMs: bounds[0]!, endMs: bounds.at(-1)! }
  const days = await readImportedDays(deps, principal, question, period, signal)
  let bucket = 0
  for (const { atMs, clicks } of days) {
    if (atMs < period.startMs || atMs >= period.endMs) continue
    while (bounds[bucket + 1]! <= atMs) bucket++
    const startMs = bounds[bucket]!
    series.set(startMs, (series.get(startMs) ?? 0) + clicks)
  }
  return series
}

export function toBucketRows(
  bounds: readonly number[],
  counted: Pick<Counted, 'buckets'>,
  earned: Pick<EarnedParts, 'buckets'>,
  imported: ImportedSeries,
) {
  return bounds.slice(0, -1).map((startMs) => {
    const { clicks = 0, visitors = 0 } = counted.buckets.get(startMs) ?? {}
    const { conversions, value } = earned.buckets.get(startMs) ?? NOTHING_EARNED
    return {
      ...{ start: toIso(startMs), clicks, uniqueVisitors: visitors, conversions, value },
      importedClicks: imported.get(startMs) ?? 0,
    }
  })
}
