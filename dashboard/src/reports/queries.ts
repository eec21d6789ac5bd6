import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, ask, type Schemas } from '../api/client.ts'
import { nextOffset } from '../api/pages.ts'

export type Report = Schemas['Report']

const PAGE_ROWS = 50
const REFETCH_MS = 2_000

export function isUnderWay({ status }: Pick<Report, 'status'>): boolean {
  return status === 'pending' || status === 'processing'
}

/** Asks again while one of the reports is being made. */
export function reportsQuery(workspaceId: string) {
  return infiniteQueryOptions({
    queryKey: [workspaceId, 'reports'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_ROWS, offset: pageParam }
      return ask(api.GET('/reports', { params: { query }, signal }))
    },
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? REFETCH_MS : false,
  })
}
