import { Worker } from 'node:worker_threads'
import type { Log } from '../../base/log.ts'
import type { Meters } from '../../clicks/meters.ts'
import type { JournalReports } from '../../clicks/reports.ts'
import type { Notices } from '../../storage/notices.ts'
import type { Answer, FromThread, Order, ToThread } from './messages.ts'

/** Several times what batches of 4 MiB take, so that only a defect reaches it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

export type ThreadDeps = {
  log: Log
  meters: Meters
  notices: Pick<Notices, 'publish'>
  reports: Pick<JournalReports, 'retire'>
  /** Called for each batch, also for one that failed. */
  noteWork(): void
}

/** `error` is null after an end in order. */
type ThreadEnd = { error: Error | null; answer: Answer | null }

/** One run of the thread that ships, from its start to its end. */
export class ShippingThread {
  /** Never rejects. */
  readonly ended: Promise<ThreadEnd>
  readonly #worker: Worker
  readonly #deps: ThreadDeps
  #answer: Answer | null = null
  #isDone = false

  constructor(order: Order, deps: ThreadDeps) {
    this.#deps = deps
    this.#worker = new Worker(new URL('main.ts', import.meta.url), {
      name: 'shipping',
      workerData: order,
      resourceLimits: RESOURCE_LIMITS,
    })
    let failure: Error | null = null
    this.#worker.on('message', (message: FromThread) => this.#receive(message))
    this.#worker.on('error', (error) => (failure = error as Error))
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        const cutOff = this.#isDone ? null : new Error(`the thread ended with code ${code}`)
        resolve({ error: failure ?? cutOff, answer: this.#answer })
      })
    })
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #receive(message: FromThread): void {
    const { log, meters, notices, noteWork } = this.#deps
    switch (message.type) {
      case 'log':
        return writeLine(log, message.line)
      case 'measured':
        noteWork()
        return (meters[message.meter] as (...values: unknown[]) => void)(...message.values)
      case 'notices':
        return notices.publish(message.notices)
      case 'retire':
        return void this.#retire(message.journalId)
      case 'done':
        this.#isDone = true
        return void this.terminate()
      default:
        this.#answer = message
    }
  }

  async #retire(journalId: string): Promise<void> {
    const done = this.#deps.reports.retire(journalId)
    const error = await done.then(() => null).catch((failure: Error) => failure.message)
    this.post({ type: 'retired', journalId, error })
  }
}

/** Secrets were redacted and errors described when the line was made. */
function writeLine(log: Log, line: string): void {
  const { level, time: _time, msg, ...fields } = JSON.parse(line) as Line
  log[level](fields, msg)
}

type Line = {
  level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  time: string
  msg: string
}
