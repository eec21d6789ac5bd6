import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '../../src/platform/core/log.ts'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { openEngines } from '../../src/platform/storage/embedded/engines.ts'
import { LOGIN } from '../../src/platform/storage/embedded/postgres-setup.ts'
import { migrate } from '../../src/platform/storage/migrations/migrate.ts'
import { closePostgres, openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { admitSuperuser, asLogin } from './superuser.ts'

/** One embedded PostgreSQL and ClickHouse, with a migrated PostgreSQL database to clone. */
export type EnginePair = {
  /** The address for the superuser. */
  postgresUrl: string
  clickhouseUrl: string
  [Symbol.asyncDispose](): Promise<void>
}

/** A PostgreSQL database without connections: PostgreSQL clones no other. */
export const TEMPLATE = 'signpost_template'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Starts a pair in a temporary directory, which is removed when the pair is closed. */
export async function openEnginePair(): Promise<EnginePair> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-engines-'))
  const log = openLog('silent')
  const engines = await openEngines({
    dataDir,
    log,
    postgres: true,
    clickhouse: true,
    // Raises `max_connections`: each test file that runs has a program of its own.
    redirectProcesses: 40,
  })
  const postgresUrl = await admitSuperuser(engines)
  const clickhouseUrl = engines.clickhouseUrl!
  // When the run is interrupted, its processes must end, too.
  const kill = () => {
    for (const pid of Object.values(engines.pids())) if (pid) process.kill(pid, 'SIGQUIT')
  }
  const killAndDie = (signal: NodeJS.Signals) => {
    kill()
    process.kill(process.pid, signal)
  }
  process.once('exit', kill)
  for (const signal of SIGNALS) process.once(signal, killAndDie)
  await makeTemplate(postgresUrl, clickhouseUrl)
  return {
    postgresUrl,
    clickhouseUrl,
    [Symbol.asyncDispose]: async () => {
      await engines[Symbol.asyncDispose]()
      process.off('exit', kill)
      for (const signal of SIGNALS) process.off(signal, killAndDie)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The same address with another database. */
export function withDatabase(address: string, database: string): string {
  const url = new URL(address)
  url.pathname = `/${database}`
  return url.href
}

/** Each test has its own ClickHouse database, so the clone must not be bound to one. */
async function makeTemplate(postgresUrl: string, clickhouseUrl: string): Promise<void> {
  const admin = openPostgres(postgresUrl, { maxConnections: 1 })
  // These databases need not survive a power cut, and each drop would wait for the disk. Crash tests
  // start their own programs, on engines with the delivered settings.
  await admin`alter system set fsync = off`
  // Hundreds of databases keep its workers busy all the time.
  await admin`alter system set autovacuum = off`
  await admin`select pg_reload_conf()`
  await admin.unsafe(`create database ${TEMPLATE} owner ${LOGIN}`)
  await closePostgres(admin)
  const sql = openPostgres(asLogin(withDatabase(postgresUrl, TEMPLATE)), { maxConnections: 2 })
  const clickhouse = openClickHouse(clickhouseUrl)
  await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log: openLog('silent') })
  await sql`delete from installation`
  await Promise.all([closePostgres(sql), clickhouse.close()])
}
