import type { Clock } from '../../platform/core/clock.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { WAIT_MS, type Attribution } from './attribution.ts'
import { findClicks, type FoundClick } from './clicks.ts'

type Deps = { sql: SystemSql; clickhouse: ClickHouseClient; clock: Clock }

/** Rows of one workspace that are looked up together, so that one with many does not delay the others. */
const ROWS_OF_WORKSPACE = 500
export const WORKSPACES = 20
/** Nearly all clicks are stored within seconds of their redirect. */
const SOON_MS = 2_000
const SOON_FOR_MS = 30_000
const LATER_MS = 30_000
/** Longer than a look-up; a process that dies leaves its rows to another one. */
export const LEASE_MS = 15_000

/**
 * Reads the labels of clicks that conversions are attributed to by their signature alone, in any number of processes:
 * the one that takes a row postpones its next look-up. The copy to ClickHouse (copy.ts) waits for the labels; a click
 * that is not stored after ten minutes has none.
 */
export async function readDueLabels(deps: Deps, signal: AbortSignal): Promise<void> {
  await byWorkspace(
    signal,
    () => take(deps),
    (workspaceId, rows) => fill(deps, workspaceId, rows, signal),
  )
}

export async function byWorkspace<Row extends { workspaceId: string }>(
  signal: AbortSignal,
  takeRows: () => Promise<Row[]>,
  handle: (workspaceId: string, rows: Row[]) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const rows = await takeRows()
    if (rows.length === 0) return
    for (const [id, ofWorkspace] of Map.groupBy(rows, (row) => row.workspaceId))
      await handle(id, ofWorkspace)
  }
}

export function toNextLook(receivedAt: Date, nowMs: number): number {
  return nowMs + (nowMs - receivedAt.getTime() < SOON_FOR_MS ? SOON_MS : LATER_MS)
}

export function toLabelsDueAt({ clickId, labels }: Attribution, receivedAt: Date): Date | null {
  return clickId !== null && labels === null ? receivedAt : null
}

type Due = { id: string; workspaceId: string; clickId: string; linkId: string; receivedAt: Date }

async function take({ sql, clock }: Deps): Promise<Due[]> {
  const nowMs = clock()
  const now = new Date(nowMs)
  return sql<Due[]>`
    update conversions set labels_due_at = ${new Date(nowMs + LEASE_MS)}
    where id in (
      select c.id from (
        select workspace_id from conversions where labels_due_at <= ${now}
        group by workspace_id order by min(labels_due_at) limit ${WORKSPACES}
      ) as w
      cross join lateral (
        select id from conversions where labels_due_at <= ${now} and workspace_id = w.workspace_id
        order by labels_due_at limit ${ROWS_OF_WORKSPACE} for update skip locked
      ) as c)
    returning id, workspace_id, click_id, link_id, received_at`
}

async function fill(
  { sql, clickhouse, clock }: Deps,
  workspaceId: string,
  rows: readonly Due[],
  signal: AbortSignal,
): Promise<void> {
  // Several conversions of a click are one look-up.
  const named = new Map(rows.map(({ clickId, linkId }) => [clickId, { clickId, linkId }]))
  const clicks = await findClicks(clickhouse, workspaceId, [...named.values()], signal)
  const found = new Map(clicks.map((click) => [click.clickId, click]))
  const nowMs = clock()
  const columns = rows.map((row) => toColumns(row, found.get(row.clickId), nowMs))
  await sql`
    update conversions c
    set labels = known.labels, clicked_at = coalesce(known."clickedAt", c.clicked_at), labels_due_at = known."dueAt"
    from json_to_recordset(${JSON.stringify(columns)}::text::json) as known (
      id text, labels json, "clickedAt" timestamptz, "dueAt" timestamptz)
    where c.id = known.id and c.workspace_id = ${workspaceId} and c.labels_due_at is not null`
}

function toColumns({ id, receivedAt }: Due, click: FoundClick | undefined, nowMs: number) {
  if (click) return { id, labels: click.labels, clickedAt: click.clickedAt, dueAt: null }
  const isLast = nowMs - receivedAt.getTime() >= WAIT_MS
  const dueAt = isLast ? null : new Date(toNextLook(receivedAt, nowMs))
  return { id, labels: null, clickedAt: null, dueAt }
}
