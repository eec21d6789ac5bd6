import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Hashing } from './hashing-thread.ts'
import { ThreadPool, type ThreadLimits } from './thread-pool.ts'
import type { Secrets } from '../core/secrets.ts'

/** OWASP, Password Storage: argon2id with 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
export const SALT_BYTES = 16
const TAG_BYTES = 32
/** A hash takes 19 MiB and 50 ms of a core; guesses must not take all of either. */
const LIMITS = { maxRunning: 2, maxWaiting: 16, idleMs: 30_000 } as const

export const HASHING_THREAD = new URL('./hashing-thread.ts', import.meta.url)

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,171})$/

type Cost = Pick<Hashing, 'memory' | 'passes' | 'parallelism'>
let newHashCost: Cost = COST

export function setHashCost(cost: Cost = COST): void {
  newHashCost = cost
}

type Options = Pick<ThreadLimits, 'taskName'> &
  Partial<Pick<ThreadLimits, 'maxRunning' | 'maxWaiting'>> & {
    /** Without it a copy of the database is not enough to guess passwords. */
    pepper?: () => Buffer
  }

/** Each instance has its own queue, so that guesses at one kind of password do not delay another. */
export class PasswordHashing {
  readonly #pool: ThreadPool<Hashing, Uint8Array>
  readonly #pepper: (() => Buffer) | undefined

  constructor({ pepper, ...limits }: Options) {
    this.#pool = new ThreadPool(HASHING_THREAD, { ...LIMITS, ...limits })
    this.#pepper = pepper
  }

  stats() {
    return this.#pool.stats()
  }

  async hash(password: string, salt: Buffer = randomBytes(SALT_BYTES)): Promise<string> {
    const cost = newHashCost
    return toPhc(cost, salt, await this.#derive(password, salt, cost, TAG_BYTES))
  }

  async verify(stored: string, password: string): Promise<boolean> {
    const parsed = parsePhc(stored)
    if (parsed === null) return false
    const tag = await this.#derive(password, parsed.salt, parsed.cost, parsed.tag.length)
    return timingSafeEqual(tag, parsed.tag)
  }

  async #derive(password: string, salt: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
    // Copied, or the memory pool behind a small Buffer would be sent along.
    const input = { password: password.normalize('NFC'), salt: Uint8Array.from(salt), tagLength }
    const pepper = this.#pepper && { pepper: Uint8Array.from(this.#pepper()) }
    return Buffer.from(await this.#pool.run({ ...input, ...cost, ...pepper }))
  }
}

export function isPasswordHash(text: string): boolean {
  return PHC.test(text)
}

function toPhc({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

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

export const LINK_PASSWORD_MAX_BYTES = 256

/** Services and edges have separate queues: guesses of visitors delay neither sign-ins nor new passwords. */
export function createLinkPasswordHashing(
  secrets: Pick<Secrets, 'keyFor'>,
  taskName: string,
): PasswordHashing {
  return new PasswordHashing({ taskName, pepper: () => secrets.keyFor('link-password') })
}
