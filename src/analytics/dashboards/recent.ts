import { dropOldest } from '../../platform/core/functions.ts'

type Entry<T> = { answer: Promise<T>; freshUntilMs: number }

type Options = {
  maxEntries: number
  /** Time for which an answer is kept, by the time that it took to make. */
  toKeptMs: (durationMs: number) => number
}

/**
 * Answers of the recent past, one for each key. Requests that come while one is made wait for it, and a
 * failure is kept as well, so that a crowd of visitors causes one piece of work at a time.
 */
export class RecentAnswers<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  known(key: string): Promise<T> | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.freshUntilMs > performance.now() ? entry.answer : undefined
  }

  ask(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.known(key)
    if (known) return known
    const startedAtMs = performance.now()
    const entry: Entry<T> = { answer: work(), freshUntilMs: Infinity }
    const end = () => {
      const endedAtMs = performance.now()
      entry.freshUntilMs = endedAtMs + this.#options.toKeptMs(endedAtMs - startedAtMs)
    }
    entry.answer.then(end, end)
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    dropOldest(this.#entries, this.#options.maxEntries)
    return entry.answer
  }

  /** The next request makes another answer. */
  drop(key: string): void {
    this.#entries.delete(key)
  }
}
