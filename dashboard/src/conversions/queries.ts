import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ask, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import { toQuestion } from '../figures/search.ts'
import type { ConversionsSearch } from './search.ts'

export type Conversion = Schemas['ConversionEvent']
export type CurrencyTotal = Schemas['CurrencyTotal']
export type Series = {
  data: readonly Schemas['AnalyticsBucket'][]
  meta: Schemas['AnalyticsSeriesMeta']
}

const REFRESH_MS = 10_000

function toPeriod({ type: _type, ...search }: ConversionsSearch) {
  const { compare: _compare, ...period } = toQuestion(search)
  return period
}

export function conversionsQuery(workspaceId: string, search: ConversionsSearch) {
  const { type } = search
  const filter = { ...toPeriod(search), ...(type && { type }) }
  return pagedQuery(
    [workspaceId, 'conversions', filter],
    (page, signal) => {
      const query = { ...filter, ...page }
      return ask(api.GET('/analytics/conversions', { params: { query }, signal }))
    },
    () => REFRESH_MS,
  )
}

export function seriesQuery(workspaceId: string, search: ConversionsSearch) {
  const query = toPeriod(search)
  return queryOptions({
    queryKey: [workspaceId, 'conversions', 'series', query],
    queryFn: ({ signal }): Promise<Series> =>
      ask(api.GET('/analytics/timeseries', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}
