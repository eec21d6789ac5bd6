import type { ClickHouseSettings } from '@clickhouse/client'
import { OperatorError } from '../../core/errors.ts'
import { clusterOf, type ClickHouseClient } from './clickhouse.ts'
import { isReplicated } from './replicated.ts'

/** Below the time limit of a request. A replica that is away then creates its tables when it is back. */
const DDL_TIMEOUT_SECONDS = '50'

type Settings = {
  clickhouseUrl: string | null
  clickhouseEngine: string
  clickhouseCluster?: string | null
}

/** @throws OperatorError for settings under which each replica would have clicks of its own */
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
 * A table with the rows of all replicas, of which each appears once for every replica that has it. For reads that conclude from
 * a row that is missing: one replica may lack for a while what another one has acknowledged. They fail while a replica is away,
 * because it may be the only one with a row.
 */
export function allReplicasOf(clickhouse: ClickHouseClient, table: string): string {
  const cluster = clusterOf(clickhouse)
  return cluster === null ? table : `clusterAllReplicas('${cluster}', currentDatabase(), ${table})`
}

export const ALL_REPLICAS: ClickHouseSettings = { skip_unavailable_shards: 0 }

/**
 * A statement of a migration for all replicas: tables are created on each, and changes, which replicated tables pass on by
 * themselves, are waited for on each.
 */
export function toClusterStatement(cluster: string | null, statement: string): string {
  if (cluster === null) return statement
  return statement
    .replace(/\bcreate table if not exists (\w+)/gi, `$& on cluster '${cluster}'`)
    .replace(/\bmutations_sync = 1\b/g, 'mutations_sync = 2')
}

/** Settings of such a statement. */
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
