import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { refuseForeign } from '../../platform/resources/ownership.ts'
import type { CheckCapability } from '../../platform/plans/limits.ts'
import { countRows, pageMeta } from '../../platform/resources/lists.ts'
import { clampLimit, toPeriod } from '../../platform/resources/shapes.ts'
import { chainOwnRows } from './chain.ts'
import type { AuditRow, ListAudit } from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'reads'> & { requireCapability: CheckCapability }

export type AuditLog = ReturnType<typeof createAuditLog>

export type Row = Omit<AuditRow, 'actor' | 'target' | 'createdAt'> & {
  actorType: string
  actorId: string
  actorName: string | null
  actorEmail: string | null
  targetType: string
  targetId: string
  targetName: string | null
  changes: Changes
  createdAt: Date
}

export function createAuditLog({ sql, reads, requireCapability }: Deps) {
  return { list }

  /** Newest first; rows of the same time in the order of their commits. */
  async function list(principal: Principal, query: ListAudit, signal?: AbortSignal) {
    const limit = clampLimit(query.limit)
    const { from, to } = toPeriod(query)
    const isPart = isFiltered(query)
    await chainOwnRows(sql, principal.workspaceId)
    const [rows, counted] = await reads.read(principal, signal, async (tx) => {
      await refuseForeign(tx, principal, 'actorId', query.actorId)
      await refuseForeign(tx, principal, 'targetId', query.targetId)
      await requireCapability(tx, principal.workspaceId, 'audit_log')
      const where = tx`
        a.workspace_id = ${principal.workspaceId}
        ${query.action === undefined ? tx`` : tx`and a.action = ${query.action}`}
        ${query.actorId === undefined ? tx`` : tx`and a.actor_id = ${query.actorId}`}
        ${query.targetType === undefined ? tx`` : tx`and a.target_type = ${query.targetType}`}
        ${query.targetId === undefined ? tx`` : tx`and a.target_id = ${query.targetId}`}
        ${from === null ? tx`` : tx`and a.created_at >= ${from}`}
        ${to === null ? tx`` : tx`and a.created_at < ${to}`}`
      return Promise.all([
        tx<Row[]>`
          select a.*, encode(c.prev_hash, 'hex') as prev_hash, encode(c.hash, 'hex') as hash
          from audit_log a left join audit_chain c on c.row_id = a.id
          where ${where} order by a.created_at desc, c.position desc, a.id desc
          limit ${limit} offset ${query.offset}`,
        countRows(tx, tx`audit_log a where ${where}`, isPart),
      ])
    })
    return page(rows.map(toAuditRow), pageMeta(counted, isPart, { limit, offset: query.offset }))
  }
}

export function isFiltered(query: { limit: number; offset: number }): boolean {
  const { limit: _limit, offset: _offset, ...filters } = query
  return Object.values(filters).some((value) => value !== undefined)
}

export function toAuditRow(row: Row): AuditRow {
  const { id, workspaceId, action, changes, ipAddress, userAgent, requestId, prevHash, hash } = row
  return {
    ...{ id, workspaceId, action, changes, ipAddress, userAgent, requestId, prevHash, hash },
    actor: { type: row.actorType, id: row.actorId, name: row.actorName, email: row.actorEmail },
    target: { type: row.targetType, id: row.targetId, name: row.targetName },
    createdAt: row.createdAt.toISOString(),
  }
}
