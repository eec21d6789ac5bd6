import { DIMENSION_NAMES, DIMENSIONS, type Dimension } from './schema.ts'
import type { Period } from './period.ts'

/**
 * The SQL of link analytics. A period is read in two parts, which makes any time zone exact:
 *
 *       startMs     00:00 UTC                 00:00 UTC    endMs
 *          |-- edge ----|------ whole days -------|-- edge --|
 *             rows           projections               rows
 *
 * Whole UTC days come from the projections of the table (migrations/clickhouse), whose size depends on
 * days and labels instead of clicks. ClickHouse uses one when a query groups by its columns and filters
 * by `toDate(at)`. The edges are counted click by click.
 */

/** Dimensions by projection (migrations/clickhouse/0001), which also has `visits`. */
const GROUPS: readonly (readonly Dimension[])[] = [
  ['country', 'region', 'city', 'continent'],
  ['device', 'browser', 'os'],
  ['referrer', 'trigger', 'destination'],
  ['language', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'],
]

const DAY_MS = 86_400_000
/** A view of a page is no click, and the name is unknown to a table that is not migrated yet. */
const IS_CLICK = "kind in ('human', 'bot', 'preview', 'prefetch')"
const IS_BOT = "kind in ('bot', 'preview', 'prefetch')"
const OF_LINK = 'workspace_id = {workspaceId:String} and link_id = {linkId:String}'

/** Labels that are read per breakdown, the empty one first. The others follow from the total. */
export const LABELS_READ = 101

/** The section with the total of a dimension's group. */
export function totalSection(dimension: Dimension): string {
  return groupTotal(GROUPS.findIndex((group) => group.includes(dimension)))
}

function groupTotal(at: number): string {
  return `#${at}`
}

export type Statement = { query: string; params: Record<string, unknown> }

export type LinkQuestion = {
  workspaceId: string
  linkId: string
  current: Period
  previous: Period
  includeBots: boolean
  /** Exact visitors, which cost time per click, or estimated ones. */
  isExact: boolean
}

/**
 * Returns one row per number: `section, label, clicks, visitors`. Sections: `lifetime`, `current`,
 * `previous`, `bots` (other than human clicks of the current period), each dimension, and each group of
 * dimensions (`#0`, `#1`, …: its total). One statement is read from one snapshot of the table. It is
 * flat, because planning it takes as long as running it.
 */
export function answerSql(question: LinkQuestion): Statement {
  const current = toSpan(question.current)
  const previous = toSpan(question.previous)
  const isCounted = question.includeBots ? IS_CLICK : "kind = 'human'"
  return {
    query: `
      select 'lifetime' as section, '' as label, sumIf(c, ${isCounted}) as clicks,
        toUInt64(0) as visitors
      from (select kind, count() as c from clicks where ${OF_LINK} group by kind)
      union all
      select visit.1, '', visit.2, visit.3
      from (${question.isExact ? exactVisitsSql(question, isCounted) : visitsSql([current, previous], isCounted)})
      array join if(isCurrent, [('current', clicks, visitors), ('bots', bots, toUInt64(0))],
        [('previous', clicks, visitors)]) as visit
      union all
      select pair.1, pair.2, sum(c) as n, 0
      from (${pairsSql(current, isCounted).join(' union all ')})
      array join pairs as pair
      group by pair
      order by pair.1, pair.2 = '' desc, n desc, pair.2
      limit ${LABELS_READ} by pair.1`,
    params: { workspaceId: question.workspaceId, linkId: question.linkId },
  }
}

/** A period as whole UTC days (null without any) and the intervals around them. */
type Span = { startMs: number; endMs: number; days: Period | null; edges: Period[] }

function toSpan({ startMs, endMs }: Period): Span {
  const first = Math.ceil(startMs / DAY_MS) * DAY_MS
  const last = Math.floor(endMs / DAY_MS) * DAY_MS
  if (first >= last) return { startMs, endMs, days: null, edges: [{ startMs, endMs }] }
  const edges = [
    { startMs, endMs: first },
    { startMs: last, endMs },
  ]
  return {
    startMs,
    endMs,
    days: { startMs: first, endMs: last },
    edges: edges.filter((edge) => edge.startMs < edge.endMs),
  }
}

/** `isCurrent, clicks, visitors, bots` of both periods; visitors are estimated. */
function visitsSql(spans: [current: Span, previous: Span], isCounted: string): string {
  const [current] = spans
  const columns = (isCurrent: string) =>
    `kind, ${isCurrent} as isCurrent, count() as c, uniqCombined64State(visitor) as v`
  const firstDay = day(current.days?.startMs ?? current.endMs)
  const rows = [
    ...read(columns(`toDate(at) >= ${firstDay}`), inDays(spans), 'kind, isCurrent'),
    ...read(columns(`at >= ${instant(current.startMs)}`), inEdges(spans), 'kind, isCurrent'),
  ].join(' union all ')
  return `
    select isCurrent, sumIf(c, ${isCounted}) as clicks,
      uniqCombined64MergeIf(v, ${isCounted}) as visitors, sumIf(c, ${IS_BOT}) as bots
    from (${rows}) group by isCurrent`
}

/** The same with exact visitors, counted click by click. Clicks without a visitor have 0. */
function exactVisitsSql({ current, previous }: LinkQuestion, isCounted: string): string {
  return `
    select at >= ${instant(current.startMs)} as isCurrent, countIf(${isCounted}) as clicks,
      uniqExactIf(visitor, ${isCounted} and visitor != 0) as visitors, countIf(${IS_BOT}) as bots
    from clicks
    where ${OF_LINK} and at >= ${instant(previous.startMs)} and at < ${instant(current.endMs)}
    group by isCurrent`
}

/** Selects of `pairs, c`: (section, label) pairs and their number of clicks. */
function pairsSql(span: Span, isCounted: string): string[] {
  const days = inDays([span])
  const edges = inEdges([span])
  return [
    ...(days === null ? [] : GROUPS.map((_, at) => daysSql(at, `${days} and ${isCounted}`))),
    ...(edges === null ? [] : [edgesSql(`${edges} and ${isCounted}`)]),
  ]
}

/** Combinations of a group's labels, from its projection. */
function daysSql(at: number, where: string): string {
  const group = GROUPS[at]!
  const columns = group.map((dimension) => DIMENSIONS[dimension]).join(', ')
  const labels = group.map((dimension) => `('${dimension}', toString(${DIMENSIONS[dimension]}))`)
  return `
    select [('${groupTotal(at)}', ''), ${labels.join(', ')}] as pairs, c
    from (select ${columns}, count() as c from clicks where ${OF_LINK} and ${where} group by ${columns})`
}

/** Labels of every dimension in one pass over the clicks. The empty grouping set is the total. */
function edgesSql(where: string): string {
  const columns = DIMENSION_NAMES.map((dimension) => DIMENSIONS[dimension])
  const labels = DIMENSION_NAMES.map(
    (dimension, at) => `grouping(${columns[at]}) = 0, [('${dimension}', toString(${columns[at]}))]`,
  )
  const totals = GROUPS.map((_, at) => `('${groupTotal(at)}', '')`)
  return `
    select multiIf(${labels.join(', ')}, [${totals.join(', ')}]) as pairs, count() as c
    from clicks where ${OF_LINK} and ${where}
    group by grouping sets (${columns.map((column) => `(${column})`).join(', ')}, ())`
}

/** A select over the link's clicks, or none without a condition. */
function read(columns: string, where: string | null, groupBy: string): string[] {
  if (where === null) return []
  return [`select ${columns} from clicks where ${OF_LINK} and ${where} group by ${groupBy}`]
}

function inDays(spans: Span[]): string | null {
  const parts = spans.flatMap(({ days }) =>
    days ? [`toDate(at) >= ${day(days.startMs)} and toDate(at) < ${day(days.endMs)}`] : [],
  )
  return anyOf(parts)
}

function inEdges(spans: Span[]): string | null {
  const parts = spans
    .flatMap(({ edges }) => edges)
    .map(({ startMs, endMs }) => `at >= ${instant(startMs)} and at < ${instant(endMs)}`)
  return anyOf(parts)
}

function anyOf(parts: string[]): string | null {
  return parts.length === 0 ? null : `(${parts.join(' or ')})`
}

/** Instants and days are computed numbers, so they need no parameters. */
function instant(ms: number): string {
  return `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`
}

function day(ms: number): string {
  return `toDate('${new Date(ms).toISOString().slice(0, 10)}')`
}
