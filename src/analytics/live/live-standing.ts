import { scopeCovers } from '../../platform/routes/principal.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

/** The holder of a stream; `keyId` or `sessionId` is the credential that opened it. */
export type Holder = {
  workspaceId: string
  userId: string
  keyId: string | null
  sessionId: string | null
}

/**
 * Reads in one statement which holders may not read analytics any more: their key or session is revoked or expired,
 * the user is suspended or no longer a member, or the workspace is suspended or deleted.
 */
export async function findGone<H extends Holder>(
  sql: SystemSql,
  holders: readonly H[],
  scope: string,
  now: Date,
): Promise<H[]> {
  if (holders.length === 0) return []
  const rows = await sql<{ n: number; scopes: string[] | null }[]>`
    select h.n, k.scopes
    from unnest(${holders.map((_, n) => n)}::int[], ${holders.map((holder) => holder.workspaceId)}::text[],
      ${holders.map((holder) => holder.userId)}::text[], ${holders.map((holder) => holder.keyId ?? '')}::text[],
      ${holders.map((holder) => holder.sessionId ?? '')}::text[])
      as h (n, workspace_id, user_id, key_id, session_id)
    join members m on m.workspace_id = h.workspace_id and m.user_id = h.user_id
    join workspaces w on w.id = h.workspace_id and w.suspended_at is null
    join users u on u.id = h.user_id and u.suspended_at is null
    left join api_keys k on k.id = h.key_id and k.workspace_id = h.workspace_id
      and k.user_id = h.user_id and (k.expires_at is null or k.expires_at > ${now})
    left join sessions s on s.id = h.session_id and s.user_id = h.user_id
      and s.expires_at > ${now} and s.ends_at > ${now}
    where (h.key_id = '' or k.id is not null) and (h.session_id = '' or s.id is not null)`
  const valid = new Set(rows.filter(({ scopes }) => scopeCovers(scopes, scope)).map(({ n }) => n))
  return holders.filter((_, n) => !valid.has(n))
}
