import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { allDomainsQuery } from '../api/domains.ts'
import { formatNumber } from '../kit/locale.ts'
import { withoutScheme } from '../kit/url.ts'
import type { Group } from './search.ts'

/** A link, folder, campaign, tag or domain as a choice. */
export type GroupChoice = { value: string; label: string; note?: string }

const MOST = 50
const FRESH_MS = 60_000

/** Those that match what is typed, the most used first where the API orders by use. */
export function groupChoicesQuery(workspaceId: string, group: Group, q: string) {
  return queryOptions({
    queryKey: [workspaceId, 'group-choices', group, q],
    queryFn: ({ signal, client }): Promise<GroupChoice[]> => {
      const query = { limit: MOST, ...(q ? { search: q } : {}) }
      switch (group) {
        case 'linkId':
          return readLinks({ ...query, sortBy: 'clicks', includeArchived: true }, signal)
        case 'tag':
          return dataOf(
            api.GET('/tags', { params: { query: { ...query, sortBy: 'links' } }, signal }),
          ).then((rows) =>
            rows.map(({ name, links }) => ({
              value: name,
              label: name,
              note: formatNumber(links),
            })),
          )
        case 'folderId':
          return dataOf(api.GET('/folders', { params: { query }, signal })).then((rows) =>
            rows.map(({ id, name, links }) => ({
              value: id,
              label: name,
              note: formatNumber(links),
            })),
          )
        case 'campaignId':
          return dataOf(api.GET('/campaigns', { params: { query }, signal })).then((rows) =>
            rows.map(({ id, name }) => ({ value: id, label: name })),
          )
        case 'domainId':
          return client
            .ensureQueryData(allDomainsQuery(workspaceId))
            .then((rows) =>
              rows
                .filter(({ hostname }) => hostname.includes(q.toLowerCase()))
                .map(({ id, hostname }) => ({ value: id, label: hostname })),
            )
      }
    },
    staleTime: FRESH_MS,
  })
}

async function readLinks(
  query: { limit: number; search?: string; sortBy: 'clicks'; includeArchived: true },
  signal: AbortSignal,
): Promise<GroupChoice[]> {
  const links = await dataOf(api.GET('/links', { params: { query }, signal }))
  return links.map(({ id, shortUrl, name }) => ({
    value: id,
    label: withoutScheme(shortUrl),
    note: name,
  }))
}

/** The name of one, by its id. */
export function groupNameQuery(workspaceId: string, group: Group, value: string) {
  const params = { path: { id: value } }
  return queryOptions({
    queryKey: [workspaceId, 'group-name', group, value],
    queryFn: async ({ signal }): Promise<string> => {
      switch (group) {
        case 'linkId':
          return withoutScheme((await dataOf(api.GET('/links/{id}', { params, signal }))).shortUrl)
        case 'folderId':
          return (await dataOf(api.GET('/folders/{id}', { params, signal }))).name
        case 'campaignId':
          return (await dataOf(api.GET('/campaigns/{id}', { params, signal }))).name
        case 'domainId':
          return (await dataOf(api.GET('/domains/{id}', { params, signal }))).hostname
        case 'tag':
          return value
      }
    },
    staleTime: FRESH_MS,
    retry: false,
  })
}
