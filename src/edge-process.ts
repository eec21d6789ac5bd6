import { collectDefaultMetrics, Registry } from 'prom-client'
import type { EdgeStart, FromEdge, ToEdge } from './app/edge-messages.ts'
import { OperatorError } from './base/errors.ts'
import { openLog } from './base/log.ts'
import { toLogStream } from './base/log-text.ts'

/**
 * A process of EDGE_PROCESSES, which the first process starts and ends by messages. It ends as well when that one is
 * gone.
 */

/** As that of the first process, without its time to drain: the message to end follows after it. */
const CLOSE_DEADLINE_MS = 45_000

const over = new AbortController()
const registry = new Registry()
let endWithAnswers: (() => void) | null = null

// A terminal and a service manager send these to every process; the first one decides what follows.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {})
process.once('disconnect', end)
process.on('message', (message: ToEdge) => {
  if (message.type === 'start') void run(message.start)
  else if (message.type === 'drain') endWithAnswers?.()
  else if (message.type === 'end') end()
  else void sendMetrics()
})

async function run(start: EdgeStart): Promise<void> {
  const { logLevel, logFormat } = start.config
  const log = openLog(logLevel, toLogStream(logFormat)).child({ edgeProcess: start.number })
  collectDefaultMetrics({ register: registry })
  try {
    // Loaded here, so that no message is missed during a second of loading.
    const { openEdgeProcess } = await import('./app/edge-process.ts')
    await using edge = await openEdgeProcess(start, { log, registry })
    endWithAnswers = () => edge.endWithAnswers()
    tell({ type: 'ready' })
    await edge.run(over.signal)
  } catch (error) {
    const isExplained = error instanceof OperatorError
    if (!isExplained) log.error({ err: error }, 'an edge process failed')
    tell({ type: 'failed', reason: (error as Error).message })
    process.exitCode = 1
  }
  // Without the channel nothing keeps the process alive.
  if (process.connected) process.disconnect()
}

async function sendMetrics(): Promise<void> {
  tell({ type: 'metrics', metrics: await registry.getMetricsAsJSON() })
}

function end(): void {
  // Nothing was answered yet, and the port is free at once.
  if (endWithAnswers === null) process.exit()
  over.abort(new Error('the first process ends this one'))
  setTimeout(() => process.exit(1), CLOSE_DEADLINE_MS).unref()
}

function tell(message: FromEdge): void {
  if (process.connected) process.send!(message)
}
