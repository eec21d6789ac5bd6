import { ApiError } from '../core/errors.ts'
import { roleAtLeast, scopeCovers, type Role, type Principal } from '../routes/principal.ts'
import type { SystemSql } from '../storage/postgres/postgres.ts'
import type { JobKind } from './kind.ts'
import type { HeldJob } from './leases.ts'

type Standing = {
  role: Role | null
  isUserSuspended: boolean
  isWorkspaceSuspended: boolean
  hasKey: boolean
  scopes: string[] | null
}

/**
 * The identity under which a job acts now: that of the requester, with the present role.
 * @returns null while the workspace is suspended
 * @throws ApiError FORBIDDEN for a requester who may not do it any more: removed, demoted, suspended, or with a key
 *   that is revoked or has lost the scope
 */
export async function readRequester(
  sql: SystemSql,
  { workspaceId, requester }: HeldJob,
  requires: JobKind['requires'],
): Promise<Principal | null> {
  const { userId, actor } = requester
  const [standing] = await sql<Standing[]>`
    select m.role, u.suspended_at is not null as is_user_suspended,
      w.suspended_at is not null as is_workspace_suspended, k.id is not null as has_key, k.scopes
    from workspaces w
    left join members m on m.workspace_id = w.id and m.user_id = ${userId}
    left join users u on u.id = m.user_id
    left join api_keys k on k.workspace_id = w.id and k.user_id = m.user_id and k.id = ${actor.id}
    where w.id = ${workspaceId}`
  if (!standing || standing.isWorkspaceSuspended) return null
  const principal = { ...requester, workspaceId, role: standing.role ?? requester.role }
  if (requires === null || actor.type === 'system') return principal
  if (standing.role === null || standing.isUserSuspended)
    throw new ApiError('FORBIDDEN', 'The user who asked for this is no longer in the workspace.')
  if (!roleAtLeast(standing.role, requires.role))
    throw new ApiError('FORBIDDEN', `The user who asked for this needs the role ${requires.role}.`)
  if (
    actor.type === 'api_key' &&
    !(standing.hasKey && scopeCovers(standing.scopes, requires.scope))
  )
    throw new ApiError(
      'FORBIDDEN',
      `The API key that asked for this is revoked, or has lost the scope ${requires.scope}.`,
    )
  return principal
}
