import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { resolve as resolvePath } from 'node:path'

export const CAN_PIN = hasCommand('taskset') && availableParallelism() > 1

/** Starts a program on one core where the machine allows that. */
export function spawnPinned(core: number, command: readonly string[]): ChildProcess {
  const [program, ...args] = CAN_PIN ? ['taskset', '-c', String(core), ...command] : command
  return spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] })
}

/**
 * Starts a script of this folder, or of an absolute path, on the first core unless told otherwise, and waits for its first
 * line. It ends with its standard input.
 */
export async function startScript(
  script: string,
  args: readonly string[],
  { isPinned = true, nodeOptions = [] as readonly string[] } = {},
): Promise<{ line: string; child: ChildProcess }> {
  const path = resolvePath(import.meta.dirname, script)
  const command = [process.execPath, ...nodeOptions, path, ...args]
  const child = isPinned
    ? spawnPinned(0, command)
    : spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (chunk) => resolve(String(chunk).trim()))
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
  return { line, child }
}

/**
 * @returns the last line that the script printed while it ended; '' without one
 * @throws unless it ends with 0
 */
export async function stopScript(child: ChildProcess): Promise<string> {
  let last = ''
  child.stdout!.on('data', (chunk) => (last += String(chunk)))
  if (child.exitCode === null) {
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdin!.end()
    await ended
  }
  if (child.exitCode !== 0)
    throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
  return last.trim().split('\n').at(-1) ?? ''
}

export function hasCommand(name: string): boolean {
  return spawnSync('which', [name]).status === 0
}
