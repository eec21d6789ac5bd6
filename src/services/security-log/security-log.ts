import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import { refuseForeign } from '../foreign.ts'
import { clampLimit, toPeriod } from '../shapes.ts'
import type { ListSecurity, SecurityRow } from './schema.ts'

type Deps = { reads: Pick<HeavyReads, 'read'> }

export type SecurityLog = ReturnType<typeof createSecurityLog>

type Row = Omit<SecurityRow, 'actor' | 'geo' | 'createdAt'> & {
  actorType: string
  actorId: string | null
  actorName: string | null
  actorEmail: string | null
  country: string | null
  createdAt: Date
}

export function createSecurityLog({ reads }: Deps) {
  return { list }

  /**
   * Newest first: the workspace's own events, and those of its members' accounts from when they
   * joined to when they left. `from` is included, `to` is not.
   */
  async function list(who: Who, query: ListSecurity, signal?: AbortSignal) {
    const limit = clampLimit(query.limit)
    const { from, to } = toPeriod(query)
    const [rows, [count]] = await reads.read(who, signal, async (tx) => {
      await refuseForeign(tx, who, 'actorId', query.actorId)
      await refuseForeign(tx, who, 'userId', query.userId)
      const where = tx`
        (s.workspace_id = ${who.workspaceId} or (s.workspace_id is null and (
          exists (
            select from members m where m.workspace_id = ${who.workspaceId}
              and m.user_id = s.user_id and m.created_at <= s.created_at)
          or exists (
            select from former_members f where f.workspace_id = ${who.workspaceId}
              and f.user_id = s.user_id and s.created_at between f.joined_at and f.left_at))))
        ${query.type === undefined ? tx`` : tx`and s.type = ${query.type}`}
        ${query.outcome === undefined ? tx`` : tx`and s.outcome = ${query.outcome}`}
        ${query.actorId === undefined ? tx`` : tx`and s.actor_id = ${query.actorId}`}
        ${query.userId === undefined ? tx`` : tx`and s.user_id = ${query.userId}`}
        ${from === null ? tx`` : tx`and s.created_at >= ${from}`}
        ${to === null ? tx`` : tx`and s.created_at < ${to}`}`
      return Promise.all([
        tx<Row[]>`
          select s.* from security_log s where ${where}
          order by s.created_at desc, s.id desc limit ${limit} offset ${query.offset}`,
        tx<{ total: number }[]>`select count(*) as total from security_log s where ${where}`,
      ])
    })
    return page(rows.map(toSecurityRow), { total: count!.total, limit, offset: query.offset })
  }
}

function toSecurityRow(row: Row): SecurityRow {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    type: row.type,
    outcome: row.outcome,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName, email: row.actorEmail },
    userId: row.userId,
    details: row.details,
    ipAddress: row.ipAddress,
    userAgent: row.userAgent,
    geo: { country: row.country },
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
  }
}
