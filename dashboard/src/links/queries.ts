import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import { getTimeZone } from '../kit/locale.ts'
import { toFilter, type LinksSearch } from './search.ts'

export type Link = Schemas['Link']

/** The most that the API gives at once. */
export const PAGE_ROWS = 100
/** The period of the clicks that a list shows. */
export const LIST_DAYS = 30
const SLUG_FRESH_MS = 5_000
const GROUPS_FRESH_MS = 60_000
const GROUP_ROWS = 100
const HISTORY_ROWS = 20

/**
 * A page of the list of links by its number, so that the list can be entered anywhere. Beside a page that is
 * there already it is read by that page's cursor: links that arrive between do not shift its rows.
 */
export function linkPageQuery(workspaceId: string, search: LinksSearch, page: number) {
  const { sort } = search
  const query = {
    limit: PAGE_ROWS,
    clickDays: LIST_DAYS,
    timezone: getTimeZone(),
    ...toFilter(search),
    ...(sort
      ? { sortBy: sort, sortOrder: sort === 'name' ? ('asc' as const) : ('desc' as const) }
      : {}),
  }
  const keyOf = (number: number) => [workspaceId, 'links', query, number] as const
  return queryOptions({
    queryKey: keyOf(page),
    queryFn: ({ signal, client }) => {
      const cursor = client.getQueryData<LinkPage>(keyOf(page - 1))?.meta.nextCursor
      const place = cursor ? { cursor } : { offset: page * PAGE_ROWS }
      return ask(api.GET('/links', { params: { query: { ...query, ...place } }, signal }))
    },
  })
}
export type LinkPage = { data: Link[]; meta: Schemas['LinkListMeta'] }

/** The tags of the versions that were read, by link and time of the last change. */
const entityTags = new Map<string, string>()
const TAGS_KEPT = 200

/** The `ETag` of a version of a link that was read; absent: none was, and a change binds to no version. */
export function entityTagOf(id: string, updatedAt: string): string | undefined {
  return entityTags.get(`${id} ${updatedAt}`)
}

function keepEntityTag({ id, updatedAt }: Link, tag: string | null): void {
  if (tag === null) return
  if (entityTags.size >= TAGS_KEPT) entityTags.clear()
  entityTags.set(`${id} ${updatedAt}`, tag)
}

export function linkQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'link', id],
    queryFn: async ({ signal }) => {
      const call = api.GET('/links/{id}', { params: { path: { id } }, signal })
      const link = await dataOf(call)
      keepEntityTag(link, (await call).response.headers.get('etag'))
      return link
    },
  })
}

export function historyQuery(workspaceId: string, id: string) {
  return pagedQuery([workspaceId, 'link', id, 'history'], (page, signal) => {
    const params = { path: { id }, query: { ...page, limit: HISTORY_ROWS } }
    return ask(api.GET('/links/{id}/history', { params, signal }))
  })
}

/** Whether a slug is free on a domain, asked while the user types; an empty domain is the default one. */
export function slugQuery(workspaceId: string, slug: string, domain: string) {
  const query = { slug, ...(domain ? { domain } : {}) }
  return queryOptions({
    queryKey: [workspaceId, 'slug', query],
    queryFn: ({ signal }) => dataOf(api.GET('/links/check', { params: { query }, signal })),
    enabled: slug !== '',
    staleTime: SLUG_FRESH_MS,
  })
}

/**
 * Facts that the page at a destination gives about itself. They are read once: neither time nor a failure repeats
 * the request, and its key is apart from those of the workspace, which each change there renews.
 */
export function previewQuery(workspaceId: string, url: string) {
  return queryOptions({
    queryKey: ['destination-preview', workspaceId, url],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/links/preview', { params: { query: { url } }, signal })),
    enabled: url !== '',
    staleTime: Infinity,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/**
 * Groups of links: the folders, the tags that most links have, campaigns and templates. Each is absent
 * until it is read, and one that cannot be read takes none of the others away.
 */
export function useGroups(workspaceId: string, enabled = true) {
  const query = { limit: GROUP_ROWS }
  const options = { enabled, staleTime: GROUPS_FRESH_MS }
  const keyOf = (kind: string) => [workspaceId, 'groups', kind] as const
  const folders = useQuery({
    ...options,
    queryKey: keyOf('folders'),
    queryFn: ({ signal }) => dataOf(api.GET('/folders', { params: { query }, signal })),
  })
  const tags = useQuery({
    ...options,
    queryKey: keyOf('tags'),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/tags', { params: { query: { ...query, sortBy: 'links' } }, signal })),
  })
  const campaigns = useQuery({
    ...options,
    queryKey: keyOf('campaigns'),
    queryFn: ({ signal }) => dataOf(api.GET('/campaigns', { params: { query }, signal })),
  })
  const templates = useQuery({
    ...options,
    queryKey: keyOf('templates'),
    queryFn: ({ signal }) => dataOf(api.GET('/utm-templates', { params: { query }, signal })),
  })
  return {
    folders: folders.data,
    tags: tags.data,
    campaigns: campaigns.data,
    templates: templates.data,
  }
}
