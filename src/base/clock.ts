/** Time as a parameter: wall-clock milliseconds since the epoch. */
export type Clock = {
  (): number
  /** How far a test has turned the clock from the machine's; the database's is read with the same offset. */
  readonly offsetMs?: number
}

export const systemClock: Clock = () => Date.now()
