import { withinMs } from '../../core/service.ts'
import type { Connection } from './connection.ts'

type Waiter = {
  resolve: (connection: Connection) => void
  reject: (error: unknown) => void
}

/** Far below the idle limits of proxies, and longer than polling intervals. */
const MAX_IDLE_MS = 30_000
/** Sessions grow caches, and after a failover they may be at a server that is no longer the primary. */
const MAX_AGE_MS = 3_600_000

/**
 * One caller at a time, so that no statement waits behind another caller's. Callers wait in turn for as long as it
 * takes.
 */
export class Pool {
  readonly #open: () => Promise<Connection>
  readonly #max: number
  readonly #idle: { connection: Connection; sinceMs: number }[] = []
  readonly #waiting: Waiter[] = []
  readonly #all = new Set<Connection>()
  #opening = 0
  #trimming: NodeJS.Timeout | null = null
  #ended: PromiseWithResolvers<void> | null = null

  constructor(open: () => Promise<Connection>, max: number) {
    this.#open = open
    this.#max = max
  }

  acquire(): Connection | Promise<Connection> {
    if (this.#ended !== null) return Promise.reject(poolEnded())
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop())
      if (last.connection.isUsable) return last.connection
      else this.#all.delete(last.connection)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#grow()
    })
  }

  release(connection: Connection): void {
    const isOld = performance.now() - connection.openedAtMs > MAX_AGE_MS
    if (!connection.isUsable || isOld) return this.#drop(connection)
    const waiter = this.#waiting.shift()
    if (waiter) return waiter.resolve(connection)
    if (this.#ended !== null) return this.#drop(connection)
    this.#idle.push({ connection, sinceMs: performance.now() })
    this.#trimming ??= setInterval(() => this.#trim(), MAX_IDLE_MS / 2).unref()
  }

  async end(timeoutMs: number): Promise<void> {
    if (this.#ended !== null) return this.#ended.promise
    this.#ended = Promise.withResolvers()
    if (this.#trimming) clearInterval(this.#trimming)
    for (const { connection } of this.#idle.splice(0)) this.#drop(connection)
    this.#settleEnd()
    await withinMs(this.#ended.promise, timeoutMs).catch(() => {
      for (const connection of this.#all) connection.destroy()
      for (const { reject } of this.#waiting.splice(0)) reject(poolEnded())
      this.#ended!.resolve()
    })
  }

  #grow(): void {
    if (this.#all.size + this.#opening >= this.#max || this.#opening >= this.#waiting.length) return
    this.#opening++
    this.#open().then(
      (connection) => {
        this.#opening--
        this.#all.add(connection)
        this.release(connection)
      },
      (error: unknown) => {
        this.#opening--
        this.#waiting.shift()?.reject(error)
        this.#grow()
        this.#settleEnd()
      },
    )
  }

  #drop(connection: Connection): void {
    void connection.close().then(() => {
      this.#all.delete(connection)
      this.#grow()
      this.#settleEnd()
    })
  }

  #trim(): void {
    const before = performance.now() - MAX_IDLE_MS
    while (this.#idle.length > 0 && this.#idle[0]!.sinceMs < before)
      this.#drop(this.#idle.shift()!.connection)
  }

  #settleEnd(): void {
    if (this.#all.size + this.#opening + this.#waiting.length === 0) this.#ended?.resolve()
  }
}

function poolEnded(): Error {
  return Object.assign(new Error('the pool of connections is closed'), { code: 'CONNECTION_ENDED' })
}
