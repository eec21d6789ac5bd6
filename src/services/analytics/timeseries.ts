import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { count, type Visits } from './counting.ts'
import { toBuckets, toGranularity } from './period.ts'
import { readQuestion, toIso, toMeta, type AnalyticsDeps, type Subject } from './question.ts'
import type { TimeseriesQuery } from './schema.ts'

/**
 * Clicks and visitors of each hour, day, week or month of the period, with zeros where there are none.
 * @throws ApiError VALIDATION_ERROR for a wrong period or filter, or more than 2,200 hours
 */
export async function timeseries(
  deps: AnalyticsDeps,
  who: Who,
  subject: Subject,
  query: TimeseriesQuery,
  signal?: AbortSignal,
) {
  const question = await readQuestion(deps, who, subject, query, signal)
  const granularity = toGranularity(question.current, query.granularity)
  const bounds = toBuckets(question.current, granularity, question.zone)
  const key = JSON.stringify(['timeseries', who.workspaceId, subject, query])
  const answer = await deps.answers.ask(key, signal, async (stop) => {
    const counted = await deps.reader.run(who, stop, (read) =>
      count(read, question, { buckets: bounds }),
    )
    return { counted, bounds, ...question }
  })
  return page(toSeries(answer.bounds, answer.counted.buckets), {
    ...toMeta(answer),
    granularity,
    approximate: answer.counted.isApproximate,
  })
}

/** A row for each bucket. Conversions are not counted yet and are 0. */
export function toSeries(bounds: readonly number[], buckets: ReadonlyMap<number, Visits>) {
  return bounds.slice(0, -1).map((startMs) => {
    const { clicks = 0, visitors = 0 } = buckets.get(startMs) ?? {}
    return { start: toIso(startMs), clicks, uniqueVisitors: visitors, conversions: 0, value: 0 }
  })
}
