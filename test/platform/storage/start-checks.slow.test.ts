import { readdirSync } from 'node:fs'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { createSecrets } from '../../../src/platform/core/secrets.ts'
import { sealEndpointSecret } from '../../../src/webhooks/delivery/signature.ts'
import {
  openClickHouse,
  type ClickHouseClient,
} from '../../../src/platform/storage/clickhouse/clickhouse.ts'
import { holdDataDir } from '../../../src/platform/storage/installation/data-dir.ts'
import type { Acceptance } from '../../../src/platform/storage/installation/installation.ts'
import type { Sql } from '../../../src/platform/storage/postgres/postgres.ts'
import { SEALED_COLUMNS } from '../../../src/platform/storage/installation/sealed-columns.ts'
import { openStores } from '../../../src/platform/storage/stores.ts'
import {
  emptyClickHouse,
  emptyDatabases,
  freshDatabases,
  type TestDatabases,
} from '../../support/engines.ts'
import { openPooler } from '../../support/pooler.ts'
import { freshDataDir } from '../../support/program.ts'
import { addWorkspace } from '../../support/fixtures.ts'
import { selectRows } from '../../support/click-rows.ts'

const KEY = 'the key of this installation'
const OTHER_KEY = 'another key than that of before'
const LEDGER = readdirSync(join(import.meta.dirname, '../../../migrations/clickhouse')).map(
  (file) => `clickhouse/${file}`,
)

type Start = {
  databaseUrl: string
  clickhouseUrl: string
  secretKey?: string
  accept?: Acceptance
}

/** Opens and closes the stores, as the start of a process or an accepting command does. */
async function start(t: TestContext, { secretKey = KEY, accept, ...urls }: Start): Promise<void> {
  using dataDir = holdDataDir(freshDataDir(t), Date.now)
  const settings = { ...urls, clickhouseEngine: 'MergeTree', secretKey }
  await using stores = await openStores(settings, dataDir, openLog('silent'), {
    accept: accept ?? null,
  })
  await stores.systemSql`select 1`
}

const urlsOf = ({ postgresUrl, clickhouseUrl }: TestDatabases) => ({
  databaseUrl: postgresUrl,
  clickhouseUrl,
})

async function refuses(started: Promise<void>, message: RegExp): Promise<void> {
  await assert.rejects(started, (error: Error) => {
    assert.equal(error.name, 'OperatorError', error.stack)
    assert.match(error.message, message)
    assert.match(error.message, /^[^\n]+\.$/)
    return true
  })
}

async function hasNoTables({ sql, clickhouse }: TestDatabases): Promise<void> {
  const tables = await sql`select 1 from pg_tables where schemaname = 'public'`
  assert.equal(tables.length, 0)
  assert.deepEqual(await tablesIn(clickhouse), [])
}

async function tablesIn(clickhouse: ClickHouseClient): Promise<string[]> {
  return (await selectRows<{ name: string }>(clickhouse, 'show tables')).map(({ name }) => name)
}

async function readLedger(clickhouse: ClickHouseClient) {
  const query = 'select name, checksum from signpost_migrations'
  return selectRows<{ name: string; checksum: string }>(clickhouse, query)
}

test('a pooler that drops the role or the search path is refused before a table is made', async (t) => {
  const databases = await emptyDatabases(t)
  for (const dropped of ['role', 'search_path']) {
    const pooler = await openPooler(t, databases.postgresUrl, [dropped])
    const started = start(t, { ...urlsOf(databases), databaseUrl: pooler.url })
    await refuses(started, /PostgreSQL that DATABASE_URL names drops .* role or search_path/)
    await hasNoTables(databases)
  }
})

test('a ClickHouse that is too old is refused before a table is made', async (t) => {
  const databases = await emptyDatabases(t)
  const old = createServer((req, res) => res.end(req.url ? '"25.7.5.34"\n' : ''))
  old.listen(0, '127.0.0.1')
  await once(old, 'listening')
  t.after(() => old.close())
  const clickhouseUrl = `http://u@127.0.0.1:${(old.address() as AddressInfo).port}/default`
  const started = start(t, { ...urlsOf(databases), clickhouseUrl })
  await refuses(
    started,
    /CLICKHOUSE_URL .* is version 25\.7\.5\.34, and Signpost needs 25\.8 or later/,
  )
  await hasNoTables(databases)
})

test('an empty ClickHouse beside a PostgreSQL with tables is refused until it is accepted', async (t) => {
  const databases = await freshDatabases(t)
  const urls = urlsOf(databases)
  await start(t, urls)
  const emptyUrl = await emptyClickHouse()
  const replaced = { ...urls, clickhouseUrl: emptyUrl }
  await refuses(start(t, replaced), /does not have the tables .* accept-empty-clickhouse --yes/)
  const client = openClickHouse(emptyUrl)
  t.after(() => client.close())
  assert.deepEqual(await tablesIn(client), [])

  const nothing = /There is nothing to accept/
  await refuses(start(t, { ...urls, accept: 'empty-clickhouse' }), nothing)
  await start(t, { ...replaced, accept: 'empty-clickhouse' })
  assert.deepEqual(await tablesIn(client), [
    'click_days',
    'clicks',
    'conversions',
    'signpost_migrations',
  ])
  await refuses(start(t, { ...replaced, accept: 'empty-clickhouse' }), nothing)
  await start(t, replaced)
  // Half of it is lost: the table of clicks and not the ledger.
  await client.command({ query: 'drop table clicks' })
  await refuses(start(t, replaced), /does not have the tables/)
  await start(t, { ...replaced, accept: 'empty-clickhouse' })
  await start(t, replaced)
  assert.deepEqual(
    (await readLedger(client)).map(({ name }) => name),
    LEDGER,
  )
  // Of the last migration, on the table that was made again.
  await client.command({ query: 'select route, domain_id from clicks format Null' })
})

test('databases of the former series are refused with the way to take their data along', async (t) => {
  const way = /an earlier version of Signpost.* backup --to FOLDER.*restore/
  const databases = await freshDatabases(t)
  const { sql, clickhouse } = databases
  const urls = urlsOf(databases)
  await start(t, urls)
  await sql`update migrations set name = 'postgres/0001_core.sql' where name like '%/0001_%'`
  await refuses(start(t, urls), way)
  // ClickHouse alone, as beside a PostgreSQL that was restored.
  await sql`update migrations set name = 'postgres/0001_installation.sql' where name like '%/0001_%'`
  await start(t, urls)
  await clickhouse.command({
    query: `insert into signpost_migrations
      select 'clickhouse/0001_clicks.sql', checksum, applied_at, installation_id
      from signpost_migrations limit 1`,
  })
  await refuses(start(t, urls), way)
})

test('a ClickHouse of another installation is refused', async (t) => {
  const [one, other, empty] = [
    await freshDatabases(t),
    await freshDatabases(t),
    await emptyDatabases(t),
  ]
  const crossed = { ...urlsOf(one), clickhouseUrl: other.clickhouseUrl }
  await refuses(start(t, crossed), /belongs to another installation/)
  await refuses(start(t, { ...crossed, accept: 'empty-clickhouse' }), /another installation/)
  const beside = { ...urlsOf(empty), clickhouseUrl: one.clickhouseUrl }
  await refuses(start(t, beside), /another installation .* PostgreSQL, which is empty/)
  await hasNoTables(empty)
  await start(t, urlsOf(one))
})

test('backups of different times fit together, and an interrupted first start continues', async (t) => {
  const databases = await freshDatabases(t)
  const { sql, clickhouse } = databases
  const urls = urlsOf(databases)
  await start(t, urls)

  // ClickHouse from before it had a ledger.
  await clickhouse.command({ query: 'drop table signpost_migrations' })
  await start(t, urls)
  assert.equal((await readLedger(clickhouse)).length, LEDGER.length)

  // Cut off before ClickHouse was ready: with all of it, without the ledger, without a table.
  for (const query of [
    'select 1 format Null',
    'drop table signpost_migrations',
    'drop table clicks',
  ]) {
    await sql`update installation set clickhouse_ready_at = null`
    await clickhouse.command({ query })
    await start(t, urls)
  }
})

test('many processes start on empty databases at once', async (t) => {
  const databases = await emptyDatabases(t)
  await Promise.all(Array.from({ length: 4 }, () => start(t, urlsOf(databases))))
  assert.equal((await readLedger(databases.clickhouse)).length, LEDGER.length)
})

test('another SECRET_KEY is refused until it is accepted', async (t) => {
  const databases = await freshDatabases(t)
  const urls = urlsOf(databases)
  await start(t, urls)
  const replaced = { ...urls, secretKey: OTHER_KEY }
  await refuses(start(t, replaced), /^SECRET_KEY is not the key .* accept-new-secret-key --yes/)
  await refuses(start(t, { ...urls, accept: 'new-secret-key' }), /There is nothing to accept/)
  await start(t, { ...replaced, accept: 'new-secret-key' })
  await start(t, replaced)
  await refuses(start(t, urls), /^SECRET_KEY is not the key/)
})

test('of two processes with different keys that start on empty databases, one is refused', async (t) => {
  const urls = urlsOf(await emptyDatabases(t))
  const starts = [start(t, urls), start(t, { ...urls, secretKey: OTHER_KEY })]
  const ends = await Promise.allSettled(starts)
  assert.deepEqual(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await refuses(
    starts[ends.findIndex(({ status }) => status === 'rejected')]!,
    /^SECRET_KEY is not/,
  )
})

test('without a canary, the key must open a sealed secret', async (t) => {
  const databases = await freshDatabases(t)
  const { sql } = databases
  const urls = urlsOf(databases)
  await addEndpoint(sql, KEY)
  await sql`update installation set key_canary = null`
  const replaced = { ...urls, secretKey: OTHER_KEY }
  await refuses(start(t, replaced), /^SECRET_KEY is not the key/)
  await start(t, urls)
  await refuses(start(t, replaced), /^SECRET_KEY is not the key/)

  // Accepted before there was a canary.
  await sql`update installation set key_canary = null`
  await start(t, { ...replaced, accept: 'new-secret-key' })
  await start(t, replaced)

  // Secrets of two keys: a server that was given another key went on, and sealed with that.
  await addEndpoint(sql, OTHER_KEY)
  await sql`update installation set key_canary = null`
  await start(t, replaced)
})

test('every column of sealed secrets is tried', async (t) => {
  const { sql } = await freshDatabases(t)
  const found = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name like '%sealed%' order by 1, 2`
  assert.deepEqual(
    found.map(({ table, column }) => `${table}.${column}`),
    SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted(),
  )
})

async function addEndpoint(sql: Sql, secretKey: string): Promise<void> {
  const workspaceId = await addWorkspace(sql)
  const id = randomBytes(8).toString('hex')
  const now = new Date()
  const sealed = sealEndpointSecret(createSecrets(secretKey), id, 'whsec_secret')
  await sql`
    insert into webhook_endpoints
      (id, workspace_id, url, events, status, secret_sealed, created_by, created_at, updated_at)
    values (${id}, ${workspaceId}, 'https://example.com', '{*}', 'active', ${sealed}, 'usr_1', ${now}, ${now})`
}
