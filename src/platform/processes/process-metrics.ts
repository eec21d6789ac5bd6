import type { RunningProcess } from './child-process.ts'
import type { Metrics } from './process-messages.ts'

/** Types of metrics that a process adds up. */
const COUNTS = new Set(['counter', 'histogram'])

/** The metrics of all processes, and the counts of those that have ended, without which counters would run backwards. */
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

  /** Answers a process that asks for the metrics of the others, for `/metrics`. */
  sendOthers(asking: RunningProcess): void {
    void this.#sendOthers(asking)
  }

  async #sendOthers(asking: RunningProcess): Promise<void> {
    const others = this.#running().filter((one) => one !== asking)
    const read = await Promise.all(others.map((one) => one.readMetrics()))
    // Kept for the time after its end.
    void asking.readMetrics()
    asking.send({ type: 'metrics-of-others', metrics: [this.#own(), this.#former, ...read] })
  }

  /** Keeps the counts of a process that has ended, as they were read last. */
  keep(kind: 'redirect' | 'server', ended: RunningProcess): void {
    if (!ended.isStopping) this.#failures[kind]++
    this.#keeping = this.#keeping.then(() => this.#add(ended))
  }

  async #add(ended: RunningProcess): Promise<void> {
    const counts = ended.lastMetrics.filter(({ type }) => COUNTS.has(String(type)))
    // Loaded with the first end, which most starts of this process never see.
    const { AggregatorRegistry } = await import('prom-client')
    const sums = AggregatorRegistry.aggregate([this.#former, counts])
    this.#former = await sums.getMetricsAsJSON()
  }

  #own(): Metrics {
    const configured = this.#redirectProcesses
    const redirects = this.#running().filter(({ name }) => name !== 'server').length
    const { redirect, server } = this.#failures
    return [
      toMetric(
        'gauge',
        'signpost_edge_processes_configured',
        'Redirect processes of this server, by EDGE_PROCESSES.',
        configured,
      ),
      toMetric(
        'gauge',
        'signpost_edge_processes_running',
        'Redirect processes of EDGE_PROCESSES that run.',
        redirects,
      ),
      toMetric(
        'counter',
        'signpost_edge_process_failures_total',
        'Unexpected ends of redirect processes; each was started again.',
        redirect,
      ),
      toMetric(
        'counter',
        'signpost_server_process_failures_total',
        'Unexpected ends of the server process; each time it was started again.',
        server,
      ),
    ]
  }
}

function toMetric(type: 'gauge' | 'counter', name: string, help: string, value: number) {
  // The type of the library is an enum that it does not export as a value.
  return {
    name,
    help,
    type,
    aggregator: 'sum',
    values: [{ value, labels: {} }],
  } as unknown as Metrics[number]
}
