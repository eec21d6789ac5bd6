import { argon2Sync } from 'node:crypto'
import { lowerThreadPriority } from './thread-priority.ts'

/** Input of one argon2id hash: `memory` in KiB, `tagLength` in bytes. */
export type Hashing = {
  password: string
  /** Key of the server, without which the hash cannot be computed. */
  pepper?: Uint8Array
  salt: Uint8Array
  tagLength: number
  memory: number
  passes: number
  parallelism: number
}

lowerThreadPriority()

export const run = ({ password, pepper, salt, tagLength, ...cost }: Hashing): Uint8Array =>
  argon2Sync('argon2id', {
    message: password,
    nonce: salt,
    tagLength,
    ...cost,
    ...(pepper && { secret: pepper }),
  })
