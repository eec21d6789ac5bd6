import { ClickHouseError } from '@clickhouse/client'
import { type ClickHouseClient, insertBlock } from '../../platform/storage/clickhouse/clickhouse.ts'
import {
  ALL_REPLICAS,
  allReplicasOf,
} from '../../platform/storage/clickhouse/clickhouse-cluster.ts'

export type Span = { segment: string; fromMs: number; toMs: number }

export type ClickTable = ReturnType<typeof createClickTable>

/** The range of `at` limits the read to parts of that time, since the primary key does not start with the segment. */
const OF_SEGMENT = `
  where segment = {segment:String}
    and at >= fromUnixTimestamp64Milli({fromMs:Int64})
    and at <= fromUnixTimestamp64Milli({toMs:Int64})`

export function createClickTable(clickhouse: ClickHouseClient) {
  const insert = (chunks: readonly Buffer[], token: string) =>
    insertBlock(clickhouse, 'clicks', chunks, token)

  const clicks = allReplicasOf(clickhouse, 'clicks')

  /** `ids` across all replicas; `surplus`: rows beyond the ids on one replica. */
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

/** TOO_MANY_PARTS: merges are behind the inserts. */
const TOO_MANY_PARTS = 252

/** Errors that are not about the rows: the same rows can succeed later. */
const UNRELATED_TO_ROWS = new Set([
  // Connection: DNS_ERROR, NO_FREE_CONNECTION, SOCKET_TIMEOUT, NETWORK_ERROR,
  // ALL_CONNECTION_TRIES_FAILED, UNEXPECTED_END_OF_FILE
  198, 203, 209, 210, 279, 3,
  // Schema, until a migration or the operator fixes it: NO_SUCH_COLUMN_IN_TABLE, UNKNOWN_TABLE,
  // UNKNOWN_DATABASE, TABLE_WAS_NOT_DROPPED
  16, 60, 81, 305,
  // Disk: CANNOT_READ_FROM_FILE_DESCRIPTOR, CANNOT_WRITE_TO_FILE_DESCRIPTOR, CANNOT_OPEN_FILE,
  // NOT_ENOUGH_SPACE
  74, 75, 76, 243,
  // Load: TIMEOUT_EXCEEDED, TOO_SLOW, CANNOT_ALLOCATE_MEMORY, QUOTA_EXCEEDED,
  // TOO_MANY_SIMULTANEOUS_QUERIES, MEMORY_LIMIT_EXCEEDED, TOO_MANY_PARTS, CANNOT_SCHEDULE_TASK
  159, 160, 173, 201, 202, 241, 252, 439,
  // Query ended by the server: ABORTED, BARRIER_TIMEOUT, QUERY_WAS_CANCELLED, SYSTEM_ERROR,
  // DEADLOCK_AVOIDED
  236, 335, 394, 425, 473,
  // Account: READONLY, UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, IP_ADDRESS_NOT_ALLOWED,
  // ACCESS_DENIED, AUTHENTICATION_FAILED
  164, 192, 193, 194, 195, 497, 516,
  // Replication: NO_ZOOKEEPER, TABLE_IS_READ_ONLY, TOO_FEW_LIVE_REPLICAS,
  // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE, REPLICA_IS_NOT_IN_QUORUM, UNKNOWN_STATUS_OF_INSERT,
  // KEEPER_EXCEPTION
  225, 242, 285, 286, 289, 319, 999,
])

export function isOverload(error: unknown): boolean {
  return error instanceof ClickHouseError && Number(error.code) === TOO_MANY_PARTS
}

/** ClickHouse read the rows and refused them. */
export function isRefusal(error: unknown): error is ClickHouseError {
  return error instanceof ClickHouseError && !UNRELATED_TO_ROWS.has(Number(error.code))
}
