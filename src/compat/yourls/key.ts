import { hash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../platform/core/clock.ts'
import type { Get } from './output.ts'

export type YourlsDeps = {
  clock: Clock
  /** The signature of the key with this id; null for an unknown key. */
  findSignature: (keyId: string) => Promise<string | null>
}

/** Digests by the length of their hexadecimal text. */
const ALGORITHMS: Readonly<Record<number, string>> = {
  32: 'md5',
  64: 'sha256',
  96: 'sha384',
  128: 'sha512',
}
const KEY_ID = /^key_[0-9A-Z]{26}$/
/** As in YOURLS. */
const MAX_AGE_MS = 12 * 3_600_000

/**
 * `password`, or `signature` alone, is an API key or the signature of one. Beside a `timestamp` it is a digest, and the
 * path or `username` names the key: the server tries the signature of one key, and never those of all.
 */
export async function findKey(
  deps: YourlsDeps,
  of: Get,
  keyId = of('username') ?? '',
): Promise<string | null> {
  const [signature, timestamp] = [of('signature'), of('timestamp')]
  if (signature === undefined || timestamp === undefined) return signature ?? of('password') ?? null
  const algorithm = ALGORITHMS[signature.length]
  if (algorithm === undefined || (of('hash') ?? algorithm) !== algorithm) return null
  const ageMs = Math.abs(deps.clock() - Number(timestamp) * 1_000)
  if (!/^\d{1,12}$/.test(timestamp) || ageMs >= MAX_AGE_MS || !KEY_ID.test(keyId)) return null
  const secret = await deps.findSignature(keyId)
  if (secret === null) return null
  const given = Buffer.from(signature.toLowerCase())
  const isDigestOf = (text: string) => {
    const expected = Buffer.from(hash(algorithm, text, 'hex'))
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  return isDigestOf(`${timestamp}${secret}`) || isDigestOf(`${secret}${timestamp}`) ? secret : null
}
