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
} from '../../platform/facts/link-password.ts'
import { networkOf } from '../../platform/facts/network.ts'
import type { RateLimiter, RateLimits, RateState } from '../../platform/limits/rate-limits.ts'
import { createSignProof, hasUnlockCookie, toUnlockCookie } from './unlock-cookie.ts'

export type PasswordAttemptsDeps = {
  secrets: Pick<Secrets, 'keyFor'>
  rateLimits: Pick<RateLimits, 'limiter'>
  log: Log
}

/** A lock and the workspace that takes its turn with others. */
export type OwnedLock = Lock & { readonly workspaceId: string }

/** `unavailable`: the password could not be checked. */
export type Attempt = 'right' | 'wrong' | 'unavailable' | { retryAfter: number; error: ApiError }

/** What a redirect needs: attempts may be decided in another process. */
export type Unlock = UnlockCookies & Pick<PasswordAttempts, 'attempt'>

const RETRY_SECONDS = 1
type UnlockCookies = ReturnType<typeof createUnlockCookies>

/** The cookie of a browser that has given the password of a link. */
export function createUnlockCookies(secrets: Pick<Secrets, 'keyFor'>, clock: Clock) {
  const sign = createSignProof(secrets.keyFor('link-unlock'))
  return {
    /** Whether the browser has given the password before. */
    isUnlocked: (lock: Lock, header: string | undefined, isHttps: boolean): boolean =>
      hasUnlockCookie(sign, lock, { header, isHttps, nowMs: clock() }),
    /** The `Set-Cookie` of a browser that has given the password. */
    toCookie: (lock: Lock, path: string, isHttps: boolean): string =>
      toUnlockCookie(sign, lock, { path, isHttps, nowMs: clock() }),
  }
}

/**
 * Checks the passwords of links. An attempt counts before its password is compared, so that a limited
 * visitor cannot learn whether a password is right; a right one gives its attempt back, so that a
 * link with many visitors does not use up its limit. Browsers that hold the cookie make no attempts.
 */
export class PasswordAttempts {
  readonly #hashing: ReturnType<typeof createLinkPasswordHashing>
  readonly #ofNetwork: RateLimiter
  readonly #ofLink: RateLimiter
  /**
   * Takes workspaces in turns, and bounds networks: neither many guesses of one network nor those of many networks at the links
   * of one workspace keep others waiting.
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

  /** Never throws. */
  async attempt(lock: OwnedLock, address: string, password: string): Promise<Attempt> {
    try {
      return await this.#attempt(lock, networkOf(address), password)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'RATE_LIMITED')
        return { retryAfter: toRetryAfter(error), error }
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
      // Also for a password that was not compared.
      if (!isWrong) await this.#giveBack([networkKey, ofNetwork], [lock.linkId, ofLink])
    }
    return isWrong ? 'wrong' : 'right'
  }

  async #giveBack(ofNetwork: [string, RateState], ofLink: [string, RateState]): Promise<void> {
    await this.#ofNetwork.giveBack(...ofNetwork)
    await this.#ofLink.giveBack(...ofLink)
  }
}

function toRetryAfter({ details }: ApiError): number {
  return (details as { retryAfter?: number }).retryAfter ?? RETRY_SECONDS
}
