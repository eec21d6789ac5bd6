import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { countConversions, NOTHING_EARNED, type Earned } from './conversions.ts'
import type { Visits } from '../questions/counted.ts'
import { count } from '../questions/counting.ts'
import { toBuckets, toGranularity } from '../questions/period.ts'
import {
  readQuestion,
  toIso,
  toMeta,
  type AnalyticsDeps,
  type Subject,
} from '../questions/question.ts'
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
  const question = await readQuestion(deps, principal, subject, query, signal)
  const granularity = toGranularity(question.current, query.granularity)
  const bounds = toBuckets(question.current, granularity, question.zone)
  const key = JSON.stringify(['timeseries', principal.workspaceId, subject, query])
  const answer = await deps.answers.ask(key, signal, async (stop) => {
    const both = await deps.reader.run(principal, stop, async (read) => ({
      counted: await count(read, question, { buckets: bounds }),
      earned: await countConversions(read, question, { buckets: bounds }),
    }))
    return { ...both, bounds, ...question }
  })
  const { counted, earned } = answer
  return page(toSeries(answer.bounds, counted.buckets, earned.buckets), {
    ...toMeta(answer, earned),
    granularity,
    approximate: counted.isApproximate,
  })
}

/** A row for each bucket. */
export function toSeries(
  bounds: readonly number[],
  buckets: ReadonlyMap<number, Visits>,
  earned: ReadonlyMap<number, Earned>,
) {
  return bounds.slice(0, -1).map((startMs) => {
    const { clicks = 0, visitors = 0 } = buckets.get(startMs) ?? {}
    const { conversions, value } = earned.get(startMs) ?? NOTHING_EARNED
    return {
      start: toIso(startMs),
      clicks,
      uniqueVisitors: visitors,
      conversions,
      value,
    }
  })
}
