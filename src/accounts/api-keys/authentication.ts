import { MinuteNotes } from '../members/activity.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import type * as Callers from '../../platform/routes/caller.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { isKeyShaped } from './key.ts'
import { isEqual, keyIdOf, signatureOf } from './signature.ts'
import type { Fragment } from '../../platform/storage/postgres/postgres.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'log' | 'secrets'>

/** A valid API key, with the current role of its owner, so that a key never outranks its owner. */
export type KeyHolder = Callers.KeyHolder & { expiresAt: Date | null; lastUsedAt: Date | null }

const MAX_NOTED_KEYS = 10_000

export type KeyAuthentication = ReturnType<typeof createKeyAuthentication>

export function createKeyAuthentication({ systemSql, clock, log, secrets }: Deps) {
  const notes = new MinuteNotes(clock, MAX_NOTED_KEYS)
  return { authenticate, findSignature, noteUse }

  /**
   * @param token a key, or the signature of one
   * @returns null for an unknown or expired key, and for one whose owner has left the workspace or is suspended
   */
  async function authenticate(token: string): Promise<KeyHolder | null> {
    if (isKeyShaped(token)) return findHolder(systemSql`k.key_hash = ${hashToken(token)}`)
    const id = keyIdOf(token)
    const signature = id && (await findSignature(id))
    return signature && isEqual(token, signature) ? findHolder(systemSql`k.id = ${id}`) : null
  }

  /** Null for an unknown key. */
  async function findSignature(id: string): Promise<string | null> {
    const [row] = await systemSql<{ keyHash: Buffer }[]>`
      select key_hash from api_keys where id = ${id}`
    return row ? signatureOf(secrets, id, row.keyHash) : null
  }

  async function findHolder(condition: Fragment): Promise<KeyHolder | null> {
    const [holder] = await systemSql<KeyHolder[]>`
      select k.id as key_id, k.user_id, k.workspace_id, m.role, k.scopes, k.ip_allowlist,
        k.expires_at, k.last_used_at, w.plan, w.api_requests_per_minute,
        w.suspended_at is not null as is_suspended
      from api_keys k
      join members m using (workspace_id, user_id)
      join users u on u.id = k.user_id and u.suspended_at is null
      join workspaces w on w.id = k.workspace_id
      where ${condition} and (k.expires_at is null or k.expires_at > ${new Date(clock())})`
    return holder ?? null
  }

  /** Writes the time in the background, so that a request neither waits nor fails for it. */
  function noteUse(keyId: string, ip: string | null): void {
    const stale = notes.findStale(keyId)
    if (stale === null) return
    systemSql`
      update api_keys set last_used_at = ${new Date(clock())}, last_used_ip = ${ip}
      where id = ${keyId} and (last_used_at is null or last_used_at <= ${stale})`.catch(
      (error: unknown) => log.warn({ err: error, keyId }, 'cannot update last_used_at of API key'),
    )
  }
}
