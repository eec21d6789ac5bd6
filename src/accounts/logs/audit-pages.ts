import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { toAuditRow, type Row } from './audit-log.ts'
import { chainOwnRows } from './chain.ts'

type Deps = Pick<Dependencies, 'sql'>
type Period = { startMs: number; endMs: number }
type Position = { at: string; id: string }
type PlacedRow = Row & { place: string }

/** A row has up to 100,000 characters of changes, and two reports run at a time in a small heap. */
const PAGE_ROWS = 100
const COLUMNS = [
  ...(['id', 'workspaceId', 'action', 'actorType', 'actorId', 'actorName', 'actorEmail'] as const),
  ...(['targetType', 'targetId', 'targetName', 'changes', 'ipAddress', 'userAgent'] as const),
  ...(['requestId', 'createdAt', 'prevHash', 'hash'] as const),
] as const

/**
 * Newest first. Each page is a transaction of its own, so that no reader holds a connection. The caller checks the
 * rights.
 */
export const createAuditPages = ({ sql }: Deps) => ({
  open: (principal: Principal, period: Period) => ({
    columns: COLUMNS,
    pages: readPages(sql, principal, period),
  }),
})

async function* readPages(sql: Deps['sql'], principal: Principal, period: Period) {
  const { startMs, endMs } = period
  await chainOwnRows(sql, principal.workspaceId)
  let before: Position | null = null
  for (;;) {
    const from: Position | null = before
    const rows: PlacedRow[] = await inWorkspace(sql, principal.workspaceId, (tx) =>
      readRows(tx, principal, period, from),
    )
    const last = rows.at(-1)
    if (!last) return
    before = { at: last.place, id: last.id }
    const done = (endMs - last.createdAt.getTime()) / (endMs - startMs)
    yield { rows: rows.map(toCells), done: Math.min(1, done) }
  }
}

function readRows(
  tx: Tx,
  { workspaceId }: Principal,
  { startMs, endMs }: Period,
  from: Position | null,
) {
  return tx<PlacedRow[]>`
    select a.*, encode(c.prev_hash, 'hex') as prev_hash, encode(c.hash, 'hex') as hash,
      a.created_at::text as place
    from audit_log a left join audit_chain c on c.row_id = a.id
    where a.workspace_id = ${workspaceId}
      and a.created_at >= ${new Date(startMs)} and a.created_at < ${new Date(endMs)}
      ${from ? tx`and (a.created_at, a.id) < (${from.at}::text::timestamptz, ${from.id})` : tx``}
    order by a.created_at desc, a.id desc limit ${PAGE_ROWS}`
}

function toCells(row: Row): (string | object | null)[] {
  const { actor, target, ...own } = toAuditRow(row)
  const all = {
    ...own,
    ...{ actorType: actor.type, actorId: actor.id, actorName: actor.name, actorEmail: actor.email },
    ...{ targetType: target.type, targetId: target.id, targetName: target.name },
  }
  return COLUMNS.map((column) => all[column])
}
