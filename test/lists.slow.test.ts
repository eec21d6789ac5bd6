import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Route } from '../src/platform/routes/route.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
  type Sql,
  connectionOf,
} from '../src/platform/storage/postgres/postgres.ts'
import { databasesToMigrate, type TestDatabases } from './support/engines.ts'
import { tapStatements, type Statement } from './support/statements.ts'
import { eventually, openWorld, type SignedUpUser } from './support/world.ts'
import { IS_LONG } from './support/long.ts'

/** Rows of others in each table. */
const ROWS = IS_LONG ? 300_000 : 10_000
/** Limits of the reads of one statement for a list of a few rows: database pages, and rows. */
const MAX_BLOCKS = 300
const MAX_ROWS = 500
/** For a page of 50 links in a folder: row, folder, clicks, quota and aliases of each, by an index of three levels. */
const MAX_BLOCKS_OF_PAGE = 700

/** The endpoint of the victim is on loopback; it is never called. */
const LOOPBACK = { egressAllowedCidrs: ['127.0.0.0/8'] }

const OWN = { name: 'Own', destinationUrl: 'https://example.com/own' }

const page = (path: string, meta: Record<string, unknown>) => `${path}: ${JSON.stringify(meta)}`

/** Fields of `meta` that lists have beside the page. */
const MORE_META: Record<string, readonly string[]> = {
  '/auth/providers': [
    'signup',
    'emailVerificationRequired',
    'mail',
    'outboxPath',
    'shortDomain',
    'passkeys',
    'password',
  ],
  '/media': ['usedBytes'],
}

test('every list takes limit and offset, and returns them in meta', async (t) => {
  const world = await openWorld(t)
  const user = await world.user()
  const importId = await makeImport(user)
  await eventually(async () =>
    assert.equal((await user.get(`/links/imports/${importId}`)).body.data.status, 'completed'),
  )
  const linkId = await makeLink(user, 'Own')
  await world.sql`update users set is_operator = true where id = ${user.userId}`
  for (const path of listsOf(world.app.routes, { linkId, importId })) {
    const first = await user.get(path)
    assert.equal(first.status, 200, path)
    const { requestId: _id, nextCursor: _cursor, ...meta } = first.body.meta
    const { total } = meta
    assert.deepEqual(
      Object.keys(meta),
      ['total', 'limit', 'offset', ...(MORE_META[path] ?? [])],
      path,
    )
    assert.partialDeepStrictEqual(meta, { total, limit: 50, offset: 0 }, path)
    assert.equal(total, first.body.data.length, path)
    for (const [query, limit, offset] of [
      ['limit=1', 1, 0],
      ['limit=101', 100, 0],
      ['limit=11914277304947164', 100, 0],
      ['limit=1&offset=1', 1, 1],
      ['offset=1000000', 50, 1_000_000],
    ] as const) {
      const { status, body } = await user.get(`${path}?${query}`)
      assert.equal(status, 200, `${path}?${query}`)
      assert.partialDeepStrictEqual(body.meta, { total, limit, offset }, page(path, body.meta))
      assert.deepEqual(body.data, first.body.data.slice(offset, offset + limit), path)
    }
    for (const query of ['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'limit=', 'offset=-1']) {
      const { status, body } = await user.get(`${path}?${query}`)
      assert.deepEqual([status, body.error?.details[0].path], [400, query.split('=')[0]], path)
    }
  }
})

test('a list reads its own few rows, however many other workspaces have', async (t) => {
  const databases = await databasesToMigrate(t)
  const { sql } = databases
  const tap = await tapStatements(t, databases.postgresUrl)
  const world = await openWithoutWorker(t, databases, tap.url)
  const victim = await world.user()
  const { endpointId, folderId } = await furnish(victim)
  await crowd(sql)

  const variants: Record<string, string[]> = {
    '/links': [
      ...SORTS.map((sortBy) => `sortBy=${sortBy}`),
      ...['crowd', 'own', 'c', 'z', '/?', 'a'.repeat(200)].map((term) => `search=${term}`),
      'status=active',
      'status=expired&createdFrom=2020-01-01T00:00:00Z',
      ...['paused', 'archived', 'expired', 'blocked'].map((status) => `status=${status}`),
      ...[
        'tag=x',
        'tag=own',
        'tags=own,x',
        'tags=own,x&tagsMode=all',
        'tag=own&sortBy=clicks',
        'externalId=own-1',
      ],
      `folderId=${folderId}`,
      `folderId=${folderId}&tag=own&search=own&sortBy=name`,
      'createdTo=2120-01-01T00:00:00Z&sortBy=clicks',
      ...(await cursorsOf(victim)),
    ],
    '/audit-log': ['action=link.created', `actorId=${victim.userId}`, 'targetType=link'],
    '/security-log': ['type=sign_in.succeeded', `userId=${victim.userId}`, 'outcome=failure'],
    '/invitations': ['status=pending'],
    '/tags': ['search=own', 'sortBy=links'],
    '/folders': ['search=own', 'sortBy=updatedAt'],
    '/campaigns': ['search=own', 'status=active', 'sortBy=endsAt', 'sortBy=name&status=draft'],
    '/utm-templates': ['search=own', 'sortBy=name'],
    '/webhooks/deliveries': [
      `endpointId=${endpointId}`,
      'status=completed',
      'status=processing',
      'eventType=link.created',
      'eventType=link.deleted&status=pending',
      'eventId=evt_unknown',
      'responseStatus=200',
      'from=2020-01-01T00:00:00Z&to=2120-01-01T00:00:00Z',
    ],
  }
  const readers = await openReaders(t, databases.postgresUrl)
  const importId = await makeImport(victim)
  const linkId = await makeLink(victim, 'Changed')
  for (const name of ['One', 'Two']) await victim.patch(`/links/${linkId}`, { name })
  const lists = listsOf(world.app.routes, { linkId, importId })
  // An operator reads the rows of all.
  for (const path of lists.filter((each) => !each.startsWith('/operator/')))
    for (const query of ['', 'offset=1', ...(variants[path] ?? [])]) {
      tap.take()
      const { status, body } = await victim.get(`${path}?${query}`)
      assert.equal(status, 200, `${path}?${query} ${JSON.stringify(body)}`)
      for (const sent of tap.take()) await assertCheap(readers, sent, `${path}?${query}`)
    }
})

test('a first page of 50,000 links is read from the end of an index', async (t) => {
  const databases = await databasesToMigrate(t)
  const tap = await tapStatements(t, databases.postgresUrl)
  const world = await openWithoutWorker(t, databases, tap.url)
  const victim = await world.user()
  await furnish(victim)
  await clone(databases.sql, 'links', 50_000, {
    id: `'lnk_many' || i`,
    slug: `'many-' || i`,
    slug_key: `'many-' || i`,
    name: `'Many ' || i`,
    external_id: 'null',
    created_at: `r.created_at - i * interval '1 second'`,
  })
  await databases.sql`vacuum analyze links`
  const readers = await openReaders(t, databases.postgresUrl)
  const { body } = await victim.get('/links?offset=40000&limit=1')
  for (const query of [
    ...['', 'sortOrder=asc', 'offset=100', 'search=many', 'search=many 4999'],
    ...['updatedAt', 'slug', 'clicks', 'lastClickedAt', 'expiresAt'].map((key) => `sortBy=${key}`),
    ...['sortBy=clicks&sortOrder=asc', 'sortBy=expiresAt&sortOrder=asc', 'status=paused'],
    `cursor=${body.meta.nextCursor}`,
  ]) {
    tap.take()
    assert.equal((await victim.get(`/links?${query}`)).status, 200, query)
    const connections = tap.take()
    assert.ok(
      connections.flat().some(({ text }) => text.includes('sort_key')),
      query,
    )
    for (const sent of connections) {
      // A search of many matches collects 10,001 of them first.
      const isOften = query === 'search=many'
      const pages = sent.filter(({ text }) => !(isOften && text.includes('matches as')))
      const reads = pages.filter(({ text }) => !text.includes('matching_links('))
      await assertCheap(readers, reads, query, MAX_BLOCKS_OF_PAGE)
    }
  }
})

/** The paths of all routes whose answer is a list; of the lists of a link or an import, those of this one. */
function listsOf(
  routes: readonly Route[],
  { linkId, importId }: { linkId: string; importId: string },
): string[] {
  const lists = routes.filter(
    ({ method, path, shapes }) =>
      method === 'GET' &&
      // Rows of analytics are counted in ClickHouse and have pages of their own.
      !path.startsWith('/analytics/') &&
      (shapes.reply as { type?: string } | undefined)?.type === 'array',
  )
  assert.ok(lists.length >= 16)
  const paths = lists.map(({ path }) =>
    path
      .replace('/links/:id/', `/links/${linkId}/`)
      .replace('/links/imports/:id/', `/links/imports/${importId}/`),
  )
  for (const path of paths) assert.ok(!path.includes(':'), path)
  return paths
}

async function makeImport(user: SignedUpUser): Promise<string> {
  const file = Buffer.from('name,destinationUrl\nRow,https://example.com/own\n')
  const type = { 'content-type': 'text/csv' }
  const { status, body } = await user.send('POST', '/links/import', file, type)
  assert.equal(status, 202)
  return body.data.id
}

async function makeLink(user: SignedUpUser, name: string, rest: object = {}): Promise<string> {
  const destinationUrl = 'https://example.com/own'
  const { status, body } = await user.post('/links', { name, destinationUrl, ...rest })
  assert.equal(status, 201)
  return body.data.id
}

/** A few rows of the victim's own in every list that a client can fill. */
async function furnish(victim: SignedUpUser) {
  const folder = await victim.post('/folders', { name: 'Of links' })
  const folderId: string = folder.body.data.id
  for (let n = 0; n < 3; n++)
    await makeLink(victim, `Own ${n}`, { folderId, tags: ['own'], externalId: `own-${n}` })
  const url = 'https://127.0.0.1:8443/hook'
  const made = [
    await victim.post('/webhooks/endpoints', { url, events: ['link.created'] }),
    await victim.post('/api-keys', { name: 'Own' }),
    await victim.post('/links', { ...OWN, tags: ['own', 'newsletter'] }),
    await victim.post('/folders', { name: 'Own' }),
    await victim.post('/campaigns', { name: 'Own' }),
    await victim.post('/utm-templates', { name: 'Own' }),
    await victim.post('/invitations', { email: 'guest@example.com', role: 'member' }),
  ]
  for (const { status, body } of made) assert.equal(status, 201, JSON.stringify(body))
  return { folderId, endpointId: made[0]!.body.data.id as string }
}

const SORTS = ['createdAt', 'updatedAt', 'name', 'slug', 'clicks', 'lastClickedAt', 'expiresAt']

/** Queries of a second page in each order of links. */
async function cursorsOf(victim: SignedUpUser): Promise<string[]> {
  const orders = SORTS.flatMap((sortBy) =>
    ['asc', 'desc'].map((sortOrder) => `sortBy=${sortBy}&sortOrder=${sortOrder}`),
  )
  return Promise.all(
    [...orders, 'tag=own', 'search=own&sortBy=clicks'].map(async (query) => {
      const { meta } = (await victim.get(`/links?${query}&limit=1`)).body
      return `${query}&cursor=${meta.nextCursor}`
    }),
  )
}

/** Inserts rows of unrelated users and workspaces into every table of a list. */
async function crowd(sql: Sql): Promise<void> {
  const workspace = { workspace_id: `'wsp_crowd'` }
  const hash = `sha256(convert_to('crowd' || i, 'UTF8'))`
  for (const table of ['audit_log', 'audit_chain', 'workspaces'])
    await sql.unsafe(`alter table ${table} disable trigger user`)
  const crowdUser = { id: `'usr_crowd' || i`, email: `'c' || i`, email_key: `'c' || i` }
  await clone(sql, 'users', ROWS, crowdUser)
  await clone(sql, 'workspaces', 1, { id: `'wsp_crowd'` })
  await clone(sql, 'workspaces', ROWS / 10, { id: `'wsp_crowd' || i` })
  await clone(sql, 'members', ROWS, { ...workspace, user_id: `'usr_crowd' || i` })
  await clone(sql, 'members', ROWS / 10, {
    workspace_id: `'wsp_crowd' || i`,
    user_id: `'usr_crowd1'`,
  })
  await clone(sql, 'folders', ROWS, {
    ...workspace,
    ...{ id: `'fld_crowd' || i`, name: `'Crowd ' || i`, name_key: `'crowd ' || i` },
  })
  for (const table of ['campaigns', 'utm_templates'])
    await clone(sql, table, ROWS, { ...workspace, id: `'crowd' || i`, name: `'Crowd ' || i` })
  await clone(sql, 'links', ROWS, {
    ...workspace,
    campaign_id: `'crowd' || i % 100`,
    folder_id: `'fld_crowd' || i % 100`,
    ...{ id: `'lnk_crowd' || i`, slug: `'crowd-' || i`, slug_key: `'crowd-' || i` },
    name: `'Crowd ' || i`,
    external_id: 'null',
    destination_url: `'https://example.com/crowd/' || repeat('a', i % 100) || md5(i::text)`,
  })
  await sql`
    insert into link_tags (workspace_id, tag, created_at, link_id)
    select workspace_id, tag, created_at, id
    from links, unnest(array['newsletter', id]) as tag where workspace_id = 'wsp_crowd'`
  await sql`
    insert into link_clicks (link_id, workspace_id, clicks, last_clicked_at)
    select id, workspace_id, 1, created_at from links where workspace_id = 'wsp_crowd'`
  const user = { user_id: `'usr_crowd1'` }
  await clone(sql, 'api_keys', ROWS, { ...workspace, ...user, id: `'key_c' || i`, key_hash: hash })
  await clone(sql, 'audit_log', ROWS, { ...workspace, id: `'aud_crowd' || i` })
  await clone(sql, 'audit_chain', ROWS, { ...workspace, position: 'i', row_id: `'aud_crowd' || i` })
  await clone(sql, 'security_log', ROWS, { ...workspace, ...user, id: `'sec_crowd' || i` })
  await clone(sql, 'security_log', ROWS, {
    ...{ id: `'sec_user' || i`, workspace_id: 'null', user_id: `'usr_crowd' || i` },
  })
  await clone(sql, 'invitations', ROWS, {
    ...workspace,
    ...{ id: `'inv_crowd' || i`, email_key: `'c' || i`, token_hash: hash },
  })
  const endpoint = { ...workspace, endpoint_id: `'whe_crowd' || i` }
  await clone(sql, 'webhook_endpoints', ROWS, { ...workspace, id: `'whe_crowd' || i` })
  await clone(sql, 'webhook_endpoint_stats', ROWS, endpoint)
  await sql`
    insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
    select workspace_id, id, 2, current_date, 1 from webhook_endpoints`
  await sql`
    insert into webhook_log (id, finished_at, workspace_id, endpoint_id, event_id, event_at,
      event_type, status, attempts, created_at)
    select 'del_' || id, now(), workspace_id, id, 'evt_1', now(), 'link.created', 2, 1, now()
    from webhook_endpoints`
  await clone(sql, 'sessions', ROWS, { ...user, id: `'ses_crowd' || i`, token_hash: hash })
  await sql`
    insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports,
      is_synced, created_at)
    select 'psk_' || i, 'usr_crowd' || i, 'Key', i, '\\x00', 0, '{}', true, now()
    from generate_series(1, ${ROWS}::integer) as i`
  await sql`
    insert into linked_accounts (id, user_id, provider, issuer, subject, created_at, last_used_at)
    select 'acc_' || i, 'usr_crowd' || i, 'oidc', 'x', i, now(), now()
    from generate_series(1, ${ROWS}::integer) as i`
  await sql`vacuum analyze`
}

/** Copies the first row of a table, with other values in these columns; `i` counts from 1. */
async function clone(sql: Sql, table: string, count: number, values: Record<string, string>) {
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`
  const names = columns.map(({ name }) => name)
  await sql.unsafe(`
    insert into ${table} (${names.join(', ')})
    select ${names.map((name) => values[name] ?? `r.${name}`).join(', ')}
    from (select * from ${table} limit 1) as r cross join generate_series(1, ${count}) as i`)
}

/** Runs no worker, so that every statement seen belongs to the request. */
function openWithoutWorker(t: TestContext, databases: TestDatabases, databaseUrl: string) {
  return openWorld(t, { databases, config: { databaseUrl, ...LOOPBACK }, isPair: true })
}

/** One connection for each role, as the program's pools have them. */
async function openReaders(t: TestContext, url: string): Promise<(role: string) => Sql> {
  const readers = new Map<string, Sql>()
  t.after(() => Promise.all(Array.from(readers.values(), closePostgres)))
  return (role) => {
    const known = readers.get(role)
    const sql = known ?? openPostgres(url, { maxConnections: 1, ...(role && { role }) })
    readers.set(role, sql)
    return sql
  }
}

type Plan = Record<string, number> & { Plans?: Plan[] }

/** Repeats the reads of one connection, and checks how much each of them reads. */
async function assertCheap(
  readers: (role: string) => Sql,
  sent: Statement[],
  of: string,
  maxBlocks = MAX_BLOCKS,
) {
  const reads = sent.filter(({ text }) => /^\s*(select|with)\b/i.test(text))
  if (reads.length === 0) return
  await inTransaction(readers(reads[0]!.role), async (tx) => {
    for (const { text, params } of reads) {
      // The first run of a connection reads the catalog as well.
      await connectionOf(tx).run({ text, values: params })
      const [row] = await connectionOf(tx).run({
        text: `explain (analyze, buffers, format json) ${text}`,
        values: params,
      })
      const [{ Plan: plan }] = row!['QUERY PLAN'] as [{ Plan: Plan }]
      const blocks = plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
      const message = `${of}\n${text}\n${JSON.stringify(plan, null, 1)}`
      assert.ok(blocks < maxBlocks, `${blocks} blocks: ${message}`)
      assert.ok(rowsOf(plan) < MAX_ROWS, `${rowsOf(plan)} rows: ${message}`)
    }
  })
}

/** Rows that the plan's leaves read, including the dropped ones. */
function rowsOf(plan: Plan): number {
  const children = plan.Plans ?? []
  const own = children.length > 0 ? 0 : (plan['Actual Rows'] ?? 0)
  const dropped = ['Filter', 'Index Recheck', 'Join Filter'].map(
    (by) => plan[`Rows Removed by ${by}`] ?? 0,
  )
  const loops = plan['Actual Loops'] ?? 1
  const here = (own + dropped.reduce((sum, n) => sum + n, 0)) * loops
  return here + children.reduce((sum, child) => sum + rowsOf(child), 0)
}
