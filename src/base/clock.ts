/** Time as a parameter: wall-clock milliseconds since the epoch. Tests turn it. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
