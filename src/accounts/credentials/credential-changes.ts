import type { Tx, SystemSql } from '../../platform/storage/postgres/postgres.ts'

export type Changed =
  | `user:${string}`
  | `workspace:${string}`
  | `key:${string}`
  | `session:${string}`

export const CREDENTIALS_CHANNEL = 'signpost_credentials'

/** Voids cached credential checks in every process, within a second of the commit. */
export async function announceCredentials(
  tx: Tx | SystemSql,
  ...changes: Changed[]
): Promise<void> {
  for (const change of changes) await tx`select pg_notify(${CREDENTIALS_CHANNEL}, ${change})`
}
