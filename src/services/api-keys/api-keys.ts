import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Role, Who } from '../../base/who.ts'
import type { Sql, Tx } from '../../storage/postgres.ts'
import type { Audit } from '../audit.ts'
import type { Limit } from '../limits.ts'
import { hashKey, isKeyShaped, keyPrefix, mintKey } from './key.ts'

type Deps = { sql: Sql; clock: Clock; log: Log; audit: Audit; limit: Limit }

export type ApiKeys = ReturnType<typeof createApiKeys>

/** What a valid key says about its bearer. */
export type KeyHolder = {
  keyId: string
  userId: string
  workspaceId: string
  role: Role
  scopes: string[] | null
}

/** `last_used_at` is written at most this often per key. */
const LAST_USED_EVERY_MS = 60_000

export function createApiKeys({ sql, clock, log, audit, limit }: Deps) {
  return { authenticate, replace }

  /**
   * The holder of a key, or null when there is none: unknown, expired, or its owner left the workspace.
   * The role is the owner's of this moment, so a key never outranks its owner.
   */
  async function authenticate(key: string): Promise<KeyHolder | null> {
    if (!isKeyShaped(key)) return null
    const now = new Date(clock())
    const [found] = await sql<(KeyHolder & { lastUsedAt: Date | null })[]>`
      select k.id as key_id, k.user_id, k.workspace_id, m.role, k.scopes, k.last_used_at
      from api_keys k join members m using (workspace_id, user_id)
      where k.key_hash = ${hashKey(key)} and (k.expires_at is null or k.expires_at > ${now})`
    if (!found) return null
    const { lastUsedAt, ...holder } = found
    if (now.getTime() - (lastUsedAt?.getTime() ?? 0) >= LAST_USED_EVERY_MS) touch(holder.keyId, now)
    return holder
  }

  /** Not waited for: a request is not slower, and does not fail, for a timestamp. */
  function touch(keyId: string, now: Date): void {
    const stale = new Date(now.getTime() - LAST_USED_EVERY_MS)
    sql`
      update api_keys set last_used_at = ${now}
      where id = ${keyId} and (last_used_at is null or last_used_at <= ${stale})`.catch(
      (error: unknown) => log.warn({ err: error, keyId }, 'could not note the use of an API key'),
    )
  }

  /** Makes a key of this name for the caller, in place of the one that had the name; the key is returned this once. */
  async function replace(tx: Tx, who: Who, name: string): Promise<string> {
    const nowMs = clock()
    const now = new Date(nowMs)
    const old = await tx<{ id: string }[]>`
      delete from api_keys
      where workspace_id = ${who.workspaceId} and user_id = ${who.userId} and name = ${name}
      returning id`
    for (const { id } of old)
      await audit(tx, who, { action: 'api_key.revoked', target: { type: 'api_key', id, name } })
    await limit(tx, who.workspaceId, 'api_keys', 1 - old.length)

    const key = mintKey()
    const id = newId('key', nowMs)
    await tx`
      insert into api_keys ${tx({
        id,
        workspaceId: who.workspaceId,
        userId: who.userId,
        name,
        prefix: keyPrefix(key),
        keyHash: hashKey(key),
        createdAt: now,
        updatedAt: now,
      })}`
    await audit(tx, who, { action: 'api_key.created', target: { type: 'api_key', id, name } })
    return key
  }
}
