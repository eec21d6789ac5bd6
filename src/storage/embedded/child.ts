import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { stopProcess, type StopStep } from './survivor.ts'

const KEPT_LINES = 20

/** Resolves, when the process has ended and its output is read, with how it did. Never rejects. */
export async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'close')
    return signal ? `ended by ${signal}` : `ended with code ${code}`
  } catch (error) {
    return (error as Error).message
  }
}

/** Ends a child of ours by the given signals in turn, and waits until it has. */
export async function stopChild(
  child: ChildProcess,
  steps: readonly StopStep[],
  ended: Promise<string>,
): Promise<void> {
  const isThere = () =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null
  await stopProcess(isThere, child.pid ?? 0, steps)
  await ended
}

/** Keeps the last lines, which say why a process ended. */
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

/** What PostgreSQL said before it gave up. */
export function lastWords(lines: string[]): string | undefined {
  return lines.findLast((line) => /^(FATAL|PANIC):/.test(line))
}
