import { Agent } from 'node:http'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

export type { ClickHouseClient } from '@clickhouse/client'

/** Longer than any `max_execution_time`, so that the server's own error comes first. */
const REQUEST_TIMEOUT_MS = 70_000
const MAX_EXECUTION_SECONDS = 60
const MAX_CONNECTIONS = 10

export type ClickHouseOptions = {
  maxConnections?: number
  database?: string
  applicationName?: string
  cluster?: string | null
}

const clusterOfClient = new WeakMap<ClickHouseClient, string>()

export function clusterOf(clickhouse: ClickHouseClient): string | null {
  return clusterOfClient.get(clickhouse) ?? null
}

/** The embedded engine's address is `http://user:password@localhost/database?socket=/run/…/http.sock`. */
export function openClickHouse(url: string, options: ClickHouseOptions = {}): ClickHouseClient {
  const maxConnections = options.maxConnections ?? MAX_CONNECTIONS
  const address = new URL(url)
  const socketPath = address.searchParams.get('socket')
  address.searchParams.delete('socket')
  // Node adds agent options to each request; the types only know TCP's.
  const agentOptions = { keepAlive: true, maxSockets: maxConnections, socketPath }
  const client = createClient({
    url: address.href,
    ...(socketPath !== null && { http_agent: new Agent(agentOptions as object) }),
    ...(options.database !== undefined && { database: options.database }),
    application: options.applicationName ?? 'signpost',
    request_timeout: REQUEST_TIMEOUT_MS,
    max_open_connections: maxConnections,
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 0,
      max_execution_time: MAX_EXECUTION_SECONDS,
    },
    // Its lines hold addresses and queries; failed calls throw anyway.
    log: { level: ClickHouseLogLevel.OFF },
  })
  if (options.cluster) clusterOfClient.set(client, options.cluster)
  return client
}

export function isReplicated(engine: string): boolean {
  return /^(Replicated|Shared)/.test(engine)
}

/** Exactly-once needs these whatever the server's profile says: one block, because the token names a block. */
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

export async function insertBlock(
  clickhouse: ClickHouseClient,
  table: 'clicks' | 'conversions',
  chunks: readonly Buffer[],
  token: string,
): Promise<void> {
  const { stream } = await clickhouse.exec({
    query: `insert into ${table} format JSONEachRow`,
    values: Readable.from(chunks, { objectMode: false }),
    clickhouse_settings: { ...INSERT_SETTINGS, insert_deduplication_token: token },
  })
  await finished(stream.resume())
}
