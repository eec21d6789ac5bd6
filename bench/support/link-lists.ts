import type { Who } from '../../src/base/who.ts'
import { listLinks, type ListDeps } from '../../src/services/links/list.ts'
import type { ListLinks } from '../../src/services/links/schema.ts'
import { READ_PARAMETERS } from '../../src/storage/heavy-reads.ts'
import {
  closePostgres,
  inSnapshot,
  openPostgres,
  type Sql,
  type TenantSql,
} from '../../src/storage/postgres.ts'
import { REQUEST_ROLE } from '../../src/storage/roles.ts'
import { openDatabases } from './databases.ts'
import { isSound, quantile } from './figures.ts'

type Options = { links: number; few: number; reads: number }
type Workspace = { name: string; links: number }
type Query = Partial<ListLinks>
type Case = { name: string; isTarget?: boolean; toQuery: (workspace: Workspace) => Promise<Query> }

const DEFAULTS = {
  limit: 50,
  offset: 0,
  includeArchived: false,
  sortBy: 'createdAt',
  sortOrder: 'desc',
} satisfies ListLinks
/** Links that each search finds, in each workspace. */
const HITS = 50
const DEEP_SHARE = 0.9

const always = (name: string, query: Query, isTarget = false): Case => ({
  name,
  isTarget,
  toQuery: async () => query,
})

const inFolder = (name: string, query: Query): Case => ({
  name,
  toQuery: async (workspace) => ({ ...query, folderId: `fld_${workspace.name}` }),
})

/**
 * Measures the rule behind `GET /links` in a workspace of many links beside one of few, in turn: statements
 * as the request role under row-level security, and the answers they become, without HTTP and without the
 * bounds of an account. The rows come from one statement for each workspace.
 */
export async function measureLists({ links, few, reads }: Options): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { sql, url } = stack.use(await openDatabases())
  const workspaces = [
    { name: 'few', links: few },
    { name: 'many', links },
  ]
  const startedAtMs = performance.now()
  await fill(sql, workspaces)
  const tookSeconds = (performance.now() - startedAtMs) / 1_000
  console.log(`lists: ${links} and ${few} links stored in ${tookSeconds.toFixed(1)} s`)
  const pool = openPostgres(url, {
    role: REQUEST_ROLE,
    maxConnections: 1,
    parameters: { ...READ_PARAMETERS, statement_timeout: '60000' },
  })
  stack.defer(() => closePostgres(pool))
  const deps = {
    reads: { read: inPool(pool) },
    clock: () => Date.now(),
    shortHost: () => ({
      origin: 'https://links.example.com',
      domain: 'links.example.com',
      isOwn: () => false,
    }),
  }
  const list = ({ name }: Workspace, query: Query) =>
    listLinks(deps, { workspaceId: `wsp_${name}` } as Who, { ...DEFAULTS, ...query })

  const cases: Case[] = [
    always('first page', {}, true),
    always('search, 4 letters', { search: 'zorq' }, true),
    always('search, 8 letters', { search: 'zorqblat' }, true),
    always('by clicks', { sortBy: 'clicks' }, true),
    {
      name: 'cursor at 90 %',
      isTarget: true,
      toQuery: async (workspace) => {
        const offset = Math.floor(workspace.links * DEEP_SHARE) - 1
        const { meta } = await list(workspace, { offset, limit: 1 })
        return { cursor: (meta as { nextCursor: string }).nextCursor }
      },
    },
    ...['clicks', 'lastClickedAt', 'updatedAt', 'slug', 'expiresAt'].map((sortBy) =>
      always(`by ${sortBy}, ascending`, { sortBy, sortOrder: 'asc' }),
    ),
    always('by name', { sortBy: 'name' }),
    inFolder('in a folder', {}),
    always('with a tag', { tag: 'news3' }),
    inFolder('tag and folder, by clicks', { tag: 'news3', sortBy: 'clicks' }),
    always('paused', { status: 'paused' }),
    always('expired', { status: 'expired' }),
    always('search that all match', { search: 'example' }),
  ]
  for (const one of cases) await compare(one)

  async function compare({ name, isTarget, toQuery }: Case): Promise<void> {
    const times = new Map<Workspace, number[]>(workspaces.map((workspace) => [workspace, []]))
    const queries = new Map<Workspace, Query>()
    for (const workspace of workspaces) queries.set(workspace, await toQuery(workspace))
    let failures = 0
    for (let round = 0; round < (isTarget ? reads : Math.ceil(reads / 10)) + 1; round++)
      for (const workspace of workspaces) {
        const sentAtMs = performance.now()
        const { data, meta } = await list(workspace, queries.get(workspace)!)
        const tookMs = performance.now() - sentAtMs
        const { total } = meta as { total: number }
        if (data.length !== Math.min(total, 50) || (name.startsWith('search, ') && total !== HITS))
          failures++
        if (round > 0) times.get(workspace)!.push(tookMs)
      }
    if (!isSound(name, failures)) return
    const [small, large] = workspaces.map((workspace) => {
      const ms = times.get(workspace)!
      return { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95) }
    })
    console.log(
      `${name.padEnd(26)} p50 ${large!.p50.toFixed(1)} ms, p95 ${large!.p95.toFixed(1)} ms; of few links p50 ${small!.p50.toFixed(1)}, p95 ${small!.p95.toFixed(1)} ms; p50 × ${(large!.p50 / small!.p50).toFixed(2)}, p95 × ${(large!.p95 / small!.p95).toFixed(2)}`,
    )
  }
}

/** Reads without the bounds of an account, which slow down one that reads all the time. */
function inPool(pool: TenantSql): ListDeps['reads']['read'] {
  return ({ workspaceId }, _signal, work) => inSnapshot(pool, workspaceId, work)
}

async function fill(sql: Sql, workspaces: readonly Workspace[]): Promise<void> {
  const [index] = await sql<[{ definition: string }]>`
    select pg_get_indexdef('links_by_search'::regclass) as definition`
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    // Built afterwards as a whole, which is faster.
    await tx`drop index links_by_search`
    for (const { name, links } of workspaces) {
      await tx`
        insert into workspaces (id, name, created_at, updated_at)
        values (${`wsp_${name}`}, ${name}, now(), now())`
      await tx`
        insert into folders (id, workspace_id, name, name_key, created_at, updated_at)
        values (${`fld_${name}`}, ${`wsp_${name}`}, 'Of the bench', 'of the bench', now(), now())`
      await tx`
        insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at,
          updated_at, expires_at, folder_id, tags, status)
        select 'lnk_' || name || lpad(i::text, 22, '0'), 'wsp_' || name,
          case when i % (n / ${HITS}::int) = 7 then 'Zorqblat offer '
            when i % 10 = 0 then 'Spring sale ' else 'Landing page ' end || i,
          slug, slug, 'https://www.example.com/shop/' || i || '?ref=' || to_hex(hashtext(i::text)), 'usr_1',
          timestamptz '2026-01-01' + i * interval '17 seconds',
          timestamptz '2026-01-01' + (i::bigint * 7919 % n) * interval '17 seconds',
          case when i % 20 = 0 then timestamptz '2026-01-01' + i * interval '10 minutes' end,
          case when i % 10 = 1 then 'fld_' || name end,
          case when i % 20 = 1 then array['spring', 'news' || i % 9] end,
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
