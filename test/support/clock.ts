import type { Clock } from '../../src/base/clock.ts'

/** A clock that a test turns, as far as it turns the clock of the database. */
export function turnedClock(
  readMs: () => number,
  readOffsetMs = () => readMs() - Date.now(),
): Clock {
  return Object.defineProperty(() => readMs(), 'offsetMs', { get: readOffsetMs })
}
