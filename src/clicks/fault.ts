/** Where tests end or stop the process, in the order in which a segment comes by. */
export const CRASH_POINTS = [
  'tail-cut',
  'frozen',
  'asked',
  'counted',
  'inserted',
  'stored',
  'cursor-moved',
  'committed',
  'unlinked',
] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

/** Called whenever a segment comes by a point; absent outside of tests. */
export type Fault = (point: CrashPoint, segment: string) => void | Promise<void>
