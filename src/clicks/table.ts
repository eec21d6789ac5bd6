import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '../storage/clickhouse.ts'

/** Rows of one segment, and the range of their times. */
export type Span = { segment: string; fromMs: number; toMs: number }

export type ClickTable = ReturnType<typeof createClickTable>

/**
 * Settings that exactly-once needs, even if the server's profile differs. One block, because the
 * token names a block and a retry could be split elsewhere. Synchronous, and answered only when done.
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
  // After clock changes a segment can have rows of many months, and must still be accepted.
  max_partitions_per_insert_block: '0',
} as const

/**
 * The range of `at` limits the read to parts of that time; the primary key does not begin with the
 * segment.
 */
const FROM_SEGMENT = `
  from clicks
  where segment = {segment:String}
    and at >= fromUnixTimestamp64Milli({fromMs:Int64})
    and at <= fromUnixTimestamp64Milli({toMs:Int64})`

/** ClickHouse's side of a segment. */
export function createClickTable(clickhouse: ClickHouseClient) {
  /**
   * Sends rows as one block under a deduplication token.
   * @throws ClickHouseError or a network error; in both cases some rows may be stored
   */
  async function insert(chunks: readonly Buffer[], token: string): Promise<void> {
    // Not the client's `insert`, which takes objects: these rows are JSON already.
    const { stream } = await clickhouse.exec({
      query: 'insert into clicks format JSONEachRow',
      values: Readable.from(chunks, { objectMode: false }),
      clickhouse_settings: { ...INSERT_SETTINGS, insert_deduplication_token: token },
    })
    await finished(stream.resume())
  }

  async function count(span: Span): Promise<{ rows: number; ids: number }> {
    const answer = await clickhouse.query({
      query: `select count() as rows, uniqExact(click_id) as ids ${FROM_SEGMENT}`,
      query_params: span,
      format: 'JSONEachRow',
    })
    const [row] = await answer.json<{ rows: number; ids: number }>()
    return row!
  }

  async function clickIds(span: Span): Promise<Set<string>> {
    const answer = await clickhouse.query({
      query: `select click_id ${FROM_SEGMENT}`,
      query_params: span,
      format: 'JSONCompactEachRow',
    })
    const rows = await answer.json<[string]>()
    return new Set(rows.map(([clickId]) => clickId))
  }

  return { insert, count, clickIds }
}
