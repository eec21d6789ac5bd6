import type { Tx } from '../storage/postgres.ts'

/**
 * Tells every process that answers redirects that all links of a workspace have changed: they forget
 * what they know of them within a second of the commit (src/edge/resolve.ts).
 */
export async function announceLinksOf(tx: Tx, workspaceId: string): Promise<void> {
  await tx`select pg_notify('signpost_links', ${`*${workspaceId}`})`
}
