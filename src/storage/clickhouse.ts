import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouseClient } from '@clickhouse/client'

export type { ClickHouseClient } from '@clickhouse/client'

/** Longer than any `max_execution_time`, so that the server's own error arrives first. */
const REQUEST_TIMEOUT_MS = 70_000
const MAX_EXECUTION_SECONDS = 60

export type ClickHouseOptions = {
  maxConnections?: number
  /** Overrides the database that the URL names. */
  database?: string
  applicationName?: string
}

/**
 * Opens the official client on `http(s)://user:password@host:8123/database`. Integers of every
 * width arrive as JSON numbers, and no request is unbounded in time.
 */
export function openClickHouse(url: string, options: ClickHouseOptions = {}): ClickHouseClient {
  return createClient({
    url,
    ...(options.database === undefined ? {} : { database: options.database }),
    application: options.applicationName ?? 'signpost',
    request_timeout: REQUEST_TIMEOUT_MS,
    max_open_connections: options.maxConnections ?? 10,
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 0,
      max_execution_time: MAX_EXECUTION_SECONDS,
    },
    // Its lines hold addresses and queries; a failed call throws, and the caller logs that.
    log: { level: ClickHouseLogLevel.OFF },
  })
}
