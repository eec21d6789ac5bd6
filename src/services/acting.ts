import type { Who } from '../base/who.ts'

/**
 * The program itself as the one who acts in a workspace: for the operator at the command line, for
 * an account that is made there, or for a billing provider.
 * @param id what the logs name as the actor
 * @param known.userId the account that is acted for, where there is one
 * @param known.requestId the event that asks for it, where there is one
 */
export function systemActing(
  workspaceId: string,
  id: string,
  { userId = id, requestId = id }: Partial<Pick<Who, 'userId' | 'requestId'>> = {},
): Who {
  return {
    userId,
    workspaceId,
    role: 'owner',
    actor: { type: 'system', id },
    scopes: null,
    requestId,
    ip: null,
    userAgent: null,
  }
}
