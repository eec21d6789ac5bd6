import { createHmac, createSecretKey } from 'node:crypto'
import { DAY_MS } from '../core/clock.ts'

/** Purpose of the root key; each workspace and UTC day has a key derived from it. */
export const FINGERPRINT_PURPOSE = 'deep-link'

/**
 * Stored clicks with a fingerprint, per workspace and UTC day (10 MB). Beyond it clicks are only counted, and none of that day
 * is matched by its address: the right one may be missing.
 */
export const MAX_CLICKS_PER_DAY = 50_000

const ADDRESS_BYTES = 16
const AGENT_BYTES = 8

/**
 * Recognizes an address and a user agent within one workspace and UTC day. The key derives from SECRET_KEY and the day's
 * salt, so that neither a stolen database nor a stolen SECRET_KEY alone is enough to try addresses.
 */
export type Fingerprints = ReturnType<typeof createFingerprints>

export function createFingerprints(root: Uint8Array, salt: Uint8Array) {
  const key = createSecretKey(createHmac('sha256', root).update(salt).digest())
  const digest = (text: string) => createHmac('sha256', key).update(text).digest()
  return {
    ofAddress: (address: string) => digest(`address\n${address}`).subarray(0, ADDRESS_BYTES),
    ofAgent: (userAgent: string) => digest(`agent\n${userAgent}`).subarray(0, AGENT_BYTES),
  }
}

export function utcDayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Keys exist for today and yesterday. */
export function fingerprintDays(nowMs: number): string[] {
  return [utcDayOf(nowMs), utcDayOf(nowMs - DAY_MS)]
}
