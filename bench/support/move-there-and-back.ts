import { enginesOfRun, clonePostgres, makeClickHouse } from '../../test/support/own-databases.ts'
import { asLogin } from '../../test/support/superuser.ts'
import { openLog } from '../../src/base/log.ts'
import { openEngines } from '../../src/storage/embedded/engines.ts'
import type { Addresses } from '../../src/storage/stores.ts'
import { readTotals } from './click-account.ts'
import { isSound } from './figures.ts'
import {
  addressesOf,
  freshFolder,
  openDatabasesAt,
  openInstallation,
  runCommand,
  startServer,
} from './installation.ts'

export type MoveLoad = { links: number; segments: number; megabytes: number }

/**
 * Moves an installation with embedded databases to servers of their own and back, and compares the clicks of every link after
 * each way.
 * @returns false when they differ
 */
export async function measureMove(load: MoveLoad): Promise<boolean> {
  await using stack = new AsyncDisposableStack()
  const { server, dataDir, stored } = stack.use(
    await openInstallation({ ...load, isEmbedded: true }),
  )
  const before = await totalsOf(dataDir)
  await server.stop()
  const { databaseUrl, clickhouseUrl } = await openOthers(stack)
  const own = { DATA_DIR: dataDir }
  const other = { ...own, DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl }
  const there = ['move', '--database-url', databaseUrl, '--clickhouse-url', clickhouseUrl]
  const back = ['move', '--database-url', 'embedded', '--clickhouse-url', 'embedded']
  const seconds: string[] = []
  let differing = 0
  for (const [args, from, to] of [
    [there, own, other],
    [back, other, own],
  ] as const) {
    const startedAtMs = performance.now()
    await runCommand([...args], from)
    seconds.push(((performance.now() - startedAtMs) / 1_000).toFixed(1))
    await using running = new AsyncDisposableStack()
    await startServer(running, to)
    if ((await totalsOf(dataDir)) !== before) differing++
  }
  if (!isSound('the totals after a move', differing)) return false
  console.log(
    `move of ${stored} clicks there in ${seconds[0]} s and back in ${seconds[1]} s: totals equal`,
  )
  return true
}

async function totalsOf(dataDir: string): Promise<string> {
  await using reading = new AsyncDisposableStack()
  return await readTotals(openDatabasesAt(await addressesOf(dataDir), reading))
}

/** Databases without tables: in the engines of the test run, or in a second pair. */
async function openOthers(stack: AsyncDisposableStack): Promise<Addresses> {
  const ofRun = enginesOfRun()
  if (ofRun) {
    const postgres = await clonePostgres(ofRun, 'template1')
    stack.defer(postgres.drop)
    const clickhouse = await makeClickHouse(ofRun)
    stack.defer(clickhouse.drop)
    return { databaseUrl: asLogin(postgres.url), clickhouseUrl: clickhouse.url }
  }
  const dataDir = freshFolder(stack)
  const log = openLog('warn', process.stderr)
  const pair = stack.use(await openEngines({ dataDir, log, postgres: true, clickhouse: true }))
  return { databaseUrl: pair.postgresUrl!, clickhouseUrl: pair.clickhouseUrl! }
}
