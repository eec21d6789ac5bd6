/** Wall-clock milliseconds since the epoch. */
export type Clock = {
  (): number
  /** Offset of a test's clock, added to the clock of the database too. */
  readonly offsetMs?: number
}

export const systemClock: Clock = () => Date.now()

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
