import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog, type Log } from '../../src/platform/core/log.ts'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { openEngines } from '../../src/platform/storage/embedded/engines.ts'
import { migrate } from '../../src/platform/storage/migrations/migrate.ts'
import { closePostgres, openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { TEMPLATE } from '../../test/support/engine-pair.ts'
import {
  clonePostgres,
  enginesOfRun,
  makeClickHouse,
  type EngineAddresses,
} from '../../test/support/own-databases.ts'
import { admitSuperuser, asLogin } from '../../test/support/superuser.ts'

export type Addresses = {
  /** For the login that owns the tables. */
  url: string
  clickhouseUrl: string
  toSuperuserUrl: () => Promise<string>
}

/**
 * Databases with the tables that the program's migrations make: embedded ones in a new folder, or, in a
 * short run within the tests, ones in the engines of the test run, since a start costs seconds.
 */
export async function openDatabases() {
  await using opening = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  opening.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const log = openLog('warn', process.stderr)
  const engines = enginesOfRun()
  const addresses = engines
    ? await makeDatabases(engines, opening)
    : await startEngines(dataDir, log, opening)
  const { url, clickhouseUrl, toSuperuserUrl } = addresses
  const sql = openPostgres(url)
  opening.defer(() => closePostgres(sql))
  const clickhouse = openClickHouse(clickhouseUrl)
  opening.defer(() => clickhouse.close())
  await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log })
  const opened = opening.move()
  return {
    dataDir,
    log,
    url,
    clickhouseUrl,
    toSuperuserUrl,
    /** As the owner of the tables. */
    sql,
    clickhouse,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Databases in engines that run already, dropped with the stack: the one of PostgreSQL has its tables. */
export async function makeDatabases(
  engines: EngineAddresses,
  stack: AsyncDisposableStack,
): Promise<Addresses> {
  const postgres = await clonePostgres(engines, TEMPLATE)
  stack.defer(postgres.drop)
  const clickhouse = await makeClickHouse(engines)
  stack.defer(clickhouse.drop)
  return {
    url: asLogin(postgres.url),
    clickhouseUrl: clickhouse.url,
    toSuperuserUrl: async () => postgres.url,
  }
}

async function startEngines(
  dataDir: string,
  log: Log,
  stack: AsyncDisposableStack,
): Promise<Addresses> {
  const engines = stack.use(await openEngines({ dataDir, log, postgres: true, clickhouse: true }))
  return {
    url: engines.postgresUrl!,
    clickhouseUrl: engines.clickhouseUrl!,
    toSuperuserUrl: () => admitSuperuser(engines),
  }
}
