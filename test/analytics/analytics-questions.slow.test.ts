import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { ApiError } from '../../src/platform/core/errors.ts'
import { newId } from '../../src/platform/core/ids.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { BREAKDOWN_NAMES, DIMENSION_NAMES } from '../../src/analytics/questions/dimensions.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { openAnalytics } from '../support/analytics.ts'
import { freshDatabases } from '../support/engines.ts'
import { addWorkspace, toPrincipal } from '../support/fixtures.ts'
import {
  CREATED,
  dice,
  makeLinks,
  NOON,
  pretending,
  randomCase,
  randomClicks,
  store,
  toQuery,
  type Case,
} from '../support/analytics-cases.ts'
import {
  bucketKeysOf,
  inScope,
  isInSets,
  isPeriod,
  isStartOfHour,
  keyOfBucket,
  numbersOf,
  rowsOf,
  topLinksOf,
  toPrevious,
  visitorsOf,
  type Asked,
  type Click,
  type Link,
  type Way,
} from '../support/analytics-recount.ts'
import { IS_LONG } from '../support/long.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

const SEED = Number(process.env.SIGNPOST_TEST_SEED ?? 20_261_121)
const QUESTIONS = IS_LONG ? Number(process.env.SIGNPOST_QUESTIONS ?? 400) : 20

type Filled = {
  sql: Sql
  clickhouse: ClickHouseClient
  principal: Principal
  clicks: Click[]
  /** Of other services. */
  imported: Click[]
  links: Map<string, Link>
}

/** Several parts, with strangers in each: other workspaces with the same links. */
async function fill(t: TestContext): Promise<Filled> {
  const { sql, clickhouse } = await freshDatabases(t)
  const workspaceId = newId('wsp', NOON)
  await addWorkspace(sql, { id: workspaceId, nowMs: CREATED })
  const links = await makeLinks(sql, workspaceId)
  const ids = [...links.keys(), 'lnk_deleted']
  const roll = dice(SEED)
  const clicks = randomClicks(roll, ids, 6_000)
  for (let at = 0; at < clicks.length; at += 1_500) {
    await store(clickhouse, workspaceId, clicks.slice(at, at + 1_500))
    await store(clickhouse, 'wsp_other', randomClicks(roll, ids, 300))
  }
  const imported = await importClicks(sql, workspaceId, ids, roll)
  await importClicks(sql, 'wsp_other', ids, roll)
  const principal = toPrincipal('usr_1', workspaceId, { role: 'viewer' })
  return { sql, clickhouse, principal, clicks, imported, links }
}

/** Clicks of other services, of no time. */
async function importClicks(
  sql: Sql,
  workspaceId: string,
  linkIds: readonly string[],
  roll: (sides: number) => number,
): Promise<Click[]> {
  const none = Object.fromEntries(DIMENSION_NAMES.map((name) => [name, ''])) as Click['labels']
  const all: Click[] = []
  for (const [at, linkId] of linkIds.entries())
    for (const source of ['bitly', 'dub']) {
      const clicks = at === 0 ? 40 : roll(30)
      await sql`insert into imported_clicks ${sql({ workspaceId, linkId, source, clicks })}`
      const click = {
        linkId,
        atMs: 0,
        kind: 'human',
        visitor: 0n,
        labels: none,
        isImported: true,
      } as const
      all.push(...Array.from({ length: clicks }, () => click))
    }
  return all
}

type Meta = { period: { start: string; end: string }; timezone: string }
// eslint-disable-next-line typescript/no-explicit-any
type Answer = { data: any; meta: Meta & { approximate?: boolean; granularity?: string } }

function ask({ sql, clickhouse, principal }: Filled, one: Case): Promise<Answer> {
  const { asked, subject, dimension, limit, offset } = one
  // Each with bounds and kept answers of its own.
  const analytics = openAnalytics(sql, pretending(clickhouse, one.way), one.nowMs)
  const query = toQuery(asked) as never
  const paged = { ...toQuery(asked), limit, offset } as never
  const routes: Record<Case['name'], () => Promise<unknown>> = {
    overview: () => analytics.overview(principal, {}, query),
    campaign: () =>
      analytics.overview(principal, { campaignId: asked.links.campaignId!.values[0]! }, query),
    link: () => analytics.link(principal, subject.linkId!, query),
    timeseries: () => analytics.timeseries(principal, subject, query),
    breakdowns: () => analytics.breakdowns(principal, query),
    breakdown: () => analytics.breakdown(principal, subject, dimension, paged),
    topLinks: () => analytics.topLinks(principal, paged),
  }
  return routes[one.name]() as Promise<Answer>
}

function check({ clicks, imported, links }: Filled, one: Case, { data, meta }: Answer): void {
  const { asked, subject, nowMs } = one
  const zone = asked.period.timezone
  const found = { startMs: Date.parse(meta.period.start), endMs: Date.parse(meta.period.end) }
  assert.ok(isPeriod(found, asked, nowMs, CREATED), `${meta.period.start} to ${meta.period.end}`)
  assert.equal(meta.timezone, zone)
  const isCurrent = ({ atMs }: Click) => atMs >= found.startMs && atMs < found.endMs
  const isPrevious = toPrevious(found, zone)
  const all = hasLabels(asked) ? clicks : [...clicks, ...imported]
  const scoped = inScope(all, links, asked).filter(
    ({ linkId }) => subject.linkId === undefined || linkId === subject.linkId,
  )
  const counted = scoped.filter(({ kind }) => asked.includeBots || kind === 'human')
  const current = counted.filter(isCurrent)
  const isEmpty = !counted.some(
    (click) => !click.isImported && (isCurrent(click) || isPrevious(click)),
  )
  const isExact = one.way === 'exact' || isEmpty || (one.name === 'link' && !hasLabels(asked))
  const way: Way = isExact ? 'exact' : one.way
  assert.equal(meta.approximate ?? data.approximate, !isExact, 'approximate')
  switch (one.name) {
    case 'overview':
    case 'campaign':
    case 'link': {
      const {
        breakdowns,
        approximate: _,
        link: _link,
        links: known,
        conversions: _c,
        value: _v,
        ...numbers
      } = data
      const pairs = Object.fromEntries(
        BREAKDOWN_NAMES.map((name) => [name, Object.entries(breakdowns[name])]),
      )
      const expected = numbersOf(scoped, asked, isCurrent, isPrevious, way)
      assert.deepEqual(
        { ...numbers, breakdowns: sorted(pairs) },
        { ...expected, breakdowns: sorted(expected.breakdowns) },
      )
      if (one.name !== 'link')
        assert.equal(known, [...links.values()].filter((link) => isInSets(link, asked)).length)
      break
    }
    case 'timeseries':
      return checkSeries(current, one, way, { data, meta }, found)
    case 'breakdowns':
      for (const name of BREAKDOWN_NAMES)
        assert.deepEqual(data[name], rowsOf(current, name, way).slice(0, 10), name)
      break
    case 'breakdown':
      assert.deepEqual(data, pageOf(rowsOf(current, one.dimension, way), one))
      break
    case 'topLinks':
      assert.deepEqual(
        (data as { link: { id: string; slug: string | null } }[]).map(({ link, ...row }) => ({
          id: link.id,
          isKnown: link.slug !== null,
          ...row,
        })),
        pageOf(topLinksOf(current, way), one).map((row) => ({
          ...row,
          isKnown: links.has(row.id),
          conversions: 0,
          value: 0,
        })),
      )
  }
}

function hasLabels({ labels }: Asked): boolean {
  return Object.keys(labels).length > 0
}

/** An object has integer-like keys first, so its order is not compared. */
function sorted(breakdowns: Record<string, [string, unknown][]>) {
  const byLabel = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)
  return Object.fromEntries(
    Object.entries(breakdowns).map(([name, pairs]) => [name, pairs.toSorted(byLabel)]),
  )
}

function pageOf<T>(rows: T[], { limit, offset }: Case): T[] {
  return rows.slice(offset, offset + limit)
}

function checkSeries(
  current: Click[],
  { asked }: Case,
  way: Way,
  { data, meta }: Answer,
  period: { startMs: number; endMs: number },
): void {
  const zone = asked.period.timezone
  const granularity = meta.granularity!
  if (asked.granularity) assert.equal(granularity, asked.granularity)
  const rows = data as {
    start: string
    clicks: number
    uniqueVisitors: number
  }[]
  const starts = rows.map(({ start }) => Date.parse(start))
  const keyOf = (ms: number) => keyOfBucket(ms, granularity, zone)
  assert.equal(starts[0], period.startMs)
  if (granularity === 'hour') {
    for (const [at, ms] of starts.entries()) {
      const endMs = starts[at + 1] ?? period.endMs
      assert.ok(endMs > ms && endMs - ms <= HOUR_MS && keyOf(endMs - 1) === keyOf(ms))
      assert.ok(at === 0 || isStartOfHour(ms, zone))
    }
  } else {
    assert.deepEqual(starts.map(keyOf), bucketKeysOf(period, keyOf))
    for (const ms of starts.slice(1)) assert.notEqual(keyOf(ms - 1), keyOf(ms), 'starts at once')
  }
  const expected = starts.map((ms, at) => {
    const endMs = starts[at + 1] ?? period.endMs
    const inside = current.filter(({ atMs }) => atMs >= ms && atMs < endMs)
    return {
      clicks: inside.length,
      uniqueVisitors: visitorsOf(inside, way),
    }
  })
  assert.deepEqual(
    rows.map(({ clicks, uniqueVisitors }) => ({ clicks, uniqueVisitors })),
    expected,
  )
  assert.equal(
    rows.reduce((sum, { clicks }) => sum + clicks, 0),
    current.length,
  )
}

test(`every answer equals a recount of the clicks one by one, seed ${SEED}`, async (t) => {
  const filled = await fill(t)
  const roll = dice(SEED + 1)
  const failures: string[] = []
  for (let at = 0; at < QUESTIONS; at++) {
    const one = randomCase(roll, filled.links)
    try {
      check(filled, one, await askWithin(filled, one))
    } catch (error) {
      failures.push(`${at}: ${JSON.stringify(one)}\n${(error as Error).message.slice(0, 1_500)}`)
    }
  }
  assert.equal(
    failures.length,
    0,
    `${failures.length} failed\n${failures.slice(0, 5).join('\n\n')}`,
  )
})

/** Asks for days where there are too many hours for a series. */
async function askWithin(filled: Filled, one: Case): Promise<Answer> {
  try {
    return await ask(filled, one)
  } catch (error) {
    if (one.asked.granularity !== 'hour' || !(error instanceof ApiError)) throw error
    assert.match(JSON.stringify(error.details), /"path":"granularity"/)
    one.asked.granularity = 'day'
    const answer = await ask(filled, one)
    const { start, end } = answer.meta.period
    assert.ok(Date.parse(end) - Date.parse(start) > 2_200 * HOUR_MS)
    return answer
  }
}

type Params = {
  query: string
  query_params: Record<string, unknown>
  clickhouse_settings: Record<string, string | number>
}

/** The tables and projections that an answer is read from, as often as they are read. */
async function sourcesOf(filled: Filled, asked: Pick<Case, 'name' | 'asked'>) {
  const { clickhouse } = filled
  const sources: string[] = []
  const explain = async (params: Params) => {
    const plan = await clickhouse.query({
      ...params,
      query: `explain ${params.query}`,
      format: 'JSONEachRow',
    })
    for (const { explain: line } of await plan.json<{ explain: string }>()) {
      const name = /ReadFromMergeTree \((?:\w+\.)?(\w+)\)/.exec(line)?.[1]
      if (name) sources.push(name)
    }
  }
  const large = pretending(clickhouse, 'estimated')
  const client = {
    query: async (params: Params) => {
      // Before that, one statement gives up when there are many clicks.
      if (!params.clickhouse_settings['max_rows_to_read']) await explain(params)
      return large.query(params)
    },
  } as never
  await ask(
    { ...filled, clickhouse: client },
    {
      ...asked,
      way: 'exact',
      nowMs: NOON,
      subject: {},
      dimension: 'country',
      limit: 10,
      offset: 0,
    },
  )
  return [...new Set(sources)].toSorted()
}

/** Two months of so many links that the rows by link are more than those of the workspace. */
async function fillMonths(t: TestContext): Promise<Filled> {
  const { sql, clickhouse } = await freshDatabases(t)
  const workspaceId = newId('wsp', NOON)
  await addWorkspace(sql, { id: workspaceId, nowMs: CREATED })
  const links = await makeLinks(sql, workspaceId)
  await clickhouse.command({
    query: `
      insert into clicks (workspace_id, link_id, click_id, at, kind, visitor, country)
      select {workspaceId:String}, if(number % 9 = 0, {linkId:String}, concat('lnk_', toString(number % 500))),
        leftPad(toString(number), 26, '0'),
        toDateTime64('2026-09-01 00:00:00', 3, 'UTC') + number % 61 * 86400 + number % 86399,
        'human', sipHash64(number % 1000), 'DE'
      from numbers(300000)`,
    query_params: { workspaceId, linkId: [...links.keys()][1]! },
  })
  return {
    sql,
    clickhouse,
    principal: toPrincipal('usr_1', workspaceId),
    clicks: [],
    imported: [],
    links,
  }
}

test('whole days, hours and link sets are read from their projections', async (t) => {
  const filled = await fillMonths(t)
  const plain = { includeBots: false, labels: {}, links: {} }
  const months = (timezone: string): Asked['period'] => ({
    start: '2026-09-01',
    end: '2026-10-31',
    timezone,
  })
  const whole = { ...plain, period: months('UTC') }
  assert.deepEqual(await sourcesOf(filled, { name: 'overview', asked: whole }), [
    'workspace_agents',
    'workspace_campaigns',
    'workspace_destinations',
    'workspace_places',
    'workspace_sources',
    'workspace_visits',
  ])
  const monthly = { ...plain, period: months('Europe/Paris'), granularity: 'month' } as const
  assert.deepEqual(await sourcesOf(filled, { name: 'timeseries', asked: monthly }), [
    'workspace_hours',
    'workspace_visits',
  ])
  const campaignId = { values: ['cmp_1'], isExcluded: false }
  const ofLinks = { ...whole, links: { campaignId } }
  assert.deepEqual(await sourcesOf(filled, { name: 'overview', asked: ofLinks }), [
    'agents',
    'campaigns',
    'places',
    'sources',
    'visits',
  ])
  assert.deepEqual(await sourcesOf(filled, { name: 'topLinks', asked: whole }), [
    'visits',
    'workspace_visits',
  ])
})
