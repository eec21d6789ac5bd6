import type { RunningProcess } from './child-process.ts'
import type { Metrics } from './process-messages.ts'

const COUNTS = new Set(['counter', 'histogram'])

/** Includes the counts of ended processes, without which counters would run backwards. */
export class ProcessMetrics {
  readonly #redirectProcesses: number
  readonly #running: () => RunningProcess[]
  #former: Metrics = []
  readonly #failures = { redirect: 0, server: 0 }
  #keeping = Promise.resolve()

  constructor(redirectProcesses: number, running: () => RunningProcess[]) {
    this.#redirectProcesses = redirectProcesses
    this.#running = running
  }

  async sendOthers(requester: RunningProcess): Promise<void> {
    const others = this.#running().filter((one) => one !== requester)
    const read = await Promise.all(others.map((one) => one.readMetrics()))
    void requester.readMetrics()
    requester.send({ type: 'metrics-of-others', metrics: [this.#own(), this.#former, ...read] })
  }

  keep(kind: 'redirect' | 'server', ended: RunningProcess): void {
    if (!ended.isStopping) this.#failures[kind]++
    this.#keeping = this.#keeping.then(() => this.#add(ended))
  }

  async #add(ended: RunningProcess): Promise<void> {
    const counts = ended.lastMetrics.filter(({ type }) => COUNTS.has(String(type)))
    const { AggregatorRegistry } = await import('prom-client')
    const sums = AggregatorRegistry.aggregate([this.#former, counts])
    this.#former = await sums.getMetricsAsJSON()
  }

  #own(): Metrics {
    const configured = this.#redirectProcesses
    const running = this.#running().filter(({ name }) => name !== 'server').length
    const { redirect, server } = this.#failures
    return [
      toMetric(
        'gauge',
        'signpost_edge_processes_configured',
        'Redirect processes of this server, by EDGE_PROCESSES.',
        configured,
      ),
      toMetric('gauge', 'signpost_edge_processes_running', 'Running redirect processes.', running),
      toMetric(
        'counter',
        'signpost_edge_process_failures_total',
        'Redirect processes that ended unexpectedly and were restarted.',
        redirect,
      ),
      toMetric(
        'counter',
        'signpost_server_process_failures_total',
        'Server processes that ended unexpectedly and were restarted.',
        server,
      ),
    ]
  }
}

function toMetric(type: 'gauge' | 'counter', name: string, help: string, value: number) {
  // The library does not export its enum of types.
  const values = [{ value, labels: {} }]
  return { name, help, type, aggregator: 'sum', values } as unknown as Metrics[number]
}
