import { hash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** A token of 256 random bits for a cookie or a link, and the hash that is stored of it. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** SHA-256 without a salt: a token with this much randomness cannot be found by guessing. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
