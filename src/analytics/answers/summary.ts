import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { ask, type AnalyticsDeps } from '../questions/ask.ts'
import type { Counted } from '../questions/counting.ts'
import type { Wanted } from '../questions/wanted.ts'
import { BREAKDOWN_NAMES } from '../questions/dimensions.ts'
import { beforePeriod, toComparedPeriod, toSeries } from '../questions/period.ts'
import type { Granularity } from '../questions/query.ts'
import { toIsoPeriod, toMeta, type Question } from '../questions/question.ts'
import { byName, toBreakdownRows, toBreakdowns, toLabels, TOP_LABELS } from './breakdowns.ts'
import { countAll, toEarned, type EarnedParts } from './conversions.ts'
import { changePercent, toTotals } from './overview.ts'
import type { SummaryQuery } from './schema.ts'
import { readImportedSeries, toBucketRows, type ImportedSeries } from './timeseries.ts'
import { nameLinks } from './top-links.ts'

const TOP_LINKS = { limit: 10, offset: 0 }
/** Labels of the compared period among which the labels of the current one are looked up. */
const COMPARED_LABELS = 1_000
/** Destinations are for the members of the workspace. */
const SHARED_BREAKDOWNS = BREAKDOWN_NAMES.filter((name) => name !== 'destination')

type Numbers = {
  counted: Counted
  earned: EarnedParts
  bounds: readonly number[]
  question: Question
  imported: ImportedSeries
}
type Answer = Numbers & { before: Numbers | null; granularity: Granularity }

/**
 * Everything that a page of the dashboard shows, counted as of one moment: totals, series, breakdowns and top links,
 * and the same numbers of a period to compare with.
 * @throws ApiError VALIDATION_ERROR for a wrong period, comparison or filter
 */
export async function summary(
  deps: AnalyticsDeps,
  principal: Principal,
  query: SummaryQuery,
  signal?: AbortSignal,
) {
  const answer = await readSummary(deps, principal, query, {}, signal)
  return page(await toData(deps, principal, answer), toSummaryMeta(answer))
}

/** Subject of a shared dashboard: one link, campaign or folder, or without any of them the workspace. */
export type SharedQuery = {
  days: number
  timezone: string
  currency: string
  linkId?: string
  campaignId?: string
  folderId?: string
}

export type SharedStatistics = Awaited<ReturnType<typeof shared>>

/** The numbers of a page of the dashboard for visitors without an account, and all clicks ever counted. */
export async function shared(deps: AnalyticsDeps, principal: Principal, query: SharedQuery) {
  const own = { ...query, includeBots: false }
  const answer = await readSummary(deps, principal, own, { lifetime: true })
  const { counted, question } = answer
  const { totals, series, topLinks } = await toData(deps, principal, answer)
  const { periodChangePercent, uniqueVisitorsChangePercent, hasEarlierPeriod } = toTotals(counted)
  return {
    ...toSummaryMeta(answer),
    totalClicks: counted.lifetime + question.imported,
    totalImportedClicks: question.imported,
    totals,
    clicksChangePercent: periodChangePercent,
    visitorsChangePercent: uniqueVisitorsChangePercent,
    hasEarlierPeriod,
    series,
    breakdowns: toBreakdowns(counted, SHARED_BREAKDOWNS),
    topLinks,
  }
}

function readSummary(
  deps: AnalyticsDeps,
  principal: Principal,
  query: SummaryQuery,
  extra: Pick<Wanted, 'lifetime'>,
  signal?: AbortSignal,
): Promise<Answer> {
  const nowMs = deps.clock()
  return ask(
    deps,
    principal,
    { name: `summary ${JSON.stringify(extra)}`, query, signal },
    async (read, question) => {
      const { granularity, bounds } = toSeries(question, query.granularity)
      const compared = query.compare && toCompared(question, query.compare, query.timezone, nowMs)
      const series = compared && toSeries(compared, granularity)
      const readImported = (of: Question, starts: readonly number[]) =>
        readImportedSeries(deps, principal, of, { bounds: starts, granularity }, signal)
      const numbers = await countAll(read, question, {
        buckets: bounds,
        rows: { dimensions: BREAKDOWN_NAMES, limit: TOP_LABELS + 1 },
        topLinks: TOP_LINKS,
        ...extra,
      })
      const before = series && {
        ...(await countAll(read, compared, {
          buckets: series.bounds,
          labels: { dimensions: BREAKDOWN_NAMES, limit: COMPARED_LABELS },
          linkIds: numbers.counted.links.map(({ label }) => label),
        })),
        bounds: series.bounds,
        question: compared,
        imported: await readImported(compared, series.bounds),
      }
      const imported = await readImported(question, bounds)
      return { ...numbers, before: before || null, bounds, granularity, imported }
    },
  )
}

/** The same question about the period to compare with. */
function toCompared(
  question: Question,
  compare: string,
  timezone: string,
  nowMs: number,
): Question {
  const current = toComparedPeriod(question, compare, timezone, nowMs)
  return { ...question, current, previous: beforePeriod(current, question.zone) }
}

function toSummaryMeta({ counted, earned, before, question, granularity }: Answer) {
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

async function toData(deps: AnalyticsDeps, principal: Principal, answer: Answer) {
  const { counted, earned, before, question } = answer
  const topLinks = await nameLinks(deps, principal, counted.links, earned.links)
  const clicksBefore = new Map(before?.counted.links.map(({ label, clicks }) => [label, clicks]))
  return {
    links: question.scope.links,
    totals: toSums(answer),
    totalImportedClicks: question.imported,
    series: toBucketRows(answer.bounds, counted, earned, answer.imported),
    breakdowns: toComparedRows(counted, earned, before?.counted),
    topLinks: topLinks.map((row) => ({
      ...row,
      comparedClicks: before && (clicksBefore.get(row.link.id) ?? 0),
    })),
    comparison: before && {
      period: toIsoPeriod(before.question.current),
      ...toSums(before),
      clicksChangePercent: changePercent(counted.current.clicks, before.counted.current.clicks),
      uniqueVisitorsChangePercent: changePercent(
        counted.current.visitors,
        before.counted.current.visitors,
      ),
      hasEarlierPeriod: before.counted.current.clicks > 0,
      series: toBucketRows(before.bounds, before.counted, before.earned, before.imported),
    },
  }
}

function toSums({ counted: { current }, earned }: Numbers) {
  return {
    clicks: current.clicks,
    uniqueVisitors: current.visitors,
    botClicks: current.bots,
    ...toEarned(earned),
  }
}

function toComparedRows(counted: Counted, earned: EarnedParts, before: Counted | undefined) {
  return byName(BREAKDOWN_NAMES, (name) => {
    const clicks = new Map(
      before && toLabels(before, name).rows.map((row) => [row.label, row.clicks]),
    )
    return toBreakdownRows(counted, name, earned)
      .slice(0, TOP_LABELS)
      .map((row) => ({ ...row, comparedClicks: before ? (clicks.get(row.label) ?? 0) : null }))
  })
}
