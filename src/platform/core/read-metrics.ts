import { Counter, Gauge, type Aggregator, type Registry } from 'prom-client'

/** A gauge that is read, and may be waited for, when it is collected. */
export function registerGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Promise<number>,
): Gauge {
  return new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read())
    },
  })
}

/** One number, or a number for each value of the label. */
type Read = () => number | Iterable<[labelValue: string, value: number]>

/**
 * Registers metrics that are read when they are collected, so that a frequent event costs its owner
 * one addition. Metrics of rare events are prom-client's own, with `registers: [registry]`.
 */
export function createReadMetrics(registry: Registry) {
  type Collected = { reset(): void; inc(labels: Record<string, string>, value: number): void }

  /** @param aggregator of the values of several processes; their sum if absent */
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
      collect(this: Collected) {
        this.reset()
        const values = read()
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
