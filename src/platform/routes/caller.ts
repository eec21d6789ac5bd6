import type { IdempotencyKey, Role, Principal } from './principal.ts'

/** A sign-in. Only the cookie has the token itself. */
export type Session = {
  readonly id: string
  readonly userId: string
  /** Null for a user without a workspace. */
  readonly workspaceId: string | null
  readonly createdAt: Date
}

/** Who sends a request: a session, an API key (`principal` without `session`), or nobody. `principal` acts in a workspace. */
export type Caller = {
  readonly requestId: string
  readonly ip: string | null
  readonly userAgent: string | null
  /** Address of this server in the browser: `https://links.example.com`. */
  readonly origin: string
  /** True for a browser that follows a link or sends a form. */
  readonly wantsHtml: boolean
  /** Absent if unknown. */
  readonly isOnThisMachine?: boolean
  readonly cookies: Readonly<Record<string, string>>
  readonly session: Session | null
  /** Null without a credential or without a workspace. */
  readonly principal: Principal | null
  /** For routes that act for a user. */
  readonly idempotencyKey?: IdempotencyKey
}

/** The role of a credential in its workspace, and the facts that decide about its requests. */
export type Membership = {
  workspaceId: string
  role: Role
  plan: string
  /** Set by the operator; null for the plan's. */
  apiRequestsPerMinute: number | null
  isSuspended: boolean
}

export type KeyHolder = Membership & {
  keyId: string
  userId: string
  scopes: string[] | null
  /** CIDR ranges; empty allows any address. */
  ipAllowlist: string[]
}

/** `membership` is null without a workspace, or when the user is not in the requested one. */
export type SessionHolder = { session: Session; membership: Membership | null }

/**
 * One `Set-Cookie`: HttpOnly and SameSite=Lax; on https Secure, with the prefix `__Host-`, or `__Secure-` when limited to
 * a path. Cookies of a request have only the prefix `__Secure-`.
 */
export type Cookie = {
  /** Without a prefix. */
  readonly name: string
  /** `/` by default. */
  readonly path?: string
  readonly value: string
  /** 0 deletes it; undefined keeps it until the browser closes. */
  readonly maxAgeSeconds?: number
}
