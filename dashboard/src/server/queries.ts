import { queryOptions } from '@tanstack/react-query'
import { ask, auth, dataOf, type AuthSchemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import type { BlocksSearch, ServerReportsSearch, UsersSearch, WorkspacesSearch } from './search.ts'

export type ServerWorkspace = AuthSchemas['ServerWorkspace']
export type ServerUser = AuthSchemas['ServerUser']
export type ServerReport = AuthSchemas['ServerAbuseReport']
export type Block = AuthSchemas['Block']
export type ServerHealth = AuthSchemas['ServerHealth']

/** In the place of a workspace, to which none of this belongs. */
const SERVER = 'server'
/** What a change on these pages makes stale. */
export const REFRESHES = [[SERVER]]

const HEALTH_EVERY_MS = 10_000

export function workspacesQuery({ q, state }: WorkspacesSearch) {
  const filter = { ...(q ? { search: q } : {}), ...(state ? { state } : {}) }
  return pagedQuery([SERVER, 'workspaces', filter], (page, signal) =>
    ask(auth.GET('/operator/workspaces', { params: { query: { ...page, ...filter } }, signal })),
  )
}

export function workspaceQuery(id: string) {
  return queryOptions({
    queryKey: [SERVER, 'workspace', id],
    queryFn: ({ signal }) =>
      dataOf(auth.GET('/operator/workspaces/{id}', { params: { path: { id } }, signal })),
  })
}

export function usersQuery({ q }: UsersSearch) {
  const filter = q ? { search: q } : {}
  return pagedQuery([SERVER, 'users', filter], (page, signal) =>
    ask(auth.GET('/operator/users', { params: { query: { ...page, ...filter } }, signal })),
  )
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: [SERVER, 'user', id],
    queryFn: ({ signal }) =>
      dataOf(auth.GET('/operator/users/{id}', { params: { path: { id } }, signal })),
  })
}

export function reportsQuery({ status }: ServerReportsSearch) {
  const filter = status ? { status } : {}
  return pagedQuery([SERVER, 'reports', filter], (page, signal) =>
    ask(auth.GET('/operator/abuse-reports', { params: { query: { ...page, ...filter } }, signal })),
  )
}

export function blocksQuery({ q, kind }: BlocksSearch) {
  const filter = { ...(q ? { search: q } : {}), ...(kind ? { kind } : {}) }
  return pagedQuery([SERVER, 'blocks', filter], (page, signal) =>
    ask(auth.GET('/operator/blocks', { params: { query: { ...page, ...filter } }, signal })),
  )
}

export const healthQuery = queryOptions({
  queryKey: [SERVER, 'health'],
  queryFn: ({ signal }) => dataOf(auth.GET('/operator/health', { signal })),
  refetchInterval: HEALTH_EVERY_MS,
})
