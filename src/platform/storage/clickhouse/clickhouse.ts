import { Agent } from 'node:http'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'

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

/** Null for a single server. */
export function clusterOf(clickhouse: ClickHouseClient): string | null {
  return clusterOfClient.get(clickhouse) ?? null
}

/**
 * Opens the official client on `http(s)://user:password@host:8123/database`, or on the embedded engine's unix socket:
 * `http://user:password@localhost/database?socket=/run/…/http.sock`. Integers of every width become JSON numbers.
 */
export function openClickHouse(url: string, options: ClickHouseOptions = {}): ClickHouseClient {
  const maxConnections = options.maxConnections ?? MAX_CONNECTIONS
  const address = new URL(url)
  const socketPath = address.searchParams.get('socket')
  // The client refuses unknown parameters.
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

/** Whether all servers of a cluster have the same rows. */
export function isReplicated(engine: string): boolean {
  return /^(Replicated|Shared)/.test(engine)
}
