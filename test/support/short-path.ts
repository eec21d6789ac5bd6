/** Whether servers of tests answer plain requests without node:http; `without-short-path.slow.test.ts` says no. */
export const USES_SHORT_PATH = process.env.SIGNPOST_SHORT_PATH !== 'false'
