import { api, ask, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export type Report = Schemas['Report']

const REFETCH_MS = 2_000

export function isUnderWay({ status }: Pick<Report, 'status'>): boolean {
  return status === 'pending' || status === 'processing'
}

/** Asks again while one of the reports is being made. */
export function reportsQuery(workspaceId: string) {
  return pagedQuery(
    [workspaceId, 'reports'],
    (query, signal) => ask(api.GET('/reports', { params: { query }, signal })),
    (pages) => pages.some(({ data }) => data.some(isUnderWay)) && REFETCH_MS,
  )
}
