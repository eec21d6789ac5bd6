import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { toPageSlug, type PageBlock, type PageContent } from '../../platform/facts/bio-page.ts'
import { shortUrlOf } from '../../platform/facts/short-url.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import type { BioPage } from './schema.ts'

export type ShownLink = {
  id: string
  name: string
  destinationUrl: string
  slug: string
  hostname: string | null
  isOwn: boolean
}

export type PageColumns = PageContent & {
  id: string
  workspaceId: string
  domainId: string | null
  slug: string
  isRoot: boolean
  status: BioPage['status']
  publishedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type PageRow = PageColumns & {
  hostname: string | null
  isCaseSensitive: boolean
  views: number
  clicks: number
  links: readonly ShownLink[]
}

export async function loadPage(
  tx: Tx,
  { workspaceId }: Principal,
  id: string,
  locking: Fragment = tx``,
): Promise<PageRow> {
  const [row] = await tx<PageRow[]>`
    select ${columnsOf(tx)} from bio_pages p ${withDomain(tx)}
    where p.id = ${id} and p.workspace_id = ${workspaceId} ${locking}`
  if (!row) throw new ApiError('NOT_FOUND', 'This page does not exist.')
  return row
}

export async function insertPage(tx: Tx, page: PageColumns): Promise<void> {
  await tx`
    insert into bio_pages (id, workspace_id, domain_id, slug, is_root, title, description, avatar_media_id, theme,
      blocks, socials, seo, status, published_at, created_at, updated_at)
    values (${page.id}, ${page.workspaceId}, ${page.domainId}, ${page.slug}, ${page.isRoot}, ${page.title},
      ${page.description}, ${page.avatarMediaId}, ${toJson(tx, page.theme)}, ${toJson(tx, page.blocks)},
      ${toJson(tx, page.socials)}, ${toJson(tx, page.seo)}, ${page.status}, ${page.publishedAt}, ${page.createdAt},
      ${page.updatedAt})`
}

export async function savePage(tx: Tx, page: PageColumns): Promise<void> {
  await tx`
    update bio_pages set domain_id = ${page.domainId}, slug = ${page.slug}, is_root = ${page.isRoot},
      title = ${page.title}, description = ${page.description}, avatar_media_id = ${page.avatarMediaId},
      theme = ${toJson(tx, page.theme)}, blocks = ${toJson(tx, page.blocks)},
      socials = ${toJson(tx, page.socials)}, seo = ${toJson(tx, page.seo)}, status = ${page.status},
      published_at = ${page.publishedAt}, updated_at = ${page.updatedAt}
    where id = ${page.id} and workspace_id = ${page.workspaceId}`
}

function toJson(tx: Tx, value: unknown) {
  return tx`${JSON.stringify(value)}::text::jsonb`
}

export function columnsOf(tx: Tx): Fragment {
  return tx`p.id, p.workspace_id, p.domain_id, p.slug, p.is_root, p.title, p.description, p.avatar_media_id, p.theme,
    p.blocks, p.socials, p.seo, p.status, p.published_at, p.created_at, p.updated_at, d.hostname,
    coalesce(d.case_sensitive, false) as is_case_sensitive,
    coalesce((
      select v.views from bio_page_views v where v.page_id = p.id and v.workspace_id = p.workspace_id
    ), 0) as views,
    (
      select coalesce(sum(c.clicks), 0)::bigint
      from bio_page_links b join link_clicks c on c.link_id = b.link_id and c.workspace_id = b.workspace_id
      where b.page_id = p.id and b.workspace_id = p.workspace_id
    ) as clicks,
    (
      select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'destinationUrl', l.destination_url,
        'slug', l.slug, 'isOwn', b.is_own, 'hostname', (
          select h.hostname from domains h where h.id = l.domain_id and h.workspace_id = l.workspace_id))), '[]')
      from bio_page_links b join links l on l.id = b.link_id and l.workspace_id = b.workspace_id
      where b.page_id = p.id and b.workspace_id = p.workspace_id
    ) as links`
}

export function withDomain(tx: Tx): Fragment {
  return tx`left join domains d on d.id = p.domain_id and d.workspace_id = p.workspace_id`
}

export function toBioPage(row: PageRow, host: { origin: string }): BioPage {
  const { hostname, isCaseSensitive: _isCaseSensitive, links, ...shown } = row
  const linksById = new Map(links.map((link) => [link.id, link]))
  const toUrl = (name: string | null, slug: string) => shortUrlOf(host, name, slug)
  return {
    ...shown,
    blocks: row.blocks.map((block) => toBlock(block, linksById.get(block.linkId ?? ''), toUrl)),
    socials: [...row.socials],
    url: toUrl(hostname, toCanonicalSlug(row)),
    publishedAt: isoOrNull(row.publishedAt),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function toCanonicalSlug({ slug, isRoot, hostname }: PageRow): string {
  if (isRoot) return ''
  return hostname === null ? toPageSlug(slug) : slug
}

function toBlock(
  block: PageBlock,
  link: ShownLink | undefined,
  toUrl: (hostname: string | null, slug: string) => string,
): BioPage['blocks'][number] {
  return {
    ...block,
    url: block.type === 'link' ? (link?.destinationUrl ?? null) : block.url,
    shortUrl: link ? toUrl(link.hostname, link.slug) : null,
    ownsLink: link?.isOwn ?? false,
  }
}
