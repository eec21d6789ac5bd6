import type { Tx } from '../storage/postgres.ts'

/**
 * Notifies every process with an edge that all links of a workspace have changed. Within a second of
 * the commit they remove these links from memory (src/edge/resolve.ts).
 */
export async function announceLinksOf(tx: Tx, workspaceId: string): Promise<void> {
  await tx`select pg_notify(${LINKS_CHANNEL}, ${`*${workspaceId}`})`
}
