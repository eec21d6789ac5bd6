import type { Clock } from '../../platform/core/clock.ts'
import type { Publish } from '../../platform/resources/dependencies.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { inTransaction, type SystemSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { attribute, isInWindow, WAIT_MS, type Attribution } from './attribution.ts'
import { findClicks } from './clicks.ts'
import type { Draft } from './draft.ts'
import { byWorkspace, LEASE_MS, toLabelsDueAt, toNextLook, WORKSPACES } from './labels.ts'
import { readCustomerClicks, readLinks } from './references.ts'
import { toEvent, type Sent } from './store.ts'

type Deps = {
  sql: SystemSql
  clickhouse: ClickHouseClient
  clock: Clock
  publish: Publish
}

/** Rows of one workspace that are looked up together, so that one with many does not delay the others. */
const ROWS_OF_WORKSPACE = 200

/**
 * Attributes conversions that came before their click was stored, in any number of processes: the one that takes a row
 * postpones its next look-up. After ten minutes a conversion is attributed without its click, but not while ClickHouse
 * is unavailable. The row changes its status once, in the transaction that publishes it.
 */
export async function attributeWaiting(deps: Deps, signal: AbortSignal): Promise<void> {
  await byWorkspace(
    signal,
    () => take(deps),
    (workspaceId, rows) => attributeRows(deps, workspaceId, rows),
  )
}

type WaitingRow = Sent & {
  receivedAt: Draft['receivedAt']
  workspaceId: string
  namedClickId: string | null
  signedLinkId: string | null
  namedLinkId: string | null
}

async function take({ sql, clock }: Deps): Promise<WaitingRow[]> {
  const nowMs = clock()
  const now = new Date(nowMs)
  return sql<WaitingRow[]>`
    update conversions set next_look_at = ${new Date(nowMs + LEASE_MS)}
    where id in (
      select c.id from (
        select workspace_id from conversions
        where status = 'waiting' and next_look_at <= ${now}
        group by workspace_id order by min(next_look_at) limit ${WORKSPACES}
      ) as w
      cross join lateral (
        select id from conversions
        where status = 'waiting' and next_look_at <= ${now} and workspace_id = w.workspace_id
        order by received_at limit ${ROWS_OF_WORKSPACE} for update skip locked
      ) as c)
    returning id, workspace_id, event_id, event_name, type, value, currency, customer_id, customer, metadata,
      occurred_at, received_at, named_click_id, signed_link_id, named_link_id`
}

async function attributeRows(deps: Deps, workspaceId: string, rows: readonly WaitingRow[]) {
  const { sql, clickhouse, clock } = deps
  const named = rows.map((row) => ({ row, click: toClick(row) }))
  const clicks = named.flatMap(({ row, click }) =>
    click && isInWindow({ click, occurredAt: row.occurredAt }) ? [click] : [],
  )
  const stored = await findClicks(clickhouse, workspaceId, clicks)
  const found = new Map(stored.map((click) => [click.clickId, click]))
  const nowMs = clock()
  await inTransaction(sql, async (tx) => {
    const context = await readContext(tx, workspaceId, rows)
    const decided = named.map(({ row, click }) => ({
      row,
      attribution: attribute(
        { click, occurredAt: row.occurredAt },
        {
          ...context(row),
          found: click ? found.get(click.clickId) : undefined,
          isLast: nowMs >= row.receivedAt.getTime() + WAIT_MS,
        },
      ),
    }))
    await settle(deps, tx, workspaceId, decided, nowMs)
  })
}

function toClick({ namedClickId, signedLinkId }: WaitingRow) {
  return namedClickId === null ? null : { clickId: namedClickId, linkId: signedLinkId }
}

async function readContext(tx: Tx, workspaceId: string, rows: readonly WaitingRow[]) {
  const ids = rows.flatMap(({ signedLinkId, namedLinkId }) =>
    [signedLinkId, namedLinkId].filter((id) => id !== null),
  )
  const customers = rows.filter(({ customerId }) => customerId !== null)
  const { own } = await readLinks(tx, { workspaceId }, ids)
  const clicks = await readCustomerClicks(tx, { workspaceId }, customers)
  const byRow = new Map(customers.map((row, i) => [row, clicks[i]!]))
  return (row: WaitingRow) => ({
    link: own.get(row.namedLinkId ?? '') ?? null,
    signedLink: own.get(row.signedLinkId ?? '') ?? null,
    customerClick: byRow.get(row)?.click,
    isCustomerWaiting: byRow.get(row)?.isWaiting ?? false,
  })
}

type Decided = { row: WaitingRow; attribution: Attribution }

async function settle(
  { publish }: Deps,
  tx: Tx,
  workspaceId: string,
  decided: readonly Decided[],
  nowMs: number,
): Promise<void> {
  const known = decided.filter(({ attribution }) => attribution.status !== 'waiting')
  const columns = known.map(({ row, attribution }) => {
    const { status, reason, link, clickId, clickedAt, labels } = attribution
    const linkId = link?.id ?? null
    const labelsDueAt = toLabelsDueAt(attribution, row.receivedAt)
    const slug = link?.slug
    return { id: row.id, status, reason, linkId, slug, clickId, clickedAt, labels, labelsDueAt }
  })
  const settled = await tx<{ id: string }[]>`
    update conversions c set status = known.status, reason = known.reason, link_id = known."linkId",
      slug = known.slug, click_id = known."clickId", clicked_at = known."clickedAt", labels = known.labels,
      labels_due_at = known."labelsDueAt", next_look_at = null
    from json_to_recordset(${JSON.stringify(columns)}::text::json) as known (
      id text, status text, reason text, "linkId" text, slug text, "clickId" text, "clickedAt" timestamptz,
      labels json, "labelsDueAt" timestamptz)
    where c.id = known.id and c.workspace_id = ${workspaceId} and c.status = 'waiting'
    returning c.id`
  const ids = new Set(settled.map(({ id }) => id))
  const events = known
    .filter(({ row }) => ids.has(row.id))
    .map(({ row, attribution }) => toEvent(workspaceId, row, attribution))
  await publish(tx, ...events)
  await planNext(tx, workspaceId, decided, nowMs)
}

async function planNext(tx: Tx, workspaceId: string, decided: readonly Decided[], nowMs: number) {
  const others = decided.filter(({ attribution }) => attribution.status === 'waiting')
  const byTime = Map.groupBy(others, ({ row }) => toNextLook(row.receivedAt, nowMs))
  for (const [atMs, rows] of byTime)
    await tx`
      update conversions set next_look_at = ${new Date(atMs)}
      where workspace_id = ${workspaceId} and status = 'waiting'
        and id = any(${rows.map(({ row }) => row.id)}::text[])`
}
