import { randomBytes } from 'node:crypto'
import { after, type TestContext } from 'node:test'
import { openLog } from '../../src/base/log.ts'
import { openClickHouse, type ClickHouseClient } from '../../src/storage/clickhouse.ts'
import { LOGIN } from '../../src/storage/embedded/postgres-logins.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { closePostgres, openPostgres, type Sql } from '../../src/storage/postgres.ts'
import { TEMPLATE, openEnginePair, withDatabase, type EnginePair } from './engine-pair.ts'
import { asLogin } from './superuser.ts'

/** The databases of one test, without rows. */
export type TestDatabases = {
  /** As the login that owns the database, as the program connects. */
  postgresUrl: string
  superuserUrl: string
  clickhouseUrl: string
  sql: Sql
  clickhouse: ClickHouseClient
}

/** The address of PostgreSQL is that for the superuser. */
type Addresses = { postgresUrl: string; clickhouseUrl: string }

let ownPair: Promise<EnginePair> | null = null
const drops: (() => Promise<void>)[] = []

// Not after each test: hooks run in the order of their registration, so the clients that a test opens
// on its databases would be closed after them.
after(async () => {
  for (const drop of drops) await drop()
  await (await ownPair)?.[Symbol.asyncDispose]()
})

/**
 * The engines of the run, which `global-setup.ts` starts; a file that runs without it starts its own
 * pair, closed after its last test.
 */
export async function testEngines(): Promise<Addresses> {
  const postgresUrl = process.env.SIGNPOST_TEST_POSTGRES
  const clickhouseUrl = process.env.SIGNPOST_TEST_CLICKHOUSE
  if (postgresUrl && clickhouseUrl) return { postgresUrl, clickhouseUrl }
  ownPair ??= openEnginePair()
  return ownPair
}

/**
 * Creates databases for one test, in PostgreSQL and in ClickHouse. The clients are closed after
 * the test, the databases dropped after the file's last one.
 */
export async function freshDatabases(t: TestContext): Promise<TestDatabases> {
  const databases = await createDatabases(t, TEMPLATE)
  const { sql, clickhouse } = databases
  await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log: openLog('silent') })
  return databases
}

/** Databases without tables. */
export function emptyDatabases(t: TestContext): Promise<TestDatabases> {
  return createDatabases(t, 'template1')
}

/** A ClickHouse database without tables; dropped after the file's last test. */
export async function emptyClickHouse(): Promise<string> {
  const engines = await testEngines()
  const name = `t_${randomBytes(8).toString('hex')}`
  const run = (query: string) =>
    asSuperuser(engines, async (_, clickhouse) => void (await clickhouse.command({ query })))
  await run(`create database ${name}`)
  drops.push(() => run(`drop database ${name}`))
  return withDatabase(engines.clickhouseUrl, name)
}

async function createDatabases(t: TestContext, template: string): Promise<TestDatabases> {
  const engines = await testEngines()
  const name = `t_${randomBytes(8).toString('hex')}`
  await asSuperuser(engines, async (admin, clickhouse) => {
    await admin.unsafe(`create database ${name} template ${template} owner ${LOGIN}`)
    await clickhouse.command({ query: `create database ${name}` })
  })
  drops.push(() =>
    asSuperuser(engines, async (admin, clickhouse) => {
      await admin.unsafe(`drop database ${name} with (force)`)
      await clickhouse.command({ query: `drop database ${name}` })
    }),
  )
  const superuserUrl = withDatabase(engines.postgresUrl, name)
  const postgresUrl = asLogin(superuserUrl)
  const clickhouseUrl = withDatabase(engines.clickhouseUrl, name)
  const sql = openPostgres(postgresUrl)
  const clickhouse = openClickHouse(clickhouseUrl)
  t.after(() => Promise.all([closePostgres(sql), clickhouse.close()]))
  return { postgresUrl, superuserUrl, clickhouseUrl, sql, clickhouse }
}

async function asSuperuser(
  engines: Addresses,
  work: (sql: Sql, clickhouse: ClickHouseClient) => Promise<void>,
): Promise<void> {
  // Without a timeout: dropping a database waits for a checkpoint, and for the writes of other tests.
  const parameters = { statement_timeout: '0' }
  const sql = openPostgres(engines.postgresUrl, { maxConnections: 1, parameters })
  const clickhouse = openClickHouse(engines.clickhouseUrl)
  try {
    await work(sql, clickhouse)
  } finally {
    await Promise.all([closePostgres(sql), clickhouse.close()])
  }
}
