import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, ask, type Schemas } from '../api/client.ts'
import { nextOffset } from '../api/pages.ts'

export type Member = Schemas['Member']
export type Invitation = Schemas['Invitation']
export type Role = Member['role']

const PAGE_ROWS = 100

export function membersQuery(workspaceId: string) {
  return infiniteQueryOptions({
    queryKey: [workspaceId, 'members'],
    queryFn: ({ pageParam, signal }) =>
      ask(
        api.GET('/members', { params: { query: { limit: PAGE_ROWS, offset: pageParam } }, signal }),
      ),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
  })
}

/** Invitations that wait for an answer, and those that waited too long; at most 100 are open. */
export function invitationsQuery(workspaceId: string) {
  return infiniteQueryOptions({
    queryKey: [workspaceId, 'invitations'],
    queryFn: ({ pageParam, signal }) =>
      ask(
        api.GET('/invitations', {
          params: { query: { limit: PAGE_ROWS, offset: pageParam } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
  })
}
