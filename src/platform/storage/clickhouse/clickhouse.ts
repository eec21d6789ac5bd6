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
  /** CLICKHOUSE_CLUSTER: the cluster whose replicas answer at the URL. */
  cluster?: string | null
}

const clusterOfClient = new WeakMap<ClickHouseClient, string>()

/** The cluster of a client; null for a single server. */
export function clusterOf(clickhouse: ClickHouseClient): string | null {
  return clusterOfClient.get(clickhouse) ?? null
}

/**
 * Opens the official client on `http(s)://user:password@host:8123/database`, or on the unix socket of
 * the embedded engine: `http://user:password@localhost/database?socket=/run/…/http.sock`. Integers of
 * every width arrive as JSON numbers, and every request has a time limit.
 */
export function openClickHouse(url: string, options: ClickHouseOptions = {}): ClickHouseClient {
  const maxConnections = options.maxConnections ?? MAX_CONNECTIONS
  const address = new URL(url)
  const socketPath = address.searchParams.get('socket')
  // The client refuses a parameter that it does not know.
  address.searchParams.delete('socket')
  // Node adds the options of an agent to those of each request; its types know those of TCP alone.
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
    // Its lines hold addresses and queries; a failed call throws, and the caller logs that.
    log: { level: ClickHouseLogLevel.OFF },
  })
  if (options.cluster) clusterOfClient.set(client, options.cluster)
  return client
}
