import { Agent } from 'node:http'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'

export type { ClickHouseClient } from '@clickhouse/client'

/** Longer than any `max_execution_time`, so that the server's own error arrives first. */
const REQUEST_TIMEOUT_MS = 70_000
const MAX_EXECUTION_SECONDS = 60
const MAX_CONNECTIONS = 10

export type ClickHouseOptions = {
  maxConnections?: number
  /** Overrides the database that the URL names. */
  database?: string
  applicationName?: string
}

/**
 * Opens the official client on `http(s)://user:password@host:8123/database`. A URL may name a unix
 * socket instead, as that of the embedded engine does:
 * `http://user:password@localhost/database?socket=/run/…/http.sock`. Integers of every width arrive
 * as JSON numbers, and no request is unbounded in time.
 */
export function openClickHouse(url: string, options: ClickHouseOptions = {}): ClickHouseClient {
  const maxConnections = options.maxConnections ?? MAX_CONNECTIONS
  return createClient({
    ...clickHouseConnection(url, maxConnections),
    ...(options.database === undefined ? {} : { database: options.database }),
    application: options.applicationName ?? 'signpost',
    request_timeout: REQUEST_TIMEOUT_MS,
    max_open_connections: maxConnections,
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 0,
      max_execution_time: MAX_EXECUTION_SECONDS,
    },
    // Its lines hold addresses and queries; a failed call throws, and the caller logs that.
    log: { level: ClickHouseLogLevel.OFF },
  })
}

/**
 * The options by which the official client reaches a URL of {@link openClickHouse}: the `socket`
 * parameter is for the agent, and the client refuses it in a URL.
 */
export function clickHouseConnection(url: string, maxConnections: number) {
  const address = new URL(url)
  const socketPath = address.searchParams.get('socket')
  if (socketPath === null) return { url }
  address.searchParams.delete('socket')
  // Node adds an agent's options to those of each request; its types know those of TCP alone.
  const options = { keepAlive: true, maxSockets: maxConnections, socketPath }
  return { url: address.href, http_agent: new Agent(options) }
}
