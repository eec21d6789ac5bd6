import { sleep } from '../../platform/core/service.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

type Deps = { sql: SystemSql; clickhouse: ClickHouseClient }

type BatchDrift = { batch: number; stored: number; copied: number }

export type ConversionRecount = {
  conversions: number
  drifting: BatchDrift[]
  isRepaired: boolean
}

const BATCHES_AT_ONCE = 5_000
/** A purge empties the databases one after the other, and replicas of ClickHouse may have rows later. */
const SETTLE_MS = 1_000

/**
 * Compares the conversions that were copied to ClickHouse with their rows there, batch by batch. A difference
 * counts only if it is found twice.
 * @param repair opens the batches that differ, so that the copy sends what ClickHouse lacks
 * /
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
