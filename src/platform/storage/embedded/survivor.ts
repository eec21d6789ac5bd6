import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { OperatorError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { sleep } from '../../core/service.ts'

/**
 * Engine processes may outlive a killed parent. The next start finds them by the pid file in their
 * directory. Since pids are used again, the process must also work in that directory.
 */

const POLL_MS = 20

/** A signal, and how long its effect is waited for. */
export type StopStep = { signal: NodeJS.Signals; waitMs: number }

export type Survivor = {
  /** Name of the engine. */
  name: string
  pid: number
  /** Part of its command line. */
  program: string
  /** Its working directory. */
  directory: string
  steps: readonly StopStep[]
}

/**
 * Stops the engine that an earlier start left behind, if there is one.
 * @throws OperatorError when it does not end
 */
export async function stopSurvivor(survivor: Survivor, log: Log): Promise<void> {
  const { name, pid, directory, program, steps } = survivor
  const isRunning = () => isProcessOf(pid, directory, program)
  if (!isRunning()) return
  log.warn({ engine: name, pid }, 'stopping the engine that an earlier start left behind')
  if (!(await stopProcess(isRunning, pid, steps)))
    throw new OperatorError(`${name} (process ${pid}) still uses ${directory}; stop it.`)
}

/**
 * True when `pid` is a living process of `program` whose working directory is `directory`. Without
 * /proc, its command line must name the directory. A zombie is not living.
 */
export function isProcessOf(pid: number, directory: string, program: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || !exists(pid)) return false
  if (process.platform === 'linux')
    return worksIn(`/proc/${pid}`, directory) && readCommand(pid).includes(program)
  try {
    const command = execFileSync('/bin/ps', ['-p', String(pid), '-o', 'command='], {
      encoding: 'utf8',
    })
    return command.includes(program) && command.includes(directory)
  } catch {
    return false
  }
}

/**
 * Stops the processes that an engine started and that outlive it for a moment, or for as long as
 * their statement takes, when the engine was killed. Linux only: elsewhere they end by themselves.
 */
export async function stopOrphans(orphans: Omit<Survivor, 'pid'>, log: Log): Promise<void> {
  const { name, directory, program, steps } = orphans
  const pids = usersOf(directory).filter((pid) => isProcessOf(pid, directory, program))
  if (pids.length === 0) return
  log.warn({ engine: name, pids }, 'stopping the processes that a killed engine left behind')
  const stopped = pids.map((pid) =>
    stopProcess(() => isProcessOf(pid, directory, program), pid, steps),
  )
  await Promise.all(stopped)
}

/** True when any process works in `directory`. Linux only; else false. */
export function isInUse(directory: string): boolean {
  return usersOf(directory).length > 0
}

/** The processes that work in `directory`. Linux only; else none. */
function usersOf(directory: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && worksIn(`/proc/${entry}`, directory))
    .map(Number)
}

/**
 * Sends each signal in turn, the next one when the process still runs after `waitMs`. Before each it
 * checks again that the pid is still that process.
 * @returns true when the process is gone
 */
export async function stopProcess(
  isRunning: () => boolean,
  pid: number,
  steps: readonly StopStep[],
): Promise<boolean> {
  for (const { signal, waitMs } of steps) {
    if (!isRunning()) return true
    try {
      process.kill(pid, signal)
    } catch {
      return !isRunning()
    }
    const deadline = performance.now() + waitMs
    while (performance.now() < deadline) {
      if (!isRunning()) return true
      await sleep(POLL_MS)
    }
  }
  return !isRunning()
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The link of a zombie, of a kernel thread and of another user's process cannot be followed. */
function worksIn(processPath: string, directory: string): boolean {
  try {
    const found = statSync(`${processPath}/cwd`)
    const wanted = statSync(directory)
    return found.dev === wanted.dev && found.ino === wanted.ino
  } catch {
    return false
  }
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
