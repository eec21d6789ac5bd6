import type { ClickHouseSettings } from '@clickhouse/client'
import { OperatorError } from '../../core/errors.ts'
import { clusterOf, type ClickHouseClient, isReplicated } from './clickhouse.ts'

/** Below the time limit of a request. An unavailable replica creates its tables when it is back. */
const DDL_TIMEOUT_SECONDS = '50'

type Settings = {
  clickhouseUrl: string | null
  clickhouseEngine: string
  clickhouseCluster?: string | null
}

export function requireReplicated(settings: Settings): void {
  const { clickhouseUrl, clickhouseEngine, clickhouseCluster = null } = settings
  if (clickhouseCluster === null) return
  if (clickhouseUrl === null)
    throw new OperatorError(
      'CLICKHOUSE_CLUSTER is for a ClickHouse of your own: set CLICKHOUSE_URL, or remove CLICKHOUSE_CLUSTER.',
    )
  if (!isReplicated(clickhouseEngine))
    throw new OperatorError(
      `With CLICKHOUSE_CLUSTER the engine ${clickhouseEngine} would give each replica clicks of its own; set CLICKHOUSE_ENGINE to ReplicatedMergeTree(…) or SharedMergeTree(…).`,
    )
}

/**
 * For reads that conclude from a missing row: a replica may lack for a while what another has acknowledged. They fail
 * while a replica is unavailable, since it may be the only one with a row.
 */
export function allReplicasOf(clickhouse: ClickHouseClient, table: string): string {
  const cluster = clusterOf(clickhouse)
  return cluster === null ? table : `clusterAllReplicas('${cluster}', currentDatabase(), ${table})`
}

export const ALL_REPLICAS: ClickHouseSettings = { skip_unavailable_shards: 0 }

/** Each replica creates tables; changes, which replicated tables pass on, are waited for. */
export function toClusterStatement(cluster: string | null, statement: string): string {
  if (cluster === null) return statement
  return statement
    .replace(/\bcreate table if not exists (\w+)/gi, `$& on cluster '${cluster}'`)
    .replace(/\bmutations_sync = 1\b/g, 'mutations_sync = 2')
}

export function toClusterSettings(cluster: string | null): ClickHouseSettings {
  if (cluster === null) return { wait_end_of_query: 1 }
  return {
    wait_end_of_query: 1,
    alter_sync: '2',
    replication_wait_for_inactive_replica_timeout: DDL_TIMEOUT_SECONDS,
    distributed_ddl_task_timeout: DDL_TIMEOUT_SECONDS,
    distributed_ddl_output_mode: 'null_status_on_timeout',
  }
}

type DetachedPart = { table: string; name: string; path: string }

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
