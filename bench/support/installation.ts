import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callServer } from '../../src/operator/socket.ts'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { closePostgres, openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import type { Addresses } from '../../src/platform/storage/stores.ts'
import type { Owner } from '../../test/support/owner.ts'
import { enginesOfRun } from '../../test/support/own-databases.ts'
import { runCli } from '../../test/support/program.ts'
import { startManaged } from '../../test/support/service-manager.ts'
import { awaitClicks } from './click-account.ts'
import { makeDatabases } from './databases.ts'
import { leaveSegments } from './ingest-clicks.ts'
import { fillLinks } from './links.ts'
import { warmLinks } from './visitors.ts'

const ENTRY = join(import.meta.dirname, '../../src/main.ts')

/** A folder that is removed with the stack. */
export function freshFolder(stack: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Starts the program as its own process, on a socket that is held for it as systemd does. */
export async function startServer(stack: AsyncDisposableStack, env: Record<string, string>) {
  const owner: Owner = { after: (close) => stack.defer(async () => void (await close())) }
  const server = await startManaged(owner, [process.execPath, ENTRY], (port) => ({
    PORT: String(port),
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '2',
    ...env,
  }))
  await awaitServer(server.port)
  return server
}

/** Waits in the queue of the socket for a server that starts, however long that takes. */
export async function awaitServer(port: number): Promise<void> {
  const asking = get({ host: '127.0.0.1', port, path: '/ready', agent: false })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.resume()
  if (answer.statusCode !== 200) throw new Error(`/ready answers ${answer.statusCode}`)
}

type Content = {
  links: number
  /** Of a journal that the first start finds, for clicks that are stored before anything is measured. */
  segments?: number
  megabytes?: number
}

/**
 * An installation of one process with its embedded databases and with links that it has in memory; in a short run within the
 * tests its databases are in the engines of the test run.
 */
export async function openInstallation(content: Content) {
  const { links, segments = 0, megabytes = 0 } = content
  await using opening = new AsyncDisposableStack()
  const dataDir = freshFolder(opening)
  const engines = enginesOfRun()
  const own = engines && (await makeDatabases(engines, opening))
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    ...(own && { DATABASE_URL: own.url, CLICKHOUSE_URL: own.clickhouseUrl }),
  }
  const server = await startServer(opening, env)
  await using filling = new AsyncDisposableStack()
  const databases = openDatabasesAt(await addressesOf(dataDir), filling)
  await fillLinks(databases.sql, { plain: links })
  const left = leaveSegments(join(dataDir, 'journal'), { links, segments, megabytes })
  await awaitClicks(databases, left)
  await warmLinks(server.port, links)
  const opened = opening.move()
  return { dataDir, env, server, stored: left, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Runs a command line to its end. @throws unless it ends with 0 */
export async function runCommand(args: string[], env: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await runCli(args, env)
  if (code !== 0)
    throw new Error(`signpost ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
}

/** The databases of the server that runs on the data directory. */
export async function addressesOf(dataDir: string): Promise<Addresses> {
  return (await callServer(dataDir, 'addresses', {})) as Addresses
}

export function openDatabasesAt(
  { databaseUrl, clickhouseUrl }: Addresses,
  stack: AsyncDisposableStack,
) {
  const sql = openPostgres(databaseUrl)
  const systemSql = openPostgres(databaseUrl, { role: WORKER_ROLE })
  const clickhouse = openClickHouse(clickhouseUrl)
  stack.defer(async () => {
    await Promise.all([closePostgres(sql), closePostgres(systemSql), clickhouse.close()])
  })
  return { sql, systemSql, clickhouse }
}
