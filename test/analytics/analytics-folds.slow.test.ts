import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { newId, ulid } from '../../src/platform/core/ids.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { newBootId } from '../../src/clicks/journal/format.ts'
import { readFolds } from '../../src/analytics/questions/folds.ts'
import { ClickRetention, type FoldFault } from '../../src/analytics/retention/retention.ts'
import { openAnalytics } from '../support/analytics.ts'
import { freshDatabases } from '../support/engines.ts'
import { addLink, addWorkspace, toPrincipal } from '../support/fixtures.ts'
import { asSystem } from '../support/privileges.ts'
import { IS_LONG } from '../support/long.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const BASE = { days: 30, timezone: 'UTC', includeBots: false }
const PAGE = { limit: 100, offset: 0 }

/** Clicks of three links on the days around the turn of the first month that is kept, some of them at its midnights. */
async function openClicks(t: TestContext) {
  const { sql, clickhouse } = await freshDatabases(t)
  const workspaceId = await addWorkspace(sql, { id: newId('wsp', NOW), nowMs: NOW - 800 * DAY_MS })
  const linkIds: string[] = []
  for (let i = 0; i < 3; i++) linkIds.push(await addLink(sql, { workspaceId, nowMs: NOW }))
  const journal = newBootId()
  const turn = Date.parse('2025-11-01T00:00:00Z')
  const times = Array.from({ length: 240 }, (_, i) =>
    i % 5 === 0 ? turn + (i - 120) * DAY_MS : turn + (i - 120) * 9 * 3_600_000 + i * 1_000,
  )
  await clickhouse.insert({
    table: 'clicks',
    format: 'JSONEachRow',
    values: times.map((atMs, i) => ({
      ...{ workspace_id: workspaceId, link_id: linkIds[i % 3], click_id: ulid(atMs) },
      at: new Date(atMs).toISOString().replace('T', ' ').replace('Z', ''),
      segment: `${journal}-${(i % 4) + 1}`,
      kind: ['human', 'human', 'human', 'bot', 'view'][i % 5],
      visitor: (i % 17) + 1,
      ...{
        country: ['DE', 'FR', ''][i % 3],
        city: `City ${i % 7}`,
        device: ['mobile', 'desktop'][i % 2],
      },
      ...{
        browser: ['Chrome', 'Firefox'][i % 2],
        referrer: ['direct', '__proto__'][i % 2],
        trigger: 'link',
      },
      ...{
        utm_source: ['', 'news'][i % 2],
        language: 'de',
        destination: `https://example.com/${i % 4}`,
      },
    })),
  })
  await sql`insert into journal_cursors values (${journal}, 4, now())`
  const principal = toPrincipal('usr_1', workspaceId, { role: 'viewer' })
  const retention = (fault: FoldFault = () => {}) =>
    new ClickRetention({
      ...{ sql: asSystem(sql), clickhouse, clock: () => NOW, log: openLog('silent') },
      ...{ days: 365, graceMs: 0, fault },
    })
  /** Fresh rules for each question, since equal ones share an answer. */
  const analytics = () => openAnalytics(sql, clickhouse, NOW)
  return { sql, clickhouse, journal, workspaceId, linkIds, principal, retention, analytics }
}

type Clicks = Awaited<ReturnType<typeof openClicks>>

/** One question of each kind of statement, for the moments in between; the long tests ask all of them. */
const SOME = IS_LONG ? undefined : ['overview', 'link', 'days', 'topInPlace', 'destinations']

function someOf(answers: Record<string, unknown>): Record<string, unknown> {
  const isAsked = ([name]: [string, unknown]) => SOME?.includes(name) ?? true
  return Object.fromEntries(Object.entries(answers).filter(isAsked))
}

/** Answers that must not change when months are folded, without what says how they were counted. */
async function answersOf(
  { analytics, principal, linkIds }: Clicks,
  names?: readonly string[],
): Promise<Record<string, unknown>> {
  const rules = analytics()
  const long = { ...BASE, days: 700 }
  const questions = {
    overview: () => rules.overview(principal, {}, long),
    withBots: () => rules.overview(principal, {}, { ...long, includeBots: true }),
    twoLinks: () =>
      rules.overview(principal, {}, { ...long, linkId: linkIds.slice(0, 2).join(',') }),
    link: () => rules.link(principal, linkIds[0]!, long),
    recent: () => rules.link(principal, linkIds[0]!, { ...BASE, days: 30 }),
    days: () => rules.timeseries(principal, {}, { ...long, granularity: 'day' }),
    months: () =>
      rules.timeseries(principal, { linkId: linkIds[1]! }, { ...long, granularity: 'month' }),
    filtered: () =>
      rules.timeseries(principal, {}, { ...long, country: 'DE', granularity: 'week' }),
    topLinks: () => rules.topLinks(principal, { ...long, ...PAGE }),
    topInPlace: () => rules.topLinks(principal, { ...long, ...PAGE, country: '-DE' }),
    cities: () =>
      rules.breakdown(principal, {}, 'city', { ...long, ...PAGE, country: 'DE,unknown' }),
    destinations: () =>
      rules.breakdown(principal, { linkId: linkIds[0]! }, 'destination', {
        ...long,
        ...PAGE,
      }),
  }
  const strip = (key: string, value: unknown) =>
    ['meta', 'approximate'].includes(key) ? undefined : value
  const withoutVisitors = (key: string, value: unknown) =>
    key === 'uniqueVisitors' ? undefined : strip(key, value)
  const answers: Record<string, unknown> = {}
  for (const [name, ask] of Object.entries(questions)) {
    if (names && !names.includes(name)) continue
    // Of labels and of filtered clicks the visitors of deleted months are not known.
    const isWhole = !['filtered', 'topInPlace', 'cities', 'destinations'].includes(name)
    answers[name] = JSON.parse(JSON.stringify(await ask(), isWhole ? strip : withoutVisitors))
  }
  return answers
}

test('answers are the same at every moment of the deletion of old clicks', async (t) => {
  const clicks = await openClicks(t)
  const before = await answersOf(clicks)
  await clicks
    .retention(async (point, month) => {
      if (month === 202510 && ['folded', 'deleted'].includes(point))
        assert.deepEqual(await answersOf(clicks, SOME), someOf(before), point)
    })
    .once()
  assert.deepEqual(await answersOf(clicks), before)
  await clicks.sql`update click_folds set ended_at = now() - interval '2 days'`
  assert.deepEqual(await answersOf(clicks, SOME), someOf(before), 'with projections alone')
  assert.ok((await readFolds(clicks.sql)).length >= 2)

  const late = { country: 'DE', city: 'City 1', device: 'mobile', utm_source: 'late' }
  await clicks.clickhouse.insert({
    table: 'clicks',
    format: 'JSONEachRow',
    values: [
      {
        ...late,
        ...{ workspace_id: clicks.workspaceId, link_id: clicks.linkIds[0], click_id: ulid(NOW) },
        ...{ at: '2025-10-05 10:00:00', segment: `${clicks.journal}-5`, kind: 'human', visitor: 3 },
      },
    ],
  })
  const withLate = await answersOf(clicks)
  assert.notDeepEqual(withLate, before, 'a late click counts before it is folded')
  await clicks.sql`update journal_cursors set sequence = 5`
  await clicks
    .retention(async (point) => {
      if (point === 'folded') assert.deepEqual(await answersOf(clicks, SOME), someOf(withLate))
    })
    .once()
  assert.deepEqual(await answersOf(clicks, SOME), someOf(withLate))
})

test('an answer over deleted months says what is not known of them', async (t) => {
  const clicks = await openClicks(t)
  const { principal } = clicks
  const long = { ...BASE, days: 700 }
  const whole = await clicks.analytics().overview(principal, {}, long)
  assert.ok(!('incomplete' in whole.meta!))
  const known = await clicks.analytics().overview(principal, {}, { ...long, country: 'DE' })
  await clicks.retention().once()

  const rules = clicks.analytics()
  const metaOf = async (query: object) =>
    (await rules.overview(principal, {}, { ...BASE, ...query })).meta!
  assert.deepEqual((await metaOf({ days: 700 }))['incomplete'], ['utc_days'])
  assert.ok(!('incomplete' in (await metaOf({ days: 300 }))))
  const rows = await rules.breakdown(principal, {}, 'country', { ...long, ...PAGE })
  assert.deepEqual(rows.meta!['incomplete'], ['utc_days', 'visitors'])

  const filtered = await rules.overview(principal, {}, { ...long, country: 'DE' })
  assert.deepEqual(filtered.meta!['incomplete'], ['utc_days', 'filters', 'visitors'])
  assert.equal(filtered.data.periodClicks, known.data.periodClicks)
  assert.equal(filtered.data.totalClicks, known.data.totalClicks)
  assert.deepEqual(filtered.data.breakdowns.city, known.data.breakdowns.city)
  const { device } = filtered.data.breakdowns
  assert.ok(device['(other)']! > 0, 'devices of a place are not known')
  const sum = Object.values(device).reduce((total, count) => total + count, 0)
  assert.equal(sum, known.data.periodClicks, 'the parts of an answer have its sum')

  const two = await rules.overview(principal, {}, { ...long, country: 'DE', device: 'mobile' })
  const parts = Object.values(two.data.breakdowns.city).reduce((total, count) => total + count, 0)
  assert.equal(parts, two.data.periodClicks)
  assert.ok(two.data.periodClicks < known.data.periodClicks)
})

test('a day of a deleted month belongs to the local day with its noon, in every zone once', async (t) => {
  const clicks = await openClicks(t)
  const query = { ...BASE, days: 700, granularity: 'day' as const }
  const totalOf = async (timezone: string) => {
    const { data } = await clicks
      .analytics()
      .timeseries(clicks.principal, {}, { ...query, timezone })
    return data.reduce((sum, row) => sum + row.clicks, 0)
  }
  const before = await totalOf('UTC')
  await clicks.retention().once()
  for (const timezone of [
    'America/New_York',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Australia/Lord_Howe',
  ])
    assert.equal(await totalOf(timezone), before, timezone)
})

test('the plan of a workspace limits the period of its answers', async (t) => {
  const clicks = await openClicks(t)
  await clicks.sql`update workspaces set plan = 'pro' where id = ${clicks.workspaceId}`
  const { meta } = await clicks.analytics().overview(clicks.principal, {}, { ...BASE, days: 700 })
  assert.deepEqual(meta!['period'], {
    start: '2025-11-22T00:00:00.000Z',
    end: '2026-11-22T00:00:00.000Z',
  })
  const past = { ...BASE, start: '2025-01-01', end: '2025-02-01' }
  const { data } = await clicks.analytics().overview(clicks.principal, {}, past)
  assert.equal(data.periodClicks, 0)
})
