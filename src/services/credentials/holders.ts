import type { Role } from '../../base/who.ts'

/** The membership that a credential acts with, and the limits of its workspace. */
type Membership = {
  workspaceId: string
  role: Role
  plan: string
  apiRequestsPerMinute: number | null
  isSuspended: boolean
}

/** A valid API key. `role` is the current role of its owner: a key never outranks its owner. */
export type KeyHolder = Membership & {
  keyId: string
  userId: string
  scopes: string[] | null
  /** CIDR ranges; empty: any address. */
  ipAllowlist: string[]
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** A valid session; `membership` is null for a user without a workspace. */
export type SessionHolder = {
  session: { id: string; userId: string; workspaceId: string | null; createdAt: Date }
  /** The end of the session unless it is used again. */
  expiresAt: Date
  membership: Membership | null
}
