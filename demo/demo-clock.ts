import type { Clock } from '../src/platform/core/clock.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export type DemoClock = {
  /** The clock of the program. */
  clock: Clock
  /** The present of the demo: that of the machine, unless the demo plays on another day. */
  nowMs(): number
  /** Sets the clock of the program to a time of the past, from which it runs on. */
  set(atMs: number): void
  /** Sets it to the present. */
  catchUp(): void
}

/**
 * The clock of the program under the demo, which can be set back: the program itself then writes what
 * happened weeks ago, by its own rules.
 * @param presentMs the present at this moment
 */
export function createDemoClock(presentMs = Date.now()): DemoClock {
  const presentOffsetMs = presentMs - Date.now()
  let offsetMs = presentOffsetMs
  const clock: Clock = Object.defineProperty(() => Date.now() + offsetMs, 'offsetMs', {
    get: () => offsetMs,
  })
  return {
    clock,
    nowMs: () => Date.now() + presentOffsetMs,
    set(atMs) {
      offsetMs = atMs - Date.now()
    },
    catchUp() {
      offsetMs = presentOffsetMs
    },
  }
}

/** Midnight UTC of the day. */
export function startOfDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS
}
