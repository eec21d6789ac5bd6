import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Log } from '../../core/log.ts'
import type { RunningEngine } from './supervisor.ts'
import { stopProcess, type StopStep } from './survivor.ts'

const KEPT_LINES = 20

/**
 * The child process of an engine as the supervisor sees it. Its lines are logged.
 * @param engine its name in the log
 */
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

/** Resolves with the exit code or signal once the process has ended and its output is read. Never rejects. */
export async function waitForEnd(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'close')
    return signal ? `ended by ${signal}` : `ended with code ${code}`
  } catch (error) {
    return (error as Error).message
  }
}

/** Keeps the last lines of a process, which tell why it ended. */
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

/** PostgreSQL's reason where it gives one, else the last line. */
export function describeEnd(end: string, lines: readonly string[]): string {
  const reason = lines.findLast((line) => /^(FATAL|PANIC):/.test(line)) ?? lines.at(-1)
  return reason ? `${end}: ${reason}` : end
}
