import { clickHouseFault } from './clickhouse-request.ts'
import type { EngineSession } from './clickhouse-session.ts'

const MAX_WAITING = 100

export class Pool {
  readonly #sessions: readonly EngineSession[]
  readonly #free: EngineSession[]
  readonly #waiters = new Set<(session: EngineSession) => void>()

  constructor(sessions: readonly EngineSession[]) {
    this.#sessions = sessions
    this.#free = [...sessions]
  }

  get isIdle(): boolean {
    return this.#free.length === this.#sessions.length
  }

  /** An abort ends the waiting; `work` itself ends a running statement. */
  async use<T>(signal: AbortSignal, work: (session: EngineSession) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const session = this.#free.pop() ?? (await this.#nextFree(signal))
    try {
      return await work(session)
    } finally {
      void session.reset().then(() => this.#release(session))
    }
  }

  close(): void {
    for (const session of this.#sessions) session.close()
  }

  #nextFree(signal: AbortSignal): Promise<EngineSession> {
    if (this.#waiters.size >= MAX_WAITING) {
      const message = `Too many simultaneous queries: ${MAX_WAITING} wait already`
      throw clickHouseFault(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', message)
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters.delete(take)
        reject(signal.reason as Error)
      }
      const take = (session: EngineSession) => {
        signal.removeEventListener('abort', leave)
        resolve(session)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiters.add(take)
    })
  }

  #release(session: EngineSession): void {
    const [next] = this.#waiters
    if (!next) {
      this.#free.push(session)
      return
    }
    this.#waiters.delete(next)
    next(session)
  }
}
