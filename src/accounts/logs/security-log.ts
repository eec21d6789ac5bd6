import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { refuseForeign } from '../../platform/resources/ownership.ts'
import { countRows, pageMeta } from '../../platform/resources/lists.ts'
import { isFiltered } from './audit-log.ts'
import { clampLimit, toPeriod } from '../../platform/resources/shapes.ts'
import type { ListSecurity, SecurityRow } from './schema.ts'

type Deps = Pick<Dependencies, 'reads'>

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

  /** Events of the workspace, and of its members' accounts during their membership. */
  async function list(principal: Principal, query: ListSecurity, signal?: AbortSignal) {
    const limit = clampLimit(query.limit)
    const { from, to } = toPeriod(query)
    const isPart = isFiltered(query)
    const [rows, counted] = await reads.read(principal, signal, async (tx) => {
      await refuseForeign(tx, principal, 'actorId', query.actorId)
      await refuseForeign(tx, principal, 'userId', query.userId)
      const filters = tx`
        ${query.type === undefined ? tx`` : tx`and s.type = ${query.type}`}
        ${query.outcome === undefined ? tx`` : tx`and s.outcome = ${query.outcome}`}
        ${query.actorId === undefined ? tx`` : tx`and s.actor_id = ${query.actorId}`}
        ${query.userId === undefined ? tx`` : tx`and s.user_id = ${query.userId}`}
        ${from === null ? tx`` : tx`and s.created_at >= ${from}`}
        ${to === null ? tx`` : tx`and s.created_at < ${to}`}`
      const own = tx`security_log s where s.workspace_id = ${principal.workspaceId} ${filters}`
      const memberships = tx`(
        select user_id, created_at as joined_at, 'infinity'::timestamptz as left_at
        from members where workspace_id = ${principal.workspaceId}
        union all
        select user_id, joined_at, left_at
        from former_members where workspace_id = ${principal.workspaceId}) as m`
      const ofMember = tx`
        security_log s where s.user_id = m.user_id and s.workspace_id is null
          and s.created_at between m.joined_at and m.left_at ${filters}`
      // Two parts, since each can use an index in the order of the list.
      const newest = tx`order by s.created_at desc, s.id desc limit ${limit + query.offset}`
      return Promise.all([
        tx<Row[]>`
          select * from (
            (select s.* from ${own} ${newest})
            union all
            (select s.* from ${memberships} cross join lateral (select s.* from ${ofMember} ${newest}) as s)
          ) as s order by s.created_at desc, s.id desc limit ${limit} offset ${query.offset}`,
        countRows(
          tx,
          tx`(
            select from ${own} union all
            select from ${memberships} cross join lateral (select from ${ofMember}) as s
          ) as all_events`,
          isPart,
        ),
      ])
    })
    return page(rows.map(toSecurityRow), pageMeta(counted, isPart, { limit, offset: query.offset }))
  }
}

function toSecurityRow(row: Row): SecurityRow {
  const { id, workspaceId, type, outcome, userId, details, ipAddress, userAgent, requestId } = row
  return {
    ...{ id, workspaceId, type, outcome, userId, details, ipAddress, userAgent, requestId },
    actor: { type: row.actorType, id: row.actorId, name: row.actorName, email: row.actorEmail },
    geo: { country: row.country },
    createdAt: row.createdAt.toISOString(),
  }
}
