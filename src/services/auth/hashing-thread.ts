import { argon2Sync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { lowerThreadPriority } from './thread-priority.ts'

/** Input of one argon2id hash: `memory` in KiB, `tagLength` in bytes. */
export type Hashing = {
  password: string
  salt: Uint8Array
  tagLength: number
  memory: number
  passes: number
  parallelism: number
}

lowerThreadPriority()

parentPort!.on('message', ({ password, salt, tagLength, ...cost }: Hashing) => {
  parentPort!.postMessage(
    argon2Sync('argon2id', { message: password, nonce: salt, tagLength, ...cost }),
  )
})
