import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeClicks } from '../support/clicks.ts'
import { openWorld } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

async function openClicked(t: Parameters<typeof openWorld>[0]) {
  const world = await openWorld(t)
  const owner = await world.member()
  const make = async (name: string) => {
    const { body } = await owner.post('/links', { name, destinationUrl: 'https://example.com/' })
    return body.data as { id: string; slug: string; shortUrl: string }
  }
  const [spring, autumn] = [await make('Spring'), await make('Autumn')]
  const { workspaceId } = owner
  const now = world.clock.now
  const click = (linkId: string, daysAgo: number, rest: object = {}) => ({
    workspaceId,
    linkId,
    atMs: now - daysAgo * DAY_MS,
    ...rest,
  })
  await storeClicks(world.clickhouse, [
    click(spring.id, 0, { visitor: 1n, country: 'FR', browser: 'Chrome' }),
    click(spring.id, 0, { visitor: 2n, browser: 'Mobile Chrome' }),
    click(spring.id, 1, { visitor: 2n, browser: 'Safari' }),
    click(autumn.id, 2, { visitor: 3n, utm_source: 'news' }),
    click(autumn.id, 2, { kind: 'bot' }),
    // The seven days before.
    click(autumn.id, 8, { visitor: 3n }),
    click(autumn.id, 9, { visitor: 4n }),
    // A year before.
    click(spring.id, 365, { visitor: 9n, country: 'FR' }),
  ])
  return { world, owner, spring, autumn }
}

test('one answer has every number of a page, and of the period before', async (t) => {
  const { owner, spring, autumn } = await openClicked(t)
  const { status, body } = await owner.get('/analytics/summary?interval=7d&compare=previous')
  assert.equal(status, 200, JSON.stringify(body))
  const { data, meta } = body
  const none = { conversions: 0, value: 0 }
  assert.deepEqual(data.totals, {
    clicks: 4,
    uniqueVisitors: 3,
    botClicks: 1,
    ...none,
  })
  assert.deepEqual(
    data.series.map((row: { clicks: number }) => row.clicks),
    [0, 0, 0, 0, 1, 1, 2],
  )
  assert.deepEqual(data.breakdowns.country, [
    { label: 'DE', clicks: 3, uniqueVisitors: 2, percent: 75, comparedClicks: 2, ...none },
    { label: 'FR', clicks: 1, uniqueVisitors: 1, percent: 25, comparedClicks: 0, ...none },
  ])
  assert.deepEqual(data.breakdowns.utmSource, [
    { label: 'news', clicks: 1, uniqueVisitors: 1, percent: 100, comparedClicks: 0, ...none },
  ])
  assert.deepEqual(
    data.topLinks.map((row: { link: { id: string }; clicks: number; comparedClicks: number }) => [
      row.link.id,
      row.clicks,
      row.comparedClicks,
    ]),
    [
      [spring.id, 3, 0],
      [autumn.id, 1, 2],
    ],
  )
  assert.equal(data.topLinks[0].link.shortUrl, spring.shortUrl)
  assert.equal(data.comparison.clicks, 2)
  assert.equal(data.comparison.clicksChangePercent, 100)
  assert.equal(data.comparison.series.length, 7)
  assert.equal(data.comparison.period.end, meta.period.start)
  assert.deepEqual([meta.granularity, meta.approximate, data.links], ['day', false, 2])
})

test('a page is compared with the year before, with named dates, or with nothing', async (t) => {
  const { owner } = await openClicked(t)
  const year = await owner.get('/analytics/summary?days=2&compare=year')
  assert.equal(year.body.data.comparison.clicks, 1)
  assert.deepEqual(year.body.data.breakdowns.country[1].comparedClicks, 1)
  const named = await owner.get('/analytics/summary?days=2&compare=2020-02-01,2020-02-29')
  assert.deepEqual(named.body.data.comparison.period, {
    start: '2020-02-01T00:00:00.000Z',
    end: '2020-03-01T00:00:00.000Z',
  })
  const alone = await owner.get('/analytics/summary?days=2')
  assert.equal(alone.body.data.comparison, null)
  assert.equal(alone.body.data.breakdowns.country[0].comparedClicks, null)
  for (const compare of [
    'last',
    '2020-02-30',
    '2020-03-01,2020-02-01',
    ',',
    'a,b',
    '2020-01-01,',
  ]) {
    const { status, body } = await owner.get(`/analytics/summary?compare=${compare}`)
    assert.deepEqual([status, body.error.details[0].path], [400, 'compare'], compare)
  }
})

test('labels for a filter contain a text in any case of letters', async (t) => {
  const { owner } = await openClicked(t)
  const values = async (query: string) => (await owner.get(`/analytics/values/${query}`)).body.data
  assert.deepEqual(await values('browser?q=CHROM'), [
    { value: 'Chrome', clicks: 1 },
    { value: 'Mobile Chrome', clicks: 1 },
  ])
  assert.deepEqual(await values('country?limit=1'), [{ value: 'DE', clicks: 3 + 2 }])
  assert.deepEqual(await values('utmSource'), [{ value: 'news', clicks: 1 }])
  assert.deepEqual(await values('browser?q=%25'), [])
  assert.deepEqual(await values('utmSource?q='), await values('utmSource'))
  for (const path of ['planet', 'country?limit=0'])
    assert.equal((await owner.get(`/analytics/values/${path}`)).status, 400, path)
})

test('questions in the words of Dub are answered with its fields', async (t) => {
  const { owner, spring, autumn } = await openClicked(t)
  const ask = async (query: string) =>
    (await owner.get(`/analytics?interval=7d&${query}`)).body.data
  assert.deepEqual(await ask(''), { clicks: 4 })
  assert.deepEqual(await ask('event=leads'), { leads: 0 })
  assert.deepEqual(await ask('groupBy=countries'), [
    { country: 'DE', clicks: 3 },
    { country: 'FR', clicks: 1 },
  ])
  assert.deepEqual(await ask('groupBy=utm_sources&event=composite'), [
    { utm_source: 'news', clicks: 1, leads: 0, sales: 0, saleAmount: 0 },
  ])
  assert.deepEqual(await ask('groupBy=countries&utm_source=news'), [{ country: 'DE', clicks: 1 }])
  assert.deepEqual(
    (await ask('groupBy=top_links')).map((row: { id: string; clicks: number }) => [
      row.id,
      row.clicks,
    ]),
    [
      [spring.id, 3],
      [autumn.id, 1],
    ],
  )
  assert.equal((await ask('groupBy=timeseries')).length, 7)
  assert.equal((await owner.get('/analytics?groupBy=planets')).status, 400)
})

test('clicks of links that were deleted stay in the numbers of the workspace', async (t) => {
  const { owner, spring, autumn } = await openClicked(t)
  for (const { id } of [spring, autumn])
    assert.equal((await owner.delete(`/links/${id}`)).status, 204)
  const { body } = await owner.get('/analytics/summary?interval=7d')
  assert.deepEqual([body.data.links, body.data.totals.clicks], [0, 4])
  assert.deepEqual(body.data.topLinks[0].link, {
    id: spring.id,
    name: null,
    slug: null,
    shortUrl: null,
  })
  const excluded = await owner.get(`/analytics/overview?interval=7d&linkId=-${spring.id}`)
  assert.equal(excluded.body.data.periodClicks, 4, 'a deleted link is an unknown id')
})
