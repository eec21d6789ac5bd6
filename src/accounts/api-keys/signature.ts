import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keys } from '../../platform/core/secrets.ts'

/**
 * A second secret of a key, for clients that send a digest instead of a key: the server can make it again, while it
 * has only the hash of the key. It names its key, so that one row is enough to check it, and it ends with the key.
 */
const SHAPE = /^(key_[0-9A-Z]{26})_([0-9a-f]{32})$/
const DIGITS = 32

export function signatureOf(keys: Keys, id: string, keyHash: Buffer): string {
  const mac = createHmac('sha256', keys.keyFor('api-key-signatures'))
  return `${id}_${mac.update(id).update(keyHash).digest('hex').slice(0, DIGITS)}`
}

/** The id of the key that a token of this shape names; else null. */
export function keyIdOf(token: string): string | null {
  return SHAPE.exec(token)?.[1] ?? null
}

export function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
