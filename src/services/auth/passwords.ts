import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Hashing } from './hashing-thread.ts'
import { ThreadPool } from './thread-pool.ts'

/** OWASP, Password Storage: argon2id with 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32
/** A hash takes 19 MiB and some 50 ms of a core, so guesses must not take all of either. */
const LIMITS = { maxRunning: 2, maxWaiting: 16, idleMs: 30_000 } as const

export const HASHING_THREAD = new URL('./hashing-thread.ts', import.meta.url)

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,171})$/

type Cost = Pick<Hashing, 'memory' | 'passes' | 'parallelism'>

/**
 * Hashes and verifies passwords. Without a password to compare with, a hash is computed all the same,
 * so that the time reveals nothing.
 */
export class Passwords {
  readonly #pool = new ThreadPool<Hashing, Uint8Array>(HASHING_THREAD, LIMITS)
  readonly #saltKey: Buffer

  /** @param saltKey the key that the salts of addresses without an account are derived from */
  constructor(saltKey: Buffer) {
    this.#saltKey = saltKey
  }

  stats() {
    return this.#pool.stats()
  }

  /** The PHC string to store. @throws ApiError RATE_LIMITED when too many hashes are waiting */
  async hash(password: string, salt: Buffer = randomBytes(SALT_BYTES)): Promise<string> {
    return toPhc(COST, salt, await this.#derive(password, salt, COST, TAG_BYTES))
  }

  /** False, after the same work, for null. @throws ApiError as {@link hash} */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const parsed = stored === null ? null : parsePhc(stored)
    if (parsed === null) {
      await this.#derive(password, this.#deriveSalt('decoy'), COST, TAG_BYTES)
      return false
    }
    const tag = await this.#derive(password, parsed.salt, parsed.cost, parsed.tag.length)
    return timingSafeEqual(tag, parsed.tag)
  }

  /**
   * The hash of a password for an address without an account: all such hashes of one address share a
   * salt, so that one hash compares a password with all of them. The salt cannot be predicted without
   * the key.
   */
  async hashFor(emailKey: string, password: string): Promise<string> {
    return this.hash(password, this.#deriveSalt(`address\n${emailKey}`))
  }

  async #derive(password: string, salt: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
    // The salt is copied: the memory pool behind a small Buffer would be sent along with it.
    const input = { password: password.normalize('NFC'), salt: Uint8Array.from(salt), tagLength }
    return Buffer.from(await this.#pool.run({ ...input, ...cost }))
  }

  #deriveSalt(purpose: string): Buffer {
    return createHmac('sha256', this.#saltKey).update(purpose).digest().subarray(0, SALT_BYTES)
  }
}

/** Compares two hashes that share a salt. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function toPhc({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

/** Null for anything but an argon2id hash, such as a hash of another program. */
function parsePhc(text: string): { cost: Cost; salt: Buffer; tag: Buffer } | null {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(text) ?? []
  if (tag === undefined) return null
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt!, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
