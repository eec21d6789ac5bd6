/** Whether the run takes the time for hundreds of crashes and the largest inputs: `npm run test:long`. */
export const IS_LONG = process.env.SIGNPOST_LONG_TESTS === '1'

/** How often a property is checked with random values: a tenth as often in a usual run. */
export function randomRuns(long: number): number {
  return IS_LONG ? long : long / 10
}
