import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** A tenth of the processor time that the event loop gets when both are busy. */
const LOW_NICENESS = 10
const MAX_NICENESS = 19

/** Also of threads that it starts later. On Linux each thread has its own; elsewhere this would change the whole process. */
export function lowerThreadPriority(byNiceness = LOW_NICENESS): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, Math.min(getPriority(0) + byNiceness, MAX_NICENESS))
  } catch {
    // Forbidden in some sandboxes; the thread keeps the usual priority.
  }
}

/**
 * For a child process with a session of its own. Linux may share the processor between sessions before it looks at
 * processes (autogroup), so the session gets the same niceness.
 */
export function lowerProcessPriority(pid: number, byNiceness: number): void {
  try {
    setPriority(pid, Math.min(getPriority(pid) + byNiceness, MAX_NICENESS))
    const file = `/proc/${pid}/autogroup`
    // `/autogroup-123 nice 0`
    const [, ofSession = '0'] = / nice (-?\d+)$/m.exec(readFileSync(file, 'utf8')) ?? []
    writeFileSync(file, String(Math.min(Number(ofSession) + byNiceness, MAX_NICENESS)))
  } catch {
    // Forbidden in some sandboxes, no such groups, or the process has ended.
  }
}

/** V8 would keep the memory that loading modules took. Needs `--expose-gc`, which `npm start` sets. */
export function collectStartGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
