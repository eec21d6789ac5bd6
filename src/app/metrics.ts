import { statfs } from 'node:fs/promises'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { registerGauge } from '../base/read-metrics.ts'
import type { Config } from '../config/config.ts'
import { readVersion } from '../gateway/documents.ts'
import type { EdgeProcesses } from './edge-processes.ts'
import type { Readiness } from './readiness.ts'

/** The metrics of the process, its build and its disk. */
export async function openRegistry({ role, dataDir }: Config): Promise<Registry> {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'signpost_build_info',
    help: 'Always 1; the labels name the version, the Node and the role of this process.',
    labelNames: ['version', 'node', 'role'] as const,
    registers,
  }).set({ version: await readVersion(), node: process.versions.node, role }, 1)
  registerGauge(
    registry,
    'signpost_disk_free_bytes',
    'Bytes that the user of the server can still write to the disk of DATA_DIR.',
    async () => {
      const { bavail, bsize } = await statfs(dataDir)
      return bavail * bsize
    },
  )
  return registry
}

/** Results of the checks of `/ready`, for alerts. */
export function registerChecks(registry: Registry, readiness: Readiness): Gauge {
  return new Gauge({
    name: 'signpost_check_ok',
    help: '1 while a check of /ready succeeds: postgres, clickhouse, journal, links, services, shipping, edgeProcesses.',
    labelNames: ['check'] as const,
    registers: [registry],
    async collect() {
      for (const [check, state] of Object.entries(await readiness.readStates()))
        this.set({ check }, state === 'ok' ? 1 : 0)
    },
  })
}

/** Left out by the library: the start of the oldest process is that of the server. */
const OLDEST = 'process_start_time_seconds'

/** The metrics of this process and of the other edge processes, as if they were one. */
export function mergeMetrics(
  own: Registry,
  others: Pick<EdgeProcesses, 'count' | 'readMetrics'>,
): Pick<Registry, 'contentType' | 'metrics'> {
  return {
    contentType: own.contentType,
    metrics: async () => {
      if (others.count === 0) return own.metrics()
      // The first of equal names decides how they are merged.
      const first = (await own.getMetricsAsJSON()).map((metric) =>
        metric.name === OLDEST ? { ...metric, aggregator: 'min' as const } : metric,
      )
      return AggregatorRegistry.aggregate([first, ...(await others.readMetrics())]).metrics()
    },
  }
}
