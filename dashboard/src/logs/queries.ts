import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api, ask, type Schemas } from '../api/client.ts'
import { nextOffset } from '../api/pages.ts'
import { toTimes, type AuditSearch, type ReportsSearch, type SecuritySearch } from './search.ts'

export type AuditEntry = Schemas['AuditEntry']
export type SecurityEntry = Schemas['SecurityEntry']
export type AbuseReport = Schemas['AbuseReport']

const PAGE_ROWS = 50

export function auditQuery(workspaceId: string, search: AuditSearch) {
  const { action, actorId } = search
  const query = {
    limit: PAGE_ROWS,
    ...toTimes(search),
    ...(action ? { action } : {}),
    ...(actorId ? { actorId } : {}),
  }
  return infiniteQueryOptions({
    queryKey: [workspaceId, 'audit-log', query],
    queryFn: ({ pageParam, signal }) =>
      ask(api.GET('/audit-log', { params: { query: { ...query, offset: pageParam } }, signal })),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    placeholderData: keepPreviousData,
  })
}

export function securityQuery(workspaceId: string, search: SecuritySearch) {
  const { type, outcome, actorId } = search
  const query = {
    limit: PAGE_ROWS,
    ...toTimes(search),
    ...(type ? { type } : {}),
    ...(outcome ? { outcome } : {}),
    ...(actorId ? { actorId } : {}),
  }
  return infiniteQueryOptions({
    queryKey: [workspaceId, 'security-log', query],
    queryFn: ({ pageParam, signal }) =>
      ask(api.GET('/security-log', { params: { query: { ...query, offset: pageParam } }, signal })),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    placeholderData: keepPreviousData,
  })
}

export function reportsQuery(workspaceId: string, { status, linkId }: ReportsSearch) {
  const query = { limit: PAGE_ROWS, ...(status ? { status } : {}), ...(linkId ? { linkId } : {}) }
  return infiniteQueryOptions({
    queryKey: [workspaceId, 'abuse-reports', query],
    queryFn: ({ pageParam, signal }) =>
      ask(
        api.GET('/abuse-reports', { params: { query: { ...query, offset: pageParam } }, signal }),
      ),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    placeholderData: keepPreviousData,
  })
}
