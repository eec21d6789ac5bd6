import { notifyAfterCommit, type Tx } from '../storage/postgres.ts'
import type { Part } from '../storage/statement-parts.ts'

/**
 * Channel on which edges receive changes of links at once. The changes themselves are rows of
 * `link_changes`, which every edge reads within a second (src/edge/link-changes.ts).
 */
export const LINKS_CHANNEL = 'signpost_links'

/** Makes every edge forget a link. @param key `<domain id, or empty>\n<slug key>` */
export async function announceLink(tx: Tx, key: string): Promise<void> {
  notifyAfterCommit(tx, LINKS_CHANNEL, key)
  await tx`insert into link_changes (key) values (${key})`
}

/** {@link announceLink} as a part of a statement. */
export function announceLinkPart(tx: Tx, key: string): Part {
  return {
    ctes: tx`announced as (insert into link_changes (key) values (${key}))`,
    columns: tx`true as is_announced`,
    settle: (settledTx) => notifyAfterCommit(settledTx, LINKS_CHANNEL, key),
  }
}

/** Makes every edge forget all links of a workspace. */
export async function announceLinksOf(tx: Tx, workspaceId: string): Promise<void> {
  await announceLink(tx, `*${workspaceId}`)
}
