/** Time as a parameter: wall-clock milliseconds since the epoch. */
export type Clock = {
  (): number
  /** Offset of a test's clock; the clock of the database is read with the same offset. */
  readonly offsetMs?: number
}

export const systemClock: Clock = () => Date.now()
