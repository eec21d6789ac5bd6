import type { Principal } from '../../src/platform/routes/principal.ts'
import { createLinkClicks } from '../../src/analytics/answers/link-clicks.ts'
import { ClickReader } from '../../src/analytics/questions/reader.ts'
import { createCampaigns } from '../../src/links/campaigns/campaigns.ts'
import { createFolders } from '../../src/links/folders/folders.ts'
import type { ListDeps } from '../../src/links/link/dependencies.ts'
import { listLinks } from '../../src/links/list/list.ts'
import type { ListLinks } from '../../src/links/link/schema.ts'
import { createSearch } from '../../src/links/search/search.ts'
import { createTags } from '../../src/links/tags/tags.ts'
import { READ_PARAMETERS } from '../../src/platform/storage/postgres/heavy-reads.ts'
import {
  closePostgres,
  inSnapshot,
  openPostgres,
  type TenantSql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { openDatabases } from './databases.ts'
import { isSound, quantile } from './figures.ts'
import { fillClicks, fillWorkspaces, HITS, type Workspace } from './many-links.ts'

type Options = { links: number; few: number; reads: number }
type Query = Partial<ListLinks>
type Case = { name: string; isTarget?: boolean; toQuery: (workspace: Workspace) => Promise<Query> }

const DEFAULTS = {
  limit: 50,
  offset: 0,
  includeArchived: false,
  sortBy: 'createdAt',
  sortOrder: 'desc',
} satisfies ListLinks
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
 * bounds of an account; and those behind the lists of folders, campaigns and tags, which count the links of each,
 * and behind `GET /search`.
 */
export async function measureLists({ links, few, reads }: Options): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { sql, url, clickhouse } = stack.use(await openDatabases())
  const workspaces = [
    { name: 'few', links: few },
    { name: 'many', links },
  ]
  const startedAtMs = performance.now()
  await fillWorkspaces(sql, workspaces)
  for (const workspace of workspaces) await fillClicks(clickhouse, workspace)
  const tookSeconds = (performance.now() - startedAtMs) / 1_000
  console.log(`lists: ${links} and ${few} links stored in ${tookSeconds.toFixed(1)} s`)
  const pool = openPostgres(url, {
    role: REQUEST_ROLE,
    maxConnections: 1,
    parameters: { ...READ_PARAMETERS, statement_timeout: '60000' },
  })
  stack.defer(() => closePostgres(pool))
  const clock = () => Date.now()
  const systemSql = openPostgres(url, { role: WORKER_ROLE, maxConnections: 1 })
  stack.defer(() => closePostgres(systemSql))
  const deps = {
    linkClicks: createLinkClicks({
      systemSql,
      reader: new ClickReader(clickhouse),
      clock,
      shippedThroughMs: async () => Infinity,
    }),
    reads: { read: inPool(pool) },
    clock,
    shortHost: () => ({
      origin: 'https://links.example.com',
      domain: 'links.example.com',
      isOwn: () => false,
    }),
  }
  const list = ({ name }: Workspace, query: Query) =>
    listLinks(deps, { workspaceId: `wsp_${name}` } as Principal, { ...DEFAULTS, ...query })

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
    always('with clicks of 30 days', { clickDays: 30 }),
    always('by clicks of 30 days', { clickDays: 30, sortBy: 'periodClicks' }),
    inFolder('in a folder', {}),
    always('with a tag', { tag: 'news3' }),
    inFolder('tag and folder, by clicks', { tag: 'news3', sortBy: 'clicks' }),
    always('paused', { status: 'paused' }),
    always('expired', { status: 'expired' }),
    always('search that all match', { search: 'example' }),
  ]
  for (const { name, isTarget, toQuery } of cases)
    await compare(name, workspaces, isTarget ? reads : Math.ceil(reads / 10), async (workspace) => {
      const query = await toQuery(workspace)
      return () => list(workspace, query)
    })
  for (const [name, listGroups] of Object.entries(toGroupLists(deps.reads)))
    await compare(name, workspaces, Math.ceil(reads / 10), async (workspace) => {
      const principal = { workspaceId: `wsp_${workspace.name}` } as Principal
      return () => listGroups(principal, { limit: 50, offset: 0, sortBy: 'name', sortOrder: 'asc' })
    })
  const search = createSearch(deps)
  for (const [name, q] of SEARCHES)
    await compare(`find ${name}`, workspaces, reads, async (workspace) => {
      const principal = {
        workspaceId: `wsp_${workspace.name}`,
        scopes: null,
      } as unknown as Principal
      return async () => {
        const data = (await search.find(principal, { q, limit: 20 })).links!
        return { data, meta: { total: data.length } }
      }
    })
}

/** Texts for `GET /search`, which looks at the other kinds as well. */
const SEARCHES = [
  ['a rare word', 'zorqblat'],
  ['a word of every link', 'example'],
  ['two letters', 'zo'],
  ['nothing', 'neverfound'],
] as const

type Listed = { data: readonly unknown[]; meta: object }

/** Prints the times of a list in the larger workspace, beside those in the smaller one. */
async function compare(
  name: string,
  workspaces: readonly Workspace[],
  reads: number,
  toRead: (workspace: Workspace) => Promise<() => Promise<Listed>>,
): Promise<void> {
  const sides = []
  for (const workspace of workspaces)
    sides.push({ read: await toRead(workspace), ms: [] as number[] })
  let failures = 0
  for (let round = 0; round < reads + 1; round++)
    for (const { read, ms } of sides) {
      const sentAtMs = performance.now()
      const { data, meta } = await read()
      const tookMs = performance.now() - sentAtMs
      const { total } = meta as { total: number }
      if (data.length !== Math.min(total, 50) || (name.startsWith('search, ') && total !== HITS))
        failures++
      if (round > 0) ms.push(tookMs)
    }
  if (!isSound(name, failures)) return
  const [small, large] = sides.map(({ ms }) => ({
    p50: quantile(ms, 0.5),
    p95: quantile(ms, 0.95),
  }))
  console.log(
    `${name.padEnd(26)} p50 ${large!.p50.toFixed(1)} ms, p95 ${large!.p95.toFixed(1)} ms; of few links p50 ${small!.p50.toFixed(1)}, p95 ${small!.p95.toFixed(1)} ms; p50 × ${(large!.p50 / small!.p50).toFixed(2)}, p95 × ${(large!.p95 / small!.p95).toFixed(2)}`,
  )
}

/** Lists of what groups links, each with the number of links in each. They need no more than the reads. */
function toGroupLists(reads: ListDeps['reads']) {
  return {
    folders: createFolders({ reads } as Parameters<typeof createFolders>[0]).list,
    campaigns: createCampaigns({ reads } as Parameters<typeof createCampaigns>[0]).list,
    tags: createTags({ reads } as Parameters<typeof createTags>[0]).list,
  }
}

/** Reads without the bounds of an account, which slow down one that reads all the time. */
function inPool(pool: TenantSql): ListDeps['reads']['read'] {
  return ({ workspaceId }, _signal, work) => inSnapshot(pool, workspaceId, work)
}
