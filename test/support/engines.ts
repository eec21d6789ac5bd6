import { randomBytes } from 'node:crypto'
import { after, type TestContext } from 'node:test'
import { openLog } from '../../src/base/log.ts'
import { openClickHouse, type ClickHouseClient } from '../../src/storage/clickhouse.ts'
import { LOGIN } from '../../src/storage/embedded/postgres-logins.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { closePostgres, openPostgres, type Sql } from '../../src/storage/postgres.ts'
import { TEMPLATE, openEnginePair, withDatabase, type EnginePair } from './engine-pair.ts'
import { asLogin } from './superuser.ts'

/** Databases of one test: its own, without rows. */
export type TestDatabases = {
  /** As the login that owns the database, as the program connects. */
  postgresUrl: string
  superuserUrl: string
  clickhouseUrl: string
  sql: Sql
  clickhouse: ClickHouseClient
}

/** PostgreSQL's is that of the superuser. */
type Addresses = { postgresUrl: string; clickhouseUrl: string }

let ownPair: Promise<EnginePair> | null = null
const drops: (() => Promise<void>)[] = []

// Not after each test: hooks run in the order they were registered, so what a test opens on its
// databases is closed after them.
after(async () => {
  for (const drop of drops) await drop()
  await (await ownPair)?.[Symbol.asyncDispose]()
})

/**
 * The engines of the run, which `global-setup.ts` starts; a file that is run without it gets a pair
 * of its own, closed after its last test.
 */
export async function testEngines(): Promise<Addresses> {
  const postgresUrl = process.env.SIGNPOST_TEST_POSTGRES
  const clickhouseUrl = process.env.SIGNPOST_TEST_CLICKHOUSE
  if (postgresUrl && clickhouseUrl) return { postgresUrl, clickhouseUrl }
  ownPair ??= openEnginePair()
  return ownPair
}

/**
 * Makes databases for one test, a PostgreSQL one and a ClickHouse one. The clients are closed after
 * the test, the databases dropped after the file's last one.
 */
export async function freshDatabases(t: TestContext): Promise<TestDatabases> {
  const databases = await makeDatabases(t, TEMPLATE)
  const { sql, clickhouse } = databases
  await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log: openLog('silent') })
  return databases
}

/** The same without a table in them. */
export function emptyDatabases(t: TestContext): Promise<TestDatabases> {
  return makeDatabases(t, 'template1')
}

/** A ClickHouse database without a table; dropped after the file's last test. */
export async function emptyClickHouse(): Promise<string> {
  const engines = await testEngines()
  const name = `t_${randomBytes(8).toString('hex')}`
  const run = (query: string) =>
    asOperator(engines, async (_, clickhouse) => void (await clickhouse.command({ query })))
  await run(`create database ${name}`)
  drops.push(() => run(`drop database ${name}`))
  return withDatabase(engines.clickhouseUrl, name)
}

async function makeDatabases(t: TestContext, template: string): Promise<TestDatabases> {
  const engines = await testEngines()
  const name = `t_${randomBytes(8).toString('hex')}`
  await asOperator(engines, async (admin, clickhouse) => {
    await admin.unsafe(`create database ${name} template ${template} owner ${LOGIN}`)
    await clickhouse.command({ query: `create database ${name}` })
  })
  drops.push(() =>
    asOperator(engines, async (admin, clickhouse) => {
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

async function asOperator(
  engines: Addresses,
  work: (sql: Sql, clickhouse: ClickHouseClient) => Promise<void>,
): Promise<void> {
  // Without a limit: dropping a database waits for a checkpoint, and for what others write.
  const parameters = { statement_timeout: '0' }
  const sql = openPostgres(engines.postgresUrl, { maxConnections: 1, parameters })
  const clickhouse = openClickHouse(engines.clickhouseUrl)
  try {
    await work(sql, clickhouse)
  } finally {
    await Promise.all([closePostgres(sql), clickhouse.close()])
  }
}
