import { Tinypool } from 'tinypool'
import { rateLimited } from '../core/errors.ts'

export type ThreadLimits = {
  maxRunning: number
  maxWaiting: number
  idleMs: number
  taskName: string
}

/** Low-priority threads, which start on demand; the pool behind Node's crypto competes with the event loop. */
export class ThreadPool<Input, Output> {
  readonly #limits: ThreadLimits
  readonly #pool: Tinypool
  #pending = 0
  #ended = 0

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

  async run(input: Input): Promise<Output> {
    const { maxRunning, maxWaiting, taskName } = this.#limits
    const max = maxRunning + maxWaiting
    if (this.#pending >= max)
      throw rateLimited(`Too many ${taskName} at once. Try again in 1 s.`, 1, max, 1)
    this.#pending++
    try {
      return (await this.#pool.run(input)) as Output
    } finally {
      this.#pending--
      this.#ended++
    }
  }
}
