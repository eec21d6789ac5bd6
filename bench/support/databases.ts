import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '../../src/base/log.ts'
import { openClickHouse } from '../../src/storage/clickhouse.ts'
import { openEngines } from '../../src/storage/embedded/engines.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { closePostgres, openPostgres } from '../../src/storage/postgres.ts'

/** Embedded databases in a new folder, with the tables that the program's migrations make. */
export async function openDatabases() {
  await using opening = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  opening.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const log = openLog('warn', process.stderr)
  const engines = opening.use(await openEngines({ dataDir, log, postgres: true, clickhouse: true }))
  const sql = openPostgres(engines.postgresUrl!)
  opening.defer(() => closePostgres(sql))
  const clickhouse = openClickHouse(engines.clickhouseUrl!)
  opening.defer(() => clickhouse.close())
  await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log })
  const opened = opening.move()
  return {
    dataDir,
    log,
    engines,
    url: engines.postgresUrl!,
    /** As the owner of the tables. */
    sql,
    clickhouse,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
