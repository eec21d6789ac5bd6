import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '../storage/clickhouse.ts'

/** Which rows to look for: those of one segment, and when they happened. */
export type Span = { segment: string; fromMs: number; toMs: number }

/** ClickHouse's side of a segment. */
export type ClickTable = {
  /**
   * Sends rows as one block under a deduplication token.
   * @throws ClickHouseError, or what the network throws; either way some of it may be stored
   */
  insert(chunks: readonly Buffer[], token: string): Promise<void>
  count(span: Span): Promise<{ rows: number; ids: number }>
  clickIds(span: Span): Promise<Set<string>>
}

/**
 * What an insert must mean. One block, because the token names a block: split, a retry could be
 * cut elsewhere. Never asynchronous, whatever the server's profile says, and answered only when done.
 */
const INSERT_SETTINGS = {
  insert_deduplicate: 1,
  async_insert: 0,
  wait_end_of_query: 1,
  max_insert_threads: '1',
  input_format_parallel_parsing: 0,
  max_insert_block_size: '1000000',
  min_insert_block_size_rows: '1000000',
  min_insert_block_size_bytes: '268435456',
  // A segment of a machine whose clock jumped about must not be refused for its months.
  max_partitions_per_insert_block: '0',
} as const

/**
 * The primary key does not help to find a segment, the partition key does: parts keep the range of
 * `at` they hold, so only those that were written around the same time are read.
 */
const OF_SEGMENT = `
  from clicks
  where segment = {segment:String}
    and at >= fromUnixTimestamp64Milli({fromMs:Int64})
    and at <= fromUnixTimestamp64Milli({toMs:Int64})`

export function createClickTable(clickhouse: ClickHouseClient): ClickTable {
  return {
    async insert(chunks, token) {
      // Not `insert`: that takes objects, and these rows are JSON already.
      const { stream } = await clickhouse.exec({
        query: 'insert into clicks format JSONEachRow',
        values: Readable.from(chunks, { objectMode: false }),
        clickhouse_settings: { ...INSERT_SETTINGS, insert_deduplication_token: token },
      })
      await finished(stream.resume())
    },

    async count(span) {
      const answer = await clickhouse.query({
        query: `select count() as rows, uniqExact(click_id) as ids ${OF_SEGMENT}`,
        query_params: span,
        format: 'JSONEachRow',
      })
      const [row] = await answer.json<{ rows: number; ids: number }>()
      return row!
    },

    async clickIds(span) {
      const answer = await clickhouse.query({
        query: `select click_id ${OF_SEGMENT}`,
        query_params: span,
        format: 'JSONCompactEachRow',
      })
      const rows = await answer.json<[string]>()
      return new Set(rows.map(([clickId]) => clickId))
    },
  }
}
