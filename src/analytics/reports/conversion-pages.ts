import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Period } from '../questions/period.ts'
import type { Table } from './formats/table.ts'
import type { ReportFilters } from './schema.ts'

type Row = {
  id: string
  eventId: string
  eventName: string
  type: string
  value: number
  currency: string
  linkId: string | null
  clickId: string | null
  occurredAt: Date
  /** The time with its microseconds. */
  place: string
}
type Position = { occurredAt: string; id: string }

const PAGE_ROWS = 1_000
const COLUMNS = [
  ...(['id', 'eventId', 'eventName', 'type', 'value', 'currency', 'linkId'] as const),
  ...(['clickId', 'occurredAt'] as const),
] as const

/**
 * The conversions that happened in a period, newest first, by the campaign and domain that their link has today. Each
 * page is a transaction of its own, so that no reader holds a connection.
 */
export function openConversionTable(
  sql: TenantSql,
  principal: Principal,
  period: Period,
  filters: ReportFilters,
): Table {
  const { startMs, endMs } = period
  async function* read() {
    let before: Position | null = null
    for (;;) {
      const from: Position | null = before
      const rows: Row[] = await inWorkspace(sql, principal.workspaceId, (tx) =>
        readRows(tx, principal, period, filters, from),
      )
      const last = rows.at(-1)
      if (!last) return
      before = { occurredAt: last.place, id: last.id }
      const done = (endMs - last.occurredAt.getTime()) / (endMs - startMs)
      yield { rows: rows.map(toCells), done: Math.min(1, done) }
    }
  }
  return { columns: COLUMNS, pages: read() }
}

function readRows(
  tx: Tx,
  { workspaceId }: Principal,
  { startMs, endMs }: Period,
  { linkIds, campaignId, domainId, currency }: ReportFilters,
  from: Position | null,
) {
  const ofLink = (column: 'campaign_id' | 'domain_id', id: string | undefined) =>
    id === undefined
      ? tx``
      : tx`and exists (
          select from links l
          where l.id = c.link_id and l.workspace_id = ${workspaceId} and l.${tx(column)} = ${id})`
  return tx<Row[]>`
    select c.id, c.event_id, c.event_name, c.type, c.value, c.currency, c.link_id, c.click_id,
      c.occurred_at, c.occurred_at::text as place
    from conversions c
    where c.workspace_id = ${workspaceId}
      and c.occurred_at >= ${new Date(startMs)} and c.occurred_at < ${new Date(endMs)}
      ${linkIds === undefined ? tx`` : tx`and c.link_id = any(${[...linkIds]}::text[])`}
      ${currency === undefined ? tx`` : tx`and c.currency = ${currency.toLowerCase()}`}
      ${ofLink('campaign_id', campaignId)} ${ofLink('domain_id', domainId)}
      ${from ? tx`and (c.occurred_at, c.id) < (${from.occurredAt}::text::timestamptz, ${from.id})` : tx``}
    order by c.occurred_at desc, c.id desc limit ${PAGE_ROWS}`
}

function toCells(row: Row): (string | number | null)[] {
  const own = { ...row, occurredAt: row.occurredAt.toISOString() }
  return COLUMNS.map((column) => own[column])
}
