import type { Clock } from '../../src/platform/core/clock.ts'

/** A clock that a test turns, as far as it turns the clock of the database. */
export function turnedClock(
  readMs: () => number,
  readOffsetMs = () => readMs() - Date.now(),
): Clock {
  return Object.defineProperty(() => readMs(), 'offsetMs', { get: readOffsetMs })
}
