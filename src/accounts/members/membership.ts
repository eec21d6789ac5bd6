import { ApiError } from '../../platform/core/errors.ts'
import {
  roleAtLeast,
  scopeCovers,
  type Role,
  type Principal,
} from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'

/**
 * First lock of every change of members or roles: of two owners who leave at the same time, one stays.
 * @returns the caller's current role; the credential may have an older one
 */
export async function lockMembership(tx: Tx, principal: Principal): Promise<Role> {
  await lockWorkspace(tx, principal.workspaceId)
  // A separate statement, which sees what was committed while this one waited for the lock.
  const [row] = await tx<{ role: Role }[]>`
    select role from members where workspace_id = ${principal.workspaceId} and user_id = ${principal.userId}`
  if (row) return row.role
  if (principal.actor.type === 'system') return principal.role
  throw new ApiError('FORBIDDEN', 'You no longer belong to this workspace.')
}

/** Writes the audit rows of a change at the end of its transaction, after every other lock. */
export type DeferredAudit = () => Promise<void>

export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  const [row] = await tx`select 1 from workspaces where id = ${workspaceId} for no key update`
  if (!row) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
}

/** Otherwise the holder of a key with scopes could create an account with more rights than the scopes. */
export function requireGrantable({ scopes }: Pick<Principal, 'scopes'>, role: Role): void {
  if (scopeCovers(scopes, '*') || !roleAtLeast(role, 'admin')) return
  throw new ApiError('FORBIDDEN', 'An API key with scopes grants at most the role member.', {
    requiredScope: '*',
  })
}

export function requireRole(role: Role, needed: Role): void {
  if (!roleAtLeast(role, needed))
    throw new ApiError('FORBIDDEN', `This needs the role ${needed}.`, { requiredRole: needed })
}
