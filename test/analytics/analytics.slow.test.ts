import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/platform/core/errors.ts'
import { newId } from '../../src/platform/core/ids.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import {
  BREAKDOWN_NAMES,
  DIMENSIONS,
  type BreakdownName,
} from '../../src/analytics/questions/dimensions.ts'
import type { LinkAnalyticsQuery } from '../../src/analytics/answers/schema.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { freshDatabases } from '../support/engines.ts'
import { openAnalytics } from '../support/analytics.ts'
import { openWorld } from '../support/world.ts'
import { addLink, addWorkspace, toPrincipal } from '../support/fixtures.ts'
import { IS_LONG } from '../support/long.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'
import { selectRows } from '../support/click-rows.ts'
import { storeClicks } from '../support/clicks.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')
const MONTH: LinkAnalyticsQuery = { days: 30, timezone: 'UTC', includeBots: false }

type Click = { linkId: string; atMs: number; kind: string; visitor: bigint } & Record<
  BreakdownName,
  string
>

const PLAIN = Object.fromEntries(BREAKDOWN_NAMES.map((name) => [name, ''])) as Record<
  BreakdownName,
  string
>

function click(over: Partial<Click> & { linkId: string }): Click {
  return {
    ...PLAIN,
    atMs: NOON,
    kind: 'human',
    visitor: 1n,
    device: 'mobile',
    country: 'DE',
    ...over,
  }
}

function store(clickhouse: ClickHouseClient, workspaceId: string, clicks: Click[]) {
  const rows = clicks.map(({ linkId, atMs, kind, visitor, ...labels }) => ({
    ...{ workspaceId, linkId, atMs, kind, visitor },
    ...Object.fromEntries(BREAKDOWN_NAMES.map((name) => [DIMENSIONS[name].column, labels[name]])),
  }))
  return storeClicks(clickhouse, rows)
}

/** A workspace with one link, made in PostgreSQL directly. */
async function makeLink(
  sql: Sql,
  workspaceId = newId('ws', NOON),
): Promise<{ principal: Principal; id: string }> {
  await addWorkspace(sql, { id: workspaceId, nowMs: NOON })
  const id = await addLink(sql, { workspaceId, nowMs: NOON })
  const principal = toPrincipal('usr_1', workspaceId, { role: 'viewer' })
  return { principal, id }
}

type Params = { query: string; query_params: Record<string, unknown> }
type Rows = Record<string, unknown>[]

/** A client that notes each statement with its rows. */
function observed(
  client: ClickHouseClient,
): ClickHouseClient & { seen: (Params & { rows: Rows })[] } {
  const seen: (Params & { rows: Rows })[] = []
  const query = async (params: Params) => {
    const result = await client.query({ ...params, format: 'JSONEachRow' })
    const rows = await result.json<Record<string, unknown>>()
    seen.push({ ...params, rows })
    return { json: async () => rows }
  }
  return { query, seen } as never
}

/** The answer worked out click by click, by the local date of each. */
function recount(clicks: Click[], query: LinkAnalyticsQuery, nowMs: number) {
  const counted = clicks.filter(({ kind }) => query.includeBots || kind === 'human')
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: query.timezone })
  const today = Date.parse(calendar.format(nowMs))
  const daysAgo = ({ atMs }: Click) => (today - Date.parse(calendar.format(atMs))) / DAY_MS
  const inPeriod = (age: number) => age >= 0 && age < query.days
  const current = counted.filter((each) => inPeriod(daysAgo(each)))
  const previous = counted.filter((each) => inPeriod(daysAgo(each) - query.days))
  const visitors = (of: Click[]) => new Set(of.map(({ visitor }) => visitor)).size
  const change = (now: number, before: number) =>
    before === 0 ? (now > 0 ? 100 : 0) : Number((((now - before) / before) * 100).toFixed(2)) + 0
  return {
    totalClicks: counted.length,
    periodClicks: current.length,
    periodChangePercent: change(current.length, previous.length),
    uniqueVisitors: visitors(current),
    uniqueVisitorsChangePercent: change(visitors(current), visitors(previous)),
    hasEarlierPeriod: previous.length > 0,
    botClicks: clicks.filter((each) => each.kind !== 'human' && inPeriod(daysAgo(each))).length,
    totalImportedClicks: 0,
    approximate: false,
    breakdowns: Object.fromEntries(
      BREAKDOWN_NAMES.map((name) => [
        name,
        breakdown(
          current.map((each) => each[name]),
          name,
        ),
      ]),
    ),
  }
}

function breakdown(labels: string[], name: BreakdownName): Record<string, number> {
  const counts = new Map<string, number>()
  for (const label of labels) {
    if (label === '' && name.startsWith('utm')) continue
    counts.set(label || 'unknown', (counts.get(label || 'unknown') ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

/** A small generator, so that a failure can be repeated. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

function randomClicks(linkId: string, count: number, seed: number): Click[] {
  const roll = dice(seed)
  return Array.from({ length: count }, () => ({
    linkId,
    // Every fourth click is close to a full or half hour, where days begin somewhere.
    atMs:
      roll(4) === 0
        ? NOON - roll(80 * 48) * 1_800_000 + roll(3) - 1
        : NOON - roll(80 * DAY_MS) + roll(DAY_MS / 3),
    kind: ['human', 'human', 'human', 'bot', 'preview', 'prefetch'][roll(6)]!,
    visitor: 2n ** 63n + BigInt(roll(count / 3)),
    country: `C${roll(20)}`,
    region: `C${roll(5)}-${roll(5)}`,
    city: `City ${roll(60)}`,
    continent: ['EU', 'NA', 'AS'][roll(3)]!,
    device: ['desktop', 'mobile', 'tablet', 'other'][roll(4)]!,
    browser: ['Chrome', 'Safari', 'unknown'][roll(3)]!,
    os: ['iOS', 'macOS'][roll(2)]!,
    referrer: ['direct', '', 'x.com'][roll(3)]!,
    language: ['en', 'de'][roll(2)]!,
    trigger: ['link', 'qr'][roll(2)]!,
    utmSource: ['', 'news', 'ads'][roll(3)]!,
    utmMedium: ['', 'mail'][roll(2)]!,
    utmCampaign: ['', `c${roll(9)}`][roll(2)]!,
    utmTerm: '',
    utmContent: roll(50) === 0 ? 'ü "\'\\\n\u0000' : '',
    destination: 'https://example.com/?a=1',
  }))
}

const ZONES = [
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'europe/berlin',
  ...(IS_LONG ? ['America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'] : []),
]
const PERIODS = [1, 30, 45].flatMap((days, at): [number, boolean][] =>
  IS_LONG
    ? [
        [days, false],
        [days, true],
      ]
    : [[days, at === 1]],
)

test('every number equals a recount click by click, in any time zone', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const { principal, id } = await makeLink(sql)
  const clicks = randomClicks(id, 4_000, 7)
  // Several parts, strangers in each of them: another link, and the same link id elsewhere.
  for (let at = 0; at < clicks.length; at += 1_300) {
    await store(clickhouse, principal.workspaceId, [
      ...clicks.slice(at, at + 1_300),
      ...randomClicks('lnk_other', 300, at + 1),
    ])
    await store(clickhouse, 'ws_other', randomClicks(id, 300, at + 2))
  }
  const analytics = openAnalytics(sql, clickhouse, NOON)
  for (const timezone of ZONES)
    for (const [days, includeBots] of PERIODS) {
      const query = { days, timezone, includeBots }
      const { data } = await analytics.link(principal, id, query)
      const { link, conversions: _conversions, value: _value, ...numbers } = data
      assert.deepEqual(link, { id, slug: id })
      const plain = { ...numbers, breakdowns: structuredClone(numbers.breakdowns) }
      assert.deepEqual(plain, recount(clicks, query, NOON), JSON.stringify(query))
    }
  // Told that the link has many clicks, it estimates first and counts exactly when there are few. This few
  // visitors are estimated exactly, so both ways of counting must give the same rows.
  await sql`
    insert into link_clicks (link_id, workspace_id, clicks) values (${id}, ${principal.workspaceId}, 1000000)`
  for (const timezone of ZONES) {
    const both = observed(clickhouse)
    await openAnalytics(sql, both, NOON).link(principal, id, { ...MONTH, timezone })
    const [estimated, exact] = both.seen.map(({ rows }) =>
      rows.map((row) => JSON.stringify(row)).toSorted(),
    )
    assert.deepEqual(estimated, exact, timezone)
  }
})

test('a link without clicks has every breakdown, empty', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const { principal, id } = await makeLink(sql)
  const analytics = openAnalytics(sql, clickhouse, NOON)
  const { data } = await analytics.link(principal, id, MONTH)
  assert.deepEqual(
    { ...data, breakdowns: structuredClone(data.breakdowns) },
    {
      link: { id, slug: id },
      ...recount([], MONTH, NOON),
      ...{ conversions: 0, value: 0 },
    },
  )
})

test('clicks without a visitor are clicks, and no unique visitors', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const { principal, id } = await makeLink(sql)
  const visitors = [0n, 0n, 7n, 7n, 8n]
  await store(
    clickhouse,
    principal.workspaceId,
    visitors.map((visitor) => click({ linkId: id, visitor })),
  )
  const analytics = openAnalytics(sql, clickhouse, NOON)
  const { data } = await analytics.link(principal, id, MONTH)
  assert.deepEqual([data.periodClicks, data.uniqueVisitors, data.approximate], [5, 2, false])
})

test('a breakdown shows the hundred most clicked labels and the sum of the rest', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const { principal, id } = await makeLink(sql)
  const clicks = Array.from({ length: 150 }, (_, at) =>
    Array.from({ length: at < 100 ? 3 : 2 }, () =>
      click({
        linkId: id,
        referrer: `site${at}.example`,
        utmTerm: `t${at}`,
        utmSource: at < 120 ? `s${at}` : '',
      }),
    ),
  ).flat()
  clicks.push(click({ linkId: id, referrer: '(other)', utmTerm: '' }))
  await store(clickhouse, principal.workspaceId, clicks)
  const analytics = openAnalytics(sql, clickhouse, NOON)
  const { data } = await analytics.link(principal, id, MONTH)
  const { referrer, utmTerm, utmSource } = data.breakdowns
  assert.equal(data.periodClicks, 401)
  assert.equal(Object.keys(referrer).length, 101)
  assert.equal(referrer['(other)'], 101, 'a site of that name is among the rest')
  assert.equal(referrer['site7.example'], 3)
  assert.equal(utmTerm['(other)'], 100)
  assert.equal(utmSource['(other)'], 40, 'clicks without the parameter are not among the others')
  assert.equal(Object.keys(utmSource).length, 101)
  for (const counts of [referrer, utmTerm])
    assert.equal(
      Object.values(counts).reduce((sum, count) => sum + count),
      counts === referrer ? 401 : 400,
    )
})

test('above a hundred thousand clicks visitors are estimated, and say so', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const { principal, id } = await makeLink(sql)
  const analytics = openAnalytics(sql, clickhouse, NOON)
  const add = (count: number, visitors: number) =>
    clickhouse.command({
      query: `
        insert into clicks (workspace_id, link_id, click_id, at, kind, visitor)
        select {workspaceId:String}, {linkId:String}, leftPad(toString(number), 26, '0'),
          toDateTime64('2026-11-21 12:00:00', 3, 'UTC') - number % 30 * 86400, 'human',
          sipHash64(toUInt64(number % ${visitors}))
        from numbers(${count})`,
      query_params: { workspaceId: principal.workspaceId, linkId: id },
    })
  await add(100_000, 70_000)
  const exact = (await analytics.link(principal, id, MONTH)).data
  assert.deepEqual(
    [exact.periodClicks, exact.uniqueVisitors, exact.approximate],
    [100_000, 70_000, false],
  )
  await add(50_000, 40_000)
  await sql`
    insert into link_clicks (link_id, workspace_id, clicks) values (${id}, ${principal.workspaceId}, 1000000)`
  for (const timezone of ['UTC', 'Asia/Kathmandu']) {
    const analyticsAfter = openAnalytics(sql, clickhouse, NOON)
    const estimate = (await analyticsAfter.link(principal, id, { ...MONTH, timezone })).data
    assert.equal(estimate.periodClicks, 150_000)
    assert.equal(estimate.approximate, true)
    assert.ok(Math.abs(estimate.uniqueVisitors - 70_000) < 1_400, `${estimate.uniqueVisitors}`)
  }
})

test('all clicks are counted when they are more than a first try reads', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const { principal } = await makeLink(sql)
  let stored = 0
  for (const clicks of [30_000, 1, 20_000]) {
    await clickhouse.command({
      query: `
        insert into clicks (workspace_id, link_id, click_id, at, kind, visitor)
        select {workspaceId:String}, 'lnk_1', leftPad(toString(number), 26, '0'),
          toDateTime64('2026-11-21 11:00:00', 3, 'UTC'), if(number % 10 = 0, 'bot', 'human'),
          number + 1
        from numbers(${stored}, ${clicks})`,
      query_params: { workspaceId: principal.workspaceId },
    })
    stored += clicks
    const bots = Math.ceil(stored / 10)
    for (const includeBots of [false, true]) {
      const { data } = await openAnalytics(sql, clickhouse, NOON).overview(
        principal,
        {},
        { ...MONTH, includeBots },
      )
      const clicksOfAnswer = includeBots ? stored : stored - bots
      assert.deepEqual(
        [data.periodClicks, data.uniqueVisitors, data.botClicks, data.approximate],
        [clicksOfAnswer, clicksOfAnswer, bots, false],
      )
    }
  }
})

test('an answer agrees with itself while clicks arrive', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const { principal, id } = await makeLink(sql)
  let isDone = false
  const storeOne = () =>
    store(clickhouse, principal.workspaceId, [click({ linkId: id, visitor: 5n })])
  await storeOne()
  const arriving = (async () => {
    while (!isDone) await storeOne()
  })()
  let last = 0
  for (let round = 0; round < (IS_LONG ? 25 : 8); round++) {
    // Each with answers of its own, which are not kept for the next one.
    const { data } = await openAnalytics(sql, clickhouse, NOON).link(principal, id, MONTH)
    assert.ok(data.periodClicks >= last && data.totalClicks === data.periodClicks)
    assert.equal(data.uniqueVisitors, data.periodClicks === 0 ? 0 : 1)
    const sum = (name: BreakdownName) =>
      Object.values(data.breakdowns[name]).reduce((total, count) => total + count, 0)
    for (const name of BREAKDOWN_NAMES.filter((each) => !each.startsWith('utm')))
      assert.equal(sum(name), data.periodClicks, name)
    last = data.periodClicks
  }
  isDone = true
  await arriving
  assert.ok(last > 0)
})

test('whole days are read from projections, never click by click', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const { principal, id } = await makeLink(sql)
  await store(clickhouse, principal.workspaceId, randomClicks(id, 2_000, 3))
  await sql`
    insert into link_clicks (link_id, workspace_id, clicks) values (${id}, ${principal.workspaceId}, 1000000)`
  const reads = async (timezone: string) => {
    const client = observed(clickhouse)
    await openAnalytics(sql, client, NOON).link(principal, id, { ...MONTH, timezone })
    const { query, query_params } = client.seen[0]!
    const lines = await selectRows<{ explain: string }>(
      clickhouse,
      `explain ${query}`,
      query_params,
    )
    return lines.flatMap(
      ({ explain: line }) => /ReadFromMergeTree \((?:\w+\.)?(\w+)\)/.exec(line)?.[1] ?? [],
    )
  }
  const projections = ['visits', 'visits', 'places', 'agents', 'sources', 'campaigns']
  assert.deepEqual((await reads('UTC')).toSorted(), projections.toSorted())
  assert.deepEqual(
    (await reads('Asia/Tokyo')).toSorted(),
    [...projections, 'clicks', 'clicks'].toSorted(),
  )
})

test('a link of another workspace is refused and an unknown one not found', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const { principal, id } = await makeLink(sql)
  const stranger = await makeLink(sql)
  const analytics = openAnalytics(sql, clickhouse, NOON)
  const code = (expected: string) => (error: unknown) =>
    error instanceof ApiError && error.code === expected
  await analytics.findLink(principal, { id })
  await assert.rejects(analytics.findLink(stranger.principal, { id }), code('FORBIDDEN'))
  await assert.rejects(analytics.findLink(principal, { id: 'lnk_none' }), code('NOT_FOUND'))
  await assert.rejects(analytics.link(stranger.principal, id, MONTH), code('NOT_FOUND'))
  await assert.rejects(
    analytics.link(principal, id, { ...MONTH, timezone: 'Mars/Base' }),
    code('VALIDATION_ERROR'),
  )
})

test('the route answers the shape of the spec, with labels that visitors made up', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const created = await owner.post('/links', { name: 'A', destinationUrl: 'https://example.com/' })
  const { id, slug } = created.body.data
  const atMs = world.clock.now
  await store(world.clickhouse, owner.workspaceId, [
    click({ linkId: id, atMs, utmSource: '__proto__', utmTerm: 'constructor' }),
    click({ linkId: id, atMs, utmSource: '__proto__', utmTerm: 'toString', visitor: 2n }),
    click({ linkId: id, atMs, utmSource: '"\\\u2028<b>', kind: 'human', country: '' }),
    click({ linkId: id, atMs, kind: 'bot' }),
  ])
  const { status, body } = await owner.get(`/analytics/links/${id}?days=30`)
  assert.equal(status, 200)
  const { breakdowns, ...numbers } = body.data
  assert.deepEqual(numbers, {
    link: { id, slug },
    totalClicks: 3,
    periodClicks: 3,
    periodChangePercent: 100,
    uniqueVisitors: 2,
    uniqueVisitorsChangePercent: 100,
    hasEarlierPeriod: false,
    botClicks: 1,
    totalImportedClicks: 0,
    approximate: false,
    conversions: 0,
    value: 0,
  })
  assert.deepEqual(Object.keys(breakdowns), BREAKDOWN_NAMES)
  assert.deepEqual(Object.entries(breakdowns.utmSource), [
    ['__proto__', 2],
    ['"\\\u2028<b>', 1],
  ])
  assert.deepEqual(breakdowns.utmTerm, { constructor: 1, toString: 1 })
  assert.deepEqual(breakdowns.country, { DE: 2, unknown: 1 })
  assert.deepEqual(breakdowns.utmMedium, {})
  assert.equal(body.meta.timezone, 'UTC')
  assert.equal(typeof body.meta.requestId, 'string')

  const withBots = await owner.get(`/analytics/links/${id}?includeBots=true&timezone=Asia/Tokyo`)
  assert.equal(withBots.body.data.totalClicks, 4)
  assert.equal(withBots.body.data.periodClicks, 4)
  assert.equal(withBots.body.meta.timezone, 'Asia/Tokyo')

  const refused = [
    'days=0',
    'days=3651',
    'days=-1',
    'days=1.5',
    'days=abc',
    'days=',
    'timezone=Mars/Base',
  ]
  for (const query of [
    ...refused,
    'timezone=',
    'timezone=%2B02:00',
    'includeBots=maybe',
    'days=1&days=2',
  ])
    assert.equal((await owner.get(`/analytics/links/${id}?${query}`)).status, 400, query)
  for (const query of ['days=1', 'days=3650', 'unheard=of', ''])
    assert.equal((await owner.get(`/analytics/links/${id}?${query}`)).status, 200, query)

  const stranger = await world.member()
  assert.equal((await stranger.get(`/analytics/links/${id}`)).status, 403)
  assert.equal((await stranger.get(`/analytics/links/${id}?days=0`)).status, 403)
  assert.equal((await stranger.get('/analytics/links/lnk_none')).status, 404)
  assert.equal((await world.call('GET', `/v1/analytics/links/${id}`)).status, 401)
})

test('a client that has the numbers gets a 304, for which no click is read', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const created = await owner.post('/links', { name: 'A', destinationUrl: 'https://example.com/' })
  const path = `/v1/analytics/links/${created.body.data.id}`
  const ask = async (headers: Record<string, string> = {}) => {
    const answer = await fetch(`${world.origin}${path}`, {
      headers: { authorization: `Bearer ${owner.apiKey}`, ...headers },
    })
    return { status: answer.status, etag: answer.headers.get('etag')!, text: await answer.text() }
  }
  const first = await ask()
  assert.equal(first.status, 200)
  world.clock.advance(2_000)
  await world.clickhouse.command({ query: 'rename table clicks to clicks_away' })
  const known = await ask({ 'if-none-match': first.etag })
  await world.clickhouse.command({ query: 'rename table clicks_away to clicks' })
  assert.deepEqual([known.status, known.text, known.etag], [304, '', first.etag])
})
