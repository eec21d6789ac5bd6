import { Counter, Gauge, type Aggregator, type Registry } from 'prom-client'

/** One number, or a number for each value of the label. */
type Values = number | Iterable<[labelValue: string, value: number]>
type Read = () => Values | Promise<Values>

/** Metrics that are read when they are collected, so that counting a frequent event costs one addition. */
export function createReadMetrics(registry: Registry) {
  type Collected = { reset(): void; inc(labels: Record<string, string>, value: number): void }

  /** @param aggregator how to merge the values of several processes; a sum by default */
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
