import {
  isOpen,
  listPageTargets,
  nextTurnOf,
  toPageSlug,
  type PageContent,
  type ShownLink,
} from '../../platform/facts/bio-page.ts'
import { linkUrlOn, shortUrlOf } from '../../platform/facts/short-url.ts'
import { listHosts } from '../../platform/facts/hosts.ts'
import { encodeLinkPart } from '../../clicks/journal/format.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { renderBioPage, type RenderedPage } from './bio-html.ts'
import type { Cached } from '../links/cache.ts'
import { isBlockedImage } from '../public-media.ts'

/** A published page in memory, with all that its responses need. */
export class BioPage implements Cached {
  isUsed = false
  generation = 0
  readAtMs = 0
  readonly id: string
  readonly workspaceId: string
  readonly slug: string
  readonly refusal: 'suspended' | 'blocked' | null
  readonly rendered: RenderedPage
  /** Shared part of the records of its views; see clicks/journal/format.ts. */
  readonly recordPart: string

  constructor(row: BioPageRow, rendered: RenderedPage) {
    this.id = row.id
    this.workspaceId = row.workspaceId
    this.slug = row.slug
    this.refusal = row.refusal
    this.rendered = rendered
    this.recordPart = encodeLinkPart({
      workspaceId: row.workspaceId,
      linkId: row.id,
      slug: row.slug,
      destination: '',
      utm: ['', '', '', '', ''],
      route: 'default',
      domainId: row.domainId ?? '',
    })
  }

  get weight(): number {
    return this.rendered.html.length + this.recordPart.length + 1_000
  }
}

export type BioPageRow = PageContent & {
  key: string
  id: string
  workspaceId: string
  domainId: string | null
  hostname: string | null
  slug: string
  isRoot: boolean
  refusal: 'suspended' | 'blocked' | null
  links: readonly ShownLink[]
  images: readonly string[]
}

/** A page with a missing link is read again, since the deletion can be undone. */
const INCOMPLETE_MS = 10_000

/**
 * Reads the published pages at these addresses.
 * @param keys of the resolver, with domain id and slug key of each
 */
export async function readBioPages(
  sql: SystemSql,
  [keys, domainIds, slugKeys]: readonly [string[], string[], string[]],
  { sharedOrigin, nowMs }: { sharedOrigin: string; nowMs: number },
): Promise<Map<string, BioPage>> {
  const rows = await sql<BioPageRow[]>`
    select wanted.key, p.id, p.workspace_id, p.domain_id, d.hostname, p.slug, p.is_root, p.title, p.description,
      p.avatar_media_id, p.theme, p.blocks, p.socials, p.seo,
      case when exists (
          select from blocks b where b.lifted_at is null
            and ((b.kind = 'workspace' and b.value = p.workspace_id) or (b.kind = 'link' and b.value = p.id))
        ) then 'blocked' when w.suspended_at is not null then 'suspended' end as refusal,
      (
        select coalesce(json_agg(json_build_object('id', l.id, 'slug', l.slug, 'hostname', h.hostname,
          'status', l.status, 'startsAt', l.options ->> 'startsAt', 'expiresAt', l.expires_at,
          'isUsedUp', exists (select from link_quotas q where q.link_id = l.id and q.served >= q.max_clicks))), '[]')
        from bio_page_links s join links l on l.id = s.link_id left join domains h on h.id = l.domain_id
        where s.page_id = p.id
      ) as links,
      array(
        select m.id from media_uses u join media m on m.id = u.media_id
        where u.used_by = p.id and not ${isBlockedImage(sql)}
      ) as images
    from unnest(${keys}::text[], ${domainIds}::text[], ${slugKeys}::text[])
      as wanted (key, domain_id, slug_key)
    join link_addresses a on a.domain_id = wanted.domain_id and a.slug_key = wanted.slug_key and a.is_alias
    join bio_pages p on p.id = a.link_id and p.status = 'published'
    join workspaces w on w.id = p.workspace_id
    left join domains d on d.id = p.domain_id`
  const blocked = await readBlockedHosts(sql, rows)
  return new Map(
    rows.map((row) => [row.key, toBioPage(withoutHosts(row, blocked), sharedOrigin, nowMs)]),
  )
}

/** Hosts that the pages link to and the operator has blocked. */
async function readBlockedHosts(
  sql: SystemSql,
  pages: readonly PageContent[],
): Promise<ReadonlySet<string>> {
  const urls = pages.flatMap(listPageTargets).map(({ url }) => url)
  const hosts = [...new Set(urls.flatMap(listHosts))]
  if (hosts.length === 0) return new Set()
  const rows = await sql<{ value: string }[]>`
    select value from blocks
    where kind = 'host' and value = any(${hosts}::text[]) and lifted_at is null`
  return new Set(rows.map(({ value }) => value))
}

/** Drops the blocks and profiles that link to one of the hosts. */
function withoutHosts(row: BioPageRow, blocked: ReadonlySet<string>): BioPageRow {
  if (blocked.size === 0) return row
  const isAllowed = ({ url }: { url: string | null }) =>
    url === null || !listHosts(url).some((host) => blocked.has(host))
  return { ...row, blocks: row.blocks.filter(isAllowed), socials: row.socials.filter(isAllowed) }
}

function toBioPage(row: BioPageRow, sharedOrigin: string, nowMs: number): BioPage {
  const { hostname, links } = row
  const host = { origin: sharedOrigin }
  const canonicalSlug = row.isRoot ? '' : hostname === null ? toPageSlug(row.slug) : row.slug
  const rendered = renderBioPage({
    content: row,
    links: new Map(
      links
        .filter((link) => isOpen(link, nowMs))
        .map((link) => [link.id, linkUrlOn(hostname, host, link)]),
    ),
    images: new Set(row.images),
    canonicalUrl: shortUrlOf(host, hostname, canonicalSlug),
    sharedOrigin,
    isShared: hostname === null,
    nowMs,
  })
  const wanted = new Set(row.blocks.flatMap(({ linkId }) => linkId ?? []))
  const isIncomplete = links.length < wanted.size
  const endsAtMs = Math.min(
    rendered.endsAtMs,
    nextTurnOf(links, nowMs),
    isIncomplete ? nowMs + INCOMPLETE_MS : Infinity,
  )
  return new BioPage(row, { ...rendered, endsAtMs })
}
