import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { sleep } from '../../core/service.ts'
import { watchEngine, readText, stopLeftover } from './engine-process.ts'
import { lowerProcessPriority } from '../../work/priority.ts'
import { openSocketFolder } from './runtime-dir.ts'
import type { Engine, EngineOptions, RunningEngine } from './supervisor.ts'

export type ClickHouseStart = {
  dataPath: string
  pidFile: string
  socketPath: string
  user: string
  password: string
  memoryBytes: number
}

export type ClickHouseReport = { state: 'serving' } | { state: 'failed'; message: string }

const NAME = 'clickhouse'
const PROGRAM = 'clickhouse-server.ts'
const USER = 'signpost'
const PID_FILE = 'server.pid'

const SOCKET = { folder: 'clickhouse', file: 'http.sock' }

/** A third of the share of redirect threads, so that clicks do not wait for long. */
const NICENESS = 5
const GIBIBYTE = 1024 ** 3
const START_TIMEOUT_MS = 10 * 60_000
/** SIGTERM ends it gracefully within fifteen seconds; data on the disk survives SIGKILL too. */
const STOP_STEPS = [
  { signal: 'SIGTERM', waitMs: 20_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/** Each running statement, and each access to a file of rows, occupies a thread of libuv's pool. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', UV_THREADPOOL_SIZE: '16' }

/** On a unix socket that no other user may reach: on a loopback port every local user could occupy its connections. */
export function createClickHouseEngine(options: EngineOptions): Engine & { url: string } {
  const { folder, runtimeDir, log } = options
  const password = randomBytes(24).toString('base64url')
  const spool = join(folder, 'spool')
  const socketPath = join(runtimeDir, SOCKET.folder, SOCKET.file)

  async function start(signal: AbortSignal): Promise<RunningEngine> {
    mkdirSync(spool, { recursive: true, mode: 0o700 })
    const pid = Number(readText(join(spool, PID_FILE)))
    await stopLeftover(
      { name: NAME, pid, program: PROGRAM, directory: spool, steps: STOP_STEPS },
      log,
    )
    openSocketFolder(runtimeDir, SOCKET.folder)
    const memoryBytes = chooseMemory(process.constrainedMemory() || totalmem())
    const dataPath = join(folder, 'data')
    const toStart = { dataPath, pidFile: PID_FILE, socketPath, user: USER, password, memoryBytes }
    return launch(toStart, spool, log, signal)
  }

  const url = `http://${USER}:${password}@localhost/?socket=${encodeURIComponent(socketPath)}`
  return { name: NAME, start, url }
}

function chooseMemory(totalBytes: number): number {
  return Math.floor(Math.min(Math.max(totalBytes / 2, GIBIBYTE), 8 * GIBIBYTE))
}

/** Detached, because Ctrl-C reaches a whole process group. */
async function launch(
  start: ClickHouseStart,
  spool: string,
  log: Log,
  signal: AbortSignal,
): Promise<RunningEngine> {
  const script = join(import.meta.dirname, PROGRAM)
  const child = spawn(process.execPath, [script, spool], {
    cwd: spool,
    env: ENVIRONMENT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const running = watchEngine(child, NAME, STOP_STEPS, log)
  child.on('error', () => {})
  if (child.pid !== undefined) lowerProcessPriority(child.pid, NICENESS)
  child.send(start, () => {})
  const failure = await waitUntilServing(child, running.ended, signal)
  if (failure === null) return running
  await running.stop()
  signal.throwIfAborted()
  throw new OperatorError(
    `The embedded ClickHouse did not start (${failure}); set CLICKHOUSE_URL to use another one.`,
  )
}

async function waitUntilServing(
  child: ChildProcess,
  ended: Promise<string>,
  signal: AbortSignal,
): Promise<string | null> {
  const settled = new AbortController()
  const reported = new Promise<string | null>((resolve) => {
    child.once('message', (report: ClickHouseReport) =>
      resolve(report.state === 'serving' ? null : report.message),
    )
  })
  const timedOut = sleep(START_TIMEOUT_MS, AbortSignal.any([signal, settled.signal])).then(
    () => 'it was not ready in time',
  )
  try {
    return await Promise.race([reported, ended, timedOut])
  } finally {
    settled.abort()
  }
}
