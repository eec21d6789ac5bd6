import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import type { Measured } from './keep-alive.ts'

/** That of the program's threads for work that may take its time. */
const NICENESS = 10
/** It ends by itself when the bench was killed. */
const LONGEST_MS = 60_000

/**
 * Measures redirects beside a process that only computes, at the priority of background work. No work on the same cores
 * can delay redirects less, unless it leaves a core idle at times.
 */
export async function visitBesideComputing(visit: () => Promise<Measured>): Promise<Measured> {
  const loop = `const endMs = Date.now() + ${LONGEST_MS}; while (Date.now() < endMs);`
  const child = spawn(process.execPath, ['-e', loop], { stdio: 'ignore' })
  try {
    setPriority(child.pid!, NICENESS)
    return await visit()
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}
