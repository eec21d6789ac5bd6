import { collectDefaultMetrics, Registry } from 'prom-client'
import { OperatorError } from '../base/errors.ts'
import { openLog, type Log } from '../base/log.ts'
import { toLogStream } from '../base/log-text.ts'
import { collectStartGarbage } from '../base/start-garbage.ts'
import type { FromProcess, Metrics, ProcessStart, ToProcess } from './process-messages.ts'

/** As that of the supervisor, without its time to drain: the message to end follows after it. */
const CLOSE_DEADLINE_MS = 45_000

/** What a process of the supervisor runs. */
export type Part = {
  isWaiting(): boolean
  drain(): void
  endStreams?(): void
  run(signal: AbortSignal): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type PartContext = {
  log: Log
  registry: Registry
  /** Aborts the start. */
  stop: AbortSignal
  readMetricsOfOthers: () => Promise<Metrics[]>
  /** Names of the processes that do not run. */
  missing: () => readonly string[]
}

/**
 * The life of a process that the supervisor starts and ends by messages. It ends as well when the supervisor is gone.
 * @param open loads what it runs, so that no message is missed during a second of loading
 */
export function runSupervised(open: (start: never, context: PartContext) => Promise<Part>): void {
  const over = new AbortController()
  const registry = new Registry()
  let part: Part | null = null
  let missing: readonly string[] = []
  let others: PromiseWithResolvers<Metrics[]> | null = null

  // A terminal and a service manager send these to every process; the supervisor decides what follows.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {})
  process.once('disconnect', end)
  process.on('message', (message: ToProcess) => {
    if (message.type === 'start') void run(message.start)
    else if (message.type === 'drain') part?.drain()
    else if (message.type === 'end-streams') part?.endStreams?.()
    else if (message.type === 'end') end()
    else if (message.type === 'missing') missing = message.names
    else if (message.type === 'metrics-of-others') receiveOthers(message.metrics)
    else void sendMetrics()
  })

  async function run(start: ProcessStart): Promise<void> {
    const { logLevel, logFormat } = start.config
    const log = openLog(logLevel, toLogStream(logFormat)).child({ process: start.name })
    collectDefaultMetrics({ register: registry })
    try {
      const context = {
        log,
        registry,
        stop: over.signal,
        readMetricsOfOthers,
        missing: () => missing,
      }
      await using opened = await open(start as never, context)
      part = opened
      collectStartGarbage()
      tell({ type: 'ready', isWaiting: opened.isWaiting() })
      await opened.run(over.signal)
    } catch (error) {
      if (error !== over.signal.reason) fail(error, log)
    }
    // Without the channel nothing keeps the process alive.
    if (process.connected) process.disconnect()
  }

  function fail(error: unknown, log: Log): void {
    if (!(error instanceof OperatorError)) log.error({ err: error }, 'the process failed')
    tell({ type: 'failed', reason: (error as Error).message })
    process.exitCode = 1
  }

  function readMetricsOfOthers(): Promise<Metrics[]> {
    if (others === null) {
      others = Promise.withResolvers()
      tell({ type: 'read-metrics-of-others' })
    }
    return others.promise
  }

  function receiveOthers(metrics: Metrics[]): void {
    others?.resolve(metrics)
    others = null
  }

  async function sendMetrics(): Promise<void> {
    tell({ type: 'metrics', metrics: await registry.getMetricsAsJSON() })
  }

  function end(): void {
    over.abort(new Error('the supervisor ends this process'))
    setTimeout(() => process.exit(1), CLOSE_DEADLINE_MS).unref()
  }

  function tell(message: FromProcess): void {
    if (process.connected) process.send!(message)
  }
}
