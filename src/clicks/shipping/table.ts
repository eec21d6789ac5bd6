import { ClickHouseError } from '@clickhouse/client'
import { insertBlock, type ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import {
  ALL_REPLICAS,
  allReplicasOf,
} from '../../platform/storage/clickhouse/clickhouse-cluster.ts'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Row } from './rows.ts'

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

export type RefusedRow = { row: Row; reason: string }

/** Limits the search: beyond this many single rows, a refused part is quarantined as a whole. */
const MAX_SINGLE_ROWS = 100

/**
 * Finds refused rows by bisection. Accepted parts are stored on the way.
 * @param offer resolves when the rows are stored; throws {@link Refusal} when they are refused; any other
 * error ends the search
 */
export async function findRefusedRows(
  rows: readonly Row[],
  offer: (rows: readonly Row[]) => Promise<void>,
): Promise<RefusedRow[]> {
  const refused: RefusedRow[] = []
  const parts: (readonly Row[])[] = [rows]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    try {
      await offer(part)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (part.length === 1 || refused.length >= MAX_SINGLE_ROWS) {
        for (const row of part) refused.push({ row, reason: error.message })
        continue
      }
      const half = part.length >> 1
      parts.push(part.slice(half), part.slice(0, half))
    }
  }
  return refused
}

/** ClickHouse refused rows, for a reason other than its own state or the network. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** Written whole, one file per segment, so that a repeated search after a crash gives the same file. */
export async function quarantine(
  folder: string,
  segment: string,
  refused: readonly RefusedRow[],
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${segment}.jsonl`)
  const lines = refused.map(({ row, reason }) => {
    const clickId = row.fields.click_id
    return `${JSON.stringify({ segment, clickId, reason, row: row.line })}\n`
  })
  await writeFile(`${file}.tmp`, lines.join(''), { mode: 0o600, flush: true })
  await rename(`${file}.tmp`, file)
}
