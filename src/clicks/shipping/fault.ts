/** Points at which tests end or stop the process, in the order in which a segment passes them. */
export type CrashPoint =
  | 'tail-cut'
  | 'frozen'
  | 'asked'
  | 'counted'
  | 'inserted'
  | 'stored'
  | 'cursor-moved'
  | 'committed'
  | 'unlinked'

/** Called when a segment passes a point; does nothing outside of tests. */
export type Fault = (point: CrashPoint, segment: string) => void | Promise<void>
