import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { sleep } from '../../base/service.ts'

/**
 * Engine processes outlive a killed parent. The next start finds them by the pid file in their own
 * directory, and since pids are used again, a pid alone proves nothing: the process must also work
 * in that directory.
 */

const POLL_MS = 20

/** A signal, and how long its effect is waited for. */
export type StopStep = { signal: NodeJS.Signals; waitMs: number }

/**
 * True when `pid` is a living process of `program` whose working directory is `directory`. Where
 * there is no /proc, its command line must name the directory. A zombie is not living.
 */
export function isProcessOf(pid: number, directory: string, program: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || !exists(pid)) return false
  if (process.platform === 'linux') {
    return worksIn(`/proc/${pid}`, directory) && commandOf(pid).includes(program)
  }
  try {
    const command = execFileSync('/bin/ps', ['-p', String(pid), '-o', 'command='], {
      encoding: 'utf8',
    })
    return command.includes(program) && command.includes(directory)
  } catch {
    return false
  }
}

/** True when some process, of whatever pid, still works in `directory`. Linux only; else false. */
export function isInUse(directory: string): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').some(
    (entry) => /^\d+$/.test(entry) && worksIn(`/proc/${entry}`, directory),
  )
}

/**
 * Sends each signal in turn, the next one when the process is still there after `waitMs`. Each time
 * it looks anew whether the pid is still that process.
 * @returns whether it is gone
 */
export async function stopProcess(
  isThere: () => boolean,
  pid: number,
  steps: readonly StopStep[],
): Promise<boolean> {
  for (const { signal, waitMs } of steps) {
    if (!isThere()) return true
    try {
      process.kill(pid, signal)
    } catch {
      return !isThere()
    }
    const deadline = performance.now() + waitMs
    while (performance.now() < deadline) {
      if (!isThere()) return true
      await sleep(POLL_MS)
    }
  }
  return !isThere()
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The link of a zombie, of a kernel thread and of somebody else's process cannot be followed. */
function worksIn(processPath: string, directory: string): boolean {
  try {
    const there = statSync(`${processPath}/cwd`)
    const here = statSync(directory)
    return there.dev === here.dev && there.ino === here.ino
  } catch {
    return false
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
