import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  api,
  ask,
  dataOf,
  ifMatch,
  versionOf,
  type Schemas,
  type Versioned,
} from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import { toQuestion } from '../figures/search.ts'
import type { PageFiguresSearch } from './search.ts'

export type BioPage = Schemas['BioPage']
export type BlockType = BioPage['blocks'][number]['type']

export type PageFigures = {
  data: Schemas['BioPageAnalytics']
  meta: Schemas['BioPageAnalyticsMeta']
}

const REFRESH_MS = 10_000

export function bioPagesQuery(workspaceId: string) {
  return pagedQuery([workspaceId, 'bio-pages'], (query, signal) =>
    ask(api.GET('/bio-pages', { params: { query }, signal })),
  )
}

/** A page, and the version that a change of it must have seen. */
export type ReadPage = Versioned<BioPage>

export function bioPageQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'bio-page', id],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/bio-pages/{id}', { params: { path: { id } }, signal })),
  })
}

/** Changes a page, unless it is no longer the version that was read. @throws ApiError */
export function savePage(id: string, etag: string | null, body: Schemas['UpdateBioPage']) {
  const params = { path: { id } }
  return versionOf(api.PATCH('/bio-pages/{id}', { params, body, headers: ifMatch(etag) }))
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
