import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { nextOffset } from '../api/pages.ts'
import { toQuestion } from '../figures/search.ts'
import type { PageFiguresSearch } from './search.ts'

export type BioPage = Schemas['BioPage']
export type BlockType = BioPage['blocks'][number]['type']

export type PageFigures = {
  data: Schemas['BioPageAnalytics']
  meta: Schemas['AnalyticsMeta']
}

const PAGE_ROWS = 50
const REFRESH_MS = 10_000

export function bioPagesQuery(workspaceId: string) {
  return infiniteQueryOptions({
    queryKey: [workspaceId, 'bio-pages'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_ROWS, offset: pageParam }
      return ask(api.GET('/bio-pages', { params: { query }, signal }))
    },
    initialPageParam: 0,
    getNextPageParam: nextOffset,
  })
}

export function bioPageQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'bio-page', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/bio-pages/{id}', { params: { path: { id } }, signal })),
  })
}

/** Views of a page and clicks of its blocks. */
export function pageFiguresQuery(workspaceId: string, id: string, search: PageFiguresSearch) {
  const { compare: _compare, ...query } = toQuestion(search)
  return queryOptions({
    queryKey: [workspaceId, 'bio-page', id, 'figures', query],
    queryFn: ({ signal }): Promise<PageFigures> =>
      ask(api.GET('/analytics/bio-pages/{id}', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}
