import { queryOptions } from '@tanstack/react-query'
import { api, ask, type Schemas } from './client.ts'

type Domain = Schemas['Domain']

/** The most that the API gives at once. */
const PAGE_ROWS = 100
const FRESH_MS = 60_000

/** Links on the domain redirect. */
export function isServed({ status }: Domain): boolean {
  return status === 'verified' || status === 'misconfigured'
}

/** All domains of the workspace, which the server limits to a thousand; those whose links redirect come first. */
export function allDomainsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'domains', 'all'],
    queryFn: async ({ signal }) => {
      const domains: Domain[] = []
      for (let total = 1; domains.length < total;) {
        const query = { limit: PAGE_ROWS, offset: domains.length }
        const { data, meta } = await ask(api.GET('/domains', { params: { query }, signal }))
        domains.push(...data)
        total = data.length === 0 ? 0 : meta.total
      }
      return domains.toSorted(
        (a, b) => Number(isServed(b)) - Number(isServed(a)) || a.hostname.localeCompare(b.hostname),
      )
    },
    staleTime: FRESH_MS,
  })
}
