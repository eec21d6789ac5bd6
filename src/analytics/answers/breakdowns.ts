import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import { ask, type AnalyticsDeps } from '../questions/ask.ts'
import type { Counted, LabelRow } from '../questions/counting.ts'
import {
  BREAKDOWN_NAMES,
  labelOfEmpty,
  type BreakdownName,
  type Dimension,
} from '../questions/dimensions.ts'
import { toMeta, type Subject } from '../questions/question.ts'
import { countAll, earnedBy, type EarnedParts } from './conversions.ts'
import type { BreakdownQuery, OverviewQuery } from './schema.ts'

export const TOP_LABELS = 10
/** Labels of a map breakdown; the others are `(other)` (contract, section 4). */
export const MAX_LABELS = 100
const OTHER = '(other)'

export async function breakdowns(
  deps: AnalyticsDeps,
  principal: Principal,
  query: OverviewQuery,
  signal?: AbortSignal,
) {
  // One more, for the clicks that were not tagged.
  const rows = { dimensions: BREAKDOWN_NAMES, limit: TOP_LABELS + 1 }
  const { counted, earned, question } = await ask(
    deps,
    principal,
    { name: 'breakdowns', query, signal },
    (read, asked) => countAll(read, asked, { rows }),
  )
  return page(
    byName(BREAKDOWN_NAMES, (name) => toAllRows(counted, name, earned, TOP_LABELS)),
    {
      ...toMeta(question, { hasLabelVisitors: true, currencies: earned.currencies }),
      approximate: counted.isApproximate,
    },
  )
}

/** The labels of one dimension, a page of them. */
export async function breakdown(
  deps: AnalyticsDeps,
  principal: Principal,
  subject: Subject,
  dimension: Dimension,
  query: BreakdownQuery,
  signal?: AbortSignal,
) {
  const { limit, offset } = query
  const wanted = { rows: { dimensions: [dimension], limit: limit + offset + 1 } }
  const { counted, earned, question } = await ask(
    deps,
    principal,
    { name: `breakdown ${dimension}`, subject, query, signal },
    (read, asked) => countAll(read, asked, wanted),
  )
  const rows = toAllRows(counted, dimension, earned, offset + limit).slice(offset)
  const labels = rows.map(({ label }) => label)
  const hosts = dimension === 'domain' ? await readHostnames(deps, principal, labels) : null
  return page(
    hosts ? rows.map((row) => ({ ...row, hostname: hosts.get(row.label) ?? null })) : rows,
    {
      ...toMeta(question, { hasLabelVisitors: true, currencies: earned.currencies }),
      limit,
      offset,
      approximate: counted.isApproximate,
    },
  )
}

type BreakdownRow = {
  label: string
  clicks: number
  uniqueVisitors: number
  /** Of the clicks of all labels, with two decimals. */
  percent: number
  conversions: number
  value: number
  hostname?: string | null
}

/** At most `end` labels: the clicked ones, and after the last of them the ones that have only conversions. */
function toAllRows(
  counted: Counted,
  name: Dimension,
  earned: EarnedParts,
  end: number,
): BreakdownRow[] {
  const rows = toBreakdownRows(counted, name, earned)
  const hasMore = (counted.labels.get(name)?.length ?? 0) > end
  if (hasMore) return rows.slice(0, end)
  const clicked = new Set(rows.map(({ label }) => label))
  const alone = [...(earned.labels.get(name) ?? [])]
    .filter(([label]) => !clicked.has(label))
    .toSorted(([a, one], [b, other]) => other.conversions - one.conversions || (a < b ? -1 : 1))
    .map(([label, numbers]) => ({ label, clicks: 0, uniqueVisitors: 0, percent: 0, ...numbers }))
  return [...rows, ...alone].slice(0, end)
}

export function toBreakdownRows(
  counted: Counted,
  name: Dimension,
  earned: EarnedParts,
): BreakdownRow[] {
  const { rows, clicks: all } = toLabels(counted, name)
  return rows.map(({ label, clicks, visitors }) => ({
    label,
    clicks,
    uniqueVisitors: visitors,
    percent: Number(((clicks / all) * 100).toFixed(2)),
    ...earnedBy(earned, name, label),
  }))
}

/** Clicks by label, in descending order, with the rest under `(other)`. */
export function toBreakdowns<Name extends BreakdownName>(counted: Counted, names: readonly Name[]) {
  return byName(names, (name) => {
    const { rows, clicks } = toLabels(counted, name)
    // Without a prototype, so that `__proto__` can be a label.
    const clicksByLabel: Record<string, number> = Object.create(null)
    const shown = rows.slice(0, MAX_LABELS)
    for (const row of shown) clicksByLabel[row.label] = row.clicks
    const rest = clicks - shown.reduce((sum, row) => sum + row.clicks, 0)
    if (rest > 0) clicksByLabel[OTHER] = (clicksByLabel[OTHER] ?? 0) + rest
    return clicksByLabel
  })
}

/**
 * The labels of a dimension, the most clicked first, and the clicks of all its labels: of the period, or for a UTM
 * parameter the tagged ones.
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

export function byName<Name extends string, T>(
  names: readonly Name[],
  toValue: (name: Name) => T,
): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, T>
}

/** The hosts of domains by their ids, and the shared host by its label; without domains that were deleted. */
export async function readHostnames(
  { sql, toShortUrl }: Pick<AnalyticsDeps, 'sql' | 'toShortUrl'>,
  { workspaceId }: Principal,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const domains = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ id: string; hostname: string }[]>`
      select id, hostname from domains
      where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])`,
  )
  const names = new Map(domains.map(({ id, hostname }) => [id, hostname]))
  return names.set(labelOfEmpty('domain')!, new URL(toShortUrl(null, '')).host)
}
