import { labelVisitorsSql, labelsSql } from './breakdowns-sql.ts'
import type { Counted, LabelRow, Visits } from './counted.ts'
import type { Dimension } from './dimensions.ts'
import { foldsOf } from './folds.ts'
import type { Question } from './question.ts'
import type { Read } from './reader.ts'
import { linkVisitsSql, topLinksSql } from './top-links-sql.ts'
import { countsSql, lifetimeSql, visitsSql, type Counting } from './visits-sql.ts'

/** The numbers that an answer is made of. All are counted by one statement, from one snapshot of the table. */
export type Wanted = {
  /** All clicks that were ever counted. */
  lifetime?: true
  /** Buckets of the current period; without any it is one bucket. */
  buckets?: readonly number[]
  /** Labels of these dimensions, without visitors. */
  labels?: { dimensions: readonly Dimension[]; limit: number }
  /** The same with visitors. */
  rows?: { dimensions: readonly Dimension[]; limit: number }
  topLinks?: { limit: number; offset: number }
  /** Links whose clicks are counted, instead of the most clicked ones. */
  linkIds?: readonly string[]
}

/** With up to this many clicks in each period, unique visitors are always exact. */
const EXACT_CLICKS = 100_000
/** Above this many clicks the visitors of a label are estimated from a part of the visitors. */
const SAMPLED_CLICKS = 2_000_000

type Row = { section: string; label: string } & Visits
type Plan = { visitors: Counting['visitors']; sample: number; linkIds: readonly string[] }

/**
 * Counts what an answer needs.
 * @param clicksEver of a link, by PostgreSQL's counter: a guess that often saves a statement. Without
 *   it the clicks are counted first, to decide how visitors are.
 */
export async function count(
  read: Read,
  question: Question,
  wanted: Wanted,
  clicksEver?: number,
): Promise<Counted> {
  if (question.scope.isEmpty) return toCounted([], question, wanted, 'exact')
  if (clicksEver === undefined) {
    const plan = await makePlan(read, question, wanted)
    return toCounted(
      await readRows(read, question, wanted, plan),
      question,
      wanted,
      plan.visitors,
      plan.sample,
    )
  }
  const isFolded = hasFolds(question)
  const guess = clicksEver <= 2 * EXACT_CLICKS && !isFolded ? 'exact' : 'estimated'
  const plan = { visitors: guess, sample: 1, linkIds: [] } as const
  const counted = toCounted(await readRows(read, question, wanted, plan), question, wanted, guess)
  if (guess === 'exact' || isFolded || mostClicks(counted) > EXACT_CLICKS) return counted
  const exact = { ...plan, visitors: 'exact' } as const
  return toCounted(await readRows(read, question, wanted, exact), question, wanted, 'exact')
}

function mostClicks({ current, previous }: Counted): number {
  return Math.max(current.clicks, previous.clicks)
}

/** Decides by the number of clicks how visitors are counted, and finds the links with the most clicks. */
async function makePlan(read: Read, question: Question, wanted: Wanted): Promise<Plan> {
  const { current } = question
  const selects = [
    `select '' as label, clicks from (${countsSql(question, toTotals(question))})`,
    ...(wanted.topLinks
      ? [
          `select label, clicks from (${topLinksSql({ ...question, period: current }, wanted.topLinks)})`,
        ]
      : []),
  ]
  const rows = await read<{ label: string; clicks: number }>({
    query: selects.join(' union all '),
    params: question.scope.params,
  })
  const top = rows.filter(({ label }) => label !== '').map(({ label }) => label)
  const clicks = Math.max(0, ...rows.filter(({ label }) => label === '').map((row) => row.clicks))
  const isExact = clicks <= EXACT_CLICKS && !hasFolds(question)
  const visitors = isExact ? 'exact' : 'estimated'
  return { visitors, sample: toSample(clicks), linkIds: wanted.linkIds ?? top }
}

/** Visitors of deleted months are known as estimates. */
function hasFolds({ folds, current, previous }: Question): boolean {
  return [current, previous].some((period) => foldsOf(folds, period).length > 0)
}

function toSample(clicks: number): number {
  let sample = 1
  while (clicks / sample > SAMPLED_CLICKS) sample *= 2
  return sample
}

function readRows(read: Read, question: Question, wanted: Wanted, plan: Plan): Promise<Row[]> {
  return read<Row>({ query: toStatement(question, wanted, plan), params: question.scope.params })
}

/** Bounds of both periods, which are counted in one pass: one begins where the other ends. */
function toTotals({ current, previous }: Question): number[] {
  return [previous.startMs, current.startMs, current.endMs]
}

/** The parts of an answer as rows `section, label, clicks, visitors, bots` of one statement. */
function toStatement(question: Question, wanted: Wanted, plan: Plan): string {
  const counting = { ...question, visitors: plan.visitors }
  const period = question.current
  const none = 'toUInt64(0)'
  const visits = (section: string, bounds: readonly number[]) =>
    `select '${section}' as section, toString(bucket) as label, clicks, visitors, bots
    from (${visitsSql(counting, bounds)})`
  const parts = [
    visits('totals', toTotals(question)),
    ...(wanted.lifetime
      ? [
          `select 'lifetime' as section, '' as label, clicks, ${none} as visitors, ${none} as bots
          from (${lifetimeSql(counting)})`,
        ]
      : []),
    ...(wanted.buckets ? [visits('buckets', wanted.buckets)] : []),
    ...[wanted.labels, wanted.rows].flatMap((part) =>
      part
        ? [
            `select section, label, clicks, ${none} as visitors, ${none} as bots
            from (${labelsSql({ ...question, period, dimensions: part.dimensions, labels: part.limit })})`,
          ]
        : [],
    ),
    ...(wanted.rows ? [visitorsPart(question, wanted.rows, plan)] : []),
    ...(plan.linkIds.length > 0
      ? [
          `select 'links' as section, label, clicks, visitors, ${none} as bots
          from (${linkVisitsSql({ ...counting, period }, plan.linkIds)})`,
        ]
      : []),
  ]
  return parts.join(' union all ')
}

/** A sample may order labels otherwise, so more of them are read. */
const SAMPLED_LABELS = 5

function visitorsPart(
  question: Question,
  { dimensions, limit }: NonNullable<Wanted['rows']>,
  { visitors, sample }: Plan,
): string {
  const labels = sample === 1 ? limit : limit * SAMPLED_LABELS
  const isExact = visitors === 'exact'
  const sql = labelVisitorsSql({
    ...question,
    period: question.current,
    dimensions,
    labels,
    sample,
    isExact,
  })
  return `select concat('@', pair.1) as section, pair.2 as label, clicks, visitors, toUInt64(0) as bots from (${sql})`
}

const NO_VISITS: Visits = { clicks: 0, visitors: 0, bots: 0 }

function totalsOf(rows: readonly Row[], { current, previous }: Question) {
  const at = (ms: number) =>
    rows.find(({ section, label }) => section === 'totals' && Number(label) === ms)
  // The period before may be a day that the zone skipped, which begins with the current one.
  const before = previous.endMs > previous.startMs ? at(previous.startMs) : undefined
  return { current: at(current.startMs) ?? NO_VISITS, previous: before ?? NO_VISITS }
}

function toCounted(
  rows: readonly Row[],
  question: Question,
  wanted: Wanted,
  visitors: Counting['visitors'],
  sample = 1,
): Counted {
  const totals = totalsOf(rows, question)
  const buckets = (wantedSection: string) =>
    new Map(
      rows
        .filter(({ section }) => section === wantedSection)
        .map((row) => [Number(row.label), toVisits(row)]),
    )
  const dimensions = [wanted.labels, wanted.rows].flatMap((part) => part?.dimensions ?? [])
  return {
    lifetime: rows.find(({ section }) => section === 'lifetime')?.clicks ?? 0,
    current: toVisits(totals.current),
    previous: toVisits(totals.previous),
    buckets: buckets('buckets'),
    labels: new Map(dimensions.map((name) => [name, toLabelRows(rows, name, sample)])),
    links: rows.filter(({ section }) => section === 'links').map(toVisits),
    isApproximate: visitors === 'estimated',
  }
}

/** An estimate may exceed the number of clicks, which visitors cannot. */
function toVisits<R extends Visits>(row: R): R {
  return { ...row, visitors: Math.min(row.visitors, row.clicks) }
}

function toLabelRows(rows: readonly Row[], name: Dimension, sample: number): LabelRow[] {
  const visitors = new Map(
    rows
      .filter(({ section }) => section === `@${name}`)
      .map((row) => [row.label, row.visitors] as const),
  )
  // A label whose visitors are all outside of the sample has at least one.
  const least = sample > 1 ? 1 : 0
  return rows
    .filter(({ section }) => section === name)
    .map(({ label, clicks }) =>
      toVisits({ label, clicks, bots: 0, visitors: Math.max(visitors.get(label) ?? 0, least) }),
    )
}
