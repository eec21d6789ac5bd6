export class WakeSignal {
  #count = 0
  readonly #waiting = new Set<() => void>()

  /** A loop reads it before it looks for work, so that it misses no later signal. */
  get count(): number {
    return this.#count
  }

  wake(): void {
    this.#count++
    for (const resume of this.#waiting) resume()
  }

  /** Resolves at once if `wake` was called after `count` was read, else at the next call or after the timeout. */
  givenSince(count: number, timeoutMs: number): Promise<void> {
    if (this.#count !== count) return Promise.resolve()
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer)
        this.#waiting.delete(resume)
        resolve()
      }
      const timer = setTimeout(resume, timeoutMs)
      this.#waiting.add(resume)
    })
  }
}
