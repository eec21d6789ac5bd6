import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import type { Clock } from '../../platform/core/clock.ts'
import { dropOldest } from '../../platform/core/functions.ts'
import type { Keys } from '../../platform/core/secrets.ts'
import { VISITOR_PURPOSE } from '../../platform/storage/installation/former-keys.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

const SALT_BYTES = 16
const SALT_LIFE_MS = 90 * 24 * 3_600_000
/** How long a missing workspace is not queried again. */
const GONE_MS = 60_000
const CACHED_WORKSPACES = 10_000

/** The visitor of a click without one; never counted as a unique visitor. */
export const NO_VISITOR = '0'

/**
 * Pseudonyms of visitors: 64 bits of HMAC-SHA256 over client address and user agent. The key derives from
 * SECRET_KEY and the workspace's salt, so neither a stolen database nor a stolen SECRET_KEY is enough to
 * try addresses. The salt is replaced every 90 days; after that, old pseudonyms cannot be linked to an
 * address.
 */
export type Visitors = ReturnType<typeof createVisitors>

type Entry = { key: KeyObject | undefined; expiresAtMs: number }
type SaltRow = { workspaceId: string; salt: Buffer; createdAt: Date }

export function createVisitors(deps: { sql: SystemSql; secrets: Keys; clock: Clock }) {
  const { sql, secrets, clock } = deps
  const cache = new Map<string, Entry>()

  return { load, identify }

  async function load(workspaceIds: ReadonlySet<string>): Promise<void> {
    const nowMs = clock()
    dropOldest(cache, CACHED_WORKSPACES)
    const wanted = [...workspaceIds].filter((id) => (cache.get(id)?.expiresAtMs ?? 0) <= nowMs)
    if (wanted.length === 0) return
    const cutoff = new Date(nowMs - SALT_LIFE_MS)
    let rows = await readSalts(wanted)
    if (rows.filter((row) => row.createdAt > cutoff).length < wanted.length) {
      await replaceSalts(wanted, cutoff, new Date(nowMs))
      rows = await readSalts(wanted)
    }
    for (const id of wanted) cache.set(id, { key: undefined, expiresAtMs: nowMs + GONE_MS })
    for (const row of rows) {
      // A salt older than a rotation of SECRET_KEY keeps the key that it started with.
      const root = secrets.keyOfTime(VISITOR_PURPOSE, row.createdAt.getTime())
      const key = createHmac('sha256', root).update(row.salt).digest()
      const expiresAtMs = row.createdAt.getTime() + SALT_LIFE_MS
      cache.set(row.workspaceId, { key: createSecretKey(key), expiresAtMs })
    }
  }

  /** An unsigned 64-bit number in decimal; undefined if the workspace was deleted. */
  function identify(workspaceId: string, address: string, userAgent: string): string | undefined {
    const key = cache.get(workspaceId)?.key
    if (key === undefined) return undefined
    const digest = createHmac('sha256', key).update(`${address}\n${userAgent}`).digest()
    return digest.readBigUInt64BE(0).toString()
  }

  function readSalts(ids: string[]): Promise<SaltRow[]> {
    return sql<SaltRow[]>`
      select workspace_id, salt, created_at from visitor_salts where workspace_id = any(${ids})`
  }

  /** The first of several processes writes; all of them read its salt afterwards. */
  async function replaceSalts(ids: string[], cutoff: Date, now: Date): Promise<void> {
    const salts = ids.map(() => randomBytes(SALT_BYTES).toString('hex'))
    await sql`
      insert into visitor_salts (workspace_id, salt, created_at)
      select workspaces.id, decode(fresh.salt, 'hex'), ${now}
      from unnest(${ids}::text[], ${salts}::text[]) as fresh (id, salt)
      join workspaces on workspaces.id = fresh.id
      order by workspaces.id
      on conflict (workspace_id) do update
        set salt = excluded.salt, created_at = excluded.created_at
        where visitor_salts.created_at <= ${cutoff}`
  }
}

const KEPT_MS = 5_000

/** Whether workspaces honor the privacy signals of visitors, as of a few seconds ago. */
export type PrivacySignals = ReturnType<typeof createPrivacySignals>

export function createPrivacySignals({ sql }: { sql: SystemSql }) {
  const cache = new Map<string, { honors: boolean; expiresMs: number }>()

  return { load, areHonored }

  async function load(workspaceIds: ReadonlySet<string>): Promise<void> {
    const nowMs = performance.now()
    dropOldest(cache, CACHED_WORKSPACES)
    const wanted = [...workspaceIds].filter((id) => (cache.get(id)?.expiresMs ?? 0) <= nowMs)
    if (wanted.length === 0) return
    const rows = await sql<{ id: string; honors: boolean }[]>`
      select id, honors_privacy_signals as honors from workspaces where id = any(${wanted})`
    for (const { id, honors } of rows) cache.set(id, { honors, expiresMs: nowMs + KEPT_MS })
  }

  /** True for an unknown workspace, as for one that never decided. */
  function areHonored(workspaceId: string): boolean {
    return cache.get(workspaceId)?.honors ?? true
  }
}
