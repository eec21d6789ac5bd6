import { listPageTargets, type PageContent } from '../../platform/facts/bio-page.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { findBlockedTarget } from '../../links/blocked-hosts.ts'
import { announceLinks } from '../../links/link-changes.ts'

type ScannedPage = Pick<PageContent, 'blocks' | 'socials'> & { id: string; workspaceId: string }

/**
 * Makes the edges read those of the next published pages again that lead to one of the hosts: they leave out what leads to a
 * host that is blocked.
 * @returns the id of the last page; null after the end
 */
export async function announcePagesTo(
  tx: Tx,
  hosts: ReadonlySet<string>,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> {
  const pages = await tx<ScannedPage[]>`
    select id, workspace_id, blocks, socials from bio_pages
    where id > ${after} and status = 'published' order by id limit ${limit}`
  const found = pages.filter((page) => findBlockedTarget(listPageTargets(page), hosts))
  await announcePages(
    tx,
    found.map(({ id }) => id),
  )
  return pages.length < limit ? null : pages.at(-1)!.id
}

/** Makes the edges read pages again. */
export async function announcePages(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const addresses = await tx<{ key: string }[]>`
    select domain_id || chr(10) || slug_key as key from link_addresses
    where link_id = any(${[...ids]}::text[]) and is_alias`
  await announceLinks(
    tx,
    addresses.map(({ key }) => key),
  )
}
