import { api, ask, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export type Member = Schemas['Member']
export type Invitation = Schemas['Invitation']
export type Role = Member['role']

export function membersQuery(workspaceId: string) {
  return pagedQuery([workspaceId, 'members'], (query, signal) =>
    ask(api.GET('/members', { params: { query }, signal })),
  )
}

/** Invitations that wait for an answer, and those that waited too long. */
export function invitationsQuery(workspaceId: string) {
  return pagedQuery([workspaceId, 'invitations'], (query, signal) =>
    ask(api.GET('/invitations', { params: { query }, signal })),
  )
}
