import type { Clock } from '../../platform/core/clock.ts'
import { sleep } from '../../platform/core/service.ts'
import { insertBlock, type ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import {
  ALL_REPLICAS,
  allReplicasOf,
} from '../../platform/storage/clickhouse/clickhouse-cluster.ts'
import { inTransaction, type SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { LABEL_COLUMNS, type Labels } from './clicks.ts'

export type CopyDeps = {
  sql: SystemSql
  clickhouse: ClickHouseClient
  clock: Clock
  /** A test fails the copy at these points, as a crash would. */
  fault?: (point: 'made' | 'inserted') => Promise<void>
}

const ROWS = 2_000
const LEASE_MS = 60_000
const MAX_TOKENS = 8
/**
 * Wait before rows count as missing: an insert may still run, a replica may lag, and a purge empties one database
 * after the other.
 */
const SETTLE_MS = 1_000

/**
 * Copies settled conversions to ClickHouse, each once:
 *
 *   rows with labels, without a batch ─▶ batch ──insert, token = batch──▶ copied
 *                             └ cut off ─▶ what ClickHouse lacks is inserted, then under another token
 *
 * A batch never changes, and a token is made of its number alone, so that ClickHouse drops a repeated block. After
 * a cut-off a token proves nothing: only rows that were found are there. Rows of a purged workspace leave both.
 */
export async function copyConversions(deps: CopyDeps, signal: AbortSignal): Promise<void> {
  for (let batch; !signal.aborted && (batch = await takeOpen(deps)) !== null;)
    await finish(deps, batch, signal)
  for (let batch; !signal.aborted && (batch = await makeBatch(deps)) !== null;) {
    await deps.fault?.('made')
    const rows = await readRows(deps, batch)
    await insert(deps, rows, toToken(batch, 1))
    await deps.fault?.('inserted')
    await markCopied(deps, batch)
  }
}

async function takeOpen({ sql, clock }: CopyDeps): Promise<number | null> {
  const nowMs = clock()
  const [row] = await sql<{ batch: number }[]>`
    update conversion_batches set lease_until = ${new Date(nowMs + LEASE_MS)}
    where batch = (
      select batch from conversion_batches
      where copied_at is null and lease_until <= ${new Date(nowMs)}
      order by batch limit 1 for update skip locked)
    returning batch`
  return row?.batch ?? null
}

function makeBatch({ sql, clock }: CopyDeps): Promise<number | null> {
  const nowMs = clock()
  return inTransaction(sql, async (tx) => {
    const found = await tx<{ id: string }[]>`
      select id from conversions where batch is null and status <> 'waiting' and labels_due_at is null
      order by received_at limit ${ROWS} for update skip locked`
    if (found.length === 0) return null
    const [inserted] = await tx<[{ batch: number }]>`
      insert into conversion_batches (made_at, lease_until)
      values (${new Date(nowMs)}, ${new Date(nowMs + LEASE_MS)}) returning batch`
    await tx`
      update conversions set batch = ${inserted.batch}
      where id = any(${found.map(({ id }) => id)}::text[])`
    return inserted.batch
  })
}

async function finish(deps: CopyDeps, batch: number, signal: AbortSignal): Promise<void> {
  const rows = await readRows(deps, batch)
  for (let round = 1; round <= MAX_TOKENS; round++) {
    const present = await readCopied(deps, batch)
    const missing = rows.filter(({ id }) => !present.has(id))
    if (missing.length === 0) return markCopied(deps, batch)
    if (round === 2) await sleep(SETTLE_MS, signal)
    await insert(deps, missing, toToken(batch, round))
  }
  throw new Error(`conversions of batch ${batch} are still missing after ${MAX_TOKENS} tokens`)
}

async function markCopied({ sql, clock }: CopyDeps, batch: number): Promise<void> {
  await sql`
    update conversion_batches set copied_at = ${new Date(clock())} where batch = ${batch}`
}

type StoredRow = {
  id: string
  workspaceId: string
  linkId: string | null
  clickId: string | null
  occurredAt: Date
  type: string
  eventName: string
  currency: string
  value: number
  labels: Labels | null
}

type CopiedRow = { id: string } & Record<string, unknown>

async function readRows({ sql }: CopyDeps, batch: number): Promise<CopiedRow[]> {
  const rows = await sql<StoredRow[]>`
    select id, workspace_id, link_id, click_id, occurred_at, type, event_name, currency, value, labels
    from conversions where batch = ${batch} order by id`
  return rows.map(({ workspaceId, linkId, clickId, occurredAt, eventName, labels, ...row }) => ({
    ...row,
    batch,
    workspace_id: workspaceId,
    link_id: linkId ?? '',
    click_id: clickId ?? '',
    at: occurredAt.toISOString().replace('T', ' ').replace('Z', ''),
    event_name: eventName,
    ...Object.fromEntries(LABEL_COLUMNS.map((column) => [column, labels?.[column] ?? ''])),
  }))
}

async function readCopied({ clickhouse }: CopyDeps, batch: number): Promise<ReadonlySet<string>> {
  const answer = await clickhouse.query({
    query: `select distinct id from ${allReplicasOf(clickhouse, 'conversions')}
      where batch = {batch:UInt64}`,
    query_params: { batch },
    clickhouse_settings: ALL_REPLICAS,
    format: 'JSONEachRow',
  })
  return new Set((await answer.json<{ id: string }>()).map(({ id }) => id))
}

async function insert({ clickhouse }: CopyDeps, rows: readonly CopiedRow[], token: string) {
  if (rows.length === 0) return
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  await insertBlock(clickhouse, 'conversions', [Buffer.from(lines)], token)
}

function toToken(batch: number, round: number): string {
  return round === 1 ? `conversions-${batch}` : `conversions-${batch}#${round}`
}

type Deps = { sql: SystemSql; clickhouse: ClickHouseClient }

type BatchDrift = { batch: number; stored: number; copied: number }

export type ConversionRecount = {
  conversions: number
  drifting: BatchDrift[]
  isRepaired: boolean
}

const BATCHES_AT_ONCE = 5_000

/**
 * Compares the conversions that were copied to ClickHouse with their rows there, batch by batch. A difference
 * counts only if it is found twice.
 * @param repair opens the batches that differ, so that the copy sends what ClickHouse lacks
 */
export async function recountConversions(
  deps: Deps,
  { repair = false }: { repair?: boolean } = {},
): Promise<ConversionRecount> {
  const drifting: BatchDrift[] = []
  let conversions = 0
  for (let after = 0; ;) {
    const batches = await readBatches(deps.sql, after)
    const last = batches.at(-1)
    if (!last) break
    const compared = await compare(deps, batches)
    conversions += compared.reduce((sum, { stored }) => sum + stored, 0)
    if (compared.some(isDifferent)) {
      await sleep(SETTLE_MS)
      const again = await compare(deps, await readBatches(deps.sql, after))
      drifting.push(...again.filter(isDifferent))
    }
    after = last.batch
  }
  if (repair && drifting.length > 0) await reopen(deps.sql, drifting)
  return { conversions, drifting, isRepaired: repair }
}

function isDifferent({ stored, copied }: BatchDrift): boolean {
  return stored !== copied
}

type Batch = Omit<BatchDrift, 'copied'>

function readBatches(sql: SystemSql, after: number): Promise<Batch[]> {
  return sql<Batch[]>`
    select b.batch, count(c.id) as stored
    from conversion_batches b left join conversions c on c.batch = b.batch
    where b.batch > ${after} and b.copied_at is not null
    group by b.batch order by b.batch limit ${BATCHES_AT_ONCE}`
}

async function compare({ clickhouse }: Deps, batches: readonly Batch[]): Promise<BatchDrift[]> {
  const [first, last] = [batches[0], batches.at(-1)]
  if (!first || !last) return []
  const answer = await clickhouse.query({
    query: `select batch, count() as copied from conversions
      where batch >= {first:UInt64} and batch <= {last:UInt64} group by batch`,
    query_params: { first: first.batch, last: last.batch },
    format: 'JSONEachRow',
  })
  const rows = await answer.json<{ batch: number; copied: number }>()
  const copied = new Map(rows.map((row) => [row.batch, row.copied]))
  return batches.map((row) => ({ ...row, copied: copied.get(row.batch) ?? 0 }))
}

async function reopen(sql: SystemSql, drifting: readonly BatchDrift[]): Promise<void> {
  await sql`
    update conversion_batches set copied_at = null, lease_until = now()
    where batch = any(${drifting.map(({ batch }) => batch)}::bigint[])`
}
