import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeBackup } from '../../../src/operator/backup/backup.ts'
import {
  loadDatabases,
  openBackup,
  requireEmpty,
  requireRoom,
} from '../../../src/operator/backup/restore.ts'
import { writeManifest } from '../../../src/operator/backup/manifest.ts'
import {
  dumpPostgres,
  listTableNames,
  ownTableNames,
} from '../../../src/operator/backup/postgres.ts'
import { openLog } from '../../../src/platform/core/log.ts'
import { ClickRetention } from '../../../src/analytics/retention/retention.ts'
import { Purge } from '../../../src/operator/purge.ts'
import {
  areDeletionsHeld,
  holdingDeletions,
} from '../../../src/platform/storage/postgres/advisory-locks.ts'
import type { ClickHouseClient } from '../../../src/platform/storage/clickhouse/clickhouse.ts'
import {
  isOfFirstState,
  readMigrations,
} from '../../../src/platform/storage/migrations/migration-files.ts'
import { migrate } from '../../../src/platform/storage/migrations/migrate.ts'
import {
  closePostgres,
  openPostgres,
  inTransaction,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { emptyDatabases, freshDatabases, freshPostgres } from '../../support/engines.ts'
import { addWorkspace, freshFolder } from '../../support/fixtures.ts'
import { asSystem } from '../../support/privileges.ts'
import { statfsSync } from 'node:fs'
import { join } from 'node:path'

const JOURNAL = '00000000000000aa'
const OTHER = '00000000000000bb'
/** More than one piece of a table, and several rows with one key. */
const ROWS = 120_000

/** Clicks of two months, in segments 1 to 4 of a journal. */
async function addClicks(clickhouse: ClickHouseClient, journal: string, rows: number) {
  await clickhouse.command({
    query: `insert into clicks (workspace_id, link_id, click_id, at, segment, kind, visitor, slug)
      select 'wsp_' || toString(number % 3), 'lnk_' || toString(number % 7),
        leftPad('${journal.slice(-2)}' || toString(number), 26, '0'),
        toDateTime64('2026-10-31 23:00:00', 3, 'UTC') + intDiv(number, 5),
        '${journal}-' || toString(1 + number % 4), 'human', number, 'a''\\\\b'
      from numbers(${rows})`,
  })
}

async function digestOf(clickhouse: ClickHouseClient, where: string) {
  const answer = await clickhouse.query({
    query: `select count(), groupBitXor(cityHash64(*)) from clicks where ${where}`,
    format: 'JSONCompactEachRow',
  })
  return (await answer.json<[number, number]>())[0]
}

test(
  'a table that ends with a row larger than a buffer is followed by the next one',
  { timeout: 120_000 },
  async (t) => {
    const { sql } = await freshPostgres(t)
    const workspaceId = await addWorkspace(sql)
    await sql`
      insert into media (id, workspace_id, filename, content_type, size, width, height, frames, sha256, created_at)
      values ('med_1', ${workspaceId}, 'a.png', 'image/png', 1, 1, 1, 1, sha256('a'), now())`
    await sql`
      insert into media_files (media_id, workspace_id, kind, content_type, sha256, bytes)
      values ('med_1', ${workspaceId}, 'wide', 'image/webp', sha256('b'), decode(repeat('ab', 200000), 'hex'))`
    const { part } = await dumpPostgres(sql, join(freshFolder(), 'backup'))
    const rows = Object.fromEntries(part.tables.map((table) => [table.table, table.rows]))
    assert.deepEqual([rows['media_files'], rows['workspaces']], [1, 1])
  },
)

test('a backup has the rows of the segments that are committed, each once, and a restore their equals', async (t) => {
  const from = await freshDatabases(t)
  const workspaceId = await addWorkspace(from.sql)
  await from.sql`
    insert into journal_cursors (journal_id, sequence, updated_at) values (${JOURNAL}, 3, now())`
  await addClicks(from.clickhouse, JOURNAL, ROWS)
  await addClicks(from.clickhouse, OTHER, 10)
  const folder = join(freshFolder(), 'backup')
  const source = { ...from, dataDir: freshFolder(), version: '0' }
  const { clickhouse: written } = await writeBackup(source, folder, null)
  const clicks = written.tables.find(({ table }) => table === 'clicks')!
  assert.ok(clicks.files.length > 2)

  const to = await emptyDatabases(t)
  const manifest = await openBackup(folder)
  const target = { ...to, clickhouseEngine: 'MergeTree', log: openLog('silent') }
  await requireEmpty(target, manifest)
  await loadDatabases(target, folder, manifest)
  const committed = `startsWith(segment, '${JOURNAL}') and not endsWith(segment, '-4')`
  const [rows, digest] = (await digestOf(from.clickhouse, committed))!
  assert.equal(rows, (ROWS * 3) / 4)
  assert.deepEqual(await digestOf(to.clickhouse, '1'), [rows, digest])
  const found = await to.sql`
    select (select id from installation) = ${manifest.installationId} as is_same`
  assert.equal(found[0]?.['isSame'], true)
  const readAs = (role: string) =>
    inTransaction(to.sql, async (tx) => {
      await tx.unsafe(`set local role ${role}`)
      return (await tx<{ id: string }[]>`select id from workspaces`).map(({ id }) => id)
    })
  assert.deepEqual(await readAs('signpost_request'), [])
  assert.deepEqual(await readAs('signpost_worker'), [workspaceId])
  await assert.rejects(requireEmpty(target, manifest), /holds data already/)
})

test('the schema after a restore is that of the migrations', async (t) => {
  const from = await freshDatabases(t)
  const folder = join(freshFolder(), 'backup')
  await writeBackup({ ...from, dataDir: freshFolder(), version: '0' }, folder, null)
  const to = await emptyDatabases(t)
  const target = { ...to, clickhouseEngine: 'MergeTree', log: openLog('silent') }
  await loadDatabases(target, folder, await openBackup(folder))
  const schemaOf = ({ sql }: typeof from) => sql`
    select conrelid::regclass::text as at, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
    union all
    select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal
    union all
    select oid::regclass::text, 'rls', relforcerowsecurity::text from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    order by 1, 2, 3`
  assert.deepEqual([...(await schemaOf(to))], [...(await schemaOf(from))])
})

test('a backup of the last state of the former series is restored, an earlier one is refused', async (t) => {
  const from = await emptyDatabases(t)
  const engine = { clickhouseEngine: 'MergeTree', log: openLog('silent') }
  const { postgres, clickhouse } = readMigrations()
  const first = [...postgres, ...clickhouse].filter(({ name }) => isOfFirstState(name))
  await migrate({ ...from, ...engine, only: new Set(first.map(({ name }) => name)) })
  const workspaceId = await addWorkspace(from.sql)
  await from.sql`
    insert into journal_cursors (journal_id, sequence, updated_at) values (${JOURNAL}, 4, now())`
  await addClicks(from.clickhouse, JOURNAL, 10)
  const folder = join(freshFolder(), 'backup')
  const source = { ...from, dataDir: freshFolder(), version: '0' }
  const manifest = await writeBackup(source, folder, null)
  const asOf = (...names: string[]) => {
    const migrations = Object.fromEntries(names.map((name) => [name, 'a checksum']))
    const [clicks] = manifest.clickhouse!.tables
    const ledger = { table: 'signpost_migrations', files: clicks!.files }
    const tables = [...manifest.clickhouse!.tables, ledger]
    return writeManifest(folder, { ...manifest, migrations, clickhouse: { tables } })
  }
  const start = ['postgres/0001_core.sql', 'clickhouse/0001_clicks.sql']
  await asOf(...start, 'postgres/0080_invitation_links.sql', 'clickhouse/0005_conversions.sql')
  await assert.rejects(openBackup(folder), /with tables that this program cannot restore/)

  await asOf(...start, 'postgres/0081_import_rows.sql', 'clickhouse/0005_conversions.sql')
  const to = await emptyDatabases(t)
  const target = { ...to, ...engine }
  const opened = await openBackup(folder)
  await requireEmpty(target, opened)
  await loadDatabases(target, folder, opened)
  // As the start after it.
  await migrate(target)
  const workspaces = await asSystem(to.sql)<{ id: string }[]>`select id from workspaces`
  assert.deepEqual(
    workspaces.map(({ id }) => id),
    [workspaceId],
  )
  assert.deepEqual(await digestOf(to.clickhouse, '1'), await digestOf(from.clickhouse, '1'))
})

test('deletions from ClickHouse are held while a backup runs, and no longer', async (t) => {
  const { sql, postgresUrl } = await freshPostgres(t)
  const other = openPostgres(postgresUrl)
  t.after(() => closePostgres(other))
  assert.equal(await areDeletionsHeld(other), false)
  await holdingDeletions(sql, async () => assert.equal(await areDeletionsHeld(other), true))
  assert.equal(await areDeletionsHeld(other), false)
})

test('a purge and the retention of clicks wait while a backup runs', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const systemSql = asSystem(sql)
  const log = openLog('silent')
  const done: string[] = []
  const step = { name: 'a step', tables: [], run: async () => void done.push('purged') }
  const purge = new Purge({ sql: systemSql, clickhouse, clock: Date.now, log, steps: [step] })
  await sql`
    insert into click_folds (id, month, state, segments, clicks, lease_until)
    values ('fold_1', 202501, 'deleting', '{}', 0, now())`
  const retention = new ClickRetention({
    ...{ sql: systemSql, clickhouse, clock: Date.now, log, days: 365 },
    fault: (point) => void done.push(point),
  })
  const work = async () => {
    await purge.finish('wsp_1')
    await retention.finish()
  }
  await holdingDeletions(sql, work)
  assert.deepEqual(done, [])
  await work()
  assert.deepEqual(done, ['purged', 'deleting', 'deleted'])
})

test('tables of another program are neither backed up nor changed, and a database with them receives nothing', async (t) => {
  const from = await freshDatabases(t)
  const tables = await listTableNames(from.sql)
  assert.deepEqual(
    tables.filter((name) => !ownTableNames().has(name)),
    [],
    'every table of the migrations is backed up',
  )
  await from.sql`create table orders (id int)`
  await from.sql`insert into orders values (1)`
  const folder = join(freshFolder(), 'backup')
  const source = { ...from, dataDir: freshFolder(), version: '0' }
  await writeBackup(source, folder, null)
  const manifest = await openBackup(folder)
  assert.deepEqual(
    manifest.postgres.tables.map(({ table }) => table),
    tables,
  )
  const to = await emptyDatabases(t)
  await requireEmpty(to, manifest)
  for (const name of ['orders', 'users']) {
    await to.sql.unsafe(`create table ${name} (id int); insert into ${name} values (1)`)
    const refusal = new RegExp(`table of another program \\(${name}\\)`)
    await assert.rejects(requireEmpty(to, manifest), refusal)
    await to.sql.unsafe(`drop table ${name}`)
  }
  const target = { ...to, clickhouseEngine: 'MergeTree', log: openLog('silent') }
  await to.sql`create table orders (id int)`
  await to.sql`insert into orders values (1)`
  await loadDatabases(target, folder, manifest)
  const orders = await to.sql`select id from orders`
  assert.equal(orders.length, 1)
})

test('a disk with less room than an embedded PostgreSQL without rows takes is refused', async () => {
  const folder = freshFolder()
  const { bavail, bsize } = statfsSync(folder)
  const allButLittle = { path: '', sha256: '', bytes: bavail * bsize - 80e6 }
  const nothing = { tables: [] }
  const manifest = { files: [allButLittle], postgres: nothing, clickhouse: nothing } as never
  const needs = (postgres: boolean) =>
    requireRoom(manifest, folder, { postgres, clickhouse: false })
  await needs(false)
  await assert.rejects(needs(true), /GB free, and the restored data will take/)
})
