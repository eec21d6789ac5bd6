import { dropOldest } from '../../platform/core/memo.ts'
import { hashToken } from '../../platform/core/token.ts'
import type { KeyHolder } from '../credentials/holders.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { isKeyShaped } from './key.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'log'>

/** `last_used_at` is written at most this often per key. */
const LAST_USED_EVERY_MS = 60_000
const MAX_NOTED_KEYS = 10_000

export type KeyAuthentication = ReturnType<typeof createKeyAuthentication>

/** Authenticates requests by API key. */
export function createKeyAuthentication({ systemSql, clock, log }: Deps) {
  /** When the use of each key was last written, by key id. */
  const notedMs = new Map<string, number>()
  return { authenticate, noteUse }

  /**
   * The holder of a key. Null for an unknown or expired key, and for one whose owner left the
   * workspace or is suspended. The role is the owner's current one, so a key never outranks its owner.
   */
  async function authenticate(key: string): Promise<KeyHolder | null> {
    if (!isKeyShaped(key)) return null
    const [holder] = await systemSql<KeyHolder[]>`
      select k.id as key_id, k.user_id, k.workspace_id, m.role, k.scopes, k.ip_allowlist,
        k.expires_at, k.last_used_at, w.plan, w.api_requests_per_minute,
        w.suspended_at is not null as is_suspended
      from api_keys k
      join members m using (workspace_id, user_id)
      join users u on u.id = k.user_id and u.suspended_at is null
      join workspaces w on w.id = k.workspace_id
      where k.key_hash = ${hashToken(key)} and (k.expires_at is null or k.expires_at > ${new Date(clock())})`
    return holder ?? null
  }

  /**
   * Writes the time in the background, so that a request neither waits nor fails for it. Uses within
   * a minute of the last one are skipped; the statement's condition covers those of other processes.
   */
  function noteUse(keyId: string, ip: string | null): void {
    const nowMs = clock()
    const lastMs = notedMs.get(keyId)
    if (lastMs !== undefined && Math.abs(nowMs - lastMs) < LAST_USED_EVERY_MS) return
    notedMs.set(keyId, nowMs)
    dropOldest(notedMs, MAX_NOTED_KEYS)
    const stale = new Date(nowMs - LAST_USED_EVERY_MS)
    systemSql`
      update api_keys set last_used_at = ${new Date(nowMs)}, last_used_ip = ${ip}
      where id = ${keyId} and (last_used_at is null or last_used_at <= ${stale})`.catch(
      (error: unknown) => log.warn({ err: error, keyId }, 'cannot update last_used_at of API key'),
    )
  }
}
