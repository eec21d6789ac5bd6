import { notifyAfterCommit, type Tx } from '../platform/storage/postgres/postgres.ts'

/**
 * Wakes every edge at once. The changes themselves are rows of `link_changes`, which every edge reads within a second
 * (src/redirect/links/link-changes.ts).
 */
export const LINKS_CHANNEL = 'signpost_links'

/** Makes every edge forget links. @param keys `<domain id, or empty>\n<slug key>` */
export async function announceLinks(tx: Tx, keys: readonly string[]): Promise<void> {
  for (const key of keys) notifyAfterCommit(tx, LINKS_CHANNEL, key)
  await tx`insert into link_changes (key) select unnest(${[...keys]}::text[])`
}

export async function announceLinksOf(tx: Tx, workspaceId: string): Promise<void> {
  await announceLinks(tx, [`*${workspaceId}`])
}

/** Makes every edge read a domain again. */
export async function announceDomain(tx: Tx, domainId: string): Promise<void> {
  await announceLinks(tx, [`@${domainId}`])
}
