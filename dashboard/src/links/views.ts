import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { queryOptions } from '@tanstack/react-query'
import { readLinksSearch, type LinksSearch } from './search.ts'

export type LinkView = Schemas['LinkView']

/** The most that the API gives at once; a user has at most 50 of their own. */
const MOST = 100
/** Filters, order and columns; the drawers of the page are no part of a view. */
const KEPT = [
  'q',
  'tag',
  'folderId',
  'campaignId',
  'domainId',
  'domain',
  'status',
  'archived',
  'sort',
  'columns',
] as const satisfies readonly (keyof LinksSearch)[]

export function viewsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'link-views'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/link-views', { params: { query: { limit: MOST } }, signal })),
  })
}

/** The part of an address that a view keeps. */
export function toViewQuery(search: LinksSearch): string {
  const kept = KEPT.flatMap((key) =>
    search[key] === undefined ? [] : [[key, String(search[key])]],
  )
  return new URLSearchParams(kept).toString()
}

/** The search of an address that shows a view. */
export function toViewSearch(query: string): LinksSearch {
  const given = new URLSearchParams(query)
  const kept = KEPT.flatMap((key) => (given.has(key) ? [[key, given.get(key)]] : []))
  return readLinksSearch({
    ...Object.fromEntries(kept),
    archived: given.get('archived') === 'true',
  })
}

export type ViewDraft = { name: string; isShared: boolean }

export function createView(draft: ViewDraft, query: string): Promise<LinkView> {
  return dataOf(api.POST('/link-views', { body: { ...draft, query } }))
}

export function changeView(id: string, body: Schemas['UpdateLinkView']): Promise<LinkView> {
  return dataOf(api.PATCH('/link-views/{id}', { params: { path: { id } }, body }))
}

export function removeView(id: string): Promise<unknown> {
  return ask(api.DELETE('/link-views/{id}', { params: { path: { id } } }))
}
