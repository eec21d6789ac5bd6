import type { LinkOptions } from '../../src/platform/facts/link-options.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'

export const WORKSPACE_ID = 'wsp_bench'

/** Rows of one statement, which has to end before its timeout. */
const PIECE = 20_000
const URL = 'https://example.com/landing/page'

/** Options of links whose redirect costs more than a plain one. */
export const OPTIONS = {
  variants: {
    variants: [
      { id: 'var_a', name: 'A', destinationUrl: `${URL}?variant=a`, weight: 50 },
      { id: 'var_b', name: 'B', destinationUrl: `${URL}?variant=b`, weight: 50 },
    ],
  },
  rules: {
    rules: [
      toRule('Germany', { country: ['DE', 'AT', 'CH'] }),
      toRule('Phones', { country: ['US', 'CA'], device: ['mobile'] }),
      toRule('Tablets', { device: ['tablet'] }),
    ],
  },
  tracked: { trackConversions: true },
} satisfies Record<string, LinkOptions>

/** Kinds of links, and the first letter of their slugs. Branded ones are plain links on a domain. */
export const PREFIXES = {
  plain: 's',
  variants: 'v',
  rules: 'r',
  tracked: 't',
  branded: 'b',
} as const
export type LinkKind = keyof typeof PREFIXES
/** The beginning of the slugs of bio pages. */
export const PAGE_PREFIX = 'p/bench-'

/** Verified domains beside branded links, which are all on one of them. */
const DOMAINS = 10_000
export const BRANDED_ID = 'dom_7000'
export const hostOfDomain = (i: number) => `go-${i}.example.com`

/** The host by which visitors call links of a kind. */
export function hostOf(kind: LinkKind): string {
  return kind === 'branded' ? hostOfDomain(7_000) : 'localhost'
}

/** Fills an empty database with one workspace, and with so many links of each kind: `s0`, `s1`, … are plain ones. */
export async function fillLinks(
  sql: Sql,
  counts: Partial<Record<LinkKind, number>>,
): Promise<void> {
  await sql`
    insert into workspaces (id, name, created_at, updated_at)
    values (${WORKSPACE_ID}, 'Bench', now(), now())`
  if (counts.branded) await fillDomains(sql)
  for (const [kind, count] of Object.entries(counts) as [LinkKind, number][]) {
    const prefix = PREFIXES[kind]
    const options =
      kind in OPTIONS ? JSON.stringify(OPTIONS[kind as keyof typeof OPTIONS] as never) : null
    const domainId = kind === 'branded' ? BRANDED_ID : null
    const ids = kind === 'plain' ? 'lnk_' : `lnk_${prefix}`
    for (let from = 0; from < count; from += PIECE) {
      const to = Math.min(from + PIECE, count) - 1
      await sql`
      insert into links (id, workspace_id, name, slug, slug_key, domain_id, destination_url, options, created_by,
        created_at, updated_at)
      select ${ids}::text || i, ${WORKSPACE_ID}, 'A link', slug, slug, ${domainId}, ${URL} || '?id=' || i, ${options}, 'bench',
        now(), now()
      from (select i, ${prefix}::text || i as slug from generate_series(${from}::int, ${to}::int) i) as numbered`
      await sql`
        insert into link_addresses (domain_id, slug_key, workspace_id, link_id, slug)
        select coalesce(domain_id, ''), slug_key, workspace_id, id, slug from links
        where id in (select ${ids}::text || i from generate_series(${from}::int, ${to}::int) i)`
    }
  }
  await sql`analyze links, link_addresses`
}

async function fillDomains(sql: Sql): Promise<void> {
  await sql`
    insert into domains (id, workspace_id, hostname, token, status, next_check_at, created_at, updated_at)
    select 'dom_' || i, ${WORKSPACE_ID}, 'go-' || i || '.example.com', 'token', 'verified', now() + interval '1 day',
      now(), now()
    from generate_series(0, ${DOMAINS - 1}::int) as i`
}

function toRule(name: string, conditions: object) {
  return { id: `rul_${name}`, name, enabled: true, conditions, destinationUrl: `${URL}?to=${name}` }
}

/** Adds one published bio page with the first plain links: `p/bench-0`. */
export async function fillPage(sql: Sql, links: number): Promise<void> {
  const [id, slug] = ['bio_bench', `${PAGE_PREFIX}0`]
  const theme = { preset: 'ocean', background: null, text: null, accent: null, font: null }
  const blocks = Array.from({ length: links }, (_, i) => ({
    ...{
      id: `blk_${i}`,
      type: 'link',
      title: `Link number ${i}`,
      linkId: `lnk_${i}`,
      enabled: true,
    },
    ...{ url: null, mediaId: null, icon: null, startsAt: null, endsAt: null },
  }))
  const seo = { title: null, description: null, imageMediaId: null, noindex: false }
  await sql`
    insert into bio_pages (id, workspace_id, slug, is_root, title, description, theme, blocks, socials, seo, status,
      published_at, created_at, updated_at)
    values (${id}, ${WORKSPACE_ID}, 'bench-0', false, 'Ana Lima', 'Ceramics, slowly.',
      ${JSON.stringify(theme)}::text::jsonb, ${JSON.stringify(blocks)}::text::jsonb, '[]',
      ${JSON.stringify(seo)}::text::jsonb, 'published', now(), now(), now())`
  await sql`
    insert into link_addresses (domain_id, slug_key, workspace_id, link_id, slug, is_alias)
    values ('', ${slug}, ${WORKSPACE_ID}, ${id}, ${slug}, true)`
  await sql`
    insert into bio_page_links (page_id, workspace_id, link_id, is_own)
    select ${id}, ${WORKSPACE_ID}, 'lnk_' || i, true from generate_series(0, ${links - 1}::int) i`
}
