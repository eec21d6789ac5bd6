import { sleep } from '../base/service.ts'

/** What one loop rests on until another part of the program has something for it. */
export type Bell = {
  /** Ends the rest, or the next one if none is under way. */
  ring(): void
  /** What rang before is dealt with by what comes now. */
  mute(): void
  /** Resolves when it rings, or has rung since it was muted; at the latest after `timeoutMs`. */
  heard(timeoutMs: number): Promise<void>
}

export function createBell(): Bell {
  let hasRung = false
  let rest = new AbortController()

  return {
    ring() {
      // Each delivery rings. Without a reason of our own, each would make an exception with a stack.
      if (hasRung) return
      hasRung = true
      rest.abort('it rang')
    },
    mute: () => (hasRung = false),
    heard(timeoutMs) {
      if (hasRung) return Promise.resolve()
      rest = new AbortController()
      return sleep(timeoutMs, rest.signal)
    },
  }
}
