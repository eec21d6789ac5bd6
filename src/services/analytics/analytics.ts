import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import type { ClickHouseClient } from '../../storage/clickhouse.ts'
import { ReadBounds } from '../../storage/read-bounds.ts'
import { inWorkspace, type TenantSql } from '../../storage/postgres.ts'
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

type Deps = {
  sql: TenantSql
  clickhouse: ClickHouseClient
  clock: Clock
  /** Up to when clicks are known to be shipped; when absent, up to now. */
  shippedThroughMs?: () => Promise<number>
}

export type Analytics = ReturnType<typeof createAnalytics>

/** With up to this many clicks in each of the two periods, unique visitors are always exact. */
const EXACT_CLICKS = 100_000
const MAX_LABELS = LABELS_READ - 1
const OTHER = '(other)'
const UNKNOWN = 'unknown'

const ATTEMPTS = 5
/** Of one statement, and of all that one answer needs: below what the gateway waits for an answer. */
const MAX_EXECUTION_SECONDS = 8
const MAX_COUNTING_MS = 9_000
/** The embedded engine reads two to four statements at a time: one owner never takes the last place. */
const MAX_READS = 4
const MAX_READS_PER_OWNER = 1
/** Half of the one place. */
const BUDGET_SECONDS = 20
const WINDOW_SECONDS = 40

type Row = { section: string; label: string; clicks: number; visitors: number }
type Visits = { clicks: number; visitors: number }

/** What clicks say about links. All numbers come from ClickHouse; PostgreSQL says whose a link is. */
export function createAnalytics(deps: Deps) {
  const { sql, clickhouse, clock, shippedThroughMs = async () => Infinity } = deps
  const bounds = new ReadBounds({
    maxRunning: MAX_READS,
    maxRunningPerOwner: MAX_READS_PER_OWNER,
    maxReadMs: MAX_COUNTING_MS,
    budgetSeconds: BUDGET_SECONDS,
    windowSeconds: WINDOW_SECONDS,
  })
  return {
    find,
    /** @throws ApiError RATE_LIMITED beyond the bounds of user and workspace */
    link: (who: Who, id: string, query: AnalyticsQuery, signal?: AbortSignal) =>
      bounds.run([`user:${who.userId}`, `workspace:${who.workspaceId}`], signal, () =>
        link(who, id, query, signal),
      ),
  }

  function find(who: Who, params: Record<string, string>): Promise<void> {
    return requireOwn(sql, who, 'links', params['id'], 'link')
  }

  /**
   * The spec's "Link analytics" over the last `days` calendar days of `timezone`.
   * @throws ApiError VALIDATION_ERROR for a time zone that does not exist
   */
  async function link(who: Who, id: string, query: AnalyticsQuery, signal?: AbortSignal) {
    const nowMs = clock()
    const { current, previous } = periodsOf(nowMs, query)
    // Asked before the counting, so that it promises no click that came in between.
    const asOfMs = await shippedThroughMs()
    const [found] = await inWorkspace(
      sql,
      who.workspaceId,
      (tx) => tx<{ id: string; slug: string; clicksEver: number }[]>`
        select l.id, l.slug, coalesce(c.clicks, 0) as clicks_ever
        from links l left join link_clicks c on c.link_id = l.id
        where l.id = ${id} and l.workspace_id = ${who.workspaceId}`,
    )
    if (!found) throw new ApiError('NOT_FOUND', 'There is no such link.')
    const deadline = AbortSignal.timeout(MAX_COUNTING_MS)
    const stop = signal ? AbortSignal.any([deadline, signal]) : deadline
    const numbers = await count(stop, {
      workspaceId: who.workspaceId,
      linkId: id,
      current,
      previous,
      includeBots: query.includeBots,
      // A guess that saves asking twice; what decides is ClickHouse's own count.
      isExact: found.clicksEver <= 2 * EXACT_CLICKS,
    })
    return page(
      { link: { id: found.id, slug: found.slug }, ...numbers },
      {
        period: { start: iso(current.startMs), end: iso(current.endMs) },
        timezone: query.timezone,
        asOf: iso(Math.min(nowMs, asOfMs)),
      },
    )
  }

  async function count(
    stop: AbortSignal,
    question: LinkQuestion,
  ): Promise<Omit<LinkAnalytics, 'link'>> {
    const rows = await consistent(question, stop)
    const mostClicks = Math.max(visitsOf(rows, 'current').clicks, visitsOf(rows, 'previous').clicks)
    if (question.isExact || mostClicks > EXACT_CLICKS) return toAnswer(rows, question.isExact)
    return toAnswer(await consistent({ ...question, isExact: true }, stop), true)
  }

  /**
   * ClickHouse reads a statement from one snapshot of the table, so its parts agree; servers before
   * 25.8 take a snapshot per part, and are asked again when clicks arrived between two.
   */
  async function consistent(question: LinkQuestion, stop: AbortSignal): Promise<Row[]> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const rows = await ask(answerSql(question), stop)
      if (isConsistent(rows)) return rows
    }
    throw new ApiError(
      'UNAVAILABLE',
      'The clicks of this link change faster than they are counted.',
    )
  }

  async function ask({ query, params }: Statement, stop: AbortSignal): Promise<Row[]> {
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
}

function periodsOf(nowMs: number, { days, timezone }: AnalyticsQuery) {
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

/** True when every dimension counted exactly the clicks of the period, and no more than ever were. */
function isConsistent(rows: Row[]): boolean {
  const { clicks } = visitsOf(rows, 'current')
  const lifetime = visitsOf(rows, 'lifetime').clicks
  return (
    lifetime >= clicks + visitsOf(rows, 'previous').clicks &&
    DIMENSION_NAMES.every((name) => visitsOf(rows, totalSection(name)).clicks === clicks)
  )
}

function visitsOf(rows: Row[], section: string): Visits {
  const row = rows.find((candidate) => candidate.section === section)
  return { clicks: row?.clicks ?? 0, visitors: row?.visitors ?? 0 }
}

function toAnswer(rows: Row[], isExact: boolean): Omit<LinkAnalytics, 'link'> {
  const current = visitsOf(rows, 'current')
  const previous = visitsOf(rows, 'previous')
  // An estimate may come out above the number of clicks, which visitors cannot exceed.
  const visitors = Math.min(current.visitors, current.clicks)
  const visitorsBefore = Math.min(previous.visitors, previous.clicks)
  return {
    totalClicks: visitsOf(rows, 'lifetime').clicks,
    periodClicks: current.clicks,
    periodChangePercent: changePercent(current.clicks, previous.clicks),
    uniqueVisitors: visitors,
    uniqueVisitorsChangePercent: changePercent(visitors, visitorsBefore),
    breakdowns: Object.fromEntries(
      DIMENSION_NAMES.map((name) => [name, breakdownOf(rows, name)]),
    ) as Record<Dimension, Breakdown>,
    botClicks: visitsOf(rows, 'bots').clicks,
    approximate: !isExact,
  }
}

/** The most clicked labels first. Clicks without a UTM parameter are in no UTM breakdown. */
function breakdownOf(rows: Row[], name: Dimension): Breakdown {
  const counts = new Map<string, number>()
  const add = (label: string, clicks: number) =>
    clicks > 0 && counts.set(label, (counts.get(label) ?? 0) + clicks)
  const own = rows.filter((row) => row.section === name)
  const blank = own.find((row) => row.label === '')?.clicks ?? 0
  const shown = own.filter((row) => row.label !== '').slice(0, MAX_LABELS)
  for (const row of shown) add(row.label, row.clicks)
  if (!name.startsWith('utm')) add(UNKNOWN, blank)
  const counted = shown.reduce((sum, row) => sum + row.clicks, blank)
  add(OTHER, visitsOf(rows, totalSection(name)).clicks - counted)
  // Without a prototype: `__proto__` is a label like any other.
  const breakdown: Breakdown = Object.create(null)
  for (const [label, clicks] of counts) breakdown[label] = clicks
  return breakdown
}

/** Contract, section 4: two decimals; from nothing to something is 100. */
function changePercent(now: number, before: number): number {
  if (before === 0) return now > 0 ? 100 : 0
  // Adding zero turns the -0 of a tiny loss into 0.
  return Number((((now - before) / before) * 100).toFixed(2)) + 0
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
