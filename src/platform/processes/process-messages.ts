import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { PassedSockets } from '../http/passed-sockets.ts'
import type { Config } from '../config/config.ts'
import type { Addresses } from '../storage/stores.ts'
import type { ServerSockets } from './server-sockets.ts'

/** What a process that the supervisor starts gets from it; the descriptors are open in it. */
export type ProcessStart = {
  /** For the log. */
  name: string
  /** With the port that was found for PORT=0. */
  config: Config
  /** Addresses of the databases, embedded or not. */
  addresses: Addresses
  sockets: PassedSockets
  server: ServerSockets
}

export type RedirectStart = ProcessStart & { number: number }

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

export type ToProcess =
  | { type: 'start'; start: ProcessStart }
  /** Each further answer ends its connection, and `/ready` is a 503. */
  | { type: 'drain' }
  /** Event streams end: redirect processes wait for the requests that they have handed on. */
  | { type: 'end-streams' }
  | { type: 'end' }
  | { type: 'read-metrics' }
  /** The metrics of the other processes; answers `read-metrics-of-others`. */
  | { type: 'metrics-of-others'; metrics: Metrics[] }
  /** Names of the processes that do not run; sent after each change. */
  | { type: 'missing'; names: readonly string[] }

export type FromProcess =
  /** `isWaiting`: a database is away, and the process waits for it. */
  | { type: 'ready'; isWaiting: boolean }
  /** The process ends; the reason is a sentence. */
  | { type: 'failed'; reason: string }
  | { type: 'metrics'; metrics: Metrics }
  | { type: 'read-metrics-of-others' }
