import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  closePostgres,
  inWorkspace,
  openPostgres,
  type Sql,
  type Tx,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from '../../support/engines.ts'
import { eventually } from '../../support/world.ts'
import { addLink, addUser, addWorkspace } from '../../support/fixtures.ts'
import { listen } from '../../../src/platform/storage/postgres/listen.ts'

const TWO = ['wsp_1', 'wsp_2']

test('a query that forgets its where sees one workspace, and outside of one sees nothing', async (t) => {
  const { request, worker } = await twoWorkspaces(t)
  const names = (tx: Tx | Sql) => tx<{ id: string }[]>`select id from links order by id`
  assert.deepEqual(
    (await inWorkspace(request, 'wsp_1', (tx) => names(tx))).map((row) => row.id),
    ['lnk_1'],
  )
  assert.equal((await names(request)).length, 0)
  assert.equal((await names(worker)).length, 2)
})

test('a write that forgets its where, or names another workspace, changes nothing of it', async (t) => {
  const { request, worker } = await twoWorkspaces(t)
  await inWorkspace(request, 'wsp_1', (tx) => tx`update links set name = 'changed'`)
  await inWorkspace(request, 'wsp_1', (tx) => tx`delete from usage_counters`)
  const links = await worker<{ name: string }[]>`select name from links order by id`
  assert.deepEqual(
    links.map((row) => row.name),
    ['changed', 'link'],
  )
  const left = await worker<{ workspaceId: string }[]>`select workspace_id from usage_counters`
  assert.deepEqual(
    left.map((row) => row.workspaceId),
    ['wsp_2'],
  )
  await assert.rejects(
    inWorkspace(
      request,
      'wsp_1',
      (tx) => tx`insert into usage_counters values ('wsp_2', 'links_monthly', '2026-01', 1)`,
    ),
    { code: '42501' },
  )
  await assert.rejects(
    inWorkspace(request, 'wsp_1', (tx) => tx`update links set workspace_id = 'wsp_2'`),
    { code: '42501' },
  )
})

test('an address of another workspace can be read, and written only once it is freed', async (t) => {
  const { request, worker } = await twoWorkspaces(t)
  const address = { domainId: '', slugKey: 'freed', slug: 'freed', workspaceId: 'wsp_2' }
  await worker`insert into link_addresses ${worker({ ...address, freeAt: new Date() })}`
  const inOne = (work: (tx: Tx) => Promise<unknown>) => inWorkspace(request, 'wsp_1', work)
  const read = () => worker`select * from link_addresses where workspace_id = 'wsp_2' order by slug`
  const before = await read()
  assert.equal(before.length, 2)
  await inOne(async (tx) => assert.equal((await tx`select from link_addresses`).length, 3))
  await inOne((tx) => tx`delete from link_addresses where workspace_id = 'wsp_2'`)
  await inOne((tx) => tx`update link_addresses set workspace_id = 'wsp_1' where link_id = 'lnk_2'`)
  assert.deepEqual(await read(), before)
  for (const statement of [
    `insert into link_addresses (domain_id, slug_key, workspace_id, slug) values ('', 'new', 'wsp_2', 'new')`,
    `insert into link_addresses (domain_id, slug_key, workspace_id, slug) values ('', 'new', null, 'new')`,
    `update link_addresses set free_at = now() where slug_key = 'freed'`,
  ])
    await assert.rejects(
      inOne((tx) => tx.unsafe(statement)),
      { code: '42501' },
      statement,
    )
  await inOne((tx) => tx`update link_addresses set workspace_id = 'wsp_1' where slug_key = 'freed'`)
  assert.equal((await read()).length, 1)
})

test('the workspace of one transaction does not apply to the next', async (t) => {
  const { postgresUrl } = await twoWorkspaces(t)
  const one = openPostgres(postgresUrl, { role: REQUEST_ROLE, maxConnections: 1 })
  t.after(() => closePostgres(one))
  await inWorkspace(one, 'wsp_1', (tx) => tx`select 1`)
  assert.equal((await one`select id from links`).length, 0)
  await assert.rejects(
    inWorkspace(one, 'wsp_1', async () => {
      throw new Error('undone')
    }),
    { message: 'undone' },
  )
  assert.equal((await one`select id from links`).length, 0)
})

test('row-level security is forced on every table with a workspace, for its owner as well', async (t) => {
  const { sql } = await freshPostgres(t)
  const open = await sql`
    select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      and not (c.relrowsecurity and c.relforcerowsecurity)`
  assert.deepEqual(
    open.map((row) => row['relname']),
    [],
  )
  const roles = await sql<{ rolname: string }[]>`
    select rolname from pg_roles where rolname in (${REQUEST_ROLE}, ${WORKER_ROLE})
      and not rolsuper and not rolbypassrls and not rolcanlogin`
  assert.equal(roles.length, 2)
  const owned =
    await sql`select 1 from pg_tables where tableowner in (${REQUEST_ROLE}, ${WORKER_ROLE})`
  assert.equal(owned.length, 0)
})

test('a search sees the links of the workspace of its transaction, and none outside of one', async (t) => {
  const { request, worker } = await twoWorkspaces(t)
  const ids = async (db: Tx | Sql, term: string) =>
    (await db<{ id: string }[]>`select matching_links(${term}, 10) as id`).map((row) => row.id)
  for (const term of ['link', 'li', 'wsp_', 'example', 'https://example.com'.padEnd(120, '/')])
    for (const [at, workspaceId] of TWO.entries())
      assert.deepEqual(
        await inWorkspace(request, workspaceId, (tx) => ids(tx, term.replace(/\/+$/, ''))),
        [`lnk_${at + 1}`],
      )
  assert.deepEqual(await ids(request, 'link'), [])
  assert.deepEqual(await ids(worker, 'link'), [])
  assert.deepEqual(await inWorkspace(request, '', (tx) => ids(tx, 'link')), [])
})

test('workspace_of returns the workspace of a row and nothing else', async (t) => {
  const { request } = await twoWorkspaces(t)
  const [row] = await inWorkspace(
    request,
    'wsp_1',
    (tx) =>
      tx`select workspace_of('links', 'lnk_2') as theirs, workspace_of('links', 'lnk_9') as none`,
  )
  assert.deepEqual({ ...row }, { theirs: 'wsp_2', none: null })
  await assert.rejects(request`select workspace_of('pg_authid', 'x')`)
})

test('workspace_of runs no function of its caller', async (t) => {
  const { postgresUrl } = await twoWorkspaces(t)
  const one = openPostgres(postgresUrl, { role: REQUEST_ROLE, maxConnections: 1 })
  t.after(() => closePostgres(one))
  await one`create function pg_temp.named() returns text language sql as 'select current_user::text'`
  await one`create temporary view odd as select pg_temp.named() as workspace_id, 'x'::text as id`
  await one`create temporary table links as select 'x'::text as id, 'wsp_9'::text as workspace_id`
  await one`alter table pg_temp.links enable row level security`
  await one`create policy one_workspace on pg_temp.links using (pg_temp.named() is not null)`
  for (const odd of [
    'odd',
    'pg_temp.links',
    'pg_catalog.pg_authid',
    'pg_catalog."pg_class"',
    'information_schema.tables',
    'sessions',
    'migrations',
    'webhook_workers',
  ])
    await assert.rejects(one`select workspace_of(${odd}::regclass, 'x')`, { code: '42501' }, odd)
})

test('a request learns that another workspace holds a host, and nothing of claims without proof', async (t) => {
  const { request, worker } = await twoWorkspaces(t)
  for (const status of ['verified', 'misconfigured', 'pending', 'failed'])
    await worker`
      insert into domains (id, workspace_id, hostname, token, status, next_check_at, created_at, updated_at)
      values (${`dom_${status}`}, 'wsp_2', ${`${status}.example`}, 'x', ${status}, now(), now(), now())`
  const heldFor = async (workspaceId: string) => {
    const rows = await inWorkspace(
      request,
      workspaceId,
      (tx) => tx<{ hostname: string }[]>`
        select hostname from unnest(array['verified.example', 'misconfigured.example',
          'pending.example', 'failed.example']) as hostname where is_host_held(hostname)`,
    )
    return rows.map(({ hostname }) => hostname)
  }
  assert.deepEqual(await heldFor('wsp_1'), ['verified.example', 'misconfigured.example'])
  assert.deepEqual(await heldFor('wsp_2'), [])
  assert.equal((await inWorkspace(request, 'wsp_1', (tx) => tx`select id from domains`)).length, 0)
})

test('the request role may do nothing that its services do not', async (t) => {
  const { request, sql, worker } = await twoWorkspaces(t)
  const refused = [
    `select drop_day_partitions('2030-01-01')`,
    `select make_day_partitions('2030-01-01', '2030-01-02')`,
    `select wall_off('links')`,
    `select password_hash from users`,
    `select * from users`,
    `update users set name = 'x'`,
    `delete from users`,
    `update workspaces set plan = 'enterprise'`,
    `update workspaces set suspended_at = null`,
    `insert into workspaces (id, name, created_at, updated_at) values ('wsp_1', 'x', now(), now())`,
    `delete from workspaces`,
    `update subscriptions set status = 'active'`,
    `update security_log set outcome = 'success'`,
    `delete from security_log`,
    `update audit_log set action = 'x'`,
    `delete from audit_log`,
    `update audit_heads set position = 0`,
    `delete from audit_chain`,
    `create table anything (id text)`,
  ]
  for (const statement of refused)
    await assert.rejects(
      inWorkspace(request, 'wsp_1', (tx) => tx.unsafe(statement)),
      { code: '42501' },
      statement,
    )
  const shut = await sql<{ name: string }[]>`
    select relname as name from pg_class c
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition
      and has_table_privilege('signpost_request', c.oid, 'select')
      and not exists (
        select from pg_policy p join pg_roles r on r.oid = any(p.polroles)
        where p.polrelid = c.oid and r.rolname = 'signpost_request')`
  assert.deepEqual(
    shut.map(({ name }) => name),
    [],
  )
  const callable = await sql<{ name: string }[]>`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and prosecdef
      and has_function_privilege('signpost_request', oid, 'execute') order by 1`
  assert.deepEqual(
    callable.map(({ name }) => name),
    [
      'chain_own_audit_rows',
      'is_foreign',
      'is_host_held',
      'matching_links',
      'owner_of_webhook_delivery',
      'owner_of_webhook_endpoint',
      'workspace_of',
    ],
  )
  await worker`select make_day_partitions('2030-01-01', '2030-01-01')`
})

test('a suspension, a deletion or another plan is announced, whichever role writes it', async (t) => {
  const { sql, worker } = await twoWorkspaces(t)
  const received: string[] = []
  await listen(worker, ['signpost_credentials'], ({ payload }) => received.push(payload))
  const now = new Date()
  await addUser(sql, { id: 'usr_1' })
  await sql`update users set name = 'Other' where id = 'usr_1'`
  await sql`update workspaces set name = 'other' where id = 'wsp_1'`
  await sql`update users set suspended_at = ${now} where id = 'usr_1'`
  await sql`update workspaces set suspended_at = ${now} where id = 'wsp_1'`
  await sql`update workspaces set plan = 'free' where id = 'wsp_2'`
  await sql`update workspaces set api_requests_per_minute = 5 where id = 'wsp_1'`
  await sql`delete from users where id = 'usr_1'`
  await sql`delete from workspaces where id = 'wsp_2'`
  const expected = ['user:usr_1', 'workspace:wsp_1', 'workspace:wsp_2', 'workspace:wsp_1']
  await eventually(async () =>
    assert.deepEqual(received, [...expected, 'user:usr_1', 'workspace:wsp_2']),
  )
})

async function twoWorkspaces(t: TestContext) {
  const { postgresUrl, sql } = await freshPostgres(t)
  const request = openPostgres(postgresUrl, { role: REQUEST_ROLE })
  const worker = openPostgres(postgresUrl, { role: WORKER_ROLE })
  t.after(() => Promise.all([closePostgres(request), closePostgres(worker)]))
  for (const [at, id] of TWO.entries()) {
    await addWorkspace(sql, { id })
    await sql`insert into usage_counters values (${id}, 'links_monthly', '2026-01', 1)`
    await addLink(sql, { id: `lnk_${at + 1}`, workspaceId: id, name: 'link', slug: id })
  }
  return { postgresUrl, sql, request, worker }
}
