import { createHmac, timingSafeEqual } from 'node:crypto'
import { memoize } from '../../platform/core/memo.ts'
import type { Lock } from '../../decision/link.ts'

const NAME = 'signpost_unlock'
/** Browsers accept the cookie on https only, so that a page on http cannot plant one. */
const SECURE_PREFIX = '__Secure-'
const LIFE_SECONDS = 12 * 3_600
/** Cookies of one link that are checked, which bounds the work on one header. */
const MAX_CHECKED = 4
/** Visits of one browser have the same signature, which costs more than the rest of a redirect. */
const CACHED_SIGNATURES = 8_192

/** The signature of a text. */
export type SignProof = (text: string) => string

export function createSignProof(key: Buffer): SignProof {
  return memoize(CACHED_SIGNATURES, (text) =>
    createHmac('sha256', key).update(text).digest('base64url'),
  )
}

/**
 * The proof that a browser gave the password of a link: `<link id>.<expiry>.<signature>`. The signature
 * also covers the hash of the password, so that another password voids the cookie. `__Host-` is not
 * possible, since a cookie with that prefix belongs to all paths.
 * @param path of the link, as the browser requested it
 */
export function toUnlockCookie(
  sign: SignProof,
  lock: Lock,
  { path, isHttps, nowMs }: { path: string; isHttps: boolean; nowMs: number },
): string {
  const expiry = Math.floor(nowMs / 1_000) + LIFE_SECONDS
  const value = `${lock.linkId}.${expiry.toString(36)}.${signProof(sign, lock, expiry)}`
  return [
    `${isHttps ? SECURE_PREFIX : ''}${NAME}=${value}`,
    `Path=${path}`,
    `Max-Age=${LIFE_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isHttps ? ['Secure'] : []),
  ].join('; ')
}

/** Whether a Cookie header holds a valid proof for the link and its present password. */
export function hasUnlockCookie(
  sign: SignProof,
  lock: Lock,
  { header, isHttps, nowMs }: { header: string | undefined; isHttps: boolean; nowMs: number },
): boolean {
  if (header === undefined) return false
  const start = `${isHttps ? SECURE_PREFIX : ''}${NAME}=${lock.linkId}.`
  let checked = 0
  let at = header.indexOf(start)
  while (at !== -1 && checked < MAX_CHECKED) {
    const end = header.indexOf(';', at)
    const rest = header.slice(at + start.length, end === -1 ? undefined : end)
    const isWhole = at === 0 || header[at - 1] === ' ' || header[at - 1] === ';'
    if (isWhole && isValid(sign, lock, rest.trim(), nowMs)) return true
    checked++
    at = header.indexOf(start, at + start.length)
  }
  return false
}

function isValid(sign: SignProof, lock: Lock, proof: string, nowMs: number): boolean {
  const [, expiryText = '', signature = ''] = /^([0-9a-z]{1,8})\.([\w-]{43})$/.exec(proof) ?? []
  const expiry = Number.parseInt(expiryText, 36)
  const leftSeconds = expiry - nowMs / 1_000
  if (!(leftSeconds > 0 && leftSeconds <= LIFE_SECONDS)) return false
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signProof(sign, lock, expiry)))
}

function signProof(sign: SignProof, { linkId, passwordHash }: Lock, expiry: number): string {
  return sign(`${linkId}\n${passwordHash}\n${expiry}`)
}
