import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from './clickhouse.ts'

/**
 * Exactly-once needs these whatever the server's profile says. One block, because the token names a block and a retry could be
 * split elsewhere. Synchronous, and answered only when done.
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
  // After clock changes a block can span many months.
  max_partitions_per_insert_block: '0',
} as const

/** Inserts lines of JSON as one block under a deduplication token. */
export async function insertBlock(
  clickhouse: ClickHouseClient,
  table: 'clicks' | 'conversions',
  chunks: readonly Buffer[],
  token: string,
): Promise<void> {
  // The client's `insert` takes objects; these rows are JSON already.
  const { stream } = await clickhouse.exec({
    query: `insert into ${table} format JSONEachRow`,
    values: Readable.from(chunks, { objectMode: false }),
    clickhouse_settings: { ...INSERT_SETTINGS, insert_deduplication_token: token },
  })
  await finished(stream.resume())
}
