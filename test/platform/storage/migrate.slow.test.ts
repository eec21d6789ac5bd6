import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { OperatorError } from '../../../src/platform/core/errors.ts'
import { openLog } from '../../../src/platform/core/log.ts'
import { engineOf } from '../../../src/platform/storage/clickhouse/clickhouse-ledger.ts'
import { tableSettings } from '../../../src/platform/storage/migrations/clickhouse-migrate.ts'
import { migrate } from '../../../src/platform/storage/migrations/migrate.ts'
import { emptyDatabases } from '../../support/engines.ts'
import { freshFolder } from '../../support/fixtures.ts'
import { selectRows } from '../../support/click-rows.ts'

const FILES = {
  'postgres/0001_one.sql': 'create table one (id int); insert into one values (1);',
  'postgres/0002_two.sql': `-- it's commented; twice\ninsert into one values (2);`,
  'postgres/0003_installation.sql': readFileSync(
    join(import.meta.dirname, '../../../migrations/postgres/0001_installation.sql'),
    'utf8',
  ),
  'clickhouse/0001_one.sql': `
    create table if not exists one (id UInt8, note String default 'a;b') -- and; here
    engine = {engine} order by id settings {settings};
    insert into one (id) values (1);`,
}

/** Empty databases, a folder of files, and a function that migrates as one process would. */
async function openEmpty(t: TestContext) {
  const { sql, clickhouse } = await emptyDatabases(t)
  const folder = freshFolder()
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
  /** Names of the files that each database says it has. */
  const applied = async () => {
    const query = 'select name from signpost_migrations order by name'
    const postgres = await sql<{ name: string }[]>`select name from migrations order by name`
    const clickhouseRows = await selectRows<{ name: string }>(clickhouse, query)
    return [...clickhouseRows, ...postgres].map(({ name }) => name)
  }
  return { sql, clickhouse, write, run, rows, applied }
}

test('of many processes that migrate at once, one applies each file', async (t) => {
  const { run, rows, applied } = await openEmpty(t)
  await Promise.all(Array.from({ length: 4 }, run))
  await run()
  assert.deepEqual(await rows(), { postgres: [1, 2], clickhouse: 1 })
  assert.deepEqual(await applied(), Object.keys(FILES).toSorted())
})

test('a file that fails is not applied, and is tried again', async (t) => {
  const { write, run, rows } = await openEmpty(t)
  write({ ...FILES, 'postgres/0002_two.sql': 'insert into one values (2); select nothing;' })
  await assert.rejects(run(), /column "nothing" does not exist/)
  write({ ...FILES, 'clickhouse/0001_one.sql': 'create table one (id Nonsense)' })
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
  const { 'clickhouse/0001_one.sql': clicks, ...rest } = FILES
  write({ ...rest, 'clickhouse/0002_other.sql': clicks })
  await assert.rejects(run(), /newer Signpost \(it has clickhouse\/0001_one\.sql\)/)
  write({ ...FILES, 'clickhouse/0001_one.sql': `${clicks} -- changed` })
  await assert.rejects(run(), /clickhouse\/0001_one\.sql was changed after it was applied/)
})

test('later files are applied, and no earlier one again', async (t) => {
  const { write, run, rows, applied } = await openEmpty(t)
  await run()
  const later = {
    ...FILES,
    'postgres/0004_three.sql': 'insert into one values (3);',
    'clickhouse/0002_one.sql': 'insert into one (id) values (2);',
  }
  write(later)
  await Promise.all([run(), run()])
  assert.deepEqual(await rows(), { postgres: [1, 2, 3], clickhouse: 2 })
  assert.deepEqual(await applied(), Object.keys(later).toSorted())
})

test('the ledger of a replicated ClickHouse has a separate path', () => {
  for (const [engine, expected] of [
    ['MergeTree', 'MergeTree'],
    ['ReplicatedMergeTree', 'ReplicatedMergeTree'],
    [
      "ReplicatedMergeTree('/a/{uuid}', '{replica}')",
      "ReplicatedMergeTree('/a/{uuid}', '{replica}')",
    ],
    ["ReplicatedMergeTree('/a/{table}', 'r')", "ReplicatedMergeTree('/a/{table}', 'r')"],
    [
      "ReplicatedMergeTree('/a/clicks', '{replica}')",
      "ReplicatedMergeTree('/a/clicks_migrations', '{replica}')",
    ],
    [
      "SharedMergeTree('/a/{shard}/clicks', 'r')",
      "SharedMergeTree('/a/{shard}/clicks_migrations', 'r')",
    ],
  ])
    assert.equal(engineOf(engine!, 'migrations'), expected)
})

test('the table settings keep tokens and sync acknowledged rows with every engine', async (t) => {
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
