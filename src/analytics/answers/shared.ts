import type { Principal } from '../../platform/routes/principal.ts'
import { BREAKDOWN_NAMES } from '../questions/dimensions.ts'
import { toBreakdown } from '../questions/labels.ts'
import { toTotals } from './overview.ts'
import type { AnalyticsDeps } from '../questions/question.ts'
import { readSummary, toData, toSummaryMeta } from './summary.ts'

/** Subject of a shared dashboard: one link, campaign or folder, or without any of them the workspace. */
export type SharedQuery = {
  days: number
  timezone: string
  /** ISO 4217 code, in lower case, of the conversions whose value is summed up. */
  currency: string
  linkId?: string
  campaignId?: string
  folderId?: string
}

export type SharedStatistics = Awaited<ReturnType<typeof shared>>

/** Destinations are for the members of the workspace. */
const SHARED_BREAKDOWNS = BREAKDOWN_NAMES.filter((name) => name !== 'destination')

/**
 * The numbers of a page of the dashboard for visitors without an account, and all clicks that were ever counted.
 * @throws ApiError RATE_LIMITED, UNAVAILABLE as {@link readSummary}
 */
export async function shared(deps: AnalyticsDeps, principal: Principal, query: SharedQuery) {
  const answer = await readSummary(
    deps,
    principal,
    { ...query, includeBots: false },
    { lifetime: true },
  )
  const { totals, series, topLinks } = toData(answer)
  const { periodChangePercent, uniqueVisitorsChangePercent, hasEarlierPeriod } = toTotals(
    answer.counted,
  )
  return {
    ...toSummaryMeta(answer),
    totalClicks: answer.counted.lifetime + answer.question.imported,
    totalImportedClicks: answer.question.imported,
    totals,
    clicksChangePercent: periodChangePercent,
    visitorsChangePercent: uniqueVisitorsChangePercent,
    hasEarlierPeriod,
    series,
    breakdowns: Object.fromEntries(
      SHARED_BREAKDOWNS.map((name) => [name, toBreakdown(answer.counted, name)]),
    ),
    topLinks,
  }
}
