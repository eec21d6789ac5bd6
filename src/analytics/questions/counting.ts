import type { Dimension } from './dimensions.ts'
import { fewSql } from './few-sql.ts'
import { foldsOf } from './folds.ts'
import { labelsSql, labelVisitorsSql } from './labels-sql.ts'
import type { Question } from './question.ts'
import { isTooMany, type Read } from './reader.ts'
import { tallySql, topLinksSql } from './tally.ts'
import type { Line, Wanted } from './wanted.ts'

/*
 * From a question to its one statement (docs/analytics-sql.md):
 *
 *   query ─▶ question.ts: scope, periods, folded months ─▶ wanted.ts: the parts of the answer
 *     few clicks  ─▶ few-sql.ts: one pass over them
 *     many clicks ─▶ tally.ts: by bucket or link; labels-sql.ts: by label ─▶ sources.ts: the rows of each table
 */

export type Visits = { clicks: number; visitors: number; bots: number }
export type LabelRow = { label: string; clicks: number; visitors: number }

export type Counted = {
  lifetime: number
  current: Visits
  previous: Visits
  /** By start of bucket, in milliseconds; buckets without a click are missing. */
  buckets: ReadonlyMap<number, Visits>
  /** By dimension, the empty label first and then the most clicked ones. */
  labels: ReadonlyMap<Dimension, readonly LabelRow[]>
  links: readonly LabelRow[]
  /** True when visitors are estimated. */
  isApproximate: boolean
}

/** With up to this many clicks in each period, unique visitors are always exact. */
const EXACT_CLICKS = 100_000
/** Above this many clicks the visitors of a label are estimated from a part of the visitors. */
const SAMPLED_CLICKS = 2_000_000
/** A sample may order labels otherwise, so more of them are read. */
const SAMPLED_LABELS = 5

/**
 * Up to this many clicks, one thread is fast enough. Beyond it, a count comes first, and then all threads read.
 * ClickHouse reads whole granules, at least one for each part of the table, so it may read more rows than it counts.
 */
const FEW = { isSmall: true, most: 30_001, maxRows: 150_000 } as const

type Plan = {
  sample: number
  /** Whether months are deleted, whose labels have clicks and no visitors. */
  hasFolds: boolean
  linkIds: readonly string[]
}

/**
 * Counts what an answer needs: click by click while there are few, else from projections.
 * @param clicksEver of a link, by PostgreSQL's counter: a guess at how to count that usually saves a statement
 */
export async function count(
  read: Read,
  question: Question,
  wanted: Wanted,
  clicksEver?: number,
): Promise<Counted> {
  const { scope, current, previous } = question
  const { params } = scope
  const toCountedOf = (lines: readonly Line[], sample: number | null) =>
    toCounted(lines, question, wanted, sample)
  if (scope.isEmpty) return toCountedOf([], null)
  // Visitors of deleted months are known as estimates.
  const hasFolds = [current, previous].some((period) => foldsOf(question.folds, period).length > 0)
  const isExact = (clicks: number) => clicks <= EXACT_CLICKS && !hasFolds
  const countFew = (options: { isSmall?: boolean; most?: number; maxRows?: number } = {}) => {
    const { most, ...limits } = options
    const query = toFewStatement(question, wanted, most)
    return read<Line>({ query, params, isKept: true, ...limits })
  }
  const countMany = async (plan: Plan) => {
    const query = toManyStatement(question, wanted, plan)
    return toCountedOf(await read<Line>({ query, params, isKept: true }), plan.sample)
  }
  if (clicksEver === undefined) {
    const few = hasFolds ? null : await tryFew(() => countFew(FEW))
    if (few) return toCountedOf(few, null)
    const { clicks, topIds } = await countClicks(read, question, wanted)
    if (isExact(clicks)) return toCountedOf(await countFew(), null)
    return countMany({ sample: toSample(clicks), hasFolds, linkIds: wanted.linkIds ?? topIds })
  }
  if (isExact(clicksEver / 2)) return toCountedOf(await countFew({ isSmall: true }), null)
  const counted = await countMany({
    sample: toSample(clicksEver / 2),
    hasFolds,
    linkIds: wanted.linkIds ?? [],
  })
  const clicks = Math.max(counted.current.clicks, counted.previous.clicks)
  return isExact(clicks) ? toCountedOf(await countFew(), null) : counted
}

/** Null when there are more clicks than it has read. */
async function tryFew(countFew: () => Promise<Line[]>): Promise<Line[] | null> {
  try {
    const lines = await countFew()
    const all = lines.find(({ label }) => label === '')
    return all && all.clicks + all.bots >= FEW.most ? null : lines
  } catch (error) {
    if (isTooMany(error)) return null
    throw error
  }
}

/** The clicks of the busier period, and the links with the most clicks. */
async function countClicks(read: Read, question: Question, { topLinks }: Wanted) {
  const { startMs, endMs } = question.current
  const tally = tallySql(question, { by: 'bucket', bounds: totalBounds(question) })
  const selects = [
    `select '' as label, clicks from (${tally}) where clicks > 0`,
    ...(topLinks
      ? [`select label, clicks from (${topLinksSql(question, [startMs, endMs], topLinks)})`]
      : []),
  ]
  const rows = await read<{ label: string; clicks: number }>({
    query: selects.join(' union all '),
    params: question.scope.params,
    isKept: true,
  })
  const [totals, top] = [rows.filter(({ label }) => !label), rows.filter(({ label }) => label)]
  return {
    clicks: Math.max(0, ...totals.map(({ clicks }) => clicks)),
    topIds: top.map(({ label }) => label),
  }
}

function toSample(clicks: number): number {
  let sample = 1
  while (clicks / sample > SAMPLED_CLICKS) sample *= 2
  return sample
}

/** Bounds of both periods, which are counted in one pass: one begins where the other ends. */
function totalBounds({ current, previous }: Question): number[] {
  return [previous.startMs, current.startMs, current.endMs]
}

function lifetimeSql(question: Question): string {
  return `
    select concat('@lifetime:', label) as label, clicks, visitors, bots
    from (${tallySql(question, { by: 'bucket', bounds: null })})`
}

function toFewStatement(question: Question, wanted: Wanted, most: number | undefined): string {
  const few = fewSql(question, wanted, most)
  return wanted.lifetime ? `select * from (${few}) union all ${lifetimeSql(question)}` : few
}

/** The parts of an answer as lines of one statement, with estimated visitors. */
function toManyStatement(question: Question, wanted: Wanted, plan: Plan): string {
  const { sample, hasFolds, linkIds } = plan
  const { lifetime, buckets, labels, rows } = wanted
  const bounds = [question.current.startMs, question.current.endMs]
  const tally = (section: string, options: Parameters<typeof tallySql>[1]) =>
    `select concat('${section}:', label) as label, clicks, visitors, bots
    from (${tallySql(question, { ...options, visitors: 'estimated' })})`
  const labelsOf = (part: NonNullable<Wanted['labels']>) =>
    `select concat(section, ':', label) as label, clicks, toUInt64(0) as visitors, toUInt64(0) as bots
    from (${labelsSql(question, part)})`
  const visitorsOf = ({ dimensions, limit }: NonNullable<Wanted['rows']>) =>
    `select concat('@', section, ':', label) as label, clicks, visitors, toUInt64(0) as bots
    from (${labelVisitorsSql(question, {
      dimensions,
      limit: sample === 1 ? limit : limit * SAMPLED_LABELS,
      sample,
    })})`
  const parts = [
    tally('@totals', { by: 'bucket', bounds: totalBounds(question) }),
    lifetime && lifetimeSql(question),
    buckets && tally('@buckets', { by: 'bucket', bounds: buckets }),
    labels && labelsOf(labels),
    // Without a sample the select of visitors has all clicks.
    rows && (sample > 1 || hasFolds) && labelsOf(rows),
    rows && visitorsOf(rows),
    linkIds.length > 0 && tally('@links', { by: 'link', bounds, linkIds }),
  ]
  return parts.filter(Boolean).join(' union all ')
}

const NO_VISITS: Visits = { clicks: 0, visitors: 0, bots: 0 }

/** @param sample null: all visitors are exact */
function toCounted(
  lines: readonly Line[],
  { current, previous }: Question,
  { labels, rows, topLinks, linkIds }: Wanted,
  sample: number | null,
): Counted {
  const sections = Map.groupBy(lines, ({ label }) => label.slice(0, label.indexOf(':') + 1))
  const linesOf = (section: string) =>
    (sections.get(`${section}:`) ?? []).map((line) => ({
      ...line,
      label: line.label.slice(section.length + 1),
    }))
  const of = (section: string) => linesOf(section).map(toVisits)
  const totals = new Map(of('@totals').map((row) => [Number(row.label), row]))
  // The period before may be a day that the zone skipped, which begins with the current one.
  const hasPrevious = previous.endMs > previous.startMs
  const links = of('@links').filter(({ label, clicks }) => label !== '' && clicks > 0)
  return {
    lifetime: of('@lifetime')[0]?.clicks ?? 0,
    current: totals.get(current.startMs) ?? NO_VISITS,
    previous: (hasPrevious && totals.get(previous.startMs)) || NO_VISITS,
    buckets: new Map(of('@buckets').map((row) => [Number(row.label), row])),
    labels: new Map([
      ...(labels?.dimensions ?? []).map((name) => [name, of(name)] as const),
      ...(rows?.dimensions ?? []).map((name) => {
        const [clicks, visitors] = [of(name), linesOf(`@${name}`)]
        return [
          name,
          clicks.length > 0 ? withVisitors(clicks, visitors, sample) : visitors.map(toVisits),
        ] as const
      }),
    ]),
    links:
      sample === null && topLinks && !linkIds
        ? links.slice(topLinks.offset, topLinks.offset + topLinks.limit)
        : links,
    isApproximate: sample !== null,
  }
}

/** An estimate may exceed the number of clicks, which visitors cannot. */
function toVisits<R extends Visits>(row: R): R {
  return { ...row, visitors: Math.min(row.visitors, row.clicks) }
}

function withVisitors(
  labels: readonly LabelRow[],
  visitorRows: readonly LabelRow[],
  sample: number | null,
): LabelRow[] {
  const visitors = new Map(visitorRows.map((row) => [row.label, row.visitors]))
  // A label whose visitors are all outside of the sample has at least one.
  const least = sample !== null && sample > 1 ? 1 : 0
  return labels.map(({ label, clicks }) => ({
    label,
    clicks,
    visitors: Math.min(clicks, Math.max(visitors.get(label) ?? 0, least)),
  }))
}
