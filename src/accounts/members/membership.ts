import { ApiError } from '../../platform/core/errors.ts'
import {
  roleAtLeast,
  scopeCovers,
  type Role,
  type Principal,
} from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'

/**
 * First lock of every transaction that changes members or roles, which serializes them: if two owners leave at the
 * same time, one stays.
 * @returns the caller's current role; the credential may have an older one
 * @throws ApiError FORBIDDEN for a caller who is no longer a member
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

/** @throws ApiError NOT_FOUND for a workspace that is gone */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  const [row] = await tx`select 1 from workspaces where id = ${workspaceId} for no key update`
  if (!row) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
}

/**
 * An API key with scopes grants at most `member`; otherwise its holder could create an account with more rights than
 * the scopes.
 * @throws ApiError FORBIDDEN with `details: {requiredScope}`
 */
export function requireGrantable({ scopes }: Pick<Principal, 'scopes'>, role: Role): void {
  if (scopeCovers(scopes, '*') || !roleAtLeast(role, 'admin')) return
  throw new ApiError('FORBIDDEN', 'An API key with scopes grants at most the role member.', {
    requiredScope: '*',
  })
}

/** @throws ApiError FORBIDDEN with `details: {requiredRole}` */
export function requireRole(role: Role, needed: Role): void {
  if (!roleAtLeast(role, needed))
    throw new ApiError('FORBIDDEN', `This needs the role ${needed}.`, { requiredRole: needed })
}
