import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { toBreakdownRows, TOP_LABELS } from './breakdowns.ts'
import { changePercent } from './change.ts'
import { toComparison } from '../questions/comparison.ts'
import { countConversions, type EarnedParts } from './conversions.ts'
import type { Counted } from '../questions/counted.ts'
import { count, type Wanted } from '../questions/counting.ts'
import { BREAKDOWN_NAMES, type BreakdownName } from '../questions/dimensions.ts'
import { toLabels } from '../questions/labels.ts'
import { toEarned, toTotals } from './overview.ts'
import { toBuckets, toGranularity } from '../questions/period.ts'
import {
  readQuestion,
  toIsoPeriod,
  toMeta,
  type AnalyticsDeps,
  type Question,
} from '../questions/question.ts'
import type { Granularity } from '../questions/query.ts'
import type { Read } from '../questions/reader.ts'
import type { SummaryQuery } from './schema.ts'
import { toSeries } from './timeseries.ts'
import { nameLinks } from './top-links.ts'

const TOP_LINKS = { limit: 10, offset: 0 }
/** Labels of the compared period among which those of the current one are looked up. */
const COMPARED_LABELS = 1_000

type Compared = {
  counted: Counted
  earned: EarnedParts
  bounds: readonly number[]
  question: Question
}

/**
 * Everything that a page of the dashboard shows, counted as of one moment: totals, series, breakdowns and top
 * links of the filters, and the same numbers of a period to compare with.
 * @throws ApiError VALIDATION_ERROR for a wrong period, comparison or filter
 */
export async function summary(
  deps: AnalyticsDeps,
  principal: Principal,
  query: SummaryQuery,
  signal?: AbortSignal,
) {
  const answer = await readSummary(deps, principal, query, {}, signal)
  return page(toData(answer), toSummaryMeta(answer))
}

/** @param extra numbers beside those of {@link summary} */
export async function readSummary(
  deps: AnalyticsDeps,
  principal: Principal,
  query: SummaryQuery,
  extra: Pick<Wanted, 'lifetime'>,
  signal?: AbortSignal,
): Promise<Answer> {
  const question = await readQuestion(deps, principal, {}, query, signal)
  const granularity = toGranularity(question.current, query.granularity)
  const bounds = toBuckets(question.current, granularity, question.zone)
  const compared = query.compare && toComparison(question, query.compare, query, deps.clock())
  const key = JSON.stringify(['summary', principal.workspaceId, query, extra])
  return deps.answers.ask(key, signal, async (stop) => {
    const both = await deps.reader.run(principal, stop, async (read) => {
      const counted = await count(read, question, {
        buckets: bounds,
        rows: { dimensions: BREAKDOWN_NAMES, limit: TOP_LABELS + 1 },
        topLinks: TOP_LINKS,
        ...extra,
      })
      const ids = counted.links.map(({ label }) => label)
      const earned = await countConversions(read, question, {
        buckets: bounds,
        dimensions: BREAKDOWN_NAMES,
        linkIds: ids,
      })
      const before = compared ? await compare(read, compared, granularity, ids) : null
      return { counted, earned, before }
    })
    const topLinks = await nameLinks(deps, principal, both.counted.links, both.earned.links)
    return { ...both, topLinks, bounds, question, granularity }
  })
}

export function toSummaryMeta({ counted, earned, before, question, granularity }: Answer) {
  return {
    ...toMeta(question, {
      hasLabelVisitors: true,
      compared: before?.question.current,
      currencies: earned.currencies,
    }),
    granularity,
    approximate: counted.isApproximate || (before?.counted.isApproximate ?? false),
  }
}

async function compare(
  read: Read,
  question: Question,
  granularity: Granularity,
  linkIds: readonly string[],
): Promise<Compared> {
  const bounds = toBuckets(question.current, granularity, question.zone)
  const labels = { dimensions: BREAKDOWN_NAMES, limit: COMPARED_LABELS }
  const counted = await count(read, question, { buckets: bounds, labels, linkIds })
  const earned = await countConversions(read, question, { buckets: bounds })
  return { counted, earned, bounds, question }
}

type Answer = {
  counted: Counted
  earned: EarnedParts
  before: Compared | null
  topLinks: Awaited<ReturnType<typeof nameLinks>>
  bounds: readonly number[]
  question: Question
  granularity: Granularity
}

export function toData({ counted, earned, before, topLinks, bounds, question }: Answer) {
  const { periodClicks, uniqueVisitors } = toTotals(counted)
  const clicksBefore = new Map(before?.counted.links.map(({ label, clicks }) => [label, clicks]))
  return {
    links: question.scope.links,
    totals: {
      clicks: periodClicks,
      uniqueVisitors,
      botClicks: counted.current.bots,
      ...toEarned(earned),
    },
    totalImportedClicks: question.imported,
    series: toSeries(bounds, counted.buckets, earned.buckets),
    breakdowns: toComparedRows(counted, earned, before?.counted),
    topLinks: topLinks.map((row) => ({
      ...row,
      comparedClicks: before && (clicksBefore.get(row.link.id) ?? 0),
    })),
    comparison: before && {
      period: toIsoPeriod(before.question.current),
      clicks: before.counted.current.clicks,
      uniqueVisitors: before.counted.current.visitors,
      botClicks: before.counted.current.bots,
      ...toEarned(before.earned),
      clicksChangePercent: changePercent(counted.current.clicks, before.counted.current.clicks),
      uniqueVisitorsChangePercent: changePercent(
        counted.current.visitors,
        before.counted.current.visitors,
      ),
      hasEarlierPeriod: before.counted.current.clicks > 0,
      series: toSeries(before.bounds, before.counted.buckets, before.earned.buckets),
    },
  }
}

function toComparedRows(counted: Counted, earned: EarnedParts, before: Counted | undefined) {
  const toRows = (name: BreakdownName) => {
    const clicks = new Map(
      before && toLabels(before, name).rows.map((row) => [row.label, row.clicks]),
    )
    return toBreakdownRows(counted, name, earned)
      .slice(0, TOP_LABELS)
      .map((row) => ({ ...row, comparedClicks: before ? (clicks.get(row.label) ?? 0) : null }))
  }
  return Object.fromEntries(BREAKDOWN_NAMES.map((name) => [name, toRows(name)])) as Record<
    BreakdownName,
    ReturnType<typeof toRows>
  >
}
