import type { Principal } from '../../platform/routes/principal.ts'
import {
  countConversions,
  NOTHING_EARNED,
  type Earned,
  type EarnedParts,
} from '../answers/conversions.ts'
import { LABEL_GROUPS, type DubQuery } from './dub-shapes.ts'
import { toBuckets, toGranularity } from '../questions/period.ts'
import { readQuestion, toIso, toMeta, type AnalyticsDeps } from '../questions/question.ts'
import type { TimeseriesQuery } from '../answers/schema.ts'

/** Grouping of the rows of an answer. */
type Group = DubQuery['groupBy']

/** Types of conversions under their names in Dub. */
const TYPES = { leads: 'lead', sales: 'sale' } as const
export type DubType = keyof typeof TYPES

/** Leads or sales by what a row stands for: the start of a bucket, the id of a link, a label, or '' for the period. */
export type DubEarned = ReadonlyMap<string, Earned>

/**
 * The leads and sales of a question. Links and labels with the most come first; a series has all of its buckets.
 * @param most links that are read
 */
export async function readDubEarned(
  deps: AnalyticsDeps,
  principal: Principal,
  query: TimeseriesQuery,
  { groupBy, types, most }: { groupBy: Group; types: readonly DubType[]; most: number },
  signal?: AbortSignal,
) {
  const question = await readQuestion(deps, principal, {}, query, signal)
  const series = groupBy === 'timeseries' && {
    granularity: toGranularity(question.current, query.granularity),
  }
  const buckets = series ? toBuckets(question.current, series.granularity, question.zone) : []
  const wanted = { ...toWanted(groupBy, most), buckets }
  const key = JSON.stringify(['dub', principal.workspaceId, query, groupBy, types])
  const answer = await deps.answers.ask(key, signal, async (stop) => {
    const parts = await deps.reader.run(principal, stop, async (read) => {
      const all = new Map<DubType, EarnedParts>()
      for (const type of types)
        all.set(type, await countConversions(read, question, { ...wanted, type: TYPES[type] }))
      return all
    })
    return { parts, buckets, question }
  })
  const ofType = [...answer.parts.values()]
  const currencies = [...new Set(ofType.flatMap((parts) => parts.currencies))].toSorted()
  return {
    earned: new Map(
      [...answer.parts].map(([type, parts]) => [type, toEarned(groupBy, parts, answer.buckets)]),
    ),
    meta: { ...toMeta(answer.question, { currencies }), ...series },
  }
}

function toWanted(groupBy: Group, most: number) {
  if (groupBy === 'count' || groupBy === 'timeseries') return {}
  if (groupBy === 'top_links') return { topLinks: most }
  return { dimensions: [LABEL_GROUPS[groupBy].dimension] }
}

function toEarned(groupBy: Group, parts: EarnedParts, bounds: readonly number[]): DubEarned {
  if (groupBy === 'count') return new Map([['', parts]])
  if (groupBy === 'timeseries')
    return new Map(
      bounds
        .slice(0, -1)
        .map((startMs) => [toIso(startMs), parts.buckets.get(startMs) ?? NOTHING_EARNED]),
    )
  const rows =
    groupBy === 'top_links' ? parts.links : parts.labels.get(LABEL_GROUPS[groupBy].dimension)!
  return new Map(
    [...rows].toSorted(
      ([a, ofA], [b, ofB]) => ofB.conversions - ofA.conversions || (a < b ? -1 : 1),
    ),
  )
}
