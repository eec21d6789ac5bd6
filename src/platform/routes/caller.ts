import type { IdempotencyKey, Role, Principal } from './principal.ts'

/** A user's sign-in in one browser or app. Only the cookie has the token itself. */
export type Session = {
  readonly id: string
  readonly userId: string
  /** The active workspace; null for a user without a workspace. */
  readonly workspaceId: string | null
  readonly createdAt: Date
}

/**
 * Identity of a request, made once by the gateway: a session, an API key (`principal` without `session`),
 * or neither. `principal` is the part of it that acts in a workspace.
 */
export type Caller = {
  readonly requestId: string
  readonly ip: string | null
  readonly userAgent: string | null
  /** Address of this server as the browser sees it, for cookies and passkeys: `https://links.example.com`. */
  readonly origin: string
  /** True for a browser that follows a link or sends a form, by its Accept header. */
  readonly wantsHtml: boolean
  /** True for a client on the machine of the server; absent for one that is not known to be. */
  readonly isOnThisMachine?: boolean
  readonly cookies: Readonly<Record<string, string>>
  readonly session: Session | null
  /** Null without a credential, and for a user without a workspace. */
  readonly principal: Principal | null
  /** As that of `principal`, for routes that act for a user. */
  readonly idempotencyKey?: IdempotencyKey
}

/** Facts about a workspace that decide on the requests in it, and the role of the credential there. */
export type Membership = {
  workspaceId: string
  role: Role
  plan: string
  /** The rate limit that the operator has set for this workspace. */
  apiRequestsPerMinute: number | null
  isSuspended: boolean
}

/** A valid API key. */
export type KeyHolder = Membership & {
  keyId: string
  userId: string
  scopes: string[] | null
  /** CIDR ranges; empty: any address. */
  ipAllowlist: string[]
}

/** A valid session; `membership` is null without a workspace, or when the user is not in the requested one. */
export type SessionHolder = { session: Session; membership: Membership | null }

/**
 * One `Set-Cookie`: always HttpOnly and SameSite=Lax; Secure on https, with the prefix `__Host-` for all paths and
 * `__Secure-` for one. A request has it without the former and with the latter.
 */
export type Cookie = {
  /** Without a prefix. */
  readonly name: string
  /** `/` by default. */
  readonly path?: string
  readonly value: string
  /** 0 deletes it; undefined: until the browser closes. */
  readonly maxAgeSeconds?: number
}
