import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBackup } from '../../src/operator/backup/restore.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { openEngines } from '../../src/platform/storage/embedded/engines.ts'
import { closePostgres, openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { freshDataDir, runProgram, startProgram } from '../support/program.ts'

const LAST = 'postgres/0014_jobs_and_reports.sql'
const LAST_TABLES =
  'import_rows, job_chunks, jobs, idempotency_keys, report_chunks, reports, dashboards'

/** Makes the data those of the version before the last migration. */
async function turnBack(dataDir: string): Promise<void> {
  const log = openLog('silent')
  const engines = await openEngines({ dataDir, log, postgres: true, clickhouse: false })
  const sql = openPostgres(engines.postgresUrl!)
  await sql.unsafe(`drop table ${LAST_TABLES}`)
  await sql`delete from migrations where name = ${LAST}`
  await closePostgres(sql)
  await engines[Symbol.asyncDispose]()
}

test('an upgrade backs up the embedded databases before its migrations, and newer formats are refused', async (t) => {
  const dataDir = freshDataDir(t)
  const first = await startProgram(t, dataDir)
  await first.stop()
  const backups = join(dataDir, 'backups')
  assert.ok(!existsSync(backups), 'a new installation has nothing to back up')
  await turnBack(dataDir)
  const second = await startProgram(t, dataDir)
  await second.stop()
  const [name, ...others] = readdirSync(backups)
  assert.deepEqual(others, [])
  const manifest = await openBackup(join(backups, name!))
  assert.equal(manifest.migrations[LAST], undefined)
  assert.ok(manifest.postgres.tables.length > 0)

  const file = join(dataDir, 'formats.json')
  const formats = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  for (const newer of [
    { ...formats, journal: '99' },
    { ...formats, clickhouse: '999.1' },
  ]) {
    writeFileSync(file, JSON.stringify(newer))
    const { code, stderr } = await runProgram({ DATA_DIR: dataDir, PORT: '0' })
    assert.equal(code, 1)
    assert.match(stderr, /^signpost: DATA_DIR [^\n]+start the version of Signpost that wrote it/m)
    assert.equal(readFileSync(file, 'utf8'), JSON.stringify(newer))
  }
  assert.equal(readdirSync(backups).length, 1)
})
