import type { Tx, SystemSql } from '../../platform/storage/postgres/postgres.ts'

/** A user, workspace, key or session whose cached credential checks are void. */
export type Changed =
  | `user:${string}`
  | `workspace:${string}`
  | `key:${string}`
  | `session:${string}`

export const CREDENTIALS_CHANNEL = 'signpost_credentials'

/**
 * Tells every process to drop its cached credential checks of these after a change of a role, a
 * membership, a key, a session or a suspension. Sent at commit; processes receive it within a second.
 */
export async function announceCredentials(
  tx: Tx | SystemSql,
  ...changes: Changed[]
): Promise<void> {
  for (const change of changes) await tx`select pg_notify(${CREDENTIALS_CHANNEL}, ${change})`
}
