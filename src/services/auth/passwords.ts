import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ApiError, invalid } from '../../base/errors.ts'
import { createHashing } from './hashing.ts'
import { isWeakPassword } from './weak-passwords.ts'

/** OWASP, Password Storage: argon2id with 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32
const MIN_CHARS = 10
const MAX_CHARS = 256
const MAX_BYTES = 1_024
/** Each takes 19 MiB and a core for some 50 ms, so guesses must not take all of either. */
const MAX_RUNNING = 2
const MAX_WAITING = 16
const RETRY_SECONDS = 1

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,171})$/

export type Passwords = ReturnType<typeof createPasswords>

/**
 * Hashes passwords, at most two at once; sixteen wait, and the next is refused. Where there is no
 * password to compare with, a hash is run all the same, so that time does not tell.
 * @param saltKey what {@link createPasswords} derives the salts of addresses from
 */
export function createPasswords(saltKey: Buffer) {
  const derive = createHashing()
  const waiting: (() => void)[] = []
  let running = 0
  let runs = 0
  const decoySalt = createHmac('sha256', saltKey).update('decoy').digest().subarray(0, SALT_BYTES)

  /** @throws ApiError RATE_LIMITED when too many are waiting */
  async function run(password: string, salt: Buffer, cost: Cost, tagLength: number) {
    if (running >= MAX_RUNNING) {
      if (waiting.length >= MAX_WAITING) throw tooMany()
      // Whoever ends hands over its place, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    runs++
    try {
      return await derive({ password: password.normalize('NFC'), salt, tagLength, ...cost })
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  /** The PHC string to store. */
  async function hash(password: string, salt = randomBytes(SALT_BYTES)): Promise<string> {
    return toPhc(COST, salt, await run(password, salt, COST, TAG_BYTES))
  }

  /** False, after as much work, for null. */
  async function verify(stored: string | null, password: string): Promise<boolean> {
    const parsed = stored === null ? null : parsePhc(stored)
    if (parsed === null) {
      await run(password, decoySalt, COST, TAG_BYTES)
      return false
    }
    const tag = await run(password, parsed.salt, parsed.cost, parsed.tag.length)
    return timingSafeEqual(tag, parsed.tag)
  }

  /**
   * The hash of a password for an address that has no account: all such hashes of one address have
   * one salt, so that a single run compares a password with all of them. Made from a key, it is
   * known to nobody beforehand.
   */
  function hashFor(emailKey: string, password: string): Promise<string> {
    const salt = createHmac('sha256', saltKey).update(`address\n${emailKey}`).digest()
    return hash(password, salt.subarray(0, SALT_BYTES))
  }

  return { hash, hashFor, verify, stats: () => ({ running, waiting: waiting.length, runs }) }
}

/** Compares two hashes that were made with one salt. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * What a new password must be.
 * @param emailKey whose it will be: an address is no password of its own
 * @throws ApiError VALIDATION_ERROR with `path`
 */
export function checkNewPassword(password: string, path: string, emailKey: string): void {
  const text = password.normalize('NFC')
  const chars = Array.from(text).length
  if (chars < MIN_CHARS || chars > MAX_CHARS || Buffer.byteLength(text) > MAX_BYTES)
    throw invalid(path, `${path} must have ${MIN_CHARS} to ${MAX_CHARS} characters.`, 'length')
  if (isWeakPassword(text) || text.toLowerCase() === emailKey)
    throw invalid(path, `${path} is among the first that anybody guesses. Choose another.`, 'weak')
}

type Cost = { memory: number; passes: number; parallelism: number }

function toPhc({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

/** Null for what is no hash of ours, such as that of another program. */
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

function tooMany(): ApiError {
  return new ApiError(
    'RATE_LIMITED',
    `Too many sign-ins at once. Try again in ${RETRY_SECONDS} s.`,
    {
      retryAfter: RETRY_SECONDS,
      limit: MAX_RUNNING + MAX_WAITING,
      window: RETRY_SECONDS,
    },
  )
}
