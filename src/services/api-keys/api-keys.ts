import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Who } from '../../base/who.ts'
import type { Tx, SystemSql } from '../../storage/postgres.ts'
import type { Audit } from '../audit.ts'
import { announceCredentials, type Changed } from '../credential-changes.ts'
import type { KeyHolder } from '../credentials/holders.ts'
import type { Limit } from '../limits.ts'
import { hashKey, isKeyShaped } from './key.ts'
import { insertKey, targetOf } from './row.ts'

/** `sql` sees every workspace: a key says which one asks. */
type Deps = { sql: SystemSql; clock: Clock; log: Log; audit: Audit; limit: Limit }

export type ApiKeys = ReturnType<typeof createApiKeys>

/** `last_used_at` is written at most this often per key. */
const LAST_USED_EVERY_MS = 60_000
const MAX_NOTED_KEYS = 10_000

/** Keys as credentials: what one says about its bearer, and that it was used. */
export function createApiKeys({ sql, clock, log, audit, limit }: Deps) {
  const notedMs = new Map<string, number>()
  return { authenticate, noteUse, replace }

  /**
   * The holder of a key, or null when there is none: unknown, expired, or its owner left the
   * workspace or is suspended.
   * The role is the owner's of this moment, so a key never outranks its owner.
   */
  async function authenticate(key: string): Promise<KeyHolder | null> {
    if (!isKeyShaped(key)) return null
    const [holder] = await sql<KeyHolder[]>`
      select k.id as key_id, k.user_id, k.workspace_id, m.role, k.scopes, k.ip_allowlist,
        k.expires_at, k.last_used_at, w.plan, w.api_requests_per_minute,
        w.suspended_at is not null as is_suspended
      from api_keys k
      join members m using (workspace_id, user_id)
      join users u on u.id = k.user_id and u.suspended_at is null
      join workspaces w on w.id = k.workspace_id
      where k.key_hash = ${hashKey(key)} and (k.expires_at is null or k.expires_at > ${new Date(clock())})`
    return holder ?? null
  }

  /**
   * Not waited for: a request is not slower, and does not fail, for a timestamp. Within a minute of
   * the last one it costs nothing; other processes are seen by the statement's own condition.
   */
  function noteUse(keyId: string, ip: string | null): void {
    const nowMs = clock()
    const lastMs = notedMs.get(keyId)
    if (lastMs !== undefined && Math.abs(nowMs - lastMs) < LAST_USED_EVERY_MS) return
    if (notedMs.size >= MAX_NOTED_KEYS) notedMs.clear()
    notedMs.set(keyId, nowMs)
    const now = new Date(nowMs)
    const stale = new Date(nowMs - LAST_USED_EVERY_MS)
    sql`
      update api_keys set last_used_at = ${now}, last_used_ip = ${ip}
      where id = ${keyId} and (last_used_at is null or last_used_at <= ${stale})`.catch(
      (error: unknown) => log.warn({ err: error, keyId }, 'could not note the use of an API key'),
    )
  }

  /**
   * Makes a key of this name for the caller, in place of the one that had the name; the key is
   * returned this once.
   * @param wanted the key itself, when the operator has chosen it
   */
  async function replace(tx: Tx, who: Who, name: string, wanted?: string): Promise<string> {
    // Counted first: that is the lock under which keys of a workspace come and go.
    await limit(tx, who.workspaceId, 'api_keys', 0)
    const old = await tx<{ id: string }[]>`
      delete from api_keys
      where workspace_id = ${who.workspaceId} and user_id = ${who.userId} and name = ${name}
      returning id`
    await limit(tx, who.workspaceId, 'api_keys', 1 - old.length)
    const values = { name, scopes: null, ipAllowlist: [], expiresAt: null }
    const { row, key } = await insertKey(tx, who, values, clock(), wanted)
    for (const { id } of old)
      await audit(tx, who, { action: 'api_key.revoked', target: targetOf({ id, name }) })
    await audit(tx, who, { action: 'api_key.created', target: targetOf(row) })
    await announceCredentials(tx, ...old.map(({ id }): Changed => `key:${id}`))
    return key
  }
}
