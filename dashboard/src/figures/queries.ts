import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { toQuestion, type FigureSearch } from './search.ts'

export type Scope = { linkId?: string; campaignId?: string }
export type Summary = {
  data: Schemas['AnalyticsSummary']
  meta: Schemas['AnalyticsSeriesMeta']
  /** Of the values of conversions, of which an answer sums up those in one currency. */
  currency: string
}

const REFRESH_MS = 10_000
/** Of an answer to a question that names none. */
const DEFAULT_CURRENCY = 'usd'
/** More than there are countries. */
const ALL_COUNTRIES = 300

/** The figures of a page: totals, series, breakdowns and top links, all as of one time. */
export function summaryQuery(workspaceId: string, scope: Scope, search: FigureSearch) {
  const query = { ...toQuestion(search), ...scope }
  return queryOptions({
    queryKey: [workspaceId, 'figures', query],
    queryFn: async ({ signal }): Promise<Summary> => {
      const askIn = async (currency: string) => {
        const params = { query: { ...query, currency } }
        return { ...(await ask(api.GET('/analytics/summary', { params, signal }))), currency }
      }
      const answer = await askIn(DEFAULT_CURRENCY)
      const { currencies = [] } = answer.meta
      const [first] = currencies
      // Without values in the default currency, those of another one are the value.
      return first === undefined || currencies.includes(DEFAULT_CURRENCY) ? answer : askIn(first)
    },
    // The figures of before stay, dimmed, until the new ones arrive.
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

/** All countries, of which the summary has the first ten. */
export function countriesQuery(workspaceId: string, scope: Scope, search: FigureSearch) {
  const { compare: _, ...question } = toQuestion(search)
  const query = { ...question, ...scope, limit: ALL_COUNTRIES }
  return queryOptions({
    queryKey: [workspaceId, 'figures', 'countries', query],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/analytics/breakdowns/{dimension}', {
          params: { path: { dimension: 'country' }, query },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

/** The latest clicks of a day, with which the feed begins; it shows their times without dates. */
export function recentClicksQuery(workspaceId: string, linkId: string | undefined, limit: number) {
  const query = { interval: '24h', limit, ...(linkId === undefined ? {} : { linkId }) } as const
  return queryOptions({
    queryKey: [workspaceId, 'recent-clicks', query],
    queryFn: ({ signal }) => dataOf(api.GET('/analytics/events', { params: { query }, signal })),
  })
}

/** The first and the last day of the figures, in their own time zone: 2026-11-01. */
export function daysOf({
  period,
  timezone,
}: Pick<Summary['meta'], 'period' | 'timezone'>): readonly [string, string] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })
  return [format.format(Date.parse(period.start)), format.format(Date.parse(period.end) - 1)]
}
