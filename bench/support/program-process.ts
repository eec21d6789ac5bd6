import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enginesOfRun } from '../../test/support/own-databases.ts'
import { startScript, stopScript } from './child-process.ts'
import { makeDatabases, type Addresses } from './databases.ts'
import { toEmbeddedUrl } from './embedded-url.ts'

/** Options of Node that `npm start` sets. */
export const START_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=40']

const LOOK_UP_DEADLINE_MS = 120_000
const ASK_EVERY_MS = 20

type Options = {
  /** A script of this folder, or of an absolute path, that takes the arguments of `program.ts`. */
  script?: string
  accounts?: number
  settings?: Record<string, string>
  /** Databases that exist, instead of its own. */
  databases?: Addresses
  isPinned?: boolean
  nodeOptions?: readonly string[]
}

/**
 * Starts the whole program as its own process on a new data directory; in a short run within the tests its own
 * databases are in the engines of the test run.
 */
export async function startProgram(options: Options = {}) {
  const { script = 'program.ts', accounts = 1, settings = {} } = options
  const { isPinned = false, nodeOptions = [] } = options
  await using opening = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  opening.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const engines = enginesOfRun()
  const databases = options.databases ?? (engines && (await makeDatabases(engines, opening)))
  const addresses = databases && {
    DATABASE_URL: databases.url,
    CLICKHOUSE_URL: databases.clickhouseUrl,
  }
  const given = Object.entries({ ...settings, ...addresses })
  const args = [dataDir, String(accounts), ...given.map(([name, value]) => `${name}=${value}`)]
  const { child, line } = await startScript(script, args, { isPinned, nodeOptions })
  opening.defer(async () => void (await stopScript(child)))
  const [port, ...keys] = line.split(' ')
  const opened = opening.move()
  return {
    child,
    pid: child.pid!,
    port: Number(port),
    origin: `http://127.0.0.1:${port}`,
    keys,
    /** For the login that owns the tables. */
    databaseUrl: databases?.url ?? toEmbeddedUrl(dataDir),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Asks until the edge has the link in memory: the first look-up may exceed its time. */
export async function awaitLink(address: string, status = 302): Promise<void> {
  const deadline = performance.now() + LOOK_UP_DEADLINE_MS
  for (;;) {
    const answer = await fetch(address, { method: 'HEAD', redirect: 'manual' })
    if (answer.status === status) return
    if (performance.now() > deadline) throw new Error(`${address} answers ${answer.status}`)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}
