import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

const MAX_NICENESS = 19

/**
 * Lowers the priority of a child process that has just been started with a session of its own. Threads that it
 * starts later inherit the niceness.
 *
 * Linux may share the processor between sessions before it looks at the niceness of their processes (autogroup), so the session
 * gets the same niceness. A process below a systemd unit or in a container is not in such a group, and its own niceness counts.
 */
export function lowerProcessPriority(pid: number, byNiceness: number): void {
  try {
    setPriority(pid, Math.min(getPriority(pid) + byNiceness, MAX_NICENESS))
    const file = `/proc/${pid}/autogroup`
    // `/autogroup-123 nice 0`
    const [, ofSession = '0'] = / nice (-?\d+)$/m.exec(readFileSync(file, 'utf8')) ?? []
    writeFileSync(file, String(Math.min(Number(ofSession) + byNiceness, MAX_NICENESS)))
  } catch {
    // Forbidden in some sandboxes, or without such groups, or the process has ended.
  }
}
