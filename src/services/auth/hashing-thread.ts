import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Hashing } from './hashing.ts'

/** Of the processor's time, a tenth of what the event loop gets when both want it. */
const NICENESS = 10

// A priority is a thread's own on Linux; elsewhere it would be that of the whole program.
if (process.platform === 'linux')
  try {
    setPriority(0, NICENESS)
  } catch {
    // A sandbox may forbid it; hashing goes on at the usual priority.
  }

parentPort!.on('message', ({ password, salt, tagLength, ...cost }: Hashing) => {
  parentPort!.postMessage(
    argon2Sync('argon2id', { message: password, nonce: salt, tagLength, ...cost }),
  )
})
