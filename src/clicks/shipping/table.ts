import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { insertBlock } from '../../platform/storage/clickhouse/clickhouse-block.ts'
import {
  ALL_REPLICAS,
  allReplicasOf,
} from '../../platform/storage/clickhouse/clickhouse-cluster.ts'

/** Rows of one segment, and the range of their times. */
export type Span = { segment: string; fromMs: number; toMs: number }

export type ClickTable = ReturnType<typeof createClickTable>

/**
 * The range of `at` limits the read to parts of that time; the primary key does not begin with the
 * segment.
 */
const OF_SEGMENT = `
  where segment = {segment:String}
    and at >= fromUnixTimestamp64Milli({fromMs:Int64})
    and at <= fromUnixTimestamp64Milli({toMs:Int64})`

/** ClickHouse's side of a segment. */
export function createClickTable(clickhouse: ClickHouseClient) {
  const insert = (chunks: readonly Buffer[], token: string) =>
    insertBlock(clickhouse, 'clicks', chunks, token)

  const clicks = allReplicasOf(clickhouse, 'clicks')

  /** `ids` of all replicas; `surplus`: the rows of one replica beyond its ids. */
  async function count(span: Span): Promise<{ ids: number; surplus: number }> {
    const answer = await clickhouse.query({
      query: `select uniqExactMerge(ids_state) as ids, max(surplus_rows) as surplus from (
          select uniqExactState(click_id) as ids_state, count() - uniqExact(click_id) as surplus_rows
          from ${clicks} ${OF_SEGMENT} group by shardNum())`,
      query_params: span,
      clickhouse_settings: ALL_REPLICAS,
      format: 'JSONEachRow',
    })
    const [row] = await answer.json<{ ids: number; surplus: number }>()
    return row!
  }

  async function clickIds(span: Span): Promise<Set<string>> {
    const answer = await clickhouse.query({
      query: `select distinct click_id from ${clicks} ${OF_SEGMENT}`,
      query_params: span,
      clickhouse_settings: ALL_REPLICAS,
      format: 'JSONCompactEachRow',
    })
    const rows = await answer.json<[string]>()
    return new Set(rows.map(([clickId]) => clickId))
  }

  return { insert, count, clickIds }
}
