import { createSecrets, type Secrets } from '../platform/core/secrets.ts'

const PROBE = 'key-probe'

/** Shows whether another process has a key, without sending the key. */
export function sealProbe(secretKey: string): string {
  return createSecrets(secretKey).seal(PROBE, PROBE, PROBE).toString('base64')
}

export function opensProbe(secrets: Secrets, probe: string): boolean {
  try {
    return secrets.open(PROBE, PROBE, Buffer.from(probe, 'base64')) === PROBE
  } catch {
    return false
  }
}
