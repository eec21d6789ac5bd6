import { after, type TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import {
  openClickHouse,
  type ClickHouseClient,
} from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { migrate } from '../../src/platform/storage/migrations/migrate.ts'
import {
  closePostgres,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { TEMPLATE, openEnginePair, type EnginePair } from './engine-pair.ts'
import {
  clearPair,
  clearPostgres,
  rememberShape,
  type DatabaseAddresses,
} from './emptied-databases.ts'
import {
  clonePostgres,
  enginesOfRun,
  makeClickHouse,
  type EngineAddresses,
} from './own-databases.ts'
import { asLogin } from './superuser.ts'

/** A PostgreSQL database of one test, without rows. */
export type TestPostgres = {
  /** As the login that owns the database, as the program connects. */
  postgresUrl: string
  superuserUrl: string
  sql: Sql
}

/** The databases of one test, without rows. */
export type TestDatabases = TestPostgres & { clickhouseUrl: string; clickhouse: ClickHouseClient }

/** Databases that a test has used. */
const idlePairs: DatabaseAddresses[] = []
const idlePostgres: string[] = []
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
export async function testEngines(): Promise<EngineAddresses> {
  const engines = enginesOfRun()
  if (engines) return engines
  ownPair ??= openEnginePair()
  return ownPair
}

/**
 * A PostgreSQL database with all tables for one test, for rules that need no ClickHouse: half the time of both. One that
 * an earlier test of the process has used is emptied, which takes a third of a new one. The client is closed after the
 * test, the database dropped after the last test of the process.
 */
export async function freshPostgres(t: TestContext): Promise<TestPostgres> {
  const used = idlePostgres.pop()
  const url = used && (await clearPostgres(used)) ? used : await makePostgres(TEMPLATE)
  const postgres = connect(t, url)
  t.after(() => void idlePostgres.push(url))
  return postgres
}

/** A database of each engine with all tables for one test. */
export async function freshDatabases(t: TestContext): Promise<TestDatabases> {
  const databases = await databasesToMigrate(t)
  const { sql, clickhouse } = databases
  await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log: openLog('silent') })
  return databases
}

/**
 * For a program, which creates the tables of ClickHouse itself; PostgreSQL has its own. Those of an earlier test of this
 * process are used again, emptied, which takes half the time.
 */
export async function databasesToMigrate(t: TestContext): Promise<TestDatabases> {
  const { clickhouseUrl: migrated } = await testEngines()
  const used = idlePairs.pop()
  const isEmpty = used !== undefined && (await clearPair(used, migrated))
  const addresses = isEmpty ? used : await makeDatabases(TEMPLATE)
  const databases = openDatabases(t, addresses)
  t.after(() => void idlePairs.push(addresses))
  return databases
}

/** Databases without tables. */
export async function emptyDatabases(t: TestContext): Promise<TestDatabases> {
  return openDatabases(t, await makeDatabases('template1'))
}

/** A ClickHouse database without tables; dropped after the file's last test. */
export async function emptyClickHouse(): Promise<string> {
  const { url, drop } = await makeClickHouse(await testEngines())
  drops.push(drop)
  return url
}

async function makeDatabases(template: string): Promise<DatabaseAddresses> {
  const [superuserUrl, clickhouseUrl] = await Promise.all([
    makePostgres(template),
    emptyClickHouse(),
  ])
  return { superuserUrl, clickhouseUrl }
}

function openDatabases(
  t: TestContext,
  { superuserUrl, clickhouseUrl }: DatabaseAddresses,
): TestDatabases {
  const clickhouse = openClickHouse(clickhouseUrl)
  t.after(() => clickhouse.close())
  return { ...connect(t, superuserUrl), clickhouseUrl, clickhouse }
}

async function makePostgres(template: string): Promise<string> {
  const { url, drop } = await clonePostgres(await testEngines(), template)
  drops.push(drop)
  if (template === TEMPLATE) await rememberShape(url)
  return url
}

function connect(t: TestContext, superuserUrl: string): TestPostgres {
  const postgresUrl = asLogin(superuserUrl)
  const sql = openPostgres(postgresUrl)
  t.after(() => closePostgres(sql))
  return { postgresUrl, superuserUrl, sql }
}
