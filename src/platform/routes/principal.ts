/** Lowest first: each role may do what the ones before it may. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** Origin of a change: a user's session, an API key, or the program itself. */
export type Actor = { type: 'user' | 'api_key' | 'system'; id: string }

/**
 * Identity of a request within one workspace. The gateway makes it once from a credential; every
 * rule of a workspace takes it as its first argument.
 */
export type Principal = {
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
  /** On routes with `idempotent: true`, when the request has an `Idempotency-Key`. */
  readonly idempotencyKey?: IdempotencyKey
  /** The tags of `If-Match`, on routes with `supportsIfMatch: true`; absent without the header and for `*`. */
  readonly ifMatch?: readonly string[]
}

/** Names the answer that a rule keeps with its write (src/platform/resources/idempotent-responses.ts). */
export type IdempotencyKey = {
  /** Digest of workspace, route and key. */
  readonly id: string
  /** Digest of the request's address and body: the same key with another request is refused. */
  readonly fingerprint: string
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
