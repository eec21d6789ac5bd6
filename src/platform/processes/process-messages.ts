import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { PassedSockets } from '../http/listening.ts'
import type { Config } from '../config/config.ts'
import type { Addresses } from '../storage/stores.ts'
import { join } from 'node:path'
import { openRuntimeDir, openSocketFolder } from '../storage/embedded/runtime-dir.ts'

export type ProcessStart = {
  name: string
  /** With the port found for PORT=0. */
  config: Config
  addresses: Addresses
  sockets: PassedSockets
  server: ServerSockets
}

export type RedirectStart = ProcessStart & { number: number }

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

export type ToProcess =
  | { type: 'start'; start: ProcessStart }
  /** Each further response ends its connection, and `/ready` answers 503. */
  | { type: 'drain' }
  /** Event streams end, since redirect processes wait for the requests they forwarded. */
  | { type: 'end-streams' }
  | { type: 'end' }
  | { type: 'read-metrics' }
  | { type: 'metrics-of-others'; metrics: Metrics[] }
  | { type: 'missing'; names: readonly string[] }

export type FromProcess =
  | { type: 'ready'; isWaiting: boolean }
  | { type: 'failed'; reason: string }
  | { type: 'metrics'; metrics: Metrics }
  | { type: 'read-metrics-of-others' }

/** In a folder that only the system user of the server can enter. */
export type ServerSockets = {
  requests: string
  announcements: string
}

export async function openServerSockets(dataDir: string): Promise<ServerSockets> {
  const folder = openSocketFolder(await openRuntimeDir(dataDir), 'server')
  return { requests: join(folder, 'requests.sock'), announcements: join(folder, 'changes.sock') }
}
