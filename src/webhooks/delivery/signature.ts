import { createHmac, type KeyObject, createSecretKey, randomBytes } from 'node:crypto'
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

/**
 * The value of `x-service-signature` (spec, Signature): `t=<timestamp>,v1=<hex>`, the HMAC-SHA256 of `t.`,
 * the timestamp, a dot and the body. The key is the secret exactly as shown, `whsec_` included, as UTF-8.
 * @param timestamp Unix seconds when it is sent; receivers refuse old ones
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
 * The headers of Standard Webhooks: `v1,<base64>` over `<id>.<timestamp>.<body>`, under the same key. Its
 * libraries decode the secret from base64, so receivers pass them `whsec_` + base64 of the secret as shown.
 */
export function standardHeaders(
  secret: string | KeyObject,
  id: string,
  timestamp: number,
  rawBody: string | Uint8Array,
  previousSecret: string | KeyObject | null = null,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const signatures = [secret, ...(previousSecret === null ? [] : [previousSecret])].map((key) => {
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody)
    return `v1,${signature.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

const HMAC_BYTES = 32
const TIME_BYTES = 4
/** Final byte for a previous signature without Standard Webhooks headers. */
const PREVIOUS_ONLY = Buffer.of(1)

/**
 * The time, then the HMACs of `x-service-signature` and `webhook-signature`, then both under the previous secret.
 */
export function packSignatures(timestamp: number, headers: Record<string, string>): Buffer {
  const seconds = Buffer.alloc(TIME_BYTES)
  seconds.writeUInt32BE(timestamp)
  const [ours, previous] = ['x-service-signature', 'x-service-signature-previous'].map((name) =>
    Buffer.from(headers[name]?.slice(-2 * HMAC_BYTES) ?? '', 'hex'),
  )
  const standard = (headers['webhook-signature'] ?? '')
    .split(' ')
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
  const isMarked = previous!.length > 0 && standard[0]!.length === 0
  const marker = isMarked ? [PREVIOUS_ONLY] : []
  return Buffer.concat([seconds, ours!, standard[0]!, previous!, ...standard.slice(1), ...marker])
}

export function unpackSignatures(id: string, packed: Buffer): Record<string, string> {
  const timestamp = String(packed.readUInt32BE())
  const hmacs: Buffer[] = []
  for (let at = TIME_BYTES; at + HMAC_BYTES <= packed.length; at += HMAC_BYTES)
    hmacs.push(packed.subarray(at, at + HMAC_BYTES))
  const isMarked = packed.length > TIME_BYTES + hmacs.length * HMAC_BYTES
  const [ours, standard, previous, ...standardPrevious] = isMarked
    ? [hmacs[0], undefined, hmacs[1]]
    : hmacs
  const toHeader = (hmac: Buffer) => `t=${timestamp},v1=${hmac.toString('hex')}`
  return {
    'x-service-signature': toHeader(ours!),
    ...(previous && { 'x-service-signature-previous': toHeader(previous) }),
    'x-service-timestamp': timestamp,
    ...(standard && {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': [standard, ...standardPrevious]
        .map((hmac) => `v1,${hmac!.toString('base64')}`)
        .join(' '),
    }),
  }
}
