import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { isUlid } from '../core/ids.ts'
import { DAY_MS } from '../core/clock.ts'

/** Passes the click's id to the destination of a link with `trackConversions`. */
export const SP_ID = 'sp_id'
export const SP_ID_PURPOSE = 'sp_id'

const SIGNATURE_CHARS = 11
const LINK_PREFIX = 'lnk_'
const SIGNATURE = /^[\w-]{11}$/

/** `<click ULID>.<link ULID>.<signature>` */
export type SignClick = (clickId: string, linkId: string) => string

/** `linkId` is null for a bare or forged id. */
export type NamedClick = { clickId: string; linkId: string | null }

/**
 * Prepares the key, since each such redirect signs.
 * @param key for {@link SP_ID_PURPOSE}
 */
export function createSignClick(key: Uint8Array): SignClick {
  const prepared = createSecretKey(key)
  return (clickId, linkId) => {
    const signed = `${clickId}.${linkId.slice(LINK_PREFIX.length)}`
    const digest = createHmac('sha256', prepared).update(signed).digest('base64url')
    return `${signed}.${digest.slice(0, SIGNATURE_CHARS)}`
  }
}

/** @returns null for text that does not begin with a click id */
export function parseClickId(sign: SignClick, text: string): NamedClick | null {
  const [clickId = '', linkUlid = '', signature = '', ...rest] = text.split('.')
  if (!isUlid(clickId)) return null
  const bare = { clickId, linkId: null }
  if (!isUlid(linkUlid) || !SIGNATURE.test(signature) || rest.length > 0) return bare
  const linkId = `${LINK_PREFIX}${linkUlid}`
  const isValid = timingSafeEqual(Buffer.from(sign(clickId, linkId)), Buffer.from(text))
  return isValid ? { clickId, linkId } : bare
}

/** Purpose of the root key; each workspace and UTC day has a key derived from it. */
export const FINGERPRINT_PURPOSE = 'deep-link'

/**
 * Stored clicks with a fingerprint, per workspace and UTC day (10 MB). Beyond it clicks are only counted, and none of that day
 * is matched by its address: the right one may be missing.
 */
export const MAX_CLICKS_PER_DAY = 50_000

const ADDRESS_BYTES = 16
const AGENT_BYTES = 8

/**
 * Recognizes an address and a user agent within one workspace and UTC day. The key derives from SECRET_KEY and the day's
 * salt, so that neither a stolen database nor a stolen SECRET_KEY alone is enough to try addresses.
 */
export type Fingerprints = ReturnType<typeof createFingerprints>

export function createFingerprints(root: Uint8Array, salt: Uint8Array) {
  const key = createSecretKey(createHmac('sha256', root).update(salt).digest())
  const digest = (text: string) => createHmac('sha256', key).update(text).digest()
  return {
    ofAddress: (address: string) => digest(`address\n${address}`).subarray(0, ADDRESS_BYTES),
    ofAgent: (userAgent: string) => digest(`agent\n${userAgent}`).subarray(0, AGENT_BYTES),
  }
}

export function utcDayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Keys exist for today and yesterday. */
export function fingerprintDays(nowMs: number): string[] {
  return [utcDayOf(nowMs), utcDayOf(nowMs - DAY_MS)]
}
