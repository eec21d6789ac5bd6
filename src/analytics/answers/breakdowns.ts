import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { countConversions, earnedBy, type EarnedParts } from './conversions.ts'
import type { Counted } from '../questions/counted.ts'
import { count } from '../questions/counting.ts'
import { BREAKDOWN_NAMES, type BreakdownName, type Dimension } from '../questions/dimensions.ts'
import { readHostnames } from '../questions/hostnames.ts'
import { toLabels } from '../questions/labels.ts'
import { readQuestion, toMeta, type AnalyticsDeps, type Subject } from '../questions/question.ts'
import type { BreakdownQuery, OverviewQuery } from './schema.ts'

export const TOP_LABELS = 10

/** The ten most clicked labels of every dimension. */
export async function breakdowns(
  deps: AnalyticsDeps,
  principal: Principal,
  query: OverviewQuery,
  signal?: AbortSignal,
) {
  const question = await readQuestion(deps, principal, {}, query, signal)
  const key = JSON.stringify(['breakdowns', principal.workspaceId, query])
  const answer = await deps.answers.ask(key, signal, async (stop) => {
    // One more, for the clicks that were not tagged.
    const rows = { dimensions: BREAKDOWN_NAMES, limit: TOP_LABELS + 1 }
    const both = await deps.reader.run(principal, stop, async (read) => ({
      counted: await count(read, question, { rows }),
      earned: await countConversions(read, question, rows),
    }))
    return { ...both, ...question }
  })
  const { currencies } = answer.earned
  return page(toTopRows(answer.counted, answer.earned), {
    ...toMeta(answer, { hasLabelVisitors: true, currencies }),
    approximate: answer.counted.isApproximate,
  })
}

function toTopRows(counted: Counted, earned: EarnedParts) {
  return Object.fromEntries(
    BREAKDOWN_NAMES.map((name) => [name, toAllRows(counted, name, earned, TOP_LABELS)]),
  ) as Record<BreakdownName, BreakdownRow[]>
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
  const question = await readQuestion(deps, principal, subject, query, signal)
  const key = JSON.stringify(['breakdown', principal.workspaceId, subject, dimension, query])
  const answer = await deps.answers.ask(key, signal, async (stop) => {
    const rows = { dimensions: [dimension], limit: limit + offset + 1 }
    const both = await deps.reader.run(principal, stop, async (read) => ({
      counted: await count(read, question, { rows }),
      earned: await countConversions(read, question, rows),
    }))
    return { ...both, ...question }
  })
  const { counted, earned } = answer
  const { currencies } = earned
  const rows = toAllRows(counted, dimension, earned, offset + limit).slice(offset)
  const labels = rows.map(({ label }) => label)
  const names = dimension === 'domain' ? await readHostnames(deps, principal, labels) : null
  const named = names
    ? rows.map((row) => ({ ...row, hostname: names.get(row.label) ?? null }))
    : rows
  return page(named, {
    ...toMeta(answer, { hasLabelVisitors: true, currencies }),
    limit,
    offset,
    approximate: counted.isApproximate,
  })
}

export type BreakdownRow = {
  label: string
  clicks: number
  uniqueVisitors: number
  /** Of the clicks of all labels, with two decimals. */
  percent: number
  conversions: number
  value: number
  hostname?: string | null
}

/** The clicked labels, and behind the last of them those that have conversions alone; `end` of them at most. */
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

/** The clicked labels with their numbers. */
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
