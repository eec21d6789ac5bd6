/** Whether the run takes the time for hundreds of crashes and the largest inputs: `npm run test:long`. */
export const IS_LONG = process.env.SIGNPOST_LONG_TESTS === '1'
