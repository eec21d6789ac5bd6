/** Wall-clock milliseconds since the epoch. A parameter everywhere, so that tests can set the time. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
