import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../support/world.ts'
import { EMOJI, store, TEXTS } from '../support/analytics-cases.ts'
import { NO_LABELS, type Click } from '../support/analytics-recount.ts'

function click(linkId: string, atMs: number, utmTerm: string): Click {
  return { linkId, atMs, kind: 'human', visitor: 1n, labels: { ...NO_LABELS, utmTerm } }
}

/** A value as a filter and in a URL. */
function toParameter(value: string): string {
  return encodeURIComponent(value.replace(/^-|[\\,]/g, '\\$&'))
}

test('a wrong question is refused with its parameter, and ids that are not there match nothing', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const stranger = await world.member()
  const toLink = { name: 'A', destinationUrl: 'https://example.com/' }
  const { id } = (await owner.post('/links', toLink)).body.data
  const campaign = (await owner.post('/campaigns', { name: 'C' })).body.data.id
  const otherCampaign = (await owner.post('/campaigns', { name: 'D' })).body.data.id
  const inCampaign = (await owner.post('/links', { ...toLink, campaignId: campaign })).body.data.id
  const theirs = {
    linkId: (await stranger.post('/links', toLink)).body.data.id,
    campaignId: (await stranger.post('/campaigns', { name: 'C' })).body.data.id,
    folderId: (await stranger.post('/folders', { name: 'F' })).body.data.id,
  }
  const ofWorkspace = [
    '/analytics/overview',
    '/analytics/timeseries',
    '/analytics/breakdowns',
    '/analytics/breakdowns/country',
    '/analytics/top-links',
  ]
  const ofOne = [
    `/analytics/links/${id}`,
    `/analytics/links/${id}/timeseries`,
    `/analytics/links/${id}/breakdowns/country`,
    `/analytics/campaigns/${campaign}`,
  ]
  const refused: [path: string, query: string][] = [
    ['interval', 'interval=2w'],
    ['interval', 'interval='],
    ['start', 'start=2026-02-01&end=2026-01-01'],
    ['start', 'start=2026-02-01T00:00:00Z&end=2026-02-01T00:00:00Z'],
    ['start', 'start=2026-02-30'],
    ['start', 'start=x'],
    ['end', 'end=2026-13-01'],
    ['timezone', 'timezone=%2B02:00'],
    ['timezone', 'timezone=Mars/Base'],
    ['days', 'days=0'],
    ['days', 'days=3651'],
    ['country', 'country=ZZZ'],
    ['country', 'country=de'],
    ['country', 'country=-'],
    ['country', 'country=,'],
    ['continent', 'continent=XX'],
    ['device', 'device=toaster'],
    ['trigger', 'trigger=nfc'],
    ['browser', `browser=${Array.from({ length: 101 }, (_, at) => at).join()}`],
    ['city', `city=${'x'.repeat(4_097)}`],
  ]
  const isRefused = async (url: string, path: string) => {
    const { status, body } = await owner.get(url)
    assert.equal(status, 400, url)
    assert.deepEqual(
      body.error.details.map((detail: { path: string }) => detail.path),
      [path],
      url,
    )
  }
  for (const [path, query] of refused)
    for (const url of [
      ofWorkspace[refused.length % 5]!,
      ...ofOne.slice(0, 1),
      ...ofWorkspace.slice(0, 2),
      ofOne[3]!,
    ])
      await isRefused(`${url}?${query}`, path)
  for (const url of [ofWorkspace[1]!, ofOne[1]!]) {
    await isRefused(`${url}?granularity=hour&days=92`, 'granularity')
    await isRefused(`${url}?granularity=minute`, 'granularity')
    assert.equal((await owner.get(`${url}?granularity=hour&days=91`)).status, 200)
  }
  for (const url of [ofWorkspace[3]!, ofWorkspace[4]!, ofOne[2]!])
    for (const [path, query] of [
      ['limit', 'limit=0'],
      ['limit', 'limit=-1'],
      ['limit', 'limit=x'],
      ['offset', 'offset=10001'],
      ['offset', 'offset=-1'],
    ] as const)
      await isRefused(`${url}?${query}`, path)
  for (const url of [
    '/analytics/breakdowns/shoeSize',
    `/analytics/links/${id}/breakdowns/__proto__`,
  ])
    await isRefused(url, 'dimension')

  for (const [path, foreign] of Object.entries(theirs))
    for (const url of ofWorkspace)
      for (const value of [foreign, `-${foreign}`, `x,${foreign}`])
        assert.equal((await owner.get(`${url}?${path}=${value}`)).status, 403, `${url} ${path}`)

  await store(world.clickhouse, owner.workspaceId, [
    click(id, world.clock.now, 'a'),
    click(inCampaign, world.clock.now, 'b'),
  ])
  for (const query of [
    'linkId=lnk_none',
    'campaignId=cmp_none',
    'folderId=x',
    'tag=none',
    'domainId=dom_none',
    'city=Nowhere',
  ]) {
    const { status, body } = await owner.get(`/analytics/overview?${query}`)
    assert.deepEqual([status, body.data.periodClicks, body.data.totalClicks], [200, 0, 0], query)
    const series = await owner.get(`/analytics/timeseries?${query}`)
    assert.equal(series.body.data.length, 30)
    assert.deepEqual((await owner.get(`/analytics/top-links?${query}`)).body.data, [])
    assert.deepEqual((await owner.get(`/analytics/breakdowns/country?${query}`)).body.data, [])
  }
  const { data } = (await owner.get(`/analytics/campaigns/${campaign}?campaignId=${otherCampaign}`))
    .body
  assert.deepEqual([data.periodClicks, data.links], [1, 1], 'the path names the campaign')
  const narrowed = await owner.get(`/analytics/campaigns/${campaign}?linkId=${id}`)
  assert.deepEqual([narrowed.body.data.periodClicks, narrowed.body.data.links], [0, 0])
  for (const url of ofOne) await isRefused(`${url}?domainId=a&domainId=b`, 'domainId')
  await isRefused(`/analytics/campaigns/${campaign}?tag=a&tag=b`, 'tag')
  const empty = (await owner.post('/links', toLink)).body.data.id
  for (const url of [`/analytics/links/${empty}`, `/analytics/overview?linkId=${empty}`]) {
    const answer = await owner.get(
      `${url}${url.includes('?') ? '&' : '?'}days=3650&timezone=Asia/Kathmandu`,
    )
    assert.equal(answer.status, 200)
    assert.deepEqual([answer.body.data.totalClicks, answer.body.data.uniqueVisitors], [0, 0])
  }
  const days = await owner.get(`/analytics/links/${empty}/timeseries?days=3650&granularity=day`)
  assert.equal(days.body.data.length, 3_650)
})

test('clicks of deleted links stay in the numbers of the workspace', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const { id } = (await owner.post('/links', { name: 'A', destinationUrl: 'https://example.com/' }))
    .body.data
  await store(world.clickhouse, owner.workspaceId, [click(id, world.clock.now, 'a')])
  assert.equal((await owner.delete(`/links/${id}`)).status, 204)
  const { data } = (await owner.get('/analytics/overview')).body
  assert.deepEqual([data.periodClicks, data.links], [1, 0])
  const [row] = (await owner.get('/analytics/top-links')).body.data
  assert.deepEqual([row.link, row.clicks], [{ id, name: null, slug: null, shortUrl: null }, 1])
})

test('labels that visitors made up return as they are, and are filters', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const { id } = (await owner.post('/links', { name: 'A', destinationUrl: 'https://example.com/' }))
    .body.data
  const texts = [...new Set([...TEXTS, 'a\u0001b', 'constructor'])].filter((text) => text !== '')
  await store(
    world.clickhouse,
    owner.workspaceId,
    texts.flatMap((text, at) =>
      Array.from({ length: at + 1 }, () => click(id, world.clock.now, text)),
    ),
  )
  const { body } = await owner.get(`/analytics/links/${id}`)
  assert.deepEqual(
    new Map(Object.entries(body.data.breakdowns.utmTerm)),
    new Map(texts.map((text, at) => [text, at + 1] as const).toReversed()),
  )
  for (const [at, text] of texts.entries()) {
    const parameter = toParameter(text)
    const rows = await owner.get(`/analytics/breakdowns/utmTerm?utmTerm=${parameter}`)
    assert.deepEqual(
      rows.body.data,
      [
        {
          label: text,
          clicks: at + 1,
          uniqueVisitors: 1,
          percent: 100,
          conversions: 0,
          value: 0,
        },
      ],
      JSON.stringify(text),
    )
    const others = await owner.get(`/analytics/links/${id}?utmTerm=-${parameter}`)
    const all = (texts.length * (texts.length + 1)) / 2
    assert.equal(others.body.data.periodClicks, all - at - 1, JSON.stringify(text))
  }
  const both = await owner.get(
    `/analytics/overview?utmTerm=${toParameter(EMOJI)},${toParameter('a,b')}`,
  )
  assert.equal(both.body.data.periodClicks, texts.indexOf(EMOJI) + texts.indexOf('a,b') + 2)
})
