import { fork, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { AggregatorRegistry, Counter, type Registry } from 'prom-client'
import type { Checks } from '../base/checks.ts'
import type { Clock } from '../base/clock.ts'
import { OperatorError } from '../base/errors.ts'
import { restoreSender } from '../base/forwarded-requests.ts'
import { openHttpServer } from '../base/http-server.ts'
import type { Log } from '../base/log.ts'
import { createReadMetrics } from '../base/read-metrics.ts'
import { sleep, withinMs } from '../base/service.ts'
import type { Config } from '../config/config.ts'
import { openRuntimeDir, openSocketFolder } from '../storage/embedded/runtime-dir.ts'
import { superviseEngine, type RunningEngine } from '../storage/embedded/supervisor.ts'
import { FIRST_PROCESS } from './edge.ts'
import type { EdgeStart, FromEdge, Metrics, ToEdge } from './edge-messages.ts'
import { partsOf } from './roles.ts'

const PROGRAM = join(import.meta.dirname, '../edge-process.ts')
const SOCKET = { folder: 'edge', file: 'requests.sock' }
/** Longer than its parts take: ten seconds for requests, five for clicks, five for connections. */
const END_MS = 25_000
const METRICS_MS = 1_000
/** Types of metrics that a process adds up. */
const COUNTS = new Set(['counter', 'histogram'])

type Deps = { config: Config; log: Log; clock: Clock; registry: Registry }

/** Values that the first process has once it listens. */
type Opened = Pick<EdgeStart, 'addresses' | 'sockets'> & {
  /** Answers what the other processes do not. */
  listener: RequestListener
}

/**
 * The processes of EDGE_PROCESSES beside this one, which is the first:
 *
 *   visitors ─▶ one listening socket ─┬▶ first process: all parts
 *                                     └▶ process 2 … n: redirects, a journal, its shipper
 *                                          └─ other requests ─▶ unix socket ─▶ first process
 *
 * They share the listening sockets, so a connection is accepted by a process that has time, and none is lost with a
 * process that dies. A process that lost this one ends by itself.
 */
export class EdgeProcesses implements AsyncDisposable {
  readonly #deps: Deps
  readonly #numbers: readonly number[]
  readonly #running = new Map<number, EdgeProcess>()
  readonly #opened = new AsyncDisposableStack()
  /** Sums of the processes that have ended, without which counters would run backwards. */
  #former: Metrics = []
  /** Null in a process of a role that does not redirect. */
  readonly #failures: Counter | null
  #isDraining = false

  constructor(deps: Deps) {
    this.#deps = deps
    const { role, edgeProcesses } = deps.config
    const others = partsOf(role).edge ? edgeProcesses - 1 : 0
    this.#numbers = Array.from({ length: others }, (_, i) => FIRST_PROCESS + 1 + i)
    this.#failures = partsOf(role).edge ? this.#register(deps.registry) : null
  }

  get count(): number {
    return this.#numbers.length
  }

  /**
   * For `/ready`, which reports a missing process and stays ready: those that run accept every connection.
   */
  checks(): Checks {
    if (this.count === 0) return {}
    const edgeProcesses = async () => {
      const missing = this.#numbers.filter((number) => !this.#running.has(number))
      if (missing.length > 0) throw new Error(`not running: ${missing.join(', ')}`)
    }
    return { edgeProcesses }
  }

  /**
   * Starts the processes, and keeps them running until this is disposed.
   * @throws OperatorError when one does not start
   */
  async open({ listener, ...start }: Opened): Promise<void> {
    if (this.count === 0) return
    const { config, clock, log } = this.#deps
    const folder = openSocketFolder(await openRuntimeDir(config.dataDir), SOCKET.folder)
    const requestSocket = join(folder, SOCKET.file)
    rmSync(requestSocket, { force: true })
    this.#opened.use(
      await openHttpServer(() => listener, {
        host: '',
        port: 0,
        path: requestSocket,
        clock,
        onArrival: restoreSender,
      }),
    )
    const supervised = await Promise.allSettled(
      this.#numbers.map((number) => {
        const engine = {
          name: String(number),
          kind: 'edge process' as const,
          start: (signal: AbortSignal) =>
            this.#start({ ...start, config, requestSocket, number }, signal),
        }
        return superviseEngine(engine, log)
      }),
    )
    const ends = supervised.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    // Together, before the socket to which they forward requests.
    this.#opened.defer(async () => {
      await Promise.all(ends.map((end) => end[Symbol.asyncDispose]()))
    })
    const failed = supervised.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Lets each further answer of the processes end its connection. */
  endWithAnswers(): void {
    this.#isDraining = true
    for (const running of this.#running.values()) running.send({ type: 'drain' })
  }

  /** The metrics of each process, and the counts of those that have ended, as they were read last. */
  async readMetrics(): Promise<Metrics[]> {
    const running = [...this.#running.values()]
    return [this.#former, ...(await Promise.all(running.map((one) => one.readMetrics())))]
  }

  /** Ends the processes in order, and those that take too long at once. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync()
  }

  async #start(start: EdgeStart, signal: AbortSignal): Promise<RunningEngine> {
    const running = new EdgeProcess(start)
    await running.untilReady(signal)
    this.#running.set(start.number, running)
    void running.ended.then(() => this.#forget(start.number, running))
    if (this.#isDraining) running.send({ type: 'drain' })
    return running
  }

  /** The first process, which answers, is one of those that run. */
  #register(registry: Registry): Counter {
    const gauges = createReadMetrics(registry)
    gauges.gauge(
      'signpost_edge_processes_configured',
      'Processes that redirect on the port of this server, by EDGE_PROCESSES.',
      () => this.count + 1,
    )
    gauges.gauge(
      'signpost_edge_processes_running',
      'Processes of EDGE_PROCESSES that run, this one included.',
      () => this.#running.size + 1,
    )
    return new Counter({
      name: 'signpost_edge_process_failures_total',
      help: 'Unexpected ends of processes of EDGE_PROCESSES; each was started again.',
      registers: [registry],
    })
  }

  async #forget(number: number, ended: EdgeProcess): Promise<void> {
    this.#running.delete(number)
    if (!ended.isStopping) this.#failures?.inc()
    const counts = ended.lastMetrics.filter(({ type }) => COUNTS.has(String(type)))
    const sums = AggregatorRegistry.aggregate([this.#former, counts])
    this.#former = await sums.getMetricsAsJSON()
  }
}

/** One of the processes. */
class EdgeProcess implements RunningEngine {
  readonly ended: Promise<string>
  readonly #child: ChildProcess
  #startFailure: string | null = null
  #isStopping = false
  #lastMetrics: Metrics = []
  #receiveMetrics = () => {}
  #reading: Promise<Metrics> | null = null
  readonly #ready = Promise.withResolvers<void>()

  constructor(start: EdgeStart) {
    // The first descriptors are those of the standard streams and of the messages.
    const passed = [...start.sockets.http, ...start.sockets.https]
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc', ...passed] as const
    this.#child = fork(PROGRAM, [], { serialization: 'advanced', stdio: [...stdio] })
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('exit', (code, signal) =>
        resolve(this.#startFailure ?? (signal === null ? `exit code ${code}` : `signal ${signal}`)),
      )
    })
    this.#child.on('message', (message) => this.#receive(message as FromEdge))
    const first = 4
    const http = start.sockets.http.map((_, i) => first + i)
    const https = start.sockets.https.map((_, i) => first + http.length + i)
    this.send({ type: 'start', start: { ...start, sockets: { http, https } } })
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Whether it was told to end. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** @throws OperatorError when it ends before it is ready; aborting ends it */
  async untilReady(signal: AbortSignal): Promise<void> {
    const stop = () => void this.stop()
    signal.addEventListener('abort', stop)
    try {
      await Promise.race([
        this.#ready.promise,
        this.ended.then((reason) => {
          throw new OperatorError(`An edge process did not start: ${reason}`)
        }),
      ])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  send(message: ToEdge): void {
    // A process that is ending reads no more messages.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  get lastMetrics(): Metrics {
    return this.#lastMetrics
  }

  /** The metrics that were read before, if it does not answer in time. */
  readMetrics(): Promise<Metrics> {
    this.#reading ??= this.#readMetrics().finally(() => (this.#reading = null))
    return this.#reading
  }

  async #readMetrics(): Promise<Metrics> {
    const received = new Promise<void>((resolve) => (this.#receiveMetrics = resolve))
    this.send({ type: 'read-metrics' })
    await withinMs(received, METRICS_MS).catch(() => {})
    return this.#lastMetrics
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.send({ type: 'end' })
    const over = new AbortController()
    await Promise.race([this.ended, sleep(END_MS, over.signal)])
    over.abort()
    this.#child.kill('SIGKILL')
    await this.ended
  }

  #receive(message: FromEdge): void {
    if (message.type === 'ready') this.#ready.resolve()
    else if (message.type === 'failed') this.#startFailure = message.reason
    else {
      this.#lastMetrics = message.metrics
      this.#receiveMetrics()
    }
  }
}
