import { rateLimited } from '../core/errors.ts'
import type { Places } from '../limits/places.ts'

type Options = Omit<Places, 'what' | 'per'>
type Waiter = { keys: readonly string[]; owners: readonly string[]; start: () => void }

/**
 * Bounds the work of each owner, so that none delays another. Invariant: waiting work has no room, so new work with
 * room overtakes nothing that could run.
 */
export class FairQueue {
  readonly #options: Options
  readonly #runningByKey = new Map<string, number>()
  readonly #waitingByKey = new Map<string, number>()
  /** By first key; the key that was served last is at the end. */
  readonly #lines = new Map<string, Waiter[]>()
  #running = 0
  #waiting = 0

  constructor(options: Options) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  get size(): number {
    return this.#runningByKey.size + this.#waitingByKey.size
  }

  /**
   * @param owners each with its own bounds; waiting work takes turns by the first
   * @param signal removes waiting work; running work has to watch the signal itself
   * @param sharedKey one more bound on running work, shared by many owners
   * @throws ApiError RATE_LIMITED when too much work waits already
   */
  async run<T>(
    owners: readonly string[],
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
    sharedKey?: string,
  ): Promise<T> {
    signal?.throwIfAborted()
    const keys = sharedKey === undefined ? owners : [...owners, sharedKey]
    if (this.#hasRoom(keys)) this.#begin(keys)
    else await this.#wait(owners, keys, signal)
    try {
      return await work()
    } finally {
      this.#end(keys)
    }
  }

  #isFull(key: string): boolean {
    return (this.#runningByKey.get(key) ?? 0) >= this.#options.maxRunningPerKey
  }

  #hasRoom(keys: readonly string[]): boolean {
    const { maxRunning = Infinity } = this.#options
    return this.#running < maxRunning && !keys.some((key) => this.#isFull(key))
  }

  #begin(keys: readonly string[]): void {
    this.#running++
    for (const key of keys) add(this.#runningByKey, key, 1)
  }

  #end(keys: readonly string[]): void {
    this.#running--
    for (const key of keys) add(this.#runningByKey, key, -1)
    while (this.#lines.size > 0 && this.#startNext());
  }

  #startNext(): boolean {
    if (!this.#hasRoom([])) return false
    for (const [firstKey, line] of this.#lines) {
      if (this.#isFull(firstKey)) continue
      const index = line.findIndex(({ keys }) => this.#hasRoom(keys))
      if (index === -1) continue
      const [waiter] = line.splice(index, 1)
      this.#lines.delete(firstKey)
      if (line.length > 0) this.#lines.set(firstKey, line)
      this.#begin(waiter!.keys)
      waiter!.start()
      return true
    }
    return false
  }

  #wait(
    owners: readonly string[],
    keys: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { maxRunningPerKey, maxWaitingPerKey, maxWaiting = Infinity, message } = this.#options
    const isFull = owners.some((key) => (this.#waitingByKey.get(key) ?? 0) >= maxWaitingPerKey)
    if (isFull || this.#waiting >= maxWaiting)
      throw rateLimited(message, 1, maxRunningPerKey + maxWaitingPerKey, 1)
    return new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.#remove(waiter)
        this.#count(waiter, -1)
        reject(signal!.reason as Error)
      }
      const start = () => {
        signal?.removeEventListener('abort', abort)
        this.#count(waiter, -1)
        resolve()
      }
      const waiter: Waiter = { keys, owners, start }
      signal?.addEventListener('abort', abort, { once: true })
      this.#count(waiter, 1)
      const line = this.#lines.get(owners[0]!)
      if (line) line.push(waiter)
      else this.#lines.set(owners[0]!, [waiter])
    })
  }

  #count({ owners }: Waiter, n: number): void {
    this.#waiting += n
    for (const key of owners) add(this.#waitingByKey, key, n)
  }

  #remove(waiter: Waiter): void {
    const firstKey = waiter.owners[0]!
    const rest = this.#lines.get(firstKey)!.filter((other) => other !== waiter)
    if (rest.length > 0) this.#lines.set(firstKey, rest)
    else this.#lines.delete(firstKey)
  }
}

function add(counts: Map<string, number>, key: string, n: number): void {
  const count = (counts.get(key) ?? 0) + n
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
