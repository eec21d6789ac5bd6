import type { Dimension } from './dimensions.ts'
import { foldsOf } from './folds.ts'
import { labelsSql, labelVisitorsSql } from './labels-sql.ts'
import type { Question } from './question.ts'
import type { Read } from './reader.ts'
import { tallySql, topLinksSql, type Visitors } from './tally.ts'

/*
 * From a question to its one statement:
 *
 *   query ─▶ question.ts: scope, periods, folded months ─▶ counting.ts: the parts of the answer
 *   part ─▶ tally.ts: by bucket or link; labels-sql.ts: by label ─▶ sources.ts: the rows of each table
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

/** With up to this many clicks in each period, unique visitors are always exact. */
const EXACT_CLICKS = 100_000
/** Above this many clicks the visitors of a label are estimated from a part of the visitors. */
const SAMPLED_CLICKS = 2_000_000
/** A sample may order labels otherwise, so more of them are read. */
const SAMPLED_LABELS = 5

type Row = { section: string; label: string } & Visits
type Plan = { visitors: Visitors; sample: number; linkIds: readonly string[] }

/**
 * Counts what an answer needs.
 * @param clicksEver of a link, by PostgreSQL's counter: a guess at how to count visitors that usually saves a
 *   statement. Without it a statement before counts the clicks.
 */
export async function count(
  read: Read,
  question: Question,
  wanted: Wanted,
  clicksEver?: number,
): Promise<Counted> {
  const hasFolds = [question.current, question.previous].some(
    (period) => foldsOf(question.folds, period).length > 0,
  )
  const planOf = (clicks: number): Plan => ({
    // Visitors of deleted months are known as estimates.
    visitors: clicks <= EXACT_CLICKS && !hasFolds ? 'exact' : 'estimated',
    sample: toSample(clicks),
    linkIds: wanted.linkIds ?? [],
  })
  const countBy = async (plan: Plan) => {
    const { params } = question.scope
    const rows = await read<Row>({ query: toStatement(question, wanted, plan), params })
    return toCounted(rows, question, wanted, plan)
  }
  if (question.scope.isEmpty)
    return toCounted([], question, wanted, { visitors: 'exact', sample: 1, linkIds: [] })
  if (clicksEver === undefined) {
    const { clicks, topIds } = await countClicks(read, question, wanted)
    return countBy({ ...planOf(clicks), linkIds: wanted.linkIds ?? topIds })
  }
  const guess = planOf(clicksEver / 2)
  const counted = await countBy(guess)
  if (guess.visitors === 'exact') return counted
  const plan = planOf(Math.max(counted.current.clicks, counted.previous.clicks))
  return plan.visitors === 'exact' ? countBy(plan) : counted
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

/** The parts of an answer as rows `section, label, clicks, visitors, bots` of one statement. */
function toStatement(question: Question, wanted: Wanted, plan: Plan): string {
  const { visitors, sample, linkIds } = plan
  const { lifetime, buckets, labels, rows } = wanted
  const bounds = [question.current.startMs, question.current.endMs]
  const tally = (section: string, options: Parameters<typeof tallySql>[1]) =>
    `select '${section}' as section, label, clicks, visitors, bots
    from (${tallySql(question, options)})`
  const labelsOf = (part: NonNullable<Wanted['labels']>) =>
    `select section, label, clicks, toUInt64(0) as visitors, toUInt64(0) as bots
    from (${labelsSql(question, part)})`
  const visitorsOf = ({ dimensions, limit }: NonNullable<Wanted['rows']>) =>
    `select concat('@', section) as section, label, clicks, visitors, toUInt64(0) as bots
    from (${labelVisitorsSql(question, {
      dimensions,
      limit: sample === 1 ? limit : limit * SAMPLED_LABELS,
      sample,
      isExact: visitors === 'exact',
    })})`
  const parts = [
    tally('totals', { by: 'bucket', bounds: totalBounds(question), visitors }),
    lifetime && tally('lifetime', { by: 'bucket', bounds: null }),
    buckets && tally('buckets', { by: 'bucket', bounds: buckets, visitors }),
    labels && labelsOf(labels),
    rows && labelsOf(rows),
    rows && visitorsOf(rows),
    linkIds.length > 0 && tally('links', { by: 'link', bounds, visitors, linkIds }),
  ]
  return parts.filter(Boolean).join(' union all ')
}

const NO_VISITS: Visits = { clicks: 0, visitors: 0, bots: 0 }

function toCounted(rows: readonly Row[], question: Question, wanted: Wanted, plan: Plan): Counted {
  const { current, previous } = question
  const sections = Map.groupBy(rows, ({ section }) => section)
  const rowsOf = (section: string) => sections.get(section) ?? []
  const of = (section: string) => rowsOf(section).map(toVisits)
  const totals = new Map(of('totals').map((row) => [Number(row.label), row]))
  // The period before may be a day that the zone skipped, which begins with the current one.
  const hasPrevious = previous.endMs > previous.startMs
  const dimensions = [wanted.labels, wanted.rows].flatMap((part) => part?.dimensions ?? [])
  return {
    lifetime: of('lifetime')[0]?.clicks ?? 0,
    current: totals.get(current.startMs) ?? NO_VISITS,
    previous: (hasPrevious && totals.get(previous.startMs)) || NO_VISITS,
    buckets: new Map(of('buckets').map((row) => [Number(row.label), row])),
    labels: new Map(
      dimensions.map((name) => [name, withVisitors(rowsOf(name), rowsOf(`@${name}`), plan.sample)]),
    ),
    links: of('links'),
    isApproximate: plan.visitors === 'estimated',
  }
}

/** An estimate may exceed the number of clicks, which visitors cannot. */
function toVisits<R extends Visits>(row: R): R {
  return { ...row, visitors: Math.min(row.visitors, row.clicks) }
}

function withVisitors(
  labels: readonly Row[],
  visitorRows: readonly Row[],
  sample: number,
): LabelRow[] {
  const visitors = new Map(visitorRows.map((row) => [row.label, row.visitors]))
  // A label whose visitors are all outside of the sample has at least one.
  const least = sample > 1 ? 1 : 0
  return labels.map(({ label, clicks }) => ({
    label,
    clicks,
    visitors: Math.min(clicks, Math.max(visitors.get(label) ?? 0, least)),
  }))
}
