import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Caller, Cookie } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import type { Secrets } from '../../base/secrets.ts'
import { networkOf } from '../../facts/network.ts'
import type { SystemSql } from '../../storage/postgres.ts'

export type Limiter = { consume(key: string): Promise<unknown> }

type Deps = {
  /** Of one account, whoever asks: wide, since strangers use it up. */
  accountLimiter: Limiter
  /** Of one account and network, or one known device: strict. */
  accountIpLimiter: Limiter
  /** Of the worker role: people are seen by no workspace. */
  systemSql: SystemSql
  /** Mails to one address for one purpose, from all networks together. */
  mailLimiter: Limiter
  /** The same from one network, or from one known device. */
  mailNetworkLimiter: Limiter
  secrets: Pick<Secrets, 'keyFor'>
  clock: Clock
}

export const DEVICE_COOKIE = 'signpost_device'

const DEVICE_SECONDS = 180 * 86_400
const DEVICE_ID_BYTES = 16

/**
 * What a stranger may ask a mail for. Each purpose has a budget of its own: mails of a sign-up that
 * a stranger repeats leave the budget of the reset to the owner.
 */
export type MailPurpose = 'sign_up' | 'reset' | 'change_email'

export type Throttle = ReturnType<typeof createThrottle>

/**
 * Limits of accounts, beside those of addresses in the gateway. They count before a password is
 * compared, so that a right one while limited is refused as well.
 *
 * A device that has signed in to the account before has a budget of its own, and uses none of the
 * account's: a stranger's guesses do not lock the owner out. Its cookie is bound to the account, not
 * to the address, so that it stays known when the address changes.
 */
export function createThrottle(deps: Deps) {
  const { accountLimiter, accountIpLimiter, mailLimiter, mailNetworkLimiter } = deps
  const { systemSql, secrets, clock } = deps

  /** Before each guess at a password. @throws ApiError RATE_LIMITED */
  async function guess(caller: Caller, emailKey: string): Promise<void> {
    const device = await knownTo(caller, emailKey)
    if (device !== null) {
      await accountIpLimiter.consume(`guess:device:${device}`)
      return
    }
    await accountIpLimiter.consume(`guess:${hashOf(emailKey)}:${networkOf(caller.ip ?? '')}`)
    await accountLimiter.consume(`guess:${hashOf(emailKey)}`)
  }

  /**
   * Before each mail that a stranger may ask for. The budget of the network comes first, so that one
   * network uses up no more than a part of the other. That one refuses nothing: over it the caller
   * gives the usual answer and sends nothing, and leaves the link of the earlier mail valid.
   * @returns whether the mail may be sent
   * @throws ApiError RATE_LIMITED when this network has had its mails
   */
  async function mail(caller: Caller, emailKey: string, purpose: MailPurpose): Promise<boolean> {
    const device = await knownTo(caller, emailKey)
    const address = hashOf(emailKey)
    if (device !== null) {
      await mailNetworkLimiter.consume(`${purpose}:device:${device}`)
      return true
    }
    await mailNetworkLimiter.consume(`${purpose}:${address}:${networkOf(caller.ip ?? '')}`)
    return isWithin(mailLimiter.consume(`${purpose}:${address}`))
  }

  /** Before a mail that the caller has not asked for: over a budget it is not sent. Refuses nothing. */
  function reminder(caller: Caller, emailKey: string): Promise<boolean> {
    return isWithin(mail(caller, emailKey, 'sign_up'))
  }

  /** The device, where it has signed in to the account that has this address now. */
  async function knownTo(caller: Caller, emailKey: string): Promise<string | null> {
    if (caller.cookies[DEVICE_COOKIE] === undefined) return null
    const [user] = await systemSql<{ id: string }[]>`
      select id from users where email_key = ${emailKey}`
    // Compared also without an account, so that an unknown address takes as long.
    return knownDevice(caller, user?.id ?? '')
  }

  /** What a browser keeps that has just signed in to this account. */
  function deviceCookie(caller: Caller, userId: string): Cookie {
    const id = knownDevice(caller, userId) ?? randomBytes(DEVICE_ID_BYTES).toString('base64url')
    const issued = Math.floor(clock() / 1_000).toString(36)
    const value = `${id}.${issued}.${signatureOf(userId, id, issued)}`
    return { name: DEVICE_COOKIE, value, maxAgeSeconds: DEVICE_SECONDS }
  }

  /** The id of the device; null for one that has not signed in to this account lately. */
  function knownDevice({ cookies }: Caller, userId: string): string | null {
    const [id, issued, signature, ...rest] = (cookies[DEVICE_COOKIE] ?? '').split('.')
    if (!id || !issued || !signature || rest.length > 0) return null
    const expected = Buffer.from(signatureOf(userId, id, issued))
    const given = Buffer.from(signature)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
    const ageSeconds = clock() / 1_000 - Number.parseInt(issued, 36)
    return ageSeconds < DEVICE_SECONDS ? id : null
  }

  function signatureOf(userId: string, id: string, issued: string): string {
    return createHmac('sha256', secrets.keyFor('device'))
      .update(`${id}\n${issued}\n${userId}`)
      .digest('base64url')
  }

  return { guess, mail, reminder, deviceCookie }
}

/** Addresses are not kept in a store of counters. */
function hashOf(emailKey: string): string {
  return createHash('sha256').update(emailKey).digest('base64url')
}

/** False for RATE_LIMITED, and for an answer of false. */
async function isWithin(taking: Promise<unknown>): Promise<boolean> {
  try {
    return (await taking) !== false
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RATE_LIMITED') return false
    throw error
  }
}
