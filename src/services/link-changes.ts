import { notifyAfterCommit, type Tx } from '../storage/postgres.ts'
import type { Part } from '../storage/statement-parts.ts'

/**
 * Channel on which edges receive changes of links at once. The changes themselves are rows of
 * `link_changes`, which every edge reads within a second (src/edge/link-changes.ts).
 */
export const LINKS_CHANNEL = 'signpost_links'

/** Makes every edge forget links. @param keys `<domain id, or empty>\n<slug key>` */
export async function announceLinks(tx: Tx, keys: readonly string[]): Promise<void> {
  for (const key of keys) notifyAfterCommit(tx, LINKS_CHANNEL, key)
  await tx`insert into link_changes (key) ${toRows(tx, keys)}`
}

/** {@link announceLinks} as a part of a statement. */
export function announceLinksPart(tx: Tx, keys: readonly string[]): Part {
  return {
    ctes: tx`announced as (insert into link_changes (key) ${toRows(tx, keys)})`,
    columns: tx`true as is_announced`,
    settle: (settledTx) => {
      for (const key of keys) notifyAfterCommit(settledTx, LINKS_CHANNEL, key)
    },
  }
}

/** Makes every edge forget all links of a workspace. */
export async function announceLinksOf(tx: Tx, workspaceId: string): Promise<void> {
  await announceLinks(tx, [`*${workspaceId}`])
}

/** Makes every edge read a domain again: its status, its settings, or that it is gone. */
export async function announceDomain(tx: Tx, domainId: string): Promise<void> {
  await announceLinks(tx, [`@${domainId}`])
}

function toRows(tx: Tx, keys: readonly string[]) {
  return keys.length === 1 ? tx`values (${keys[0]!})` : tx`select unnest(${[...keys]}::text[])`
}
