/** Lowest first: each role includes those before it. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** Who makes a change; `system` is the program itself. */
export type Actor = { type: 'user' | 'api_key' | 'system'; id: string }

/** Who acts in a workspace. The first argument of every rule. */
export type Principal = {
  readonly userId: string
  readonly workspaceId: string
  readonly role: Role
  readonly actor: Actor
  /** Null allows everything that the role may do. */
  readonly scopes: readonly string[] | null
  readonly requestId: string
  readonly ip: string | null
  readonly userAgent: string | null
  /** On routes with `idempotent: true`, when the request has an `Idempotency-Key`. */
  readonly idempotencyKey?: IdempotencyKey
  /** The tags of `If-Match`, on routes with `supportsIfMatch: true`; absent without the header and for `*`. */
  readonly ifMatch?: readonly string[]
}

/** Identifies the stored response of a write (src/platform/resources/idempotent-responses.ts). */
export type IdempotencyKey = {
  /** Digest of workspace, route and key. */
  readonly id: string
  /** Digest of the request: the same key with another request is refused. */
  readonly fingerprint: string
}

export function roleAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** `links:write` covers `links:read`. */
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
