import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

export type Started = { line: string; child: ChildProcess }

/**
 * Starts a script of this folder, on one core where the machine allows that, and waits for its
 * first line. It ends with its standard input.
 */
export async function startScript(
  script: string,
  args: readonly string[],
  { isPinned = true } = {},
): Promise<Started> {
  const canPin =
    isPinned && spawnSync('which', ['taskset']).status === 0 && availableParallelism() > 1
  const command = [process.execPath, join(import.meta.dirname, script), ...args]
  const [program, ...rest] = canPin ? ['taskset', '-c', '0', ...command] : command
  const child = spawn(program!, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
  return { line, child }
}

/** @returns the last line that the script printed while it ended; '' without one */
export async function stopScript(child: ChildProcess): Promise<string> {
  if (child.exitCode !== null) return ''
  let last = ''
  child.stdout!.on('data', (chunk) => (last += String(chunk)))
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.stdin!.end()
  await ended
  return last.trim().split('\n').at(-1) ?? ''
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
