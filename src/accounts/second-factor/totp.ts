import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** One step before and one after, for clocks that are off and users who type slowly (RFC 6238, 5.2). */
const WINDOW_STEPS = 1
const SECRET_BYTES = 20
const CODE = /^\d{6}$/

/** A new key in base 32, the format of authenticator apps. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The content of the QR code for an authenticator app. */
export function otpauthUrl(secret: string, account: string): string {
  return createTotp(secret, account).toString()
}

/**
 * The time step (RFC 6238, 4.2) of this code, or null for a code of no recent step. The caller stores
 * it, because a step is accepted only once.
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  if (!CODE.test(code)) return null
  const delta = createTotp(secret).validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS })
  return delta === null ? null : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta
}

function createTotp(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Signpost',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret,
  })
}
