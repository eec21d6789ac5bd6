import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { dropOldest } from '../../platform/core/functions.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import { ENDPOINT_SECRET } from '../../platform/storage/installation/sealed-columns.ts'

const { purpose, boundTo } = ENDPOINT_SECRET
const SECRET_BYTES = 32
const MAX_REMEMBERED = 10_000

/** `whsec_` and 256 random bits; the HMAC key is the whole text. */
export function mintEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** Bound to the endpoint, so that it opens in no other row. */
export function sealEndpointSecret(secrets: Secrets, endpointId: string, secret: string): Buffer {
  return secrets.seal(purpose, boundTo(endpointId), secret)
}

export function openEndpointSecret(
  secrets: Secrets,
  endpointId: string,
  sealed: Uint8Array,
): string {
  return secrets.open(purpose, boundTo(endpointId), sealed)
}

/** A key is cached with its sealed bytes, which change with every rotation, so an old key is never used. */
export function createSigningKeys(secrets: Secrets) {
  const remembered = new Map<string, { sealed: Buffer; key: KeyObject }>()

  return function getKey(endpointId: string, sealed: Buffer): KeyObject {
    const known = remembered.get(endpointId)
    if (known?.sealed.equals(sealed)) return known.key
    const key = createSecretKey(openEndpointSecret(secrets, endpointId, sealed), 'utf8')
    remembered.set(endpointId, { sealed, key })
    dropOldest(remembered, MAX_REMEMBERED)
    return key
  }
}
