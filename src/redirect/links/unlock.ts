import type { Clock } from '../../platform/core/clock.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import type { Lock } from '../../decision/link.ts'
import {
  createLinkPasswordHashing,
  LINK_PASSWORD_MAX_BYTES,
} from '../../platform/work/password-hashing.ts'
import { networkOf } from '../../platform/facts/ip-address.ts'
import type { RateLimiter, RateLimits, RateState } from '../../platform/limits/rate-limits.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { memoize } from '../../platform/core/functions.ts'

export type PasswordAttemptsDeps = {
  secrets: Pick<Secrets, 'keyFor'>
  rateLimits: Pick<RateLimits, 'limiter'>
  log: Log
}

/** With the workspace, since workspaces take turns. */
export type OwnedLock = Lock & { readonly workspaceId: string }

/** `unavailable`: the password could not be checked. */
export type Attempt = 'right' | 'wrong' | 'unavailable' | AttemptLimit
export type AttemptLimit = Pick<ApiError, 'message' | 'details'> & { retryAfter: number }

export type Unlock = ReturnType<typeof createUnlockCookies> & Pick<PasswordAttempts, 'attempt'>

const RETRY_SECONDS = 1

const COOKIE = 'signpost_unlock'
/** Browsers accept this prefix on https only, so a page on http cannot plant the cookie. */
const SECURE_PREFIX = '__Secure-'
const LIFE_SECONDS = 12 * 3_600
/** Limits the work on one header. */
const MAX_CHECKED = 4
/** Visits of one browser have the same signature, which costs more than the rest of a redirect. */
const CACHED_SIGNATURES = 8_192

/**
 * The cookie of a browser that has entered a link's password: `<link id>.<expiry>.<signature>`. The signature
 * covers the password hash, so a new password voids the cookie. `__Host-` is impossible, because such a cookie
 * applies to all paths.
 */
export function createUnlockCookies(secrets: Pick<Secrets, 'keyFor'>, clock: Clock) {
  const key = secrets.keyFor('link-unlock')
  const sign = memoize(CACHED_SIGNATURES, (text) =>
    createHmac('sha256', key).update(text).digest('base64url'),
  )
  const signProof = ({ linkId, passwordHash }: Lock, expiry: number) =>
    sign(`${linkId}\n${passwordHash}\n${expiry}`)

  function isUnlocked(lock: Lock, header: string | undefined, isHttps: boolean): boolean {
    if (header === undefined) return false
    const start = `${toName(isHttps)}=${lock.linkId}.`
    let checked = 0
    let at = header.indexOf(start)
    while (at !== -1 && checked < MAX_CHECKED) {
      const end = header.indexOf(';', at)
      const rest = header.slice(at + start.length, end === -1 ? undefined : end)
      const isWhole = at === 0 || header[at - 1] === ' ' || header[at - 1] === ';'
      if (isWhole && isValid(lock, rest.trim())) return true
      checked++
      at = header.indexOf(start, at + start.length)
    }
    return false
  }

  function isValid(lock: Lock, proof: string): boolean {
    const [, expiryText = '', signature = ''] = /^([0-9a-z]{1,8})\.([\w-]{43})$/.exec(proof) ?? []
    const expiry = Number.parseInt(expiryText, 36)
    const leftSeconds = expiry - clock() / 1_000
    if (!(leftSeconds > 0 && leftSeconds <= LIFE_SECONDS)) return false
    return timingSafeEqual(Buffer.from(signature), Buffer.from(signProof(lock, expiry)))
  }

  /** The `Set-Cookie` value. @param path of the link, as the browser requested it */
  function toCookie(lock: Lock, path: string, isHttps: boolean): string {
    const expiry = Math.floor(clock() / 1000) + LIFE_SECONDS
    return [
      `${toName(isHttps)}=${lock.linkId}.${expiry.toString(36)}.${signProof(lock, expiry)}`,
      `Path=${path}`,
      `Max-Age=${LIFE_SECONDS}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(isHttps ? ['Secure'] : []),
    ].join('; ')
  }

  return { isUnlocked, toCookie }
}

function toName(isHttps: boolean): string {
  return `${isHttps ? SECURE_PREFIX : ''}${COOKIE}`
}

/**
 * Checks link passwords. An attempt counts before its password is compared, so that a limited visitor
 * cannot learn whether a password is right. A right one gives its attempt back, so that a link with many
 * visitors does not use up its limit. Browsers with the cookie make no attempts.
 */
export class PasswordAttempts {
  readonly #hashing: ReturnType<typeof createLinkPasswordHashing>
  readonly #ofNetwork: RateLimiter
  readonly #ofLink: RateLimiter
  /**
   * Workspaces take turns, and each network is limited, so that guesses, from one network or at one
   * workspace's links, delay nobody else.
   */
  readonly #queue = new FairQueue(PLACES.linkPasswords)
  readonly #log: Log

  constructor({ secrets, rateLimits, log }: PasswordAttemptsDeps) {
    this.#hashing = createLinkPasswordHashing(secrets, 'guesses')
    this.#ofNetwork = rateLimits.limiter('link-password-network')
    this.#ofLink = rateLimits.limiter('link-password')
    this.#log = log
  }

  stats() {
    return { ...this.#hashing.stats(), waiting: this.#queue.waiting }
  }

  async attempt(lock: OwnedLock, address: string, password: string): Promise<Attempt> {
    try {
      return await this.#attempt(lock, networkOf(address), password)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'RATE_LIMITED') return toLimit(error)
      this.#log.error({ err: error }, 'the password of a link could not be checked')
      return 'unavailable'
    }
  }

  async #attempt(lock: OwnedLock, network: string, password: string): Promise<Attempt> {
    const networkKey = `${lock.linkId}:${network}`
    const ofNetwork = await this.#ofNetwork.consume(networkKey)
    const ofLink = await this.#ofLink.consume(lock.linkId)
    // No link has a longer password.
    if (Buffer.byteLength(password) > LINK_PASSWORD_MAX_BYTES) return 'wrong'
    let isWrong = false
    try {
      isWrong = !(await this.#queue.run([`workspace:${lock.workspaceId}`, network], undefined, () =>
        this.#hashing.verify(lock.passwordHash, password),
      ))
    } finally {
      // An attempt whose comparison failed is given back too.
      if (!isWrong) await this.#giveBack([networkKey, ofNetwork], [lock.linkId, ofLink])
    }
    return isWrong ? 'wrong' : 'right'
  }

  async #giveBack(ofNetwork: [string, RateState], ofLink: [string, RateState]): Promise<void> {
    await this.#ofNetwork.giveBack(...ofNetwork)
    await this.#ofLink.giveBack(...ofLink)
  }
}

function toLimit({ message, details }: ApiError): AttemptLimit {
  const { retryAfter = RETRY_SECONDS } = details as { retryAfter?: number }
  return { retryAfter, message, details }
}
