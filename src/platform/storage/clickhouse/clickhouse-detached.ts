import { clusterOf, type ClickHouseClient } from './clickhouse.ts'
import { ALL_REPLICAS } from './clickhouse-cluster.ts'

export type DetachedPart = { table: string; name: string; path: string }

/** Parts that ClickHouse has set aside, such as one that it could not read: their rows are in no answer. */
export async function listDetachedParts(clickhouse: ClickHouseClient): Promise<DetachedPart[]> {
  const cluster = clusterOf(clickhouse)
  const parts =
    cluster === null
      ? 'system.detached_parts'
      : `clusterAllReplicas('${cluster}', system.detached_parts)`
  const answer = await clickhouse.query({
    query: `select table, name, path from ${parts}
      where database = currentDatabase() order by table, name limit 1000`,
    clickhouse_settings: ALL_REPLICAS,
    format: 'JSONEachRow',
  })
  return answer.json<DetachedPart>()
}
