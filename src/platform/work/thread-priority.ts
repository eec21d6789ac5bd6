import { getPriority, setPriority } from 'node:os'

/** A tenth of the processor time that the event loop gets when both are busy. */
const LOW_NICENESS = 10
const MAX_NICENESS = 19

/**
 * Lowers the priority of the calling thread, and of threads that it starts later. On Linux each thread has its own;
 * elsewhere this would change the whole process.
 */
export function lowerThreadPriority(byNiceness = LOW_NICENESS): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, Math.min(getPriority(0) + byNiceness, MAX_NICENESS))
  } catch {
    // Forbidden in some sandboxes; the thread keeps the usual priority.
  }
}
