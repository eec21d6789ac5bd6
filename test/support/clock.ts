import type { Clock } from '../../src/base/clock.ts'

/** A clock that a test turns; the database's clock is read with the same offset. */
export function turnedClock(readMs: () => number): Clock {
  return Object.defineProperty(() => readMs(), 'offsetMs', { get: () => readMs() - Date.now() })
}
