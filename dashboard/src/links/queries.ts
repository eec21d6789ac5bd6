import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { getTimeZone } from '../kit/format.ts'
import type { LinksSearch } from './search.ts'

export type Link = Schemas['Link']

const PAGE_ROWS = 50
/** The period of the clicks that a list shows. */
export const LIST_DAYS = 30
const SLUG_FRESH_MS = 5_000

/** Pages of the list of links, by cursor, so that new links do not shift the rows. */
export function linksQuery(workspaceId: string, search: LinksSearch) {
  const { q, tag, folderId, campaignId, status, sort } = search
  const query = {
    limit: PAGE_ROWS,
    clickDays: LIST_DAYS,
    timezone: getTimeZone(),
    ...(q ? { search: q } : {}),
    ...(tag ? { tag } : {}),
    ...(folderId ? { folderId } : {}),
    ...(campaignId ? { campaignId } : {}),
    ...(status ? { status } : {}),
    ...(sort
      ? { sortBy: sort, sortOrder: sort === 'name' ? ('asc' as const) : ('desc' as const) }
      : {}),
  }
  return infiniteQueryOptions({
    queryKey: [workspaceId, 'links', query],
    queryFn: ({ pageParam, signal }) =>
      ask(
        api.GET('/links', {
          params: { query: pageParam === null ? query : { ...query, cursor: pageParam } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

export function linkQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'link', id],
    queryFn: ({ signal }) => dataOf(api.GET('/links/{id}', { params: { path: { id } }, signal })),
  })
}

export function historyQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'link', id, 'history'],
    queryFn: ({ signal }) =>
      ask(api.GET('/links/{id}/history', { params: { path: { id } }, signal })),
  })
}

/** Whether a slug is free, asked while the user types. */
export function slugQuery(workspaceId: string, slug: string) {
  return queryOptions({
    queryKey: [workspaceId, 'slug', slug],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/links/check', { params: { query: { slug } }, signal })),
    enabled: slug !== '',
    staleTime: SLUG_FRESH_MS,
  })
}

export function groupsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'groups'],
    queryFn: async ({ signal }) => {
      const query = { limit: 100 }
      const [folders, tags, campaigns, templates] = await Promise.all([
        ask(api.GET('/folders', { params: { query }, signal })),
        ask(api.GET('/tags', { params: { query }, signal })),
        ask(api.GET('/campaigns', { params: { query }, signal })),
        ask(api.GET('/utm-templates', { params: { query }, signal })),
      ])
      return {
        folders: folders.data,
        tags: tags.data,
        campaigns: campaigns.data,
        templates: templates.data,
      }
    },
    staleTime: 60_000,
  })
}
