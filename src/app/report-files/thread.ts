import { Worker } from 'node:worker_threads'
import type { FilePiece } from '../../services/reports/write-file.ts'
import { openSentError } from '../../base/sent-errors.ts'
import type { FromThread, Order, ToThread } from './messages.ts'

/** Several times what two files take, so that only a defect reaches it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }
/** More than connections take to close. */
const STOP_MS = 5_000

type AskedPiece = PromiseWithResolvers<FilePiece | null>

/** One run of the thread that makes files of reports, from its start to its end. */
export class ReportThread {
  /** The error, or null after an end in order. Never rejects. */
  readonly ended: Promise<Error | null>
  readonly #worker: Worker
  /** Pieces that were asked for, by their files. */
  readonly #asked = new Map<number, AskedPiece>()
  /** The reason why the thread makes no more pieces; null while it does. */
  #end: Error | null = null
  #isDone = false

  constructor(order: Order) {
    this.#worker = new Worker(new URL('main.ts', import.meta.url), {
      name: 'reports',
      workerData: order,
      resourceLimits: RESOURCE_LIMITS,
    })
    this.#worker.on('message', (message: FromThread) => this.#receive(message))
    this.#worker.on('error', (error) => this.#fail(error as Error))
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#fail(new Error(`the thread that makes files of reports ended with code ${code}`))
        resolve(this.#isDone ? null : this.#end)
      })
    })
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  /**
   * The next piece of a file that has begun; null after the last one.
   * @throws ApiError of the rules; Error when the thread ended
   */
  next(file: number): Promise<FilePiece | null> {
    if (this.#end !== null) return Promise.reject(this.#end)
    const asked: AskedPiece = Promise.withResolvers()
    this.#asked.set(file, asked)
    this.post({ type: 'next', file })
    return asked.promise
  }

  /** Resolves when the thread has ended; pieces that were asked for are refused then. */
  async stop(): Promise<void> {
    this.post({ type: 'stop' })
    const timer = setTimeout(() => void this.#worker.terminate(), STOP_MS)
    await this.ended
    clearTimeout(timer)
  }

  #receive(message: FromThread): void {
    if (message.type === 'done') {
      this.#isDone = true
      return void this.#worker.terminate()
    }
    const asked = this.#asked.get(message.file)
    this.#asked.delete(message.file)
    if (message.type === 'piece') asked?.resolve(message.piece)
    else asked?.reject(openSentError(message.error))
  }

  #fail(error: Error): void {
    this.#end ??= error
    for (const asked of this.#asked.values()) asked.reject(this.#end)
    this.#asked.clear()
  }
}
