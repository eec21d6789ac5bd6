import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** One step before and one after: clocks of phones are off, and people type slowly (RFC 6238, 5.2). */
const WINDOW_STEPS = 1
const SECRET_BYTES = 20
const CODE = /^\d{6}$/

/** A new key in base 32, as authenticator apps take it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** What an authenticator app reads from a QR code. */
export function otpauthUrl(secret: string, account: string): string {
  return totpOf(secret, account).toString()
}

/**
 * The time step (RFC 6238, 4.2) whose code this is, or null when it is no code of about now. The
 * caller remembers it: a step is accepted once.
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  if (!CODE.test(code)) return null
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS })
  return delta === null ? null : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Signpost',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret,
  })
}
