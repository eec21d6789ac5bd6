import type { Counted, LabelRow } from './counted.ts'
import type { BreakdownName, Dimension } from './dimensions.ts'

/** Labels of a map breakdown; the others are `(other)` (contract, section 4). */
export const MAX_LABELS = 100
const OTHER = '(other)'

export type Breakdown = Record<string, number>

/** Clicks by label, in descending order, with the rest under `(other)`. */
export function toBreakdown(counted: Counted, name: Dimension): Breakdown {
  const { rows, clicks } = toLabels(counted, name)
  // Without a prototype, so that `__proto__` can be a label.
  const breakdown: Breakdown = Object.create(null)
  const shown = rows.slice(0, MAX_LABELS)
  for (const row of shown) breakdown[row.label] = row.clicks
  const rest = clicks - shown.reduce((sum, row) => sum + row.clicks, 0)
  if (rest > 0) breakdown[OTHER] = (breakdown[OTHER] ?? 0) + rest
  return breakdown
}

/** The maps of these dimensions. */
export function toBreakdowns<Name extends BreakdownName>(
  counted: Counted,
  names: readonly Name[],
): Record<Name, Breakdown> {
  const maps = names.map((name) => [name, toBreakdown(counted, name)])
  return Object.fromEntries(maps) as Record<Name, Breakdown>
}

/**
 * The labels of a dimension, the most clicked first, and the clicks of all its labels: those of the
 * period, or for a UTM parameter those that were tagged.
 */
export function toLabels(
  counted: Counted,
  name: Dimension,
): { rows: readonly LabelRow[]; clicks: number } {
  const read = counted.labels.get(name) ?? []
  const blank = read.find(({ label }) => label === '')
  const { clicks } = counted.current
  if (!blank) return { rows: read, clicks }
  return { rows: read.filter((row) => row !== blank), clicks: clicks - blank.clicks }
}
