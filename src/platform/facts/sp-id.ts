import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { isUlid } from '../core/ids.ts'

/** The parameter that hands the id of a click to the destination of a link with `trackConversions`. */
export const SP_ID = 'sp_id'
/** Purpose of the key that signs it. */
export const SP_ID_PURPOSE = 'sp_id'

const SIGNATURE_CHARS = 11
const LINK_PREFIX = 'lnk_'
const SIGNATURE = /^[\w-]{11}$/

/** The signed value of {@link SP_ID}: `<click ULID>.<link ULID>.<signature>`. */
export type SignClick = (clickId: string, linkId: string) => string

/** A click as a request names it; `linkId` is that of a valid signature, null for a bare or forged id. */
export type NamedClick = { clickId: string; linkId: string | null }

/** @param key of {@link SP_ID_PURPOSE}, prepared once: signing is a part of each such redirect */
export function createSignClick(key: Uint8Array): SignClick {
  const prepared = createSecretKey(key)
  return (clickId, linkId) => {
    const signed = `${clickId}.${linkId.slice(LINK_PREFIX.length)}`
    const digest = createHmac('sha256', prepared).update(signed).digest('base64url')
    return `${signed}.${digest.slice(0, SIGNATURE_CHARS)}`
  }
}

/** @returns null for a text that is neither a click id nor begins with one */
export function parseClickId(sign: SignClick, text: string): NamedClick | null {
  const [clickId = '', linkUlid = '', signature = '', ...rest] = text.split('.')
  if (!isUlid(clickId)) return null
  const bare = { clickId, linkId: null }
  if (!isUlid(linkUlid) || !SIGNATURE.test(signature) || rest.length > 0) return bare
  const linkId = `${LINK_PREFIX}${linkUlid}`
  const isValid = timingSafeEqual(Buffer.from(sign(clickId, linkId)), Buffer.from(text))
  return isValid ? { clickId, linkId } : bare
}
