import type { IncomingHttpHeaders } from 'node:http'

/** Lowest first: each role may do what the ones before it may. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** What made the request: a person's session, an API key, or the program itself. */
export type Actor = { type: 'user' | 'api_key' | 'system'; id: string }

/**
 * Who asks, in which workspace and as what. Made once per request from a credential, by the
 * gateway alone, and handed to every rule as its first argument.
 */
export type Who = {
  readonly userId: string
  readonly workspaceId: string
  readonly role: Role
  readonly actor: Actor
  /** Scopes of the API key (`links:read`, …); null means everything the role may do. */
  readonly scopes: readonly string[] | null
  readonly requestId: string
  /** Client address and user agent, for the audit log. */
  readonly ip: string | null
  readonly userAgent: string | null
}

/**
 * How `Who` crosses a process border (spec, Authentication 6). This is the only file that reads or
 * writes these headers; what a client sends under these names is removed before anything reads it.
 */
const IDENTITY_HEADERS = ['x-user-id', 'x-workspace-id', 'x-role'] as const

/** Deletes client-sent identity headers in place. Node has lower-cased the names already. */
export function stripIdentity(headers: IncomingHttpHeaders): void {
  for (const name of IDENTITY_HEADERS) delete headers[name]
}

export function roleAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** True when the key's scopes cover `needed` (`links:read`); `links:write` covers `links:read`. */
export function scopeCovers(scopes: readonly string[] | null, needed: string): boolean {
  if (scopes === null) return true
  const [resource, verb] = needed.split(':')
  return scopes.some(
    (scope) =>
      scope === '*' ||
      scope === needed ||
      (verb === 'read' && (scope === '*:read' || scope === `${resource}:write`)),
  )
}
