import type { Caller, Session } from '../routes/caller.ts'
import { ApiError } from '../core/errors.ts'
import type { Principal } from '../routes/principal.ts'

export function requireSession({ session }: Caller): Session {
  if (!session) throw new ApiError('UNAUTHORIZED', 'Sign in first.')
  return session
}

/** The program itself, for the operator at the command line or for a billing provider. */
export function systemActing(
  workspaceId: string,
  id: string,
  { userId = id, requestId = id }: Partial<Pick<Principal, 'userId' | 'requestId'>> = {},
): Principal {
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

export type RequestFacts = Pick<Principal, 'requestId' | 'ip' | 'userAgent' | 'idempotencyKey'>

/**
 * For a user who acts in another workspace than the request's: one just created or joined, or one where the user's
 * keys end.
 */
export function userActing(
  { requestId, ip, userAgent, idempotencyKey }: RequestFacts,
  userId: string,
  workspaceId: string,
  role: Principal['role'],
): Principal {
  const actor = { type: 'user', id: userId } as const
  return {
    userId,
    workspaceId,
    role,
    actor,
    scopes: null,
    requestId,
    ip,
    userAgent,
    ...(idempotencyKey && { idempotencyKey }),
  }
}

export function toEntryFields({ workspaceId, actor, ip, userAgent, requestId }: Principal) {
  return { workspaceId, actor, ip, userAgent, requestId }
}
