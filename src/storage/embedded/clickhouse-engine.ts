import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { OperatorError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { endOf, stopChild } from './child.ts'
import { PID_FILE, type ClickHouseOrder, type ClickHouseReport } from './clickhouse-order.ts'
import { openSocketFolder } from './runtime-dir.ts'
import type { Engine, RunningEngine } from './supervisor.ts'
import { isProcessOf, stopProcess } from './survivor.ts'

const PROGRAM = 'clickhouse-server.ts'
const USER = 'signpost'

/** In the runtime directory; both names together are shorter than those of PostgreSQL's socket. */
const SOCKET = { folder: 'clickhouse', file: 'http.sock' }

const GIBIBYTE = 1024 ** 3
const START_TIMEOUT_MS = 10 * 60_000
/** SIGTERM closes in order within fifteen seconds; what is on the disk survives SIGKILL as well. */
const STOP_STEPS = [
  { signal: 'SIGTERM', waitMs: 20_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/**
 * Every statement of every connection occupies a thread of libuv's pool while it runs, and the
 * files of its rows need some as well. Nothing of our own environment reaches the engine.
 */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', UV_THREADPOOL_SIZE: '16' }

type ClickHouseEngineOptions = {
  /** Holds `data/` and `spool/`. */
  folder: string
  /** Short; holds the folder of the socket. See `openRuntimeDir`. */
  runtimeDir: string
  log: Log
}

/**
 * The embedded ClickHouse as the supervisor sees it, and where its clients find it. It listens on a
 * unix socket in a folder that no other user may enter: a loopback port would let every local user
 * occupy its connections. The address outlives restarts of the process.
 */
export function createClickHouseEngine(options: ClickHouseEngineOptions): Engine & { url: string } {
  const { folder, runtimeDir, log } = options
  const password = randomBytes(24).toString('base64url')
  const spool = join(folder, 'spool')
  const socketPath = join(runtimeDir, SOCKET.folder, SOCKET.file)

  async function start(signal: AbortSignal): Promise<RunningEngine> {
    mkdirSync(spool, { recursive: true, mode: 0o700 })
    await stopSurvivor(spool, log)
    openSocketFolder(runtimeDir, SOCKET.folder)
    const order = { dataPath: join(folder, 'data'), socketPath, user: USER, password }
    const memoryBytes = memoryFor(process.constrainedMemory() || totalmem())
    const outcome = await launch({ ...order, memoryBytes }, spool, log, signal)
    if ('pid' in outcome) return outcome
    signal.throwIfAborted()
    throw new OperatorError(
      `The embedded ClickHouse did not start (${outcome.message}); set CLICKHOUSE_URL to use another one.`,
    )
  }

  const url = `http://${USER}:${password}@localhost/?socket=${encodeURIComponent(socketPath)}`
  return { name: 'clickhouse', start, url }
}

/** Half of what there is, and never more than eight gibibytes: the machine has other things to do. */
function memoryFor(totalBytes: number): number {
  return Math.floor(Math.min(Math.max(totalBytes / 2, GIBIBYTE), 8 * GIBIBYTE))
}

/** A server whose parent was killed closes by itself; this waits for it, or hurries it. */
async function stopSurvivor(spool: string, log: Log): Promise<void> {
  const pid = readPid(join(spool, PID_FILE))
  const isThere = () => isProcessOf(pid, spool, PROGRAM)
  if (!isThere()) return
  log.warn({ engine: 'clickhouse', pid }, 'stopping the engine that an earlier start left behind')
  if (!(await stopProcess(isThere, pid, STOP_STEPS)))
    throw new OperatorError(`ClickHouse (process ${pid}) still holds ${spool}; stop it.`)
}

function readPid(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

type Failure = { message: string }

/** Detached, because Ctrl-C reaches a whole process group and the order of closing is ours. */
async function launch(
  order: ClickHouseOrder,
  spool: string,
  log: Log,
  signal: AbortSignal,
): Promise<RunningEngine | Failure> {
  const script = join(import.meta.dirname, PROGRAM)
  const child = spawn(process.execPath, [script, spool], {
    cwd: spool,
    env: ENVIRONMENT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let lastLine = ''
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      lastLine = line
      log.debug({ engine: 'clickhouse' }, line)
    })
  const ended = endOf(child).then((how) => (lastLine ? `${how}: ${lastLine}` : how))
  const running = { pid: child.pid ?? 0, ended, stop: () => stopChild(child, STOP_STEPS, ended) }
  child.on('error', () => {})
  child.send(order, () => {})
  const outcome = await firstReport(child, ended, signal)
  if (outcome === 'serving') return running
  await running.stop()
  return outcome
}

function firstReport(
  child: ChildProcess,
  ended: Promise<string>,
  signal: AbortSignal,
): Promise<'serving' | Failure> {
  return new Promise((resolve) => {
    const fail = (message: string) => resolve({ message })
    const stop = () => fail('stopped while it was starting')
    const timer = setTimeout(() => fail('it did not get ready'), START_TIMEOUT_MS)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    child.once('message', (report: ClickHouseReport) =>
      resolve(report.state === 'serving' ? 'serving' : report),
    )
    void ended.then(fail)
    const settled = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    child.once('message', settled)
    void ended.then(settled)
  })
}
