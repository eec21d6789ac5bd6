import { createHmac, type KeyObject } from 'node:crypto'

/**
 * The value of `x-service-signature` (spec, Signature): `t=<timestamp>,v1=<hex>`, the HMAC-SHA256 of
 * the literal `t.`, the timestamp, a dot and the body. The key is the secret exactly as it is shown,
 * `whsec_` included, as UTF-8.
 * @param timestamp Unix seconds at the moment of sending; receivers refuse old ones
 * @param rawBody the bytes that are sent; a string is sent as UTF-8
 */
export function sign(
  secret: string | KeyObject,
  timestamp: number,
  rawBody: string | Uint8Array,
): string {
  const signature = createHmac('sha256', secret).update(`t.${timestamp}.`).update(rawBody)
  return `t=${timestamp},v1=${signature.digest('hex')}`
}

/**
 * The headers of Standard Webhooks, for endpoints that ask for them beside ours:
 * `v1,<base64>` over `<id>.<timestamp>.<body>`, under the same key. Its libraries decode the secret
 * from base64, so a receiver gives them `whsec_` + base64 of the secret as it is shown.
 */
export function standardHeaders(
  secret: string | KeyObject,
  id: string,
  timestamp: number,
  rawBody: string | Uint8Array,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(rawBody)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature.digest('base64')}`,
  }
}

const HMAC_BYTES = 32

/** The headers that sign one attempt, as webhook_queue and webhook_log keep them (migration 0021). */
export function packSignatures(timestamp: number, headers: Record<string, string>): Buffer {
  const seconds = Buffer.alloc(4)
  seconds.writeUInt32BE(timestamp)
  const ours = Buffer.from(headers['x-service-signature']!.slice(-2 * HMAC_BYTES), 'hex')
  const standard = headers['webhook-signature']?.slice('v1,'.length)
  return Buffer.concat([seconds, ours, Buffer.from(standard ?? '', 'base64')])
}

/** Reverses {@link packSignatures}. @param id the id of the delivery */
export function unpackSignatures(id: string, packed: Buffer): Record<string, string> {
  const timestamp = String(packed.readUInt32BE())
  const ours = packed.subarray(4, 4 + HMAC_BYTES)
  const standard = packed.subarray(4 + HMAC_BYTES)
  return {
    'x-service-signature': `t=${timestamp},v1=${ours.toString('hex')}`,
    'x-service-timestamp': timestamp,
    ...(standard.length > 0 && {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${standard.toString('base64')}`,
    }),
  }
}
