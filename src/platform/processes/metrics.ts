import { statfs } from 'node:fs/promises'
import { AggregatorRegistry, Gauge, type Registry } from 'prom-client'
import { createReadMetrics } from '../core/read-metrics.ts'
import { readVersion } from '../core/version.ts'
import type { Config } from '../config/config.ts'
import type { CheckStates } from './readiness.ts'
import type { Metrics } from './process-messages.ts'

export function addBuildMetrics(registry: Registry, { role, dataDir }: Config): void {
  const registers = [registry]
  new Gauge({
    name: 'signpost_build_info',
    help: 'Always 1; the labels name the version, the Node and the role of this process.',
    labelNames: ['version', 'node', 'role'] as const,
    registers,
  }).set({ version: readVersion(), node: process.versions.node, role }, 1)
  createReadMetrics(registry).gauge(
    'signpost_disk_free_bytes',
    'Bytes that the user of the server can still write to the disk of DATA_DIR.',
    async () => {
      const { bavail, bsize } = await statfs(dataDir)
      return bavail * bsize
    },
  )
}

export function registerChecks(registry: Registry, readStates: () => Promise<CheckStates>): Gauge {
  return new Gauge({
    name: 'signpost_check_ok',
    help: '1 while a check of /ready succeeds: postgres, clickhouse, services, and of redirect processes journal, links, server, edgeProcesses.',
    labelNames: ['check'] as const,
    registers: [registry],
    // One failing redirect process is enough.
    aggregator: 'min',
    async collect() {
      for (const [check, state] of Object.entries(await readStates()))
        this.set({ check }, state === 'ok' ? 1 : 0)
    },
  })
}

const OLDEST = 'process_start_time_seconds'

export function mergeMetrics(
  own: Registry,
  readOthers: () => Promise<Metrics[]>,
): Pick<Registry, 'contentType' | 'metrics'> {
  return {
    contentType: own.contentType,
    metrics: async () => {
      const all = await Promise.all([own.getMetricsAsJSON(), readOthers()])
      // The first of equal names decides how they are merged, and the library skips the start time: take the oldest process's.
      const first = all[0].map((metric) =>
        metric.name === OLDEST ? { ...metric, aggregator: 'min' as const } : metric,
      )
      return AggregatorRegistry.aggregate([first, ...all[1]]).metrics()
    },
  }
}
