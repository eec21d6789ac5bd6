import { dropOldest } from '../../platform/core/memo.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

const KEPT_MS = 5_000
const CACHED_WORKSPACES = 10_000

/** Whether workspaces honour the privacy signals of visitors, as of a few seconds ago. */
export type PrivacySignals = ReturnType<typeof createPrivacySignals>

export function createPrivacySignals({ sql }: { sql: SystemSql }) {
  const cache = new Map<string, { honors: boolean; expiresMs: number }>()

  return { load, areHonored }

  /** @throws the error of PostgreSQL */
  async function load(workspaceIds: ReadonlySet<string>): Promise<void> {
    const nowMs = performance.now()
    dropOldest(cache, CACHED_WORKSPACES)
    const wanted = [...workspaceIds].filter((id) => (cache.get(id)?.expiresMs ?? 0) <= nowMs)
    if (wanted.length === 0) return
    const rows = await sql<{ id: string; honors: boolean }[]>`
      select id, honors_privacy_signals as honors from workspaces where id = any(${wanted})`
    for (const { id, honors } of rows) cache.set(id, { honors, expiresMs: nowMs + KEPT_MS })
  }

  /** True for a workspace that is not known, as for one that never decided. */
  function areHonored(workspaceId: string): boolean {
    return cache.get(workspaceId)?.honors ?? true
  }
}
