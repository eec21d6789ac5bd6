import { fork, type ChildProcess } from 'node:child_process'
import { OperatorError } from '../core/errors.ts'
import { sleep, withinMs } from '../core/service.ts'
import type { FromProcess, Metrics, ProcessStart, ToProcess } from './process-messages.ts'

/** Longer than requests (10 s), clicks (5 s) and connections (5 s) take to finish. */
const END_MS = 45_000
const METRICS_MS = 1_000
/** After the standard streams and the IPC channel. */
const FIRST_PASSED = 4

export class RunningProcess {
  readonly ended: Promise<string>
  readonly name: string
  readonly #child: ChildProcess
  #startFailure: string | null = null
  isStopping = false
  lastMetrics: Metrics = []
  #receiveMetrics = () => {}
  #reading: Promise<Metrics> | null = null
  readonly #ready = Promise.withResolvers<{ isWaiting: boolean }>()
  readonly #onMetricsRequest: (self: RunningProcess) => void

  constructor(
    program: string,
    start: ProcessStart,
    onMetricsRequest: (self: RunningProcess) => void,
  ) {
    this.#onMetricsRequest = onMetricsRequest
    this.name = start.name
    const { http, https } = start.sockets
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc', ...http, ...https] as const
    this.#child = fork(program, [], { serialization: 'advanced', stdio: [...stdio] })
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('exit', (code, signal) =>
        resolve(this.#startFailure ?? (signal === null ? `exit code ${code}` : `signal ${signal}`)),
      )
    })
    this.#child.on('message', (message) => this.#receive(message as FromProcess))
    const passed = {
      http: http.map((_, i) => FIRST_PASSED + i),
      https: https.map((_, i) => FIRST_PASSED + http.length + i),
    }
    this.send({ type: 'start', start: { ...start, sockets: passed } })
  }

  get pid(): number {
    return this.#child.pid!
  }

  async untilReady(signal: AbortSignal): Promise<{ isWaiting: boolean }> {
    const stop = () => void this.stop()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      const failed = this.ended.then((reason) => {
        signal.throwIfAborted()
        throw new OperatorError(reason)
      })
      return await Promise.race([this.#ready.promise, failed])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  send(message: ToProcess): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** Falls back to the last metrics if it does not answer in time. */
  readMetrics(): Promise<Metrics> {
    this.#reading ??= this.#readMetrics().finally(() => (this.#reading = null))
    return this.#reading
  }

  async #readMetrics(): Promise<Metrics> {
    const received = new Promise<void>((resolve) => (this.#receiveMetrics = resolve))
    this.send({ type: 'read-metrics' })
    await withinMs(received, METRICS_MS).catch(() => {})
    return this.lastMetrics
  }

  async stop(): Promise<void> {
    this.isStopping = true
    this.send({ type: 'end' })
    const over = new AbortController()
    await Promise.race([this.ended, sleep(END_MS, over.signal)])
    over.abort()
    this.#child.kill('SIGKILL')
    await this.ended
  }

  #receive(message: FromProcess): void {
    if (message.type === 'ready') this.#ready.resolve({ isWaiting: message.isWaiting })
    else if (message.type === 'failed') this.#startFailure = message.reason
    else if (message.type === 'read-metrics-of-others') this.#onMetricsRequest(this)
    else {
      this.lastMetrics = message.metrics
      this.#receiveMetrics()
    }
  }
}
