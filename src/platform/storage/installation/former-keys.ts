import { createSecrets, type FormerKey, type Secrets } from '../../core/secrets.ts'
import { FORMER_KEY } from './sealed-columns.ts'
import type { Sql } from '../postgres/postgres.ts'

export const VISITOR_PURPOSE = 'visitor'

/**
 * Keys of hashes that cannot be made again without what was hashed: the first key of each stays. A link's
 * password is peppered with one, and the backup codes of users are digests under the other.
 */
export const KEPT_PURPOSES: readonly string[] = ['link-password', 'backup-codes']

/** Keys of data that ends by itself: later data gets the key of the time. */
export const ENDING_PURPOSES: readonly string[] = [VISITOR_PURPOSE]

/** SECRET_KEY and SECRET_KEY_ALSO. */
export type SecretKeys = { secretKey: string; also: string | null }

/**
 * The secrets of an installation. While both keys are set and the rotation is not finished, the key that the
 * installation has so far derives what cannot be sealed again.
 * @param opensCanary null for an installation without a canary
 */
export async function openSecrets(
  sql: Sql,
  { secretKey, also }: SecretKeys,
  opensCanary: ((secrets: Secrets) => boolean) | null,
): Promise<Secrets> {
  const former = await readFormerKeys(sql, createSecrets(secretKey, { also }))
  const isBefore = also !== null && opensCanary?.(createSecrets(secretKey)) === false
  const present = isBefore ? createSecrets(also) : null
  const purposes = [...KEPT_PURPOSES, ...(present ? ENDING_PURPOSES : [])]
  const kept = new Map<string, Buffer>()
  for (const purpose of purposes) {
    const [first] = former.filter((key) => key.purpose === purpose)
    const stays = KEPT_PURPOSES.includes(purpose) ? first?.key : undefined
    const key = stays ?? present?.keyFor(purpose)
    if (key) kept.set(purpose, key)
  }
  return createSecrets(secretKey, { also, kept, former })
}

/** In the order of the rotations. Those that were sealed with a lost key are left out. */
async function readFormerKeys(sql: Sql, secrets: Secrets): Promise<FormerKey[]> {
  const rows = await sql<{ id: string; purpose: string; keySealed: Buffer; retiredAt: Date }[]>`
    select id, purpose, key_sealed, retired_at from former_keys order by retired_at`
  return rows.flatMap(({ id, purpose, keySealed, retiredAt }) => {
    try {
      const key = secrets.openBytes(FORMER_KEY.purpose, FORMER_KEY.boundTo(id), keySealed)
      return [{ purpose, key, untilMs: retiredAt.getTime() }]
    } catch {
      return []
    }
  })
}
