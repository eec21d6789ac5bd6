import { availableParallelism } from 'node:os'
import { bindDeps } from '../../base/bind-deps.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import type { ClickHouseClient } from '../../storage/clickhouse.ts'
import { ReadBounds } from '../../storage/read-bounds.ts'
import { inWorkspace, type TenantSql } from '../../storage/postgres.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireOwn } from '../own.ts'
import {
  answerSql,
  LABELS_READ,
  totalSection,
  type LinkQuestion,
  type Statement,
} from './clicks-sql.ts'
import { calendarPeriods } from './period.ts'
import {
  DIMENSION_NAMES,
  type AnalyticsQuery,
  type Breakdown,
  type Dimension,
  type LinkAnalytics,
} from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'clickhouse' | 'clock'> & {
  /** Time up to which all clicks are stored; the default is now. */
  shippedThroughMs?: () => Promise<number>
}

type BoundDeps = Required<Deps> & { bounds: ReadBounds }

export type Analytics = ReturnType<typeof createAnalytics>

/** With up to this many clicks in each of the two periods, unique visitors are always exact. */
const EXACT_CLICKS = 100_000
const MAX_LABELS = LABELS_READ - 1
const OTHER = '(other)'
const UNKNOWN = 'unknown'

const ATTEMPTS = 5
/** Limits of one statement and of all statements of an answer, below the gateway's timeout. */
const MAX_EXECUTION_SECONDS = 8
const MAX_COUNTING_MS = 9_000
const MAX_READS = 4
/** The embedded engine reads two to four statements at a time, by cores; an owner leaves one to others. */
const MAX_READS_PER_OWNER = Math.min(Math.max(availableParallelism(), 2), MAX_READS) - 1
/** Half the time of one reader. */
const BUDGET_SECONDS = 20
const WINDOW_SECONDS = 40

type Row = { section: string; label: string; clicks: number; visitors: number }
type Visits = { clicks: number; visitors: number }

/** Click statistics. ClickHouse has the numbers, PostgreSQL the owner of a link. */
export function createAnalytics(deps: Deps) {
  const { sql, clickhouse, clock, shippedThroughMs = async () => Infinity } = deps
  const bounds = new ReadBounds({
    maxRunning: MAX_READS,
    maxRunningPerOwner: MAX_READS_PER_OWNER,
    maxReadMs: MAX_COUNTING_MS,
    budgetSeconds: BUDGET_SECONDS,
    windowSeconds: WINDOW_SECONDS,
  })
  return bindDeps({ sql, clickhouse, clock, shippedThroughMs, bounds }, { find, link })
}

function find({ sql }: BoundDeps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'links', params['id'], 'link')
}

/**
 * The spec's "Link analytics" over the last `days` calendar days of `timezone`.
 * @throws ApiError VALIDATION_ERROR for an unknown time zone; RATE_LIMITED beyond the bounds of user
 *   and workspace
 */
function link(deps: BoundDeps, who: Who, id: string, query: AnalyticsQuery, signal?: AbortSignal) {
  const owners = [`user:${who.userId}`, `workspace:${who.workspaceId}`]
  return deps.bounds.run(owners, signal, () => analyze(deps, who, id, query, signal))
}

async function analyze(
  { sql, clickhouse, clock, shippedThroughMs }: BoundDeps,
  who: Who,
  id: string,
  query: AnalyticsQuery,
  signal?: AbortSignal,
) {
  const nowMs = clock()
  const { current, previous } = toPeriods(nowMs, query)
  // Read before the count, so that every click before `asOf` is counted.
  const asOfMs = await shippedThroughMs()
  const { slug, clicksEver } = await loadLink(sql, who, id)
  const deadline = AbortSignal.timeout(MAX_COUNTING_MS)
  const stop = signal ? AbortSignal.any([deadline, signal]) : deadline
  const numbers = await count(clickhouse, stop, {
    workspaceId: who.workspaceId,
    linkId: id,
    current,
    previous,
    includeBots: query.includeBots,
    // A guess that often saves a second statement; ClickHouse's own count decides.
    isExact: clicksEver <= 2 * EXACT_CLICKS,
  })
  return page(
    { link: { id, slug }, ...numbers },
    {
      period: { start: toIso(current.startMs), end: toIso(current.endMs) },
      timezone: query.timezone,
      asOf: toIso(Math.min(nowMs, asOfMs)),
    },
  )
}

async function loadLink(sql: TenantSql, who: Who, id: string) {
  const [row] = await inWorkspace(
    sql,
    who.workspaceId,
    (tx) => tx<{ slug: string; clicksEver: number }[]>`
      select l.slug, coalesce(c.clicks, 0) as clicks_ever
      from links l left join link_clicks c on c.link_id = l.id
      where l.id = ${id} and l.workspace_id = ${who.workspaceId}`,
  )
  if (!row) throw new ApiError('NOT_FOUND', 'This link does not exist.')
  return row
}

async function count(
  clickhouse: ClickHouseClient,
  stop: AbortSignal,
  question: LinkQuestion,
): Promise<Omit<LinkAnalytics, 'link'>> {
  const rows = await readConsistent(clickhouse, stop, question)
  const mostClicks = Math.max(getVisits(rows, 'current').clicks, getVisits(rows, 'previous').clicks)
  if (question.isExact || mostClicks > EXACT_CLICKS) return toAnswer(rows, question.isExact)
  return toAnswer(await readConsistent(clickhouse, stop, { ...question, isExact: true }), true)
}

/**
 * ClickHouse 25.8 and later reads a statement from one snapshot of the table. Older servers take a
 * snapshot per part, so the statement is repeated when clicks arrived in between.
 */
async function readConsistent(
  clickhouse: ClickHouseClient,
  stop: AbortSignal,
  question: LinkQuestion,
): Promise<Row[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rows = await read(clickhouse, stop, answerSql(question))
    if (isConsistent(rows)) return rows
  }
  throw new ApiError('UNAVAILABLE', 'The clicks of this link change faster than they are counted.')
}

async function read(
  clickhouse: ClickHouseClient,
  stop: AbortSignal,
  { query, params }: Statement,
): Promise<Row[]> {
  try {
    const result = await clickhouse.query({
      query,
      query_params: params,
      format: 'JSONEachRow',
      clickhouse_settings: { max_execution_time: MAX_EXECUTION_SECONDS },
      abort_signal: stop,
    })
    return await result.json<Row>()
  } catch (error) {
    if (!stop.aborted) throw error
    throw new ApiError('UNAVAILABLE', 'The clicks of this link take too long to count.')
  }
}

function toPeriods(nowMs: number, { days, timezone }: AnalyticsQuery) {
  try {
    return calendarPeriods(nowMs, days, timezone)
  } catch (error) {
    if (error instanceof RangeError)
      throw invalid(
        'timezone',
        'timezone must be the IANA name of a time zone, such as Europe/Paris.',
      )
    throw error
  }
}

/** True when the clicks of every dimension add up to the clicks of the period. */
function isConsistent(rows: Row[]): boolean {
  const { clicks } = getVisits(rows, 'current')
  const lifetime = getVisits(rows, 'lifetime').clicks
  return (
    lifetime >= clicks + getVisits(rows, 'previous').clicks &&
    DIMENSION_NAMES.every((name) => getVisits(rows, totalSection(name)).clicks === clicks)
  )
}

function getVisits(rows: Row[], section: string): Visits {
  const row = rows.find((candidate) => candidate.section === section)
  return { clicks: row?.clicks ?? 0, visitors: row?.visitors ?? 0 }
}

function toAnswer(rows: Row[], isExact: boolean): Omit<LinkAnalytics, 'link'> {
  const current = getVisits(rows, 'current')
  const previous = getVisits(rows, 'previous')
  // An estimate may exceed the number of clicks, which visitors cannot.
  const visitors = Math.min(current.visitors, current.clicks)
  const visitorsBefore = Math.min(previous.visitors, previous.clicks)
  return {
    totalClicks: getVisits(rows, 'lifetime').clicks,
    periodClicks: current.clicks,
    periodChangePercent: changePercent(current.clicks, previous.clicks),
    uniqueVisitors: visitors,
    uniqueVisitorsChangePercent: changePercent(visitors, visitorsBefore),
    breakdowns: Object.fromEntries(
      DIMENSION_NAMES.map((name) => [name, toBreakdown(rows, name)]),
    ) as Record<Dimension, Breakdown>,
    botClicks: getVisits(rows, 'bots').clicks,
    approximate: !isExact,
  }
}

/** Labels by clicks, in descending order. Clicks without a UTM parameter are in no UTM breakdown. */
function toBreakdown(rows: Row[], name: Dimension): Breakdown {
  const counts = new Map<string, number>()
  const add = (label: string, clicks: number) =>
    clicks > 0 && counts.set(label, (counts.get(label) ?? 0) + clicks)
  const own = rows.filter((row) => row.section === name)
  const blank = own.find((row) => row.label === '')?.clicks ?? 0
  const shown = own.filter((row) => row.label !== '').slice(0, MAX_LABELS)
  for (const row of shown) add(row.label, row.clicks)
  if (!name.startsWith('utm')) add(UNKNOWN, blank)
  const counted = shown.reduce((sum, row) => sum + row.clicks, blank)
  add(OTHER, getVisits(rows, totalSection(name)).clicks - counted)
  // Without a prototype, so that `__proto__` can be a label.
  const breakdown: Breakdown = Object.create(null)
  for (const [label, clicks] of counts) breakdown[label] = clicks
  return breakdown
}

/** Two decimals; 100 when there were none before (contract, section 4). */
function changePercent(now: number, before: number): number {
  if (before === 0) return now > 0 ? 100 : 0
  // Adding zero turns -0 into 0.
  return Number((((now - before) / before) * 100).toFixed(2)) + 0
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
