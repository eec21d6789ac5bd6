import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../src/platform/core/errors.ts'

const CODES = new Set(['RATE_LIMITED', 'UNAVAILABLE'])
const ASK_EVERY_MS = 100
const DEADLINE_MS = 180_000

let refused = 0

/**
 * Asks again while the rule refuses since too many questions wait, or since one takes too long.
 * @returns the answer, and the milliseconds from the first asking, so that a refused question counts as a slow one
 */
export async function askTimed<T>(ask: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const startedAtMs = performance.now()
  for (;;) {
    try {
      return { answer: await ask(), ms: performance.now() - startedAtMs }
    } catch (error) {
      const isRefusal = error instanceof ApiError && CODES.has(error.code)
      if (!isRefusal || performance.now() - startedAtMs > DEADLINE_MS) throw error
      refused++
      await sleep(ASK_EVERY_MS)
    }
  }
}

/** Prints how many questions of this process were refused. */
export function printRefusals(): void {
  console.log(`${refused} questions were refused and asked again`)
}
