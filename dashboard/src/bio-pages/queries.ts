import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { nextOffset } from '../api/pages.ts'
import { toQuestion } from '../figures/search.ts'
import type { PageFiguresSearch } from './search.ts'

export type BioPage = Schemas['BioPage']
export type BlockType = BioPage['blocks'][number]['type']

export type PageFigures = {
  data: Schemas['BioPageAnalytics']
  meta: Schemas['BioPageAnalyticsMeta']
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

/** A page, and the version that a change of it must have seen. */
export type ReadPage = { page: BioPage; etag: string | null }

export function bioPageQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'bio-page', id],
    queryFn: ({ signal }) =>
      toReadPage(api.GET('/bio-pages/{id}', { params: { path: { id } }, signal })),
  })
}

/** Changes a page, unless it is no longer the version that was read. @throws ApiError */
export function savePage({ page: { id }, etag }: ReadPage, body: Schemas['UpdateBioPage']) {
  const headers = etag === null ? {} : { 'if-match': etag }
  return toReadPage(api.PATCH('/bio-pages/{id}', { params: { path: { id } }, body, headers }))
}

async function toReadPage(
  call: Promise<{ data?: { data: BioPage }; error?: unknown; response: Response }>,
): Promise<ReadPage> {
  const page = await dataOf(call)
  return { page, etag: (await call).response.headers.get('etag') }
}

/** The page as it would be shown after a change. */
export function previewQuery(workspaceId: string, id: string, body: Schemas['UpdateBioPage']) {
  return queryOptions({
    queryKey: [workspaceId, 'bio-page', id, 'preview', body],
    queryFn: ({ signal }) =>
      dataOf(api.POST('/bio-pages/{id}/preview', { params: { path: { id } }, body, signal })),
    // The last drawing stays while the next one is under way.
    placeholderData: keepPreviousData,
    retry: false,
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
