import { createHmac, createSecretKey } from 'node:crypto'

/** Purpose of the root key, which the key of each workspace and UTC day derives from. */
export const FINGERPRINT_PURPOSE = 'deep-link'

/**
 * Clicks with a fingerprint that are stored of one workspace and UTC day: 10 MB. Beyond it they are counted alone, and none of that
 * day is recognized by its address: a click that is not stored could be the right one.
 */
export const MAX_CLICKS_PER_DAY = 50_000

const DAY_MS = 24 * 3_600_000

const ADDRESS_BYTES = 16
const AGENT_BYTES = 8

/**
 * Recognizes an address and a user agent within one workspace and one UTC day. The key derives from SECRET_KEY and the salt
 * of that day, so that neither a stolen database nor a stolen SECRET_KEY alone is enough to try addresses.
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

/** The UTC day of a moment, as `YYYY-MM-DD`. */
export function utcDayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** The UTC days whose keys exist: today and yesterday. */
export function fingerprintDays(nowMs: number): string[] {
  return [utcDayOf(nowMs), utcDayOf(nowMs - DAY_MS)]
}
