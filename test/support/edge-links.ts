import { ulid } from '../../src/platform/core/ids.ts'
import type { LinkOptions } from '../../src/platform/facts/link-options.ts'
import { slugKeyOf } from '../../src/platform/facts/slug.ts'
import type { ClickRecord } from '../../src/clicks/journal/format.ts'
import { announceLinks } from '../../src/links/link/addresses.ts'
import { inTransaction, type Sql, type Tx } from '../../src/platform/storage/postgres/postgres.ts'
import { addAddress, addWorkspace } from './fixtures.ts'

/** A click as the edge records it; `over` replaces single fields. */
export function makeClick(over: Partial<ClickRecord> = {}): ClickRecord {
  const atMs = over.atMs ?? 1_795_000_000_000
  return {
    clickId: ulid(atMs),
    atMs,
    workspaceId: 'ws_01KAH0000000000000000000AA',
    linkId: 'lnk_01KAH0000000000000000000AA',
    host: 'localhost:3000',
    slug: 'Docs',
    destination: 'https://example.com/docs?x=1',
    utm: ['', '', '', '', ''],
    trigger: 'link',
    ip: '203.0.113.9',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
    referrer: 'https://news.example.org/',
    language: 'en-GB,en;q=0.9',
    isPrefetch: false,
    domainId: '',
    route: 'default',
    country: '',
    isView: false,
    hasGpc: false,
    hasDnt: false,
    ...over,
  }
}

let serial = 0

export type LinkOver = {
  slug?: string
  workspaceId?: string
  domainId?: string
  destinationUrl?: string
  status?: string
  redirectType?: number
  expiresAt?: Date | null
  utmSource?: string | null
  options?: LinkOptions | null
  passwordHash?: string | null
}

/** Inserts a link as the service does. Without a notification, it is like a link from before the start. */
export async function makeLink(
  sql: Sql,
  over: LinkOver = {},
  isNotified = false,
  isCaseSensitive = false,
): Promise<{ id: string; slug: string; key: string }> {
  const slug = over.slug ?? `slug-${++serial}`
  const now = new Date()
  const id = `lnk_${ulid(now.getTime())}`
  const slugKey = slugKeyOf(slug, isCaseSensitive)
  const key = `${over.domainId ?? ''}\n${slugKey}`
  const workspaceId = over.workspaceId ?? 'ws_edge'
  const row = {
    destinationUrl: `https://example.com/${serial}`,
    ...over,
    ...{ id, workspaceId, name: slug, slug, slugKey },
    ...{ createdBy: 'usr_edge', createdAt: now, updatedAt: now },
  }
  await inTransaction(sql, async (tx) => {
    await addWorkspace(tx, { id: workspaceId })
    await tx`insert into links ${tx(row)}`
    await addAddress(tx, id)
    await limitClicks(tx, id, over.options?.maxClicks)
    if (isNotified) await announceLinks(tx, [key])
  })
  return { id, slug, key }
}

export async function changeLink(
  sql: Sql,
  link: { id: string; key: string },
  columns: LinkOver,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await tx`update links set ${tx(columns)} where id = ${link.id}`
    if (columns.options !== undefined) await limitClicks(tx, link.id, columns.options?.maxClicks)
    await announceLinks(tx, [link.key])
  })
}

async function limitClicks(tx: Tx, linkId: string, maxClicks: number | undefined): Promise<void> {
  if (maxClicks === undefined) await tx`delete from link_quotas where link_id = ${linkId}`
  else
    await tx`
      insert into link_quotas (link_id, workspace_id, max_clicks)
      values (${linkId}, 'ws_edge', ${maxClicks})
      on conflict (link_id) do update set max_clicks = excluded.max_clicks`
}
