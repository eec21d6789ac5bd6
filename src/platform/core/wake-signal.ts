/** Ends the waits of loops early when there is something for them to do. */
export class WakeSignal {
  #count = 0
  readonly #waiting = new Set<() => void>()

  /** Number of times that it was given; read before a loop looks for work, so that no signal is lost after that. */
  get count(): number {
    return this.#count
  }

  wake(): void {
    this.#count++
    for (const resume of this.#waiting) resume()
  }

  /** Resolves at once if it was given after `count` was read, otherwise when it is given or the time is over. */
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
