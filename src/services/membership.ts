import { ApiError } from '../base/errors.ts'
import { roleAtLeast, scopeCovers, type Role, type Who } from '../base/who.ts'
import type { Tx } from '../storage/postgres.ts'

/**
 * Whatever changes who belongs to a workspace, and as what, begins with this: such changes happen
 * one after the other, so that two owners who leave at once leave one owner. It is the first lock
 * of its transaction.
 * @returns what the caller is there now, which the credential may not know yet
 * @throws ApiError FORBIDDEN for a caller who is no member any more
 */
export async function lockMembership(tx: Tx, who: Who): Promise<Role> {
  await lockWorkspace(tx, who.workspaceId)
  // A statement of its own: it sees what was committed while the lock was waited for.
  const [row] = await tx<{ role: Role }[]>`
    select role from members where workspace_id = ${who.workspaceId} and user_id = ${who.userId}`
  if (row) return row.role
  if (who.actor.type === 'system') return who.role
  throw new ApiError('FORBIDDEN', 'You no longer belong to this workspace.')
}

/** Writes the audit rows of a change that is made, as the last writes of its transaction: after every other lock. */
export type DeferredAudit = () => Promise<void>

/** @throws ApiError NOT_FOUND for a workspace that is gone */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  const [row] = await tx`select 1 from workspaces where id = ${workspaceId} for no key update`
  if (!row) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
}

/**
 * An API key with scopes grants at most `member`: a key that could grant more would let its bearer
 * make an account that may do everything the scopes leave out.
 * @throws ApiError FORBIDDEN with `details: {requiredScope}`
 */
export function requireGrantable({ scopes }: Pick<Who, 'scopes'>, role: Role): void {
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
