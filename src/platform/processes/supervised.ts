import { collectDefaultMetrics, Registry } from 'prom-client'
import { OperatorError } from '../core/errors.ts'
import { openLog, type Log } from '../core/log.ts'
import { toLogStream } from '../core/terminal.ts'
import { collectStartGarbage } from '../work/priority.ts'
import type { FromProcess, Metrics, ProcessStart, ToProcess } from './process-messages.ts'

const CLOSE_DEADLINE_MS = 45_000

export type Part = {
  isWaiting(): boolean
  drain(): void
  endStreams?(): void
  run(signal: AbortSignal): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type PartContext = {
  log: Log
  registry: Registry
  stop: AbortSignal
  readMetricsOfOthers: () => Promise<Metrics[]>
  missing: () => readonly string[]
}

type Open<Start> = (start: Start, context: PartContext) => Promise<Part>

/**
 * Ends at once when the supervisor is gone, so that the next start finds nothing left.
 * @param open loads lazily, so that no message is missed meanwhile
 */
export function runSupervised<Start extends ProcessStart>(
  open: Open<Start>,
  onOrphaned: (start: Start) => void = () => {},
): void {
  new SupervisedProcess(open, onOrphaned).listen()
}

class SupervisedProcess<Start extends ProcessStart> {
  readonly #open: Open<Start>
  readonly #onOrphaned: (start: Start) => void
  readonly #over = new AbortController()
  readonly #registry = new Registry()
  #part: Part | null = null
  #missing: readonly string[] = []
  #others: PromiseWithResolvers<Metrics[]> | null = null
  #end = () => process.exit(1)

  constructor(open: Open<Start>, onOrphaned: (start: Start) => void) {
    this.#open = open
    this.#onOrphaned = onOrphaned
  }

  listen(): void {
    // Sent to every process by terminals and service managers; only the supervisor acts on them.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {})
    process.once('disconnect', () => this.#end())
    process.on('message', (message) => this.#receive(message as ToProcess))
  }

  #receive(message: ToProcess): void {
    switch (message.type) {
      case 'start':
        return void this.#run(message.start as Start)
      case 'drain':
        return this.#part?.drain()
      case 'end-streams':
        return this.#part?.endStreams?.()
      case 'end':
        this.#over.abort(new Error('the supervisor ends this process'))
        return void setTimeout(() => process.exit(1), CLOSE_DEADLINE_MS).unref()
      case 'missing':
        this.#missing = message.names
        return undefined
      case 'metrics-of-others':
        this.#others?.resolve(message.metrics)
        this.#others = null
        return undefined
      case 'read-metrics':
        return void this.#sendMetrics()
    }
  }

  async #run(start: Start): Promise<void> {
    this.#end = () => {
      this.#onOrphaned(start)
      process.exit(1)
    }
    const { logLevel, logFormat } = start.config
    const log = openLog(logLevel, toLogStream(logFormat)).child({ process: start.name })
    collectDefaultMetrics({ register: this.#registry })
    const { signal } = this.#over
    const context: PartContext = {
      ...{ log, registry: this.#registry, stop: signal },
      readMetricsOfOthers: () => this.#readMetricsOfOthers(),
      missing: () => this.#missing,
    }
    try {
      await using part = await this.#open(start, context)
      this.#part = part
      collectStartGarbage()
      send({ type: 'ready', isWaiting: part.isWaiting() })
      await part.run(signal)
    } catch (error) {
      if (error !== signal.reason) fail(error, log)
    }
    // Only the channel keeps the process alive.
    process.removeAllListeners('disconnect')
    if (process.connected) process.disconnect()
  }

  #readMetricsOfOthers(): Promise<Metrics[]> {
    if (this.#others === null) {
      this.#others = Promise.withResolvers()
      send({ type: 'read-metrics-of-others' })
    }
    return this.#others.promise
  }

  async #sendMetrics(): Promise<void> {
    send({ type: 'metrics', metrics: await this.#registry.getMetricsAsJSON() })
  }
}

function fail(error: unknown, log: Log): void {
  if (!(error instanceof OperatorError)) log.error({ err: error }, 'the process failed')
  send({ type: 'failed', reason: (error as Error).message })
  process.exitCode = 1
}

function send(message: FromProcess): void {
  if (process.connected) process.send!(message)
}
