import { argon2Sync } from 'node:crypto'
import { lowerThreadPriority } from './priority.ts'

/** `memory` in KiB, `tagLength` in bytes. */
export type Hashing = {
  password: string
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
