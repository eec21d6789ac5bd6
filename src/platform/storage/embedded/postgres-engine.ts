import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { sleep } from '../../core/service.ts'
import {
  hasEnded,
  watchEngine,
  isInUse,
  isProcessOf,
  readText,
  stopOrphans,
  stopLeftover,
} from './engine-process.ts'
import { layOutPostgres, type PostgresBinaries } from './postgres-binaries.ts'
import {
  loginUrl,
  writeRules,
  initialize,
  POSTGRES_ENVIRONMENT,
  refuseOtherOwner,
  removeDrafts,
} from './postgres-setup.ts'
import {
  choosePostgresUser,
  giveTo,
  openDataPath,
  readUserName,
  type PostgresUser,
} from './postgres-user.ts'
import { restoreRuntimeDir } from './runtime-dir.ts'
import type { Engine, EngineOptions, RunningEngine } from './supervisor.ts'

const NAME = 'postgresql'
const PORT = 5432
const READY_POLL_MS = 10
/** Recovery after a crash reads the log since the last checkpoint. */
const START_TIMEOUT_MS = 10 * 60_000

/** SIGINT rolls open transactions back and writes a checkpoint; SIGQUIT ends as in a crash. */
const STOP_STEPS = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
] as const

/** Backends of a killed server hold its shared memory until they end. */
const ORPHAN_STEPS = [
  { signal: 'SIGTERM', waitMs: 5_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
] as const

const SETTINGS = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  random_page_cost: '1.1',
  // Rows of the delivery queue live for seconds; dead ones would slow down its reads.
  autovacuum_naptime: '15s',
  jit: 'off',
  timezone: 'UTC',
  // Callers get the errors of their statements; the log is for the server itself.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '',
}

export function createPostgresEngine(
  options: EngineOptions & { maxConnections: number },
): Engine & { url: string } {
  const { folder, log } = options
  const dataDir = join(folder, 'data')
  const socketDir = join(options.runtimeDir, 'postgres')

  async function start(signal: AbortSignal): Promise<RunningEngine> {
    readUserName()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const user = choosePostgresUser(dataDir)
    const binaries = layOutPostgres(folder, user !== null)
    removeDrafts(folder)
    const setup = { dataDir, binaries, user, signal }
    if (existsSync(dataDir)) {
      refuseOtherOwner(dataDir, user)
      refuseOtherVersion(dataDir, binaries)
      // Single-user mode writes a negative pid.
      const pid = Math.abs(Number(readPidFile(dataDir)[0]))
      const left = { name: NAME, program: 'postgres', directory: dataDir }
      await stopLeftover({ ...left, pid, steps: STOP_STEPS }, log)
      await stopOrphans({ ...left, steps: ORPHAN_STEPS }, log)
    } else await initialize(folder, setup)
    removeStaleLocks(dataDir, socketDir)
    restoreRuntimeDir(options.runtimeDir)
    const files = writeRules(options.runtimeDir)
    mkdirSync(socketDir, { recursive: true, mode: 0o700 })
    giveTo(user, socketDir)
    const settings = {
      ...SETTINGS,
      ...files,
      max_connections: String(options.maxConnections),
      unix_socket_directories: socketDir,
    }
    return launch(join(binaries.bin, 'postgres'), dataDir, user, settings, log, signal)
  }

  return { name: NAME, start, url: loginUrl(socketDir, PORT) }
}

export function signalPostgres(folder: string): void {
  const directory = join(folder, 'data')
  const pid = Number(readPidFile(directory)[0])
  if (isProcessOf(pid, directory, 'postgres')) process.kill(pid, STOP_STEPS[0].signal)
}

function refuseOtherVersion(dataDir: string, { majorVersion }: PostgresBinaries): void {
  const found = Number.parseInt(readFileSync(join(dataDir, 'PG_VERSION'), 'utf8'), 10)
  if (found === majorVersion) return
  throw new OperatorError(
    `The data in ${dataDir} is of PostgreSQL ${found}, and this Signpost brings PostgreSQL ${majorVersion}: run "npm run -s signpost -- backup --to FOLDER" with the release before, and restore that to another DATA_DIR with this one.`,
  )
}

/**
 * A pid file that names another process (as in every restarted container) would keep PostgreSQL from starting, and so
 * would the lock beside the socket. If a process works in the directory, PostgreSQL's own check decides.
 */
function removeStaleLocks(dataDir: string, socketDir: string): void {
  if (process.platform !== 'linux' || isInUse(dataDir)) return
  rmSync(join(dataDir, 'postmaster.pid'), { force: true })
  rmSync(socketDir, { recursive: true, force: true })
}

function readPidFile(dataDir: string): string[] {
  return readText(join(dataDir, 'postmaster.pid')).split('\n')
}

/** Detached, because Ctrl-C reaches a whole process group. */
async function launch(
  program: string,
  dataDir: string,
  user: PostgresUser | null,
  settings: Record<string, string>,
  log: Log,
  signal: AbortSignal,
): Promise<RunningEngine> {
  using data = openDataPath(dataDir, user)
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program, ['-D', data.path, ...flags], {
    ...user,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', ...data.stdio],
  })
  const running = watchEngine(child, NAME, STOP_STEPS, log)
  try {
    await waitUntilReady(dataDir, child, signal)
  } catch (error) {
    await running.stop()
    throw error
  }
  if (child.pid === undefined || hasEnded(child))
    throw new OperatorError(
      `The embedded PostgreSQL did not start (${await running.ended}); set DATABASE_URL to use another one.`,
    )
  return running
}

/** PostgreSQL writes its state into the eighth line of its pid file, for `pg_ctl`. */
async function waitUntilReady(
  dataDir: string,
  child: ChildProcess,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (child.pid !== undefined && !hasEnded(child)) {
    const lines = readPidFile(dataDir)
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return
    signal.throwIfAborted()
    if (performance.now() > deadline) throw new Error('PostgreSQL was not ready in time')
    await sleep(READY_POLL_MS)
  }
}
