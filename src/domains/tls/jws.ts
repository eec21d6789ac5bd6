import { createHash, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

/** A new key on the curve P-256, for an account or a certificate. */
export function newPrivateKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
}

export function toPem(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

export function toJwk(privateKey: KeyObject) {
  const { crv, kty, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { crv, kty, x, y }
}

export function thumbprintOf(privateKey: KeyObject): string {
  return createHash('sha256')
    .update(JSON.stringify(toJwk(privateKey)))
    .digest('base64url')
}

/**
 * A signed request body (RFC 7515, flattened JSON, ES256).
 * @param payload '' for a request that only reads (POST-as-GET)
 * /
 */
export function signBody(
  privateKey: KeyObject,
  header: Record<string, unknown>,
  payload: object | '',
): string {
  const head = toBase64Url(JSON.stringify({ alg: 'ES256', ...header }))
  const body = payload === '' ? '' : toBase64Url(JSON.stringify(payload))
  const input = Buffer.from(`${head}.${body}`)
  const signature = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return JSON.stringify({
    protected: head,
    payload: body,
    signature: signature.toString('base64url'),
  })
}

function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
