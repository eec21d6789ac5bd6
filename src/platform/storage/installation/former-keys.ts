import { createSecrets, type FormerKey, type Secrets } from '../../core/secrets.ts'
import { FORMER_KEY } from './sealed-columns.ts'
import type { Sql } from '../postgres/postgres.ts'

export const VISITOR_PURPOSE = 'visitor'

/** Hashes cannot be made again without their input, so the first key stays. */
export const KEPT_PURPOSES: readonly string[] = ['link-password', 'backup-codes']

/** The data expires, so newer data gets the newer key. */
export const ENDING_PURPOSES: readonly string[] = [VISITOR_PURPOSE]

export type SecretKeys = { secretKey: string; also: string | null }

/**
 * Until a rotation is finished, the former key derives what cannot be sealed again.
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

/**
 * Former keys are in PostgreSQL: until it has answered, only SECRET_KEY counts. Callers request a key whenever they
 * use it.
 */
export class ReplaceableSecrets implements Secrets {
  #current: Secrets

  constructor(first: Secrets) {
    this.#current = first
  }

  replace(complete: Secrets): void {
    this.#current = complete
  }

  readonly keyFor: Secrets['keyFor'] = (...key) => this.#current.keyFor(...key)
  readonly keyOfTime: Secrets['keyOfTime'] = (...key) => this.#current.keyOfTime(...key)
  readonly seal: Secrets['seal'] = (...text) => this.#current.seal(...text)
  readonly open: Secrets['open'] = (...sealed) => this.#current.open(...sealed)
  readonly openBytes: Secrets['openBytes'] = (...sealed) => this.#current.openBytes(...sealed)
}
