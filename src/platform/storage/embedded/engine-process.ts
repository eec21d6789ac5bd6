import { execFileSync, type ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { OperatorError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { sleep } from '../../core/service.ts'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { RunningEngine } from './supervisor.ts'

/** Engine processes may outlive a killed parent. Pids are reused, so the process must also work in the directory. */

const POLL_MS = 20

type StopStep = { signal: NodeJS.Signals; waitMs: number }

type Leftover = {
  name: string
  pid: number
  program: string
  directory: string
  steps: readonly StopStep[]
}

export async function stopLeftover(leftover: Leftover, log: Log): Promise<void> {
  const { name, pid, directory, program, steps } = leftover
  const isRunning = () => isProcessOf(pid, directory, program)
  if (!isRunning()) return
  log.warn({ engine: name, pid }, 'stopping the engine that an earlier start left behind')
  if (!(await stopProcess(isRunning, pid, steps)))
    throw new OperatorError(`${name} (process ${pid}) still uses ${directory}; stop it.`)
}

/** Without /proc, the command line must name the directory. A zombie is not living. */
export function isProcessOf(pid: number, directory: string, program: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || !exists(pid)) return false
  if (process.platform === 'linux')
    return worksIn(`/proc/${pid}`, directory) && readText(`/proc/${pid}/cmdline`).includes(program)
  try {
    const command = execFileSync('/bin/ps', ['-p', String(pid), '-o', 'command='], {
      encoding: 'utf8',
    })
    return command.includes(program) && command.includes(directory)
  } catch {
    return false
  }
}

/** Linux only: elsewhere they end by themselves. */
export async function stopOrphans(orphans: Omit<Leftover, 'pid'>, log: Log): Promise<void> {
  const { name, directory, program, steps } = orphans
  const pids = usersOf(directory).filter((pid) => isProcessOf(pid, directory, program))
  if (pids.length === 0) return
  log.warn({ engine: name, pids }, 'stopping the processes that a killed engine left behind')
  const stopped = pids.map((pid) =>
    stopProcess(() => isProcessOf(pid, directory, program), pid, steps),
  )
  await Promise.all(stopped)
}

export function isInUse(directory: string): boolean {
  return usersOf(directory).length > 0
}

function usersOf(directory: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && worksIn(`/proc/${entry}`, directory))
    .map(Number)
}

/**
 * Checks before each signal that the pid is still that process.
 * @returns true when the process is gone
 */
async function stopProcess(
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

/** The link of a zombie, a kernel thread or another user's process cannot be read. */
function worksIn(processPath: string, directory: string): boolean {
  try {
    const found = statSync(`${processPath}/cwd`)
    const wanted = statSync(directory)
    return found.dev === wanted.dev && found.ino === wanted.ino
  } catch {
    return false
  }
}

/** '' for a file that cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const KEPT_LINES = 20

export function watchEngine(
  child: ChildProcess,
  engine: string,
  steps: readonly StopStep[],
  log: Log,
): RunningEngine {
  const lines = collectLines(child, (line) => log.debug({ engine }, line))
  const ended = waitForEnd(child).then((end) => describeEnd(end, lines))
  const isRunning = () => child.pid !== undefined && !hasEnded(child)
  const stop = async () => {
    await stopProcess(isRunning, child.pid ?? 0, steps)
    await ended
  }
  return { pid: child.pid ?? 0, ended, stop }
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

export async function waitForEnd(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'close')
    return signal ? `ended by ${signal}` : `ended with code ${code}`
  } catch (error) {
    return (error as Error).message
  }
}

export function collectLines(child: ChildProcess, onLine: (line: string) => void): string[] {
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > KEPT_LINES) lines.shift()
      onLine(line)
    })
  }
  return lines
}

/** Prefers PostgreSQL's reason, else the last line. */
export function describeEnd(end: string, lines: readonly string[]): string {
  const reason = lines.findLast((line) => /^(FATAL|PANIC):/.test(line)) ?? lines.at(-1)
  return reason ? `${end}: ${reason}` : end
}
