import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { isUlid } from '../core/ids.ts'
import { DAY_MS } from '../core/clock.ts'

/** Passes the click's id to the destination of a link with `trackConversions`. */
export const SP_ID = 'sp_id'
export const SP_ID_PURPOSE = 'sp_id'

const SIGNATURE_CHARS = 11
const LINK_PREFIX = 'lnk_'
const SIGNATURE = /^[\w-]{11}$/

export type SignClick = (clickId: string, linkId: string) => string

export type NamedClick = { clickId: string; linkId: string | null }

/** The key is prepared, since each such redirect signs. */
export function createSignClick(key: Uint8Array): SignClick {
  const prepared = createSecretKey(key)
  return (clickId, linkId) => {
    const signed = `${clickId}.${linkId.slice(LINK_PREFIX.length)}`
    const digest = createHmac('sha256', prepared).update(signed).digest('base64url')
    return `${signed}.${digest.slice(0, SIGNATURE_CHARS)}`
  }
}

export function parseClickId(sign: SignClick, text: string): NamedClick | null {
  const [clickId = '', linkUlid = '', signature = '', ...rest] = text.split('.')
  if (!isUlid(clickId)) return null
  const bare = { clickId, linkId: null }
  if (!isUlid(linkUlid) || !SIGNATURE.test(signature) || rest.length > 0) return bare
  const linkId = `${LINK_PREFIX}${linkUlid}`
  const isValid = timingSafeEqual(Buffer.from(sign(clickId, linkId)), Buffer.from(text))
  return isValid ? { clickId, linkId } : bare
}

export const FINGERPRINT_PURPOSE = 'deep-link'

/**
 * Per workspace and UTC day (10 MB). Beyond it none of that day is matched by its address: the right click may be
 * missing.
 */
export const MAX_CLICKS_PER_DAY = 50_000

const ADDRESS_BYTES = 16
const AGENT_BYTES = 8

/**
 * The key derives from SECRET_KEY and the day's salt: neither a stolen database nor a stolen key alone allows trying
 * addresses.
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

export function fingerprintDays(nowMs: number): string[] {
  return [utcDayOf(nowMs), utcDayOf(nowMs - DAY_MS)]
}
