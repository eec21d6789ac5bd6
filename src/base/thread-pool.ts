import { Worker } from 'node:worker_threads'
import { ApiError } from './errors.ts'

export type ThreadLimits = {
  /** Tasks that run at once, each on its own thread. */
  maxRunning: number
  maxWaiting: number
  /** An idle thread ends after this time, to return its memory. */
  idleMs: number
  /** Plural noun for the tasks, in the message of a refusal. */
  taskName: string
}

type Thread = { worker: Worker; idleTimer: NodeJS.Timeout | undefined }

const RETRY_SECONDS = 1

/**
 * Runs CPU-heavy tasks on threads of low priority, so that redirects do not wait for them: the
 * pool that Node's crypto uses has the priority of the event loop. Threads start on demand.
 */
export class ThreadPool<Input, Output> {
  readonly #file: URL
  readonly #limits: ThreadLimits
  readonly #idle: Thread[] = []
  readonly #waiting: (() => void)[] = []
  #running = 0
  #runs = 0

  /** @param file a module that answers each message with one message */
  constructor(file: URL, limits: ThreadLimits) {
    this.#file = file
    this.#limits = limits
  }

  stats() {
    return { running: this.#running, waiting: this.#waiting.length, runs: this.#runs }
  }

  /** @throws ApiError RATE_LIMITED when too many tasks are waiting; the error of a failed task */
  async run(input: Input): Promise<Output> {
    await this.#enter()
    try {
      const thread = this.#idle.pop() ?? this.#start()
      clearTimeout(thread.idleTimer)
      const output = await send<Output>(thread.worker, input)
      thread.idleTimer = setTimeout(() => this.#end(thread), this.#limits.idleMs).unref()
      this.#idle.push(thread)
      return output
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }

  /** A task that ends hands its place to the next one, so `#running` stays unchanged. */
  async #enter(): Promise<void> {
    const { maxRunning, maxWaiting, taskName } = this.#limits
    if (this.#running < maxRunning) {
      this.#running++
    } else {
      if (this.#waiting.length >= maxWaiting) throw tooMany(taskName, maxRunning + maxWaiting)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#runs++
  }

  #start(): Thread {
    const worker = new Worker(this.#file)
    const thread: Thread = { worker, idleTimer: undefined }
    // The waiting task receives the error; without a listener it would end the process.
    worker.on('error', () => {})
    worker.on('exit', () => this.#remove(thread))
    return thread
  }

  /** Removes the thread from the list first, because terminating it takes a while. */
  #end(thread: Thread): void {
    this.#remove(thread)
    void thread.worker.terminate()
  }

  #remove(thread: Thread): void {
    const index = this.#idle.indexOf(thread)
    if (index !== -1) this.#idle.splice(index, 1)
  }
}

function send<Output>(worker: Worker, input: unknown): Promise<Output> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
      worker.unref()
      finish()
    }
    const onMessage = (output: Output) => settle(() => resolve(output))
    const onError = (error: unknown) => settle(() => reject(error as Error))
    const onExit = () => settle(() => reject(new Error('the worker thread ended during a task')))
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
    worker.ref()
    worker.postMessage(input)
  })
}

function tooMany(taskName: string, limit: number): ApiError {
  return new ApiError(
    'RATE_LIMITED',
    `Too many ${taskName} at once. Try again in ${RETRY_SECONDS} s.`,
    { retryAfter: RETRY_SECONDS, limit, window: RETRY_SECONDS },
  )
}
