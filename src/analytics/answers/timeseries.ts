import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { ask, type AnalyticsDeps } from '../questions/ask.ts'
import type { Counted } from '../questions/counting.ts'
import { toSeries } from '../questions/period.ts'
import { toIso, toMeta, type Subject } from '../questions/question.ts'
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
  const { counted, earned, question, bounds, granularity } = await ask(
    deps,
    principal,
    { name: 'timeseries', subject, query, signal },
    async (read, asked) => {
      const series = toSeries(asked, query.granularity)
      return { ...series, ...(await countAll(read, asked, { buckets: series.bounds })) }
    },
  )
  return page(toBucketRows(bounds, counted, earned), {
    ...toMeta(question, earned),
    granularity,
    approximate: counted.isApproximate,
  })
}

export function toBucketRows(
  bounds: readonly number[],
  counted: Pick<Counted, 'buckets'>,
  earned: Pick<EarnedParts, 'buckets'>,
) {
  return bounds.slice(0, -1).map((startMs) => {
    const { clicks = 0, visitors = 0 } = counted.buckets.get(startMs) ?? {}
    const { conversions, value } = earned.buckets.get(startMs) ?? NOTHING_EARNED
    return { start: toIso(startMs), clicks, uniqueVisitors: visitors, conversions, value }
  })
}
