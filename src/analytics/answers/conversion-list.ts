import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { checkCurrency } from '../../platform/resources/field-checks.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { refuseForeign } from '../../platform/resources/ownership.ts'
import { clampLimit, isoOrNull } from '../../platform/resources/shapes.ts'
import { toPeriods } from '../questions/period.ts'
import { toIsoPeriod } from '../questions/question.ts'
import type { ConversionRow, ConversionsQuery } from './conversions-schema.ts'

type Deps = Pick<Dependencies, 'reads' | 'clock' | 'plans'>

type Row = Omit<
  ConversionRow,
  'attributed' | 'link' | 'clickedAt' | 'occurredAt' | 'receivedAt'
> & {
  status: string
  linkId: string | null
  slug: string | null
  name: string | null
  clickedAt: Date | null
  occurredAt: Date
  receivedAt: Date
}

type Total = { currency: string; conversions: number; attributed: number; value: number }

/**
 * The conversions that happened in a period, newest first, with the reason of each attribution. They are read from
 * PostgreSQL, so that one that was just reported is among them.
 * @throws ApiError FORBIDDEN for a link of another workspace; RATE_LIMITED beyond the bounds of reads
 */
export async function listConversions(
  { reads, clock, plans }: Deps,
  principal: Principal,
  query: ConversionsQuery,
  signal?: AbortSignal,
) {
  const { workspaceId } = principal
  const { linkId, type, customerId, offset, timezone } = query
  const currency = query.currency && checkCurrency(query.currency, 'currency')
  const limit = clampLimit(query.limit)
  const read = await reads.read(principal, signal, async (tx) => {
    await refuseForeign(tx, principal, 'linkId', linkId)
    const [workspace] = await tx<[{ createdAt: Date; plan: string }]>`
      select created_at, plan from workspaces where id = ${workspaceId}`
    const keptDays = plans.find(workspace.plan)?.limits.analytics_retention_days ?? null
    const bounds = { oldestMs: workspace.createdAt.getTime(), keptDays }
    const { current } = toPeriods(clock(), query, bounds)
    const where = tx`
      c.workspace_id = ${workspaceId}
      and c.occurred_at >= ${new Date(current.startMs)} and c.occurred_at < ${new Date(current.endMs)}
      ${linkId === undefined ? tx`` : tx`and c.link_id = ${linkId}`}
      ${type === undefined ? tx`` : tx`and c.type = ${type}`}
      ${currency === undefined ? tx`` : tx`and c.currency = ${currency}`}
      ${customerId === undefined ? tx`` : tx`and c.customer_id = ${customerId}`}`
    const [rows, totals] = await Promise.all([
      tx<Row[]>`
        select c.id, c.event_id, c.event_name, c.type, c.value, c.currency, c.customer_id, c.status, c.reason,
          c.link_id, c.slug, l.name, c.click_id, c.clicked_at, c.occurred_at, c.received_at
        from conversions c
        left join links l on l.id = c.link_id and l.workspace_id = c.workspace_id
        where ${where} order by c.occurred_at desc, c.id desc limit ${limit} offset ${offset}`,
      tx<Total[]>`
        select c.currency, count(*) as conversions,
          count(*) filter (where c.status = 'attributed') as attributed, sum(c.value)::bigint as value
        from conversions c where ${where} group by c.currency order by c.currency`,
    ])
    return { rows, totals, current }
  })
  const { rows, totals, current } = read
  const total = totals.reduce((sum, { conversions }) => sum + conversions, 0)
  const meta = { period: toIsoPeriod(current), timezone, totals: [...totals], total, limit, offset }
  return page(rows.map(toConversion), meta)
}

function toConversion(row: Row): ConversionRow {
  const { status, linkId, slug, name, clickedAt, occurredAt, receivedAt, ...own } = row
  return {
    ...own,
    attributed: status === 'attributed',
    link: linkId === null ? null : { id: linkId, slug: slug ?? '', name },
    clickedAt: isoOrNull(clickedAt),
    occurredAt: occurredAt.toISOString(),
    receivedAt: receivedAt.toISOString(),
  }
}
