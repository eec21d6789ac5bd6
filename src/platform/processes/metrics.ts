import { Counter, Gauge, type Aggregator, type Registry, AggregatorRegistry } from 'prom-client'
import { statfs } from 'node:fs/promises'
import { readVersion } from '../config/checkout.ts'
import type { Config } from '../config/config.ts'
import type { CheckStates } from './readiness.ts'
import type { Metrics } from './process-messages.ts'

type Values = number | Iterable<[labelValue: string, value: number]>
type Read = () => Values | Promise<Values>

/** Read when collected, so that counting a frequent event costs one addition. */
export function createReadMetrics(registry: Registry) {
  type Collected = { reset(): void; inc(labels: Record<string, string>, value: number): void }

  function configure(
    name: string,
    help: string,
    read: Read,
    label?: string,
    aggregator?: Aggregator,
  ) {
    return {
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      ...(aggregator && { aggregator }),
      async collect(this: Collected) {
        const values = await read()
        this.reset()
        if (typeof values === 'number') this.inc({}, values)
        else for (const [value, count] of values) this.inc({ [label!]: value }, count)
      },
    }
  }

  return {
    counter: (...metric: Parameters<typeof configure>) => new Counter(configure(...metric)),
    gauge: (...metric: Parameters<typeof configure>) => new Gauge(configure(...metric)),
  }
}

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
