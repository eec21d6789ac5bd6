import type { Tx, SystemSql } from '../storage/postgres.ts'

/** What has changed about credentials, so that every process checks anew what it remembers. */
export type Changed =
  | `user:${string}`
  | `workspace:${string}`
  | `key:${string}`
  | `session:${string}`

export const CREDENTIALS_CHANNEL = 'signpost_credentials'

/**
 * Tells every process that remembered credentials of these are void: roles, memberships, keys,
 * sessions, suspensions. Sent when the transaction commits, heard within a second.
 */
export async function announceCredentials(
  tx: Tx | SystemSql,
  ...changed: Changed[]
): Promise<void> {
  for (const each of changed) await tx`select pg_notify(${CREDENTIALS_CHANNEL}, ${each})`
}

/** What a valid API key says about its bearer, as of now. */
export type KeyHolder = {
  keyId: string
  userId: string
  workspaceId: string
  /** The owner's role of this moment: a key never outranks its owner. */
  role: 'viewer' | 'member' | 'admin' | 'owner'
  scopes: string[] | null
  /** CIDR ranges; empty: any address. */
  ipAllowlist: string[]
  expiresAt: Date | null
  lastUsedAt: Date | null
  plan: string
  apiRequestsPerMinute: number | null
  isSuspended: boolean
}

/** What a valid session says about its bearer; `membership` is null for a person without workspace. */
export type SessionHolder = {
  session: { id: string; userId: string; workspaceId: string | null; createdAt: Date }
  /** When the session ends if it is not used. */
  expiresAt: Date
  membership: {
    workspaceId: string
    role: 'viewer' | 'member' | 'admin' | 'owner'
    plan: string
    apiRequestsPerMinute: number | null
    isSuspended: boolean
  } | null
}
