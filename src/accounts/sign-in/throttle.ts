import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller, Cookie } from '../../platform/routes/caller.ts'
import { type Secrets, hashToken } from '../../platform/core/secrets.ts'
import { isWithinLimit } from '../../platform/limits/rate-limits.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import { networkOf } from '../../platform/facts/ip-address.ts'

export type ThrottleDeps = Pick<Dependencies, 'systemSql' | 'clock'> & {
  /** Guesses at one account's password from all networks: a high limit, because strangers can use it up. */
  accountLimiter: Limiter
  /** Guesses from one network, or from one known device: a low limit. */
  accountIpLimiter: Limiter
  mailLimiter: Limiter
  mailNetworkLimiter: Limiter
  secrets: Pick<Secrets, 'keyFor'>
}

export const DEVICE_COOKIE = 'signpost_device'

const DEVICE_SECONDS = 180 * 86_400
const DEVICE_ID_BYTES = 16

/** Each purpose has its own limit, so that a stranger's sign-ups do not use up the owner's password resets. */
type MailPurpose = 'sign_up' | 'reset' | 'change_email'

export type Throttle = ReturnType<typeof createThrottle>

/**
 * An attempt counts before its password is compared, so that a limited client cannot learn whether it is right. A
 * device that has signed in to the account before has a limit of its own, so that strangers' guesses do not lock
 * the owner out.
 */
export const createThrottle = (deps: ThrottleDeps) =>
  bindDeps(deps, { guess, mail, reminder, deviceCookie })

async function guess(deps: ThrottleDeps, caller: Caller, emailKey: string): Promise<void> {
  const device = await findKnownDevice(deps, caller, emailKey)
  if (device !== null) {
    await deps.accountIpLimiter.consume(`guess:device:${device}`)
    return
  }
  const address = hashAddress(emailKey)
  await deps.accountIpLimiter.consume(`guess:${address}:${networkOf(caller.ip ?? '')}`)
  await deps.accountLimiter.consume(`guess:${address}`)
}

/**
 * The limit of the network comes first, so that one network uses up only part of the address's limit. False: the
 * caller gives the usual answer, sends nothing and keeps the earlier link valid.
 */
async function mail(deps: ThrottleDeps, caller: Caller, emailKey: string, purpose: MailPurpose) {
  const device = await findKnownDevice(deps, caller, emailKey)
  if (device !== null) {
    await deps.mailNetworkLimiter.consume(`${purpose}:device:${device}`)
    return true
  }
  const address = hashAddress(emailKey)
  await deps.mailNetworkLimiter.consume(`${purpose}:${address}:${networkOf(caller.ip ?? '')}`)
  return isWithinLimit(deps.mailLimiter.consume(`${purpose}:${address}`))
}

/** Counts a mail that the client did not request. False, without an error, over a limit. */
async function reminder(deps: ThrottleDeps, caller: Caller, emailKey: string): Promise<boolean> {
  const sent = mail(deps, caller, emailKey, 'sign_up')
  return (await isWithinLimit(sent)) && sent
}

async function findKnownDevice(deps: ThrottleDeps, caller: Caller, emailKey: string) {
  if (caller.cookies[DEVICE_COOKIE] === undefined) return null
  const [user] = await deps.systemSql<{ id: string }[]>`
    select id from users where email_key = ${emailKey}`
  // The signature is compared without an account as well, so that the time is the same.
  return readDevice(deps, caller, user?.id ?? '')
}

function deviceCookie(deps: ThrottleDeps, caller: Caller, userId: string): Cookie {
  const id = readDevice(deps, caller, userId) ?? randomBytes(DEVICE_ID_BYTES).toString('base64url')
  const issued = Math.floor(deps.clock() / 1_000).toString(36)
  const value = `${id}.${issued}.${sign(deps, userId, id, issued)}`
  return { name: DEVICE_COOKIE, value, maxAgeSeconds: DEVICE_SECONDS }
}

function readDevice(deps: ThrottleDeps, { cookies }: Caller, userId: string): string | null {
  const [id, issued, signature, ...rest] = (cookies[DEVICE_COOKIE] ?? '').split('.')
  if (!id || !issued || !signature || rest.length > 0) return null
  const expected = Buffer.from(sign(deps, userId, id, issued))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const ageSeconds = deps.clock() / 1_000 - Number.parseInt(issued, 36)
  return ageSeconds < DEVICE_SECONDS ? id : null
}

function sign({ secrets }: ThrottleDeps, userId: string, id: string, issued: string): string {
  return createHmac('sha256', secrets.keyFor('device'))
    .update(`${id}\n${issued}\n${userId}`)
    .digest('base64url')
}

/** The store of counters holds no addresses. */
function hashAddress(emailKey: string): string {
  return hashToken(emailKey).toString('base64url')
}
