/** Each role includes those before it. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** `system` is the program itself. */
export type Actor = { type: 'user' | 'api_key' | 'system'; id: string }

/** Who acts in a workspace: the first argument of every rule. */
export type Principal = {
  readonly userId: string
  readonly workspaceId: string
  readonly role: Role
  readonly actor: Actor
  readonly scopes: readonly string[] | null
  readonly requestId: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly idempotencyKey?: IdempotencyKey
  /** The tags of `If-Match`, on routes with `supportsIfMatch: true`; absent without the header and for `*`. */
  readonly ifMatch?: readonly string[]
}

export type IdempotencyKey = {
  readonly id: string
  /** Digest of the request: the same key with another request is refused. */
  readonly fingerprint: string
}

export function roleAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

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
