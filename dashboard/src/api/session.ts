import { queryOptions } from '@tanstack/react-query'
import { api, ask, auth, dataOf, type AuthSchemas, type Schemas } from './client.ts'
import { noteUser } from './session-gate.ts'

export type SignedIn = AuthSchemas['SignedIn']
export type Role = Schemas['Workspace']['role']

/** The signed-in user; null: the browser has no session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<SignedIn | null> => {
    const query = { optional: true }
    const session: SignedIn | null = await dataOf(
      auth.GET('/auth/session', { params: { query }, signal }),
    )
    if (session) noteUser(session.user)
    return session
  },
  staleTime: 60_000,
  // Another tab, where another user may have signed in since.
  refetchOnWindowFocus: 'always',
})

/** The workspaces of the user, with their role in each. */
export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) =>
    ask(api.GET('/workspaces', { params: { query: { limit: 100 } }, signal })).then(
      ({ data }) => data,
    ),
  staleTime: 60_000,
})

const RANKS: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 }

/** Whether a role includes the rights of another: an admin may do what a member may. */
export function hasRole(role: Role, needed: Role): boolean {
  return RANKS[role] >= RANKS[needed]
}
