import type { Role, Who } from '../base/who.ts'

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

export type RequestFacts = Pick<Who, 'requestId' | 'ip' | 'userAgent'>

/** A user in a workspace that the request is not in: one that is created or joined by it. */
export function userActing(
  { requestId, ip, userAgent }: RequestFacts,
  userId: string,
  workspaceId: string,
  role: Role,
): Who {
  const actor = { type: 'user', id: userId } as const
  return { userId, workspaceId, role, actor, scopes: null, requestId, ip, userAgent }
}

/** Fields of an entry of the security log that follow from the caller. */
export function toEntryFields({ workspaceId, actor, ip, userAgent, requestId }: Who) {
  return { workspaceId, actor, ip, userAgent, requestId }
}
