import type { Dimension } from './dimensions.ts'

/** The parts of an answer. One statement counts them all, from one snapshot of the table. */
export type Wanted = {
  /** All clicks ever counted. */
  lifetime?: true
  /** Buckets of the current period. */
  buckets?: readonly number[]
  /** Labels of these dimensions, without visitors. */
  labels?: { dimensions: readonly Dimension[]; limit: number }
  /** Labels with visitors. */
  rows?: { dimensions: readonly Dimension[]; limit: number }
  topLinks?: { limit: number; offset: number }
  /** Links to count, instead of the most clicked ones. */
  linkIds?: readonly string[]
}

/**
 * A line of an answer. Its label is `section:label`, such as `country:DE`; an `@` before it says that its visitors
 * are counted. The sections are the dimensions, `@totals` and `@buckets` by their start in milliseconds, `@links` by id,
 * and `@lifetime`.
 */
export type Line = { label: string; clicks: number; visitors: number; bots: number }
