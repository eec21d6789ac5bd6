import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { closePostgres, inWorkspace, openPostgres } from '../../src/storage/postgres.ts'
import type { Sql, Tx } from '../../src/storage/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../src/storage/roles.ts'
import { freshDatabases } from '../support/engines.ts'

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

test('the workspace of one transaction is not the next one’s', async (t) => {
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

test('every table with a workspace is walled off, for its owner as well', async (t) => {
  const { sql } = await freshDatabases(t)
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

test('whose a row is can be asked, and nothing else of it', async (t) => {
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

async function twoWorkspaces(t: TestContext) {
  const { postgresUrl, sql } = await freshDatabases(t)
  const request = openPostgres(postgresUrl, { role: REQUEST_ROLE })
  const worker = openPostgres(postgresUrl, { role: WORKER_ROLE })
  t.after(() => Promise.all([closePostgres(request), closePostgres(worker)]))
  const now = new Date()
  for (const [at, id] of TWO.entries()) {
    await sql`insert into workspaces (id, name, created_at, updated_at) values (${id}, 'w', ${now}, ${now})`
    await sql`insert into usage_counters values (${id}, 'links_monthly', '2026-01', 1)`
    await sql`
      insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at, updated_at)
      values (${`lnk_${at + 1}`}, ${id}, 'link', ${id}, ${id}, 'https://example.com', 'usr_1', ${now}, ${now})`
  }
  return { postgresUrl, sql, request, worker }
}
