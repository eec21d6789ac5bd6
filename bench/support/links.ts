import type { Sql } from '../../src/storage/postgres.ts'

export const WORKSPACE_ID = 'wsp_bench'

/** Fills an empty database with one workspace and the links `s0` … `s<count - 1>`. */
export async function fillLinks(sql: Sql, count: number): Promise<void> {
  await sql`
    insert into workspaces (id, name, created_at, updated_at)
    values (${WORKSPACE_ID}, 'Bench', now(), now())`
  await sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by,
      created_at, updated_at)
    select 'lnk_' || i, ${WORKSPACE_ID}, 'A link', 's' || i, 's' || i,
      'https://example.com/landing/page?id=' || i, 'bench', now(), now()
    from generate_series(0, ${count - 1}::int) i`
  await sql`
    insert into link_addresses (domain_id, slug_key, workspace_id, link_id, slug)
    select '', slug_key, workspace_id, id, slug from links`
  await sql`analyze links, link_addresses`
}
