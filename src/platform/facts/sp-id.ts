import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { isUlid } from '../core/ids.ts'

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
