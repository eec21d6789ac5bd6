import type { Who } from '../base/who.ts'

/**
 * The program itself as the one who acts in a workspace: the operator at the command line, or an
 * account that is made there.
 * @param id what the logs name as the actor
 */
export function systemActing(workspaceId: string, id: string, userId: string = id): Who {
  return {
    userId,
    workspaceId,
    role: 'owner',
    actor: { type: 'system', id },
    scopes: null,
    requestId: id,
    ip: null,
    userAgent: null,
  }
}
