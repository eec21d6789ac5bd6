import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ask, type Schemas } from '../api/client.ts'
import { toQuestion, type FigureSearch } from './search.ts'

export type Scope = { linkId?: string; campaignId?: string }
export type Summary = { data: Schemas['AnalyticsSummary']; meta: Schemas['AnalyticsSeriesMeta'] }

const REFRESH_MS = 10_000

/** The figures of a page: totals, series, breakdowns and top links, all as of one time. */
export function summaryQuery(workspaceId: string, scope: Scope, search: FigureSearch) {
  const query = { ...toQuestion(search), ...scope }
  return queryOptions({
    queryKey: [workspaceId, 'figures', query],
    queryFn: ({ signal }): Promise<Summary> =>
      ask(api.GET('/analytics/summary', { params: { query }, signal })),
    // The figures of before stay, dimmed, until the new ones arrive.
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}
