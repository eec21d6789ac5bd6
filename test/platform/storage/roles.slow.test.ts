import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { openEngines } from '../../../src/platform/storage/embedded/engines.ts'
import { makeExtensions, migrate } from '../../../src/platform/storage/migrations/migrate.ts'
import {
  closePostgres,
  inWorkspace,
  openPostgres,
} from '../../../src/platform/storage/postgres/postgres.ts'
import {
  makeRoles,
  REQUEST_ROLE,
  WORKER_ROLE,
} from '../../../src/platform/storage/postgres/roles.ts'
import { openProxy } from '../../support/database-proxy.ts'
import { emptyClickHouse, emptyDatabases, freshDatabases } from '../../support/engines.ts'
import { freshDataDir, runProgram, startProgram } from '../../support/program.ts'
import { admitSuperuser } from '../../support/superuser.ts'
import { addWorkspace, freshFolder } from '../../support/fixtures.ts'

test('a role that owns its database and belongs to the two runs everything, under row-level security', async (t) => {
  const { url, sql, clickhouse } = await ordinaryOwner(t, `${REQUEST_ROLE}, ${WORKER_ROLE}`)
  await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log: openLog('silent') })
  const worker = openPostgres(url, { role: WORKER_ROLE })
  const request = openPostgres(url, { role: REQUEST_ROLE })
  t.after(() => Promise.all([closePostgres(worker), closePostgres(request)]))
  for (const id of ['wsp_1', 'wsp_2']) await addWorkspace(worker, { id })
  const seen = await inWorkspace(
    request,
    'wsp_1',
    (tx) => tx<{ id: string }[]>`select id from workspaces`,
  )
  assert.deepEqual(
    seen.map((row) => row.id),
    ['wsp_1'],
  )
  // The owner of the tables is bound by the wall as well, and passes it as a member of the worker role.
  assert.equal((await sql`select id from workspaces`).length, 2)
})

test('a search uses its index where an ordinary role owns the tables, however large other workspaces are', async (t) => {
  const { url, sql, clickhouse } = await ordinaryOwner(t, `${REQUEST_ROLE}, ${WORKER_ROLE}`)
  await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log: openLog('silent') })
  for (const id of ['wsp_1', 'wsp_2']) await addWorkspace(sql, { id })
  await sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at, updated_at)
    select 'lnk_' || i, case when i % 4 = 0 then 'wsp_2' else 'wsp_1' end, 'Link ' || i, 's' || i,
      's' || i, 'https://example.com/page-' || i, 'usr_1', now(), now()
    from generate_series(1, 20000) as i`
  await sql`vacuum analyze links`
  const request = openPostgres(url, { role: REQUEST_ROLE, maxConnections: 1 })
  t.after(() => closePostgres(request))
  const explained = () =>
    inWorkspace(
      request,
      'wsp_2',
      (tx) =>
        tx`explain (analyze, buffers, format json) select matching_links('page-19996', 10001)`,
    )
  // The first call reads the catalog as well.
  await explained()
  const [row] = await explained()
  const [{ Plan: root }] = row!['QUERY PLAN'] as [{ Plan: Record<string, number> }]
  assert.equal(root['Actual Rows'], 1)
  // A scan of the 5,000 links of the workspace reads more than 200.
  assert.ok(root['Shared Hit Blocks']! + root['Shared Read Blocks']! < 120, JSON.stringify(root))
})

test('links are found in every spelling, for an owner without superuser rights', async (t) => {
  const { url, sql, clickhouse } = await ordinaryOwner(t, `${REQUEST_ROLE}, ${WORKER_ROLE}`)
  await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log: openLog('silent') })
  await addWorkspace(sql, { id: 'wsp_1' })
  await sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at, updated_at)
    select 'lnk_' || i, 'wsp_1', 'A\u0308PFEL ' || i, 'Old-' || i, 'old-' || i,
      'https://example.com/' || i, 'usr_1', now(), now()
    from generate_series(1, 2000) as i`
  const request = openPostgres(url, { role: REQUEST_ROLE })
  t.after(() => closePostgres(request))
  for (const term of ['äpfel 1999', 'old-1999', 'OLD-1999', 'COM/1999']) {
    const found = await inWorkspace(
      request,
      'wsp_1',
      (tx) => tx<{ id: string }[]>`select matching_links(${term}, 10) as id`,
    )
    assert.deepEqual(
      found.map(({ id }) => id),
      ['lnk_1999'],
      term,
    )
  }
})

test('a role without the right to create extensions gets one sentence', async (t) => {
  const { url, sql, name } = await ordinaryOwner(t, `${REQUEST_ROLE}, ${WORKER_ROLE}`)
  const { pathname } = new URL(url)
  await sql.unsafe(`revoke all on database ${pathname.slice(1)} from public, ${name}`)
  await assert.rejects(makeExtensions(sql), {
    name: 'OperatorError',
    message: `The PostgreSQL role ${name} of DATABASE_URL may not create extensions; let an administrator run "create extension pg_trgm; create extension btree_gin;" in the database ${pathname.slice(1)} once.`,
  })
})

test('extensions are created once, however many processes start', async (t) => {
  const { url } = await ordinaryOwner(t, null)
  const pools = Array.from({ length: 4 }, () => openPostgres(url, { maxConnections: 1 }))
  await Promise.all(pools.map((sql) => makeExtensions(sql)))
  const rows = await pools[0]!`select extname from pg_extension where extname <> 'plpgsql'`
  assert.equal(rows.length, 2)
  await Promise.all(pools.map(closePostgres))
})

test('a role that may make roles makes the two for itself, many at once', async (t) => {
  const { url, admin } = await serverWithoutRoles(t)
  await admin.unsafe('create role maker createrole')
  const makers = Array.from({ length: 4 }, () =>
    openPostgres(url, { maxConnections: 1, role: 'maker' }),
  )
  await Promise.all(makers.map((sql) => makeRoles(sql)))
  const [row] = await makers[0]!`select pg_has_role('maker', ${WORKER_ROLE}, 'usage') as inherits`
  assert.equal(row!['inherits'], true)
  await Promise.all(makers.map(closePostgres))
})

test('the first start of an ordinary owner names the statements to run, and succeeds after them', async (t) => {
  const { url, admin } = await serverWithoutRoles(t)
  await admin.unsafe('create role "link-shop" login')
  await admin.unsafe('create database shop owner "link-shop"')
  const owned = new URL(url)
  owned.username = 'link-shop'
  owned.pathname = '/shop'
  const env = { DATABASE_URL: owned.href, CLICKHOUSE_URL: await emptyClickHouse() }
  const dataDir = freshDataDir(t)

  const refused = await runProgram({ ...env, DATA_DIR: dataDir, PORT: '0' })
  assert.equal(refused.code, 1)
  const [, statements = ''] =
    /^signpost: The PostgreSQL role "link-shop" of DATABASE_URL may not make the roles [^\n]*; let a superuser run "(.+)" once, [^\n]+\n$/.exec(
      refused.stderr,
    ) ?? []
  assert.match(statements, /^create role signpost_request nologin; .* to "link-shop";$/)

  await admin.unsafe(statements)
  const program = await startProgram(t, dataDir, env)
  assert.equal((await fetch(`${program.origin}/ready`)).status, 200)
  assert.equal(await program.stop(), 0)
})

test('a role that may not make roles gets one sentence with the statements to run', async (t) => {
  const { sql, name } = await ordinaryOwner(t, null)
  await assert.rejects(makeRoles(sql), {
    name: 'OperatorError',
    message: new RegExp(
      `^The PostgreSQL role ${name} of DATABASE_URL may not make the roles that Signpost works as; let a superuser run "grant signpost_request, signpost_worker to ${name};" once, then start again \\(docs/operations.md\\)\\.$`,
    ),
  })
})

test('no promise is left unsettled when PostgreSQL goes away while a connection opens', async (t) => {
  const { postgresUrl } = await freshDatabases(t)
  const proxy = await openProxy(t, postgresUrl)
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  t.after(() => process.off('unhandledRejection', note))
  // The rest of the server's answer is lost: some rounds end in each step of connecting.
  for (let round = 0; round < 40; round++) {
    const sql = openPostgres(proxy.url, { maxConnections: 1 })
    const asked = Promise.allSettled([sql`select ${['a']}::text[]`])
    await new Promise((resolve) => setTimeout(resolve, round / 8))
    proxy.hold()
    await new Promise((resolve) => setTimeout(resolve, 5))
    proxy.cut()
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 100))])
    void closePostgres(sql)
    proxy.release()
    proxy.restore()
  }
  assert.deepEqual(unhandled, [])
})

/** A server of its own, since roles belong to the whole server, without the two. */
async function serverWithoutRoles(t: TestContext) {
  const engines = await openEngines({
    dataDir: freshFolder(),
    log: openLog('silent'),
    postgres: true,
    clickhouse: false,
  })
  const url = await admitSuperuser(engines)
  const admin = openPostgres(url, { maxConnections: 1 })
  await admin.unsafe(`drop role ${REQUEST_ROLE}, ${WORKER_ROLE}`)
  t.after(async () => {
    await closePostgres(admin)
    await engines[Symbol.asyncDispose]()
  })
  return { url, admin }
}

/** A fresh database of its own and the role that owns it, as managed PostgreSQL hands them out. */
async function ordinaryOwner(t: TestContext, memberOf: string | null) {
  const { superuserUrl, clickhouse } = await emptyDatabases(t)
  const name = `owner_${randomBytes(6).toString('hex')}`
  const database = `${name}_db`
  const operator = openPostgres(superuserUrl, { maxConnections: 1 })
  await operator.unsafe(`create role ${name}`)
  if (memberOf) await operator.unsafe(`grant ${memberOf} to ${name}`)
  await operator.unsafe(`create database ${database} owner ${name}`)
  const url = new URL(superuserUrl)
  url.pathname = `/${database}`
  // The embedded server lets one role connect; stepping into another has the same rights.
  const sql = openPostgres(url.href, { role: name })
  t.after(async () => {
    await closePostgres(sql)
    await operator.unsafe(`drop database ${database} with (force)`)
    await operator.unsafe(`drop role ${name}`)
    await closePostgres(operator)
  })
  return { url: url.href, sql, name, clickhouse }
}
