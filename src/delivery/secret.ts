import { randomBytes } from 'node:crypto'
import type { Secrets } from '../base/secrets.ts'

const PURPOSE = 'webhook-secret'
const SECRET_BYTES = 32

/** `whsec_` and 256 random bits; the HMAC key is the whole text. */
export function mintEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** As it lies in webhook_endpoints: bound to its row, so that it opens in no other. */
export function sealEndpointSecret(secrets: Secrets, endpointId: string, secret: string): Buffer {
  return secrets.seal(PURPOSE, `webhook_endpoints:${endpointId}`, secret)
}

/** @throws Error when SECRET_KEY is another, or the bytes were moved or changed */
export function openEndpointSecret(
  secrets: Secrets,
  endpointId: string,
  sealed: Uint8Array,
): string {
  return secrets.open(PURPOSE, `webhook_endpoints:${endpointId}`, sealed)
}
