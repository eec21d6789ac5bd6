import { queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, versionOf, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import type { DomainsSearch } from './search.ts'

export type Domain = Schemas['Domain']
export type DomainRecord = Schemas['DomainRecord']

/** While the server looks for records by itself. Hidden tabs do not ask. */
const WAITING_REFRESH_MS = 10_000
const HISTORY_ROWS = 10

/** A change of its status is near. */
function isWaiting({ status, failureReason, sslStatus }: Domain): boolean {
  return status !== 'verified' || failureReason !== null || sslStatus === 'pending'
}

export function domainsQuery(workspaceId: string, { q, status }: DomainsSearch) {
  const filter = { ...(q ? { search: q } : {}), ...(status ? { status } : {}) }
  return pagedQuery(
    [workspaceId, 'domains', filter],
    (page, signal) =>
      ask(api.GET('/domains', { params: { query: { ...page, ...filter } }, signal })),
    (pages) => pages.some(({ data }) => data.some(isWaiting)) && WAITING_REFRESH_MS,
  )
}

/** A domain, and the version that a change of it must have seen. */
export function domainQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'domains', id],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/domains/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) =>
      state.data && isWaiting(state.data.value) ? WAITING_REFRESH_MS : false,
  })
}

/** The latest entries of the audit log about a domain. */
export function historyQuery(workspaceId: string, id: string) {
  const query = { targetType: 'domain', targetId: id, limit: HISTORY_ROWS }
  return queryOptions({
    queryKey: [workspaceId, 'domains', id, 'history'],
    queryFn: ({ signal }) => dataOf(api.GET('/audit-log', { params: { query }, signal })),
  })
}

/** Number of domains that the plan includes; null: any number. */
export function limitQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'domains', 'limit'],
    queryFn: async ({ signal }) => {
      const { usage } = await dataOf(api.GET('/billing/usage', { signal }))
      return usage['domains'] ?? null
    },
  })
}
