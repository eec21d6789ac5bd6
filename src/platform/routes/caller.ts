import type { Language } from '../facts/languages.ts'
import type { IdempotencyKey, Role, Principal } from './principal.ts'

/** Only the cookie has the token itself. */
export type Session = {
  readonly id: string
  readonly userId: string
  readonly workspaceId: string | null
  readonly createdAt: Date
}

export type Caller = {
  readonly requestId: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly origin: string
  readonly wantsHtml: boolean
  /** By `Accept-Language`; undefined: it names none that exists here. */
  readonly language?: Language | undefined
  readonly isOnThisMachine?: boolean
  readonly cookies: Readonly<Record<string, string>>
  readonly session: Session | null
  readonly principal: Principal | null
  readonly idempotencyKey?: IdempotencyKey
}

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
  ipAllowlist: string[]
}

/** `membership` is null when the user is not in the requested workspace. */
export type SessionHolder = { session: Session; membership: Membership | null }

/** HttpOnly and SameSite=Lax; on https Secure, with the prefix `__Host-`, or `__Secure-` when limited to a path. */
export type Cookie = {
  readonly name: string
  readonly path?: string
  readonly value: string
  /** 0 deletes it; undefined keeps it until the browser closes. */
  readonly maxAgeSeconds?: number
}
