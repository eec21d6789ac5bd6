import type { Dimension } from './dimensions.ts'

export type Visits = {
  clicks: number
  visitors: number
  bots: number
}
export type LabelRow = { label: string; clicks: number; visitors: number }

export type Counted = {
  lifetime: number
  current: Visits
  /** By start of bucket, in milliseconds; buckets without a click are missing. */
  buckets: ReadonlyMap<number, Visits>
  previous: Visits
  /** By dimension, the most clicked first and the empty label before all. */
  labels: ReadonlyMap<Dimension, readonly LabelRow[]>
  /** Clicks of the rows from which a dimension was read: those of the period. */
  links: readonly LabelRow[]
  /** True when visitors are estimated. */
  isApproximate: boolean
}
