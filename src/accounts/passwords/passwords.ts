import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  isPasswordHash,
  PasswordHashing,
  SALT_BYTES,
} from '../../platform/work/password-hashing.ts'

/** Hashes and verifies passwords. Computes a hash even for an unknown account, so that the time reveals nothing. */
export class Passwords {
  readonly #hashing = new PasswordHashing({ taskName: 'sign-ins' })
  readonly #saltKey: Buffer

  constructor(saltKey: Buffer) {
    this.#saltKey = saltKey
  }

  stats() {
    return this.#hashing.stats()
  }

  async hash(password: string): Promise<string> {
    return this.#hashing.hash(password)
  }

  /** False, after the same work, for null. @throws ApiError as {@link hash} */
  async verify(stored: string | null, password: string): Promise<boolean> {
    if (stored !== null && isPasswordHash(stored)) return this.#hashing.verify(stored, password)
    await this.#hashing.hash(password, this.#deriveSalt('decoy'))
    return false
  }

  /**
   * All pending sign-ups of an address share a salt, so that one hash compares a password with all of them. It
   * cannot be predicted without the key.
   */
  async hashFor(emailKey: string, password: string): Promise<string> {
    return this.#hashing.hash(password, this.#deriveSalt(`address\n${emailKey}`))
  }

  #deriveSalt(purpose: string): Buffer {
    return createHmac('sha256', this.#saltKey).update(purpose).digest().subarray(0, SALT_BYTES)
  }
}

export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
