import type { WebhookEvent } from './events.gen.ts'

export type { WebhookEvent } from './events.gen.ts'
export type * from './types.gen.ts'

/** The body is not a delivery of this endpoint: answer it with 400, and do not act on it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

type HeaderValues = Headers | Record<string, string | readonly string[] | undefined>
type Signed = { timestamp: string; signature: string; text: string }

const TOLERANCE_SECONDS = 300
const encoder = new TextEncoder()

/**
 * The event of a delivery, once its signature is verified: `x-service-signature`, or the headers of Standard Webhooks.
 * During a rotation the signature by the previous secret counts too.
 * @param rawBody the bytes as they arrived, before any JSON parser saw them
 * @throws WebhookVerificationError the signature is missing, wrong, or more than `toleranceSeconds` old
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: HeaderValues,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() / 1000 } = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody)
  const signatures = signaturesIn(headers)
  if (signatures.length === 0)
    throw new WebhookVerificationError(
      'The request has neither x-service-signature nor webhook-signature: it does not come from Signpost, or a proxy removed them.',
    )
  const recent = signatures.filter(
    ({ timestamp }) => Math.abs(now - Number(timestamp)) <= toleranceSeconds,
  )
  if (recent.length === 0)
    throw new WebhookVerificationError(
      `The signature is more than ${toleranceSeconds} seconds old: check the clock of this machine.`,
    )
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'verify',
  ])
  for (const { text, signature } of recent)
    // It compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, bytesFrom(signature), join(text, body)))
      return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
  throw new WebhookVerificationError(
    'The signature does not match: check that you use the secret of this endpoint, and that the body is unchanged.',
  )
}

function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return encoder.encode(rawBody)
  if (rawBody instanceof Uint8Array || rawBody instanceof ArrayBuffer)
    return new Uint8Array(rawBody)
  throw new TypeError(
    'verify needs the raw body, a text or bytes, not what a JSON parser made of it.',
  )
}

/** The signatures of all schemes, as binary strings, with the text that is signed before the body. */
function signaturesIn(headers: HeaderValues): Signed[] {
  const own = ['x-service-signature', 'x-service-signature-previous'].flatMap((name) => {
    const [, timestamp, hex] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(read(headers, name)) ?? []
    if (hex === undefined) return []
    const signature = hex.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16)))
    return [{ timestamp: timestamp!, signature, text: `t.${timestamp}.` }]
  })
  const id = read(headers, 'webhook-id')
  const timestamp = read(headers, 'webhook-timestamp')
  if (id === '' || !/^\d{1,15}$/.test(timestamp)) return own
  const standard = Array.from(
    read(headers, 'webhook-signature').matchAll(/(?:^| )v1,([A-Za-z0-9+/]{43}=)(?= |$)/g),
    ([, base64]) => ({ timestamp, signature: atob(base64!), text: `${id}.${timestamp}.` }),
  )
  return [...own, ...standard]
}

/** Node gives headers as an object with names in lower case, other servers as Headers. */
function read(headers: HeaderValues, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

function bytesFrom(binary: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

function join(text: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(text)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}
