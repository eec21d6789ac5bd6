import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { OperatorError } from '../../src/base/errors.ts'
import { openLog } from '../../src/base/log.ts'
import { openClickHouse } from '../../src/storage/clickhouse.ts'
import { migrate, tableSettings } from '../../src/storage/migrate.ts'
import { closePostgres, openPostgres } from '../../src/storage/postgres.ts'
import { withDatabase } from '../support/engine-pair.ts'
import { testEngines } from '../support/engines.ts'

const FILES = {
  'postgres/0001_one.sql': 'create table one (id int); insert into one values (1);',
  'postgres/0002_two.sql': `-- it's commented; twice\ninsert into one values (2);`,
  'clickhouse/0001_clicks.sql': `
    create table if not exists one (id UInt8, note String default 'a;b') -- and; here
    engine = {engine} order by id settings {settings};
    insert into one (id) values (1);`,
}

/** Empty databases, a folder of files, and a function that migrates as one process would. */
async function openEmpty(t: TestContext) {
  const engines = await testEngines()
  const name = `m_${randomBytes(8).toString('hex')}`
  const admin = openPostgres(engines.postgresUrl, { maxConnections: 1 })
  const clickhouse = openClickHouse(engines.clickhouseUrl, { database: name })
  await admin.unsafe(`create database ${name}`)
  await openAndRun(engines.clickhouseUrl, `create database ${name}`)
  const sql = openPostgres(withDatabase(engines.postgresUrl, name))
  const folder = mkdtempSync(join(tmpdir(), 'signpost-migrations-'))
  t.after(async () => {
    await Promise.all([closePostgres(sql), clickhouse.close()])
    await admin.unsafe(`drop database ${name}`)
    await closePostgres(admin)
    await openAndRun(engines.clickhouseUrl, `drop database ${name}`)
    rmSync(folder, { recursive: true, force: true })
  })
  const write = (files: Record<string, string>) => {
    rmSync(folder, { recursive: true, force: true })
    for (const engine of ['postgres', 'clickhouse'])
      mkdirSync(join(folder, engine), { recursive: true })
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  }
  write(FILES)
  const log = openLog('silent')
  const run = () => migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log, folder })
  const rows = async () => {
    const result = await clickhouse.query({ query: 'select count() from one', format: 'CSV' })
    const [row] = await sql`select array_agg(id order by id) as ids from one`
    return { postgres: row?.ids as unknown, clickhouse: Number(await result.text()) }
  }
  return { sql, clickhouse, write, run, rows }
}

async function openAndRun(url: string, query: string): Promise<void> {
  const client = openClickHouse(url)
  await client.command({ query })
  await client.close()
}

test('of many that migrate at once, each file is applied by one', async (t) => {
  const { sql, run, rows } = await openEmpty(t)
  await Promise.all(Array.from({ length: 4 }, run))
  await run()
  assert.deepEqual(await rows(), { postgres: [1, 2], clickhouse: 1 })
  const applied = await sql`select name from migrations order by applied_at, name`
  assert.deepEqual(new Set(applied.map((row) => row.name as unknown)), new Set(Object.keys(FILES)))
})

test('a file that fails is not applied, and is tried again', async (t) => {
  const { write, run, rows } = await openEmpty(t)
  write({ ...FILES, 'postgres/0002_two.sql': 'insert into one values (2); select nothing;' })
  await assert.rejects(run(), /column "nothing" does not exist/)
  write({ ...FILES, 'clickhouse/0001_clicks.sql': 'create table one (id Nonsense)' })
  await assert.rejects(run(), /Nonsense/)
  write(FILES)
  await run()
  assert.deepEqual(await rows(), { postgres: [1, 2], clickhouse: 1 })
})

test('databases of a newer program, and files changed afterwards, are refused', async (t) => {
  const { write, run } = await openEmpty(t)
  await run()
  const { 'postgres/0002_two.sql': _, ...older } = FILES
  write(older)
  await assert.rejects(run(), (error) => {
    assert.ok(error instanceof OperatorError)
    assert.match(error.message, /newer Signpost \(it has postgres\/0002_two\.sql\)/)
    return true
  })
  write({ ...FILES, 'postgres/0001_one.sql': 'create table other (id int);' })
  await assert.rejects(run(), /postgres\/0001_one\.sql was changed after it was applied/)
})

test('the table settings keep tokens and sync what was acknowledged, whatever the engine', async (t) => {
  const { clickhouse, run } = await openEmpty(t)
  await run()
  const shown = await clickhouse.query({
    query: 'show create table one',
    format: 'TabSeparatedRaw',
  })
  assert.match(
    await shown.text(),
    /non_replicated_deduplication_window = 10000, fsync_after_insert = 1/,
  )
  for (const engine of ['MergeTree', 'ReplacingMergeTree'])
    assert.match(tableSettings(engine), /^non_replicated_deduplication_window = \d+,/)
  for (const engine of ["ReplicatedMergeTree('/a', '{replica}')", 'SharedMergeTree'])
    assert.match(tableSettings(engine), /^replicated_deduplication_window = \d+,/)
})
