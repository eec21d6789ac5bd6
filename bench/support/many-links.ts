import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { type Sql, inTransaction } from '../../src/platform/storage/postgres/postgres.ts'

export type Workspace = { name: string; links: number }

/** Links that each search finds, in each workspace. */
export const HITS = 50
/** Of each workspace, beside a folder with a tenth of the links. Every link has a folder, a campaign and a tag. */
const FOLDERS = 50
const CAMPAIGNS = 50
const TAGS = 100

/**
 * Adds links of every kind to workspaces, with one statement for each table; a workspace that does not exist is
 * created, with the id `wsp_` and its name. It takes the rights of the owner of the tables.
 */
export async function fillWorkspaces(sql: Sql, workspaces: readonly Workspace[]): Promise<void> {
  const [index] = await sql<[{ definition: string }]>`
    select pg_get_indexdef('links_by_search'::regclass) as definition`
  await inTransaction(sql, async (tx) => {
    await tx`set local statement_timeout = 0`
    // Built afterwards as a whole, which is faster.
    await tx`drop index links_by_search`
    for (const { name, links } of workspaces) {
      await tx`
        insert into workspaces (id, name, created_at, updated_at)
        values (${`wsp_${name}`}, ${name}, now(), now())
        on conflict (id) do nothing`
      await tx`
        insert into folders (id, workspace_id, name, name_key, created_at, updated_at)
        select 'fld_' || name || number, 'wsp_' || name, 'Folder' || number, 'folder' || number, now(), now()
        from (
          select ${name}::text as name, '' as number
          union all select ${name}, i::text from generate_series(0, ${FOLDERS - 1}::int) as i) as numbered`
      await tx`
        insert into campaigns (id, workspace_id, name, created_at, updated_at)
        select 'cmp_' || ${name}::text || i, 'wsp_' || ${name}::text, 'Campaign ' || i, now(), now()
        from generate_series(0, ${CAMPAIGNS - 1}::int) as i`
      await tx`
        insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at,
          updated_at, expires_at, folder_id, campaign_id, tags, status)
        select 'lnk_' || name || lpad(i::text, 22, '0'), 'wsp_' || name,
          case when i % (n / ${HITS}::int) = 7 then 'Zorqblat offer '
            when i % 10 = 0 then 'Spring sale ' else 'Landing page ' end || i,
          slug, slug, 'https://www.example.com/shop/' || i || '?ref=' || to_hex(hashtext(i::text)), 'usr_1',
          timestamptz '2026-01-01' + i * interval '17 seconds',
          timestamptz '2026-01-01' + (i::bigint * 7919 % n) * interval '17 seconds',
          case when i % 20 = 0 then timestamptz '2026-01-01' + i * interval '10 minutes' end,
          'fld_' || name || case when i % 10 = 1 then '' else (i / 10 % ${FOLDERS}::int)::text end,
          'cmp_' || name || i % ${CAMPAIGNS}::int,
          case when i % 20 = 1 then array['spring', 'news' || i % 9] else array['shop' || i % ${TAGS}::int] end,
          case when i % 50 = 0 then 'archived' when i % 100 = 2 then 'paused' else 'active' end
        from (
          select ${name}::text as name, ${links}::int as n, i,
            ${name}::text || '-' || to_hex(i::bigint * 7919) as slug
          from generate_series(1, ${links}::int) as i
        ) as numbered`
    }
    await tx`
      insert into link_addresses (domain_id, slug_key, workspace_id, link_id, slug)
      select '', slug_key, workspace_id, id, slug from links`
    await tx`
      insert into link_clicks (link_id, workspace_id, clicks, last_clicked_at)
      select id, workspace_id, 1 + abs(hashtext(id)) % 100000, updated_at
      from links where hashtext(id) % 3 = 0`
    await tx`insert into link_rank_changes (link_ids) select array_agg(link_id) from link_clicks`
    await tx`select copy_link_ranks(1)`
    await tx.unsafe(index.definition)
  })
  await sql`set statement_timeout = 0`
  await sql`vacuum analyze`
}

/** Clicks on ten days of the last month for each third of the links that {@link fillWorkspaces} adds. */
export async function fillClicks(clickhouse: ClickHouseClient, { name, links }: Workspace) {
  await clickhouse.command({
    query: `
      insert into clicks (workspace_id, link_id, click_id, at, segment, kind, visitor)
      select 'wsp_${name}', concat('lnk_${name}', leftPad(toString(intDiv(number, 10) * 3 + 1), 22, '0')),
        leftPad(toString(number), 26, '0'), now64(3, 'UTC') - toIntervalDay(number % 10 * 3), 'bench', 'human',
        sipHash64(number)
      from numbers(${Math.floor(links / 3) * 10})`,
  })
}
