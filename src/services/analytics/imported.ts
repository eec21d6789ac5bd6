import type { Who } from '../../base/who.ts'
import type { Fragment, Tx } from '../../storage/postgres.ts'
import { DIMENSION_NAMES, labelOfEmpty, type Dimension } from './dimensions.ts'
import { parseFilter } from './filters.ts'
import type { Period } from './period.ts'
import type { LabelQuery } from './query.ts'
import type { Scope } from './scope.ts'

/**
 * Clicks that links had in other services (src/services/imports). They have a UTC day, at whose noon they count, as folded
 * days do, or no known day, so that they are in no period; no labels, so that each label of theirs is
 * {@link UNKNOWN_LABEL}; and no visitors.
 */
export type ImportedDay = { atMs: number | null; clicks: number }

export const UNKNOWN_LABEL = 'unknown'

/** The label of an imported click: empty for UTM labels, since it was not tagged. */
export function importedLabel(name: Dimension): string {
  return labelOfEmpty(name) === null ? '' : UNKNOWN_LABEL
}

const NOON_MS = 12 * 3_600_000

/** The imported clicks of a scope by day, the first day first and no day last; of all times, since totals have no period. */
export async function readImported(
  tx: Tx,
  { workspaceId }: Who,
  scope: Scope,
  query: LabelQuery & { domainId?: string },
): Promise<ImportedDay[]> {
  if (scope.isEmpty || !matchesWithoutLabels(query)) return []
  const inSets = scope.linkSets.reduce<Fragment>(
    (others, { ids, isExcluded }) =>
      isExcluded
        ? tx`${others} and link_id <> all(${[...ids]}::text[])`
        : tx`${others} and link_id = any(${[...ids]}::text[])`,
    tx``,
  )
  const days = await tx<{ day: string | null; clicks: number }[]>`
    select day::text as day, least(sum(clicks), ${Number.MAX_SAFE_INTEGER})::bigint as clicks
    from imported_clicks
    where workspace_id = ${workspaceId} and dimension is null and replaced_by is null ${inSets}
    group by day order by imported_clicks.day nulls last`
  return days.map(({ day, clicks }) => ({ atMs: day === null ? null : toNoon(day), clicks }))
}

/** The first day of the imported clicks of the workspace, Infinity if none has a day; null without such clicks. */
export async function readFirstImported(tx: Tx, { workspaceId }: Who): Promise<number | null> {
  const [row] = await tx<{ day: string | null }[]>`
    select day::text as day from imported_clicks
    where workspace_id = ${workspaceId} and dimension is null and replaced_by is null
    order by imported_clicks.day nulls last limit 1`
  if (!row) return null
  return row.day === null ? Infinity : toNoon(row.day)
}

function toNoon(day: string): number {
  return Date.parse(day) + NOON_MS
}

/** Whether a click without labels passes the filters. */
function matchesWithoutLabels(query: LabelQuery & { domainId?: string }): boolean {
  const names = [...DIMENSION_NAMES, 'domainId' as const]
  return names.every((name) => {
    const text = query[name]
    if (text === undefined) return true
    const { values, isExcluded } = parseFilter(text, name)
    const isUnknown =
      name !== 'domainId' && importedLabel(name) === UNKNOWN_LABEL && values.includes(UNKNOWN_LABEL)
    return isUnknown !== isExcluded
  })
}

/** The imported clicks between two moments. */
export function sumImported(days: readonly ImportedDay[], { startMs, endMs }: Period): number {
  return days
    .filter(({ atMs }) => atMs !== null && atMs >= startMs && atMs < endMs)
    .reduce((sum, { clicks }) => sum + clicks, 0)
}
