import type { Tx } from '../storage/postgres.ts'

/** Channel on which every edge receives changes of links; for the payloads see src/edge/resolve.ts. */
export const LINKS_CHANNEL = 'signpost_links'

/** Notifies every edge, at the commit, that all links of a workspace have changed. */
export async function announceLinksOf(tx: Tx, workspaceId: string): Promise<void> {
  await tx`select pg_notify(${LINKS_CHANNEL}, ${`*${workspaceId}`})`
}
