import { ClickHouseFault } from './clickhouse-fault.ts'
import type { EngineSession } from './clickhouse-session.ts'

/** Connections that serve one kind of statement, first come, first served. */
export type Pool = {
  /**
   * Runs `work` on a free connection, waiting for one. An abort takes it out of the queue; once it
   * has its connection, ending it is the work's own affair.
   * @throws ClickHouseFault TOO_MANY_SIMULTANEOUS_QUERIES when too many wait already
   */
  use<T>(signal: AbortSignal, work: (session: EngineSession) => Promise<T>): Promise<T>
  /** True when nothing runs and nothing waits. */
  isIdle(): boolean
  close(): void
}

type Waiter = (session: EngineSession) => void

export function createPool(sessions: readonly EngineSession[], maxWaiting: number): Pool {
  const free = [...sessions]
  const waiters = new Set<Waiter>()

  async function use<T>(
    signal: AbortSignal,
    work: (session: EngineSession) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted()
    const session = free.pop() ?? (await nextFree(signal))
    try {
      return await work(session)
    } finally {
      // The caller has its answer while the connection is made ready for the next one.
      void session.tidy().then(() => release(session))
    }
  }

  function nextFree(signal: AbortSignal): Promise<EngineSession> {
    if (waiters.size >= maxWaiting) {
      const text = `Too many simultaneous queries: ${maxWaiting} wait already`
      throw new ClickHouseFault(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', text)
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiters.delete(take)
        reject(signal.reason as Error)
      }
      const take: Waiter = (session) => {
        signal.removeEventListener('abort', leave)
        resolve(session)
      }
      signal.addEventListener('abort', leave, { once: true })
      waiters.add(take)
    })
  }

  function release(session: EngineSession): void {
    const [next] = waiters
    if (!next) {
      free.push(session)
      return
    }
    waiters.delete(next)
    next(session)
  }

  return {
    use,
    isIdle: () => free.length === sessions.length,
    close: () => sessions.forEach((session) => session.close()),
  }
}
