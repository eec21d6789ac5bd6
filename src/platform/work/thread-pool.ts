import { Tinypool } from 'tinypool'
import { ApiError } from '../core/errors.ts'

export type ThreadLimits = {
  /** Tasks that run at once, each on its own thread. */
  maxRunning: number
  maxWaiting: number
  /** An idle thread ends after this time, to return its memory. */
  idleMs: number
  /** Plural noun for the tasks, in the message of a refusal. */
  taskName: string
}

const RETRY_SECONDS = 1

/**
 * Runs CPU-heavy tasks on threads of low priority, so that nothing else waits for them: the pool that Node's crypto uses has
 * the priority of the event loop. Threads start on demand.
 */
export class ThreadPool<Input, Output> {
  readonly #limits: ThreadLimits
  readonly #pool: Tinypool
  #pending = 0
  #ended = 0

  /** @param file a module whose function `run` does one task */
  constructor(file: URL, limits: ThreadLimits) {
    this.#limits = limits
    this.#pool = new Tinypool({
      filename: file.href,
      name: 'run',
      minThreads: 0,
      maxThreads: limits.maxRunning,
      idleTimeout: limits.idleMs,
    })
  }

  stats() {
    const running = Math.min(this.#pending, this.#limits.maxRunning)
    return { running, waiting: this.#pending - running, runs: this.#ended + running }
  }

  /** @throws ApiError RATE_LIMITED when too many tasks are waiting; the error of a failed task */
  async run(input: Input): Promise<Output> {
    const { maxRunning, maxWaiting, taskName } = this.#limits
    const max = maxRunning + maxWaiting
    if (this.#pending >= max) throw tooMany(taskName, max)
    this.#pending++
    try {
      return (await this.#pool.run(input)) as Output
    } finally {
      this.#pending--
      this.#ended++
    }
  }
}

function tooMany(taskName: string, limit: number): ApiError {
  return new ApiError(
    'RATE_LIMITED',
    `Too many ${taskName} at once. Try again in ${RETRY_SECONDS} s.`,
    { retryAfter: RETRY_SECONDS, limit, window: RETRY_SECONDS },
  )
}
