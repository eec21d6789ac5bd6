import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { nextOffset } from '../api/pages.ts'

export type BioPage = Schemas['BioPage']
export type BlockType = BioPage['blocks'][number]['type']

const PAGE_ROWS = 50

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
