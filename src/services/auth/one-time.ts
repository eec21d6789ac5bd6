import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** A value for a cookie, 256 random bits, and what is stored of it. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: tokenHash(token) }
}

/** SHA-256: enough for what is random through and through. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
