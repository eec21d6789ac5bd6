import type { FastifyRequest } from 'fastify'
import { ApiError } from '../base/errors.ts'
import type { Route } from '../base/route.ts'
import { roleAtLeast, scopeCovers } from '../base/who.ts'
import type { Role, Who } from '../base/who.ts'

/** The holder of a valid API key, or null. */
export type Authenticate = (key: string) => Promise<{
  keyId: string
  userId: string
  workspaceId: string
  role: Role
  scopes: string[] | null
} | null>

const BEARER = /^Bearer +([^\s]{1,256})$/i

/**
 * The one place where a request becomes somebody.
 * @throws ApiError UNAUTHORIZED
 */
export async function identify(
  request: FastifyRequest,
  authenticate: Authenticate,
  clientAddress: (request: FastifyRequest) => string,
): Promise<Who> {
  const key = BEARER.exec(request.headers.authorization ?? '')?.[1]
  if (key === undefined) throw new ApiError('UNAUTHORIZED')
  const holder = await authenticate(key)
  if (!holder) throw new ApiError('UNAUTHORIZED', 'The API key is not valid.')
  return {
    userId: holder.userId,
    workspaceId: holder.workspaceId,
    role: holder.role,
    actor: { type: 'api_key', id: holder.keyId },
    scopes: holder.scopes,
    requestId: request.id,
    ip: clientAddress(request),
    userAgent: request.headers['user-agent']?.slice(0, 512) ?? null,
  }
}

/** @throws ApiError FORBIDDEN when the role, the scope or the kind of credential does not reach. */
export function permit(who: Who, row: Route): void {
  if (row.credential === 'session' && who.actor.type === 'api_key')
    throw new ApiError('FORBIDDEN', 'This needs a session; an API key may not do it.')
  if (!roleAtLeast(who.role, row.access))
    throw new ApiError('FORBIDDEN', `This needs the role ${row.access}.`, {
      requiredRole: row.access,
    })
  if (row.scope !== null && !scopeCovers(who.scopes, row.scope))
    throw new ApiError('FORBIDDEN', `This API key lacks the scope ${row.scope}.`, {
      requiredScope: row.scope,
    })
}
