import type { Counted, LabelRow, Visits } from './counted.ts'
import type { Dimension } from './dimensions.ts'
import { importedLabel, sumImported, type ImportedDay } from './imported.ts'
import type { Period } from './period.ts'

type Question = { imported: readonly ImportedDay[]; current: Period; previous: Period }

/**
 * Adds imported clicks to every part of an answer, so that its parts still add up. Top links are left: they are those of
 * this server.
 * @param bounds of the buckets
 */
export function addImported(
  counted: Counted,
  { imported, current, previous }: Question,
  bounds: readonly number[] = [],
): Counted {
  if (imported.length === 0) return counted
  const inPeriod = sumImported(imported, current)
  const buckets = new Map(counted.buckets)
  for (const [startMs, clicks] of toBuckets(imported, bounds))
    buckets.set(startMs, more(buckets.get(startMs) ?? NO_VISITS, clicks))
  const ever = imported.reduce((sum, { clicks }) => sum + clicks, 0)
  return {
    ...counted,
    lifetime: counted.lifetime + ever,
    current: more(counted.current, inPeriod),
    previous: more(counted.previous, sumImported(imported, previous)),
    buckets,
    labels:
      inPeriod === 0
        ? counted.labels
        : new Map(
            [...counted.labels].map(([name, rows]) => [name, addToLabel(name, rows, inPeriod)]),
          ),
    importedEver: ever,
  }
}

/** Imported clicks with a day by the start of their bucket. Days and bounds are in order, so each is passed once. */
function toBuckets(days: readonly ImportedDay[], bounds: readonly number[]): Map<number, number> {
  const buckets = new Map<number, number>()
  let at = 0
  for (const { atMs, clicks } of days) {
    if (atMs === null) continue
    while (at < bounds.length && atMs >= bounds[at]!) at++
    const startMs = bounds[at - 1]
    if (startMs === undefined || at === bounds.length) continue
    buckets.set(startMs, (buckets.get(startMs) ?? 0) + clicks)
  }
  return buckets
}

const NO_VISITS: Visits = { clicks: 0, visitors: 0, bots: 0 }

function more(visits: Visits, clicks: number): Visits {
  return { ...visits, clicks: visits.clicks + clicks, imported: clicks }
}

/** The row of the label goes to its place in the order: the blank label, then the most clicked, equals by label. */
function addToLabel(name: Dimension, rows: readonly LabelRow[], clicks: number): LabelRow[] {
  const label = importedLabel(name)
  const own = rows.find((row) => row.label === label) ?? { label, clicks: 0, visitors: 0 }
  const others = rows.filter((row) => row !== own)
  const added = { ...own, clicks: own.clicks + clicks }
  const at = others.findIndex(
    (row) =>
      row.label !== '' &&
      (label === '' ||
        row.clicks < added.clicks ||
        (row.clicks === added.clicks && row.label > label)),
  )
  return at === -1 ? [...others, added] : others.toSpliced(at, 0, added)
}
