type Entry<T> = { answer: Promise<T>; stop: AbortController; waiting: number; askedAtMs: number }

/** Shorter than the time after which a click is visible, and an answer says as of when it counts. */
const KEPT_MS = 1_000
const MAX_ENTRIES = 1_000

/**
 * Equal questions within a second are one read. It ends when every request that waits for it is gone.
 * Keys name the workspace.
 */
export class SharedAnswers {
  readonly #entries = new Map<string, Entry<unknown>>()

  /** @param work rejects when its signal is aborted */
  async ask<T>(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const known = this.#entries.get(key) as Entry<T> | undefined
    const isFresh =
      known && known.askedAtMs > performance.now() - KEPT_MS && !known.stop.signal.aborted
    const entry = isFresh ? known : this.#start(key, work)
    entry.waiting++
    const leave = () => {
      if (--entry.waiting === 0) entry.stop.abort()
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await entry.answer
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #start<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Entry<T> {
    const stop = new AbortController()
    const entry = { answer: work(stop.signal), stop, waiting: 0, askedAtMs: performance.now() }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    // A failure is not kept.
    entry.answer.catch(() => this.#entries.get(key) === entry && this.#entries.delete(key))
    if (this.#entries.size > MAX_ENTRIES) {
      const [oldest] = this.#entries.keys()
      this.#entries.delete(oldest!)
    }
    return entry
  }
}
