import { createHash, hkdfSync } from 'node:crypto'

/** One operator secret, one derived key per purpose, so that no key serves two ends. */
export type Secrets = {
  /** 32 bytes bound to a purpose (`visitor`, `cookie`, …). */
  keyFor(purpose: string): Buffer
}

export function createSecrets(secretKey: string): Secrets {
  const root = createHash('sha256').update(secretKey).digest()
  return { keyFor: (purpose) => Buffer.from(hkdfSync('sha256', root, '', purpose, 32)) }
}
