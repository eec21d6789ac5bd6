import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Addresses } from '../storage/stores.ts'

/** Settings and sockets of a process of EDGE_PROCESSES; the descriptors are open in it. */
export type EdgeStart = {
  number: number
  config: Config
  addresses: Addresses
  sockets: { http: readonly number[]; https: readonly number[] }
  /** Of the first process, for requests that this one does not answer. */
  requestSocket: string
}

export type ToEdge =
  | { type: 'start'; start: EdgeStart }
  /** Each further answer ends its connection. */
  | { type: 'drain' }
  | { type: 'end' }
  | { type: 'read-metrics' }

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

export type FromEdge =
  | { type: 'ready' }
  /** The process ends; the reason is a sentence. */
  | { type: 'failed'; reason: string }
  | { type: 'metrics'; metrics: Metrics }
