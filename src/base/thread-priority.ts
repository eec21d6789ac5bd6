import { setPriority } from 'node:os'

/** A tenth of the processor time that the event loop gets when both are busy. */
const NICENESS = 10

/** On Linux each thread has its own priority; elsewhere this would change the whole process. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {
    // Forbidden in some sandboxes; the thread keeps the usual priority.
  }
}
