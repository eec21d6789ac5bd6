/** What one loop rests on until another part of the program has something for it. */
export type Bell = {
  /** Ends the rest, or the next one if none is under way. */
  ring(): void
  /** What rang before is dealt with by what comes now. */
  mute(): void
  /** Resolves when it rings, or has rung since it was muted; at the latest after `timeoutMs`. */
  heard(timeoutMs: number, signal: AbortSignal): Promise<void>
}

export function createBell(): Bell {
  let hasRung = false
  let wake = () => {}

  return {
    ring() {
      hasRung = true
      wake()
    },
    mute: () => (hasRung = false),
    heard(timeoutMs, signal) {
      if (hasRung || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, timeoutMs)
        signal.addEventListener('abort', done)
        wake = done
      })
    },
  }
}
