import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, openWorld } from '../support/world.ts'

test('a link with a start redirects from then on, and not before', async (t) => {
  const world = await openWorld(t)
  const user = await world.member()
  const startsAt = new Date(world.clock.now + 60_000).toISOString()
  const fields = { name: 'Launch', destinationUrl: 'https://example.com/launch', startsAt }
  const { status, body } = await user.post('/links', fields)
  assert.equal(status, 201)
  assert.equal(body.data.startsAt, startsAt)
  const visit = async () => (await world.call('GET', `/${body.data.slug}`)).status
  assert.equal(await visit(), 404)
  world.clock.advance(60_000)
  assert.equal(await visit(), 302)
})

test('an option that an update changes takes effect, and null gives it its default', async (t) => {
  const world = await openWorld(t)
  const user = await world.member()
  const fields = { name: 'Docs', destinationUrl: 'https://example.com/docs', forwardQuery: false }
  const { data } = (await user.post('/links', fields)).body
  assert.equal(data.forwardQuery, false)
  const visit = async () => {
    const { headers } = await world.call('GET', `/${data.slug}?a=1`)
    return [headers.get('location'), headers.get('x-robots-tag')]
  }
  assert.deepEqual(await visit(), ['https://example.com/docs', null])
  const change = { forwardQuery: null, noindex: true }
  assert.partialDeepStrictEqual((await user.patch(`/links/${data.id}`, change)).body.data, {
    forwardQuery: true,
    noindex: true,
  })
  await eventually(async () =>
    assert.deepEqual(await visit(), ['https://example.com/docs?a=1', 'noindex']),
  )
})

const TARGET = 'https://example.com/a'
const RULE = { conditions: { country: ['DE'] }, destinationUrl: TARGET }
const HALF = { destinationUrl: TARGET, weight: 50 }
const repeat = <Value>(n: number, value: Value) => Array.from({ length: n }, () => value)
const LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

/** Options that a request may set, as answers show them. */
const OPTIONS = {
  iosDeepLink: 'exampleapp://page',
  androidDeepLink: 'https://play.google.com/store/apps/details?id=com.example',
  expiredUrl: 'https://example.com/over',
  maxClicks: 1_000_000_000,
  startsAt: '2026-01-01T00:00:00.000Z',
  forwardQuery: false,
  noindex: true,
  card: { title: 'Sale', description: null, image: 'https://example.com/sale.png' },
  variantsUntil: '2100-01-01T00:00:00.000Z',
  rules: [
    {
      id: 'rul_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      name: 'Germany',
      enabled: false,
      conditions: {
        country: ['DE', 'AT'],
        query: { source: null },
        to: '2100-01-01T00:00:00.000Z',
      },
      destinationUrl: 'https://example.com/de',
    },
  ],
  variants: [
    { id: 'var_01ARZ3NDEKTSV4RRFFQ69G5FAV', name: 'A', destinationUrl: TARGET, weight: 30 },
    { id: 'var_01ARZ3NDEKTSV4RRFFQ69G5FAW', name: '', destinationUrl: TARGET, weight: 70 },
  ],
}
const DEFAULTS = {
  ...{
    iosDeepLink: null,
    androidDeepLink: null,
    expiredUrl: null,
    startsAt: null,
    maxClicks: null,
  },
  ...{
    forwardQuery: true,
    noindex: false,
    card: null,
    variantsUntil: null,
    rules: [],
    variants: [],
  },
}

test('options', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await world.sql`
    update workspaces set api_requests_per_minute = 100000 where id = ${owner.workspaceId}`

  await t.test('every option is read as it was written, and null gives its default', async () => {
    const made = await owner.post('/links', { ...LINK, ...OPTIONS })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assert.partialDeepStrictEqual(made.body.data, OPTIONS)
    const path = `/links/${made.body.data.id}`
    assert.deepEqual((await owner.get(path)).body.data, made.body.data)
    const [listed] = (await owner.get('/links')).body.data
    assert.deepEqual(listed, made.body.data)
    const same = await owner.patch(path, made.body.data)
    assert.deepEqual(same.body.data, made.body.data)
    const nulls = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, null]))
    assert.partialDeepStrictEqual((await owner.patch(path, nulls)).body.data, DEFAULTS)
    const [row] = await world.sql`select options from links where id = ${made.body.data.id}`
    assert.equal(row!['options'], null)
    assert.partialDeepStrictEqual((await owner.patch(path, OPTIONS)).body.data, OPTIONS)
    assert.partialDeepStrictEqual((await owner.patch(path, DEFAULTS)).body.data, DEFAULTS)
  })

  await t.test('a change of options is audited and sent with old and new values', async () => {
    const { data } = (await owner.post('/links', LINK)).body
    // Ids of the same millisecond have no order.
    world.clock.advance(1_000)
    await owner.patch(`/links/${data.id}`, OPTIONS)
    const [audited] = (await owner.get(`/audit-log?targetId=${data.id}`)).body.data
    const [event] = await world.sql<{ data: string }[]>`
      select data from events
      where workspace_id = ${owner.workspaceId} and type = 'link.updated' order by id desc limit 1`
    const sent = JSON.parse(event!.data)
    assert.partialDeepStrictEqual(sent, OPTIONS)
    assert.deepEqual(sent.changes.toSorted(), Object.keys(OPTIONS).toSorted())
    for (const [name, value] of Object.entries(OPTIONS)) {
      const old = DEFAULTS[name as keyof typeof DEFAULTS]
      assert.deepEqual(audited.changes[name], { old, new: value })
      assert.deepEqual(sent.previous[name], old)
    }
  })

  await t.test('bad values are refused with the path of the field', async () => {
    const { data } = (await owner.post('/links', LINK)).body
    const rules = (change: object) => ({ rules: [{ ...RULE, ...change }] })
    const long = (n: number) => 'x'.repeat(n)
    const bad: [string, object][] = [
      ['rules.2.destinationUrl', { rules: [RULE, RULE, { ...RULE, destinationUrl: 'data:x' }] }],
      ['rules.0.destinationUrl', rules({ destinationUrl: `${world.origin}/x` })],
      ['rules.0.destinationUrl', rules({ destinationUrl: undefined })],
      ['rules.0.conditions', rules({ conditions: {} })],
      ['rules.0.conditions', rules({ conditions: undefined })],
      ['rules.0.conditions.country', rules({ conditions: { country: [] } })],
      ['rules.0.conditions.country', rules({ conditions: { country: 'DE' } })],
      ['rules.0.conditions.country.1', rules({ conditions: { country: ['DE', 'XX'] } })],
      ['rules.0.conditions.os.0', rules({ conditions: { os: [7] } })],
      ['rules.0.conditions.language', rules({ conditions: { language: repeat(101, 'de') } })],
      ['rules.0.conditions.query', rules({ conditions: { query: { [long(101)]: null } } })],
      ['rules.0.conditions.query.a', rules({ conditions: { query: { a: long(501) } } })],
      ['rules.0.conditions.query.a', rules({ conditions: { query: { a: {} } } })],
      ['rules.0.conditions.from', rules({ conditions: { from: 'tomorrow' } })],
      ['rules.0.name', rules({ name: long(256) })],
      ['rules.0.enabled', rules({ enabled: 'yes' })],
      ['rules.0', { rules: ['x'] }],
      ['rules', { rules: repeat(21, RULE) }],
      ['rules', { rules: RULE }],
      ['variants', { variants: [{ ...HALF, weight: 100 }] }],
      ['variants', { variants: [HALF, { ...HALF, weight: 49 }] }],
      ['variants', { variants: repeat(11, { ...HALF, weight: 9 }) }],
      ['variants.1.weight', { variants: [HALF, { ...HALF, weight: 0 }] }],
      [
        'variants.0.weight',
        {
          variants: [
            { ...HALF, weight: 49.5 },
            { ...HALF, weight: 50.5 },
          ],
        },
      ],
      ['variants.1.destinationUrl', { variants: [HALF, { ...HALF, destinationUrl: 'x' }] }],
      ['card', { card: 'Sale' }],
      ['card.image', { card: { image: 'http://example.com/x.png' } }],
      ['card.title', { card: { title: long(256) } }],
      ['card.description', { card: { description: long(1_001) } }],
      ['iosDeepLink', { iosDeepLink: 'javascript:alert(1)' }],
      ['androidDeepLink', { androidDeepLink: 'intent://x#Intent;end' }],
      ['androidDeepLink', { androidDeepLink: `${world.origin}/x` }],
      ['expiredUrl', { expiredUrl: 'ftp://example.com/' }],
      ['expiredUrl', { expiredUrl: `${world.origin}/x` }],
      ['startsAt', { startsAt: '2026-06-01T00:00:00Z', expiresAt: '2026-06-01T00:00:00Z' }],
      ['variantsUntil', { variantsUntil: 'never' }],
      ...[0, 1.5, -1, 1_000_000_001, '3'].map(
        (maxClicks) => ['maxClicks', { maxClicks }] as [string, object],
      ),
    ]
    for (const [path, options] of bad)
      for (const { status, body } of [
        await owner.post('/links', { ...LINK, ...options }),
        await owner.patch(`/links/${data.id}`, options),
      ]) {
        assert.equal(status, 400, JSON.stringify(options).slice(0, 100))
        assert.equal(body.error.details[0].path, path)
      }
    assert.deepEqual((await owner.get(`/links/${data.id}`)).body.data, data)
  })

  await t.test('a start is before the end, also if an update has one of them', async () => {
    const [start, end] = ['2099-01-01T00:00:00.000Z', '2099-02-01T00:00:00.000Z']
    const times = { startsAt: start, expiresAt: end }
    const { id } = (await owner.post('/links', { ...LINK, ...times })).body.data
    const pathOf = async (change: object) => {
      const { status, body } = await owner.patch(`/links/${id}`, change)
      return status === 200 ? 'accepted' : body.error.details[0].path
    }
    assert.equal(await pathOf({ startsAt: end }), 'startsAt')
    assert.equal(await pathOf({ expiresAt: start }), 'expiresAt')
    assert.equal(await pathOf({ startsAt: end, expiresAt: null }), 'accepted')
    assert.equal(await pathOf({ expiresAt: end }), 'expiresAt')
    assert.equal(await pathOf({ startsAt: null, expiresAt: start }), 'accepted')
  })

  await t.test(
    'a plan without deep links refuses new ones, and keeps and removes others',
    async () => {
      const { iosDeepLink, androidDeepLink } = OPTIONS
      const { id } = (await owner.post('/links', { ...LINK, iosDeepLink })).body.data
      await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
      const path = `/links/${id}`
      for (const answer of [
        await owner.post('/links', { ...LINK, iosDeepLink }),
        await owner.patch(path, { androidDeepLink }),
        await owner.patch(path, { iosDeepLink: 'other://page' }),
      ]) {
        assert.equal(answer.status, 403)
        assert.equal(answer.body.error.code, 'PLAN_CAPABILITY_REQUIRED')
        assert.equal(answer.body.error.details.capability, 'deep_links')
      }
      assert.equal((await owner.patch(path, { iosDeepLink, name: 'Renamed' })).status, 200)
      assert.equal((await owner.patch(path, { iosDeepLink: null })).status, 200)
      const [entry] = (await owner.get(`${path}/history?offset=1`)).body.data
      const { status } = await owner.post(`${path}/rollback`, { historyId: entry.id })
      assert.equal(status, 403)
      await world.sql`update workspaces set plan = 'self_hosted' where id = ${owner.workspaceId}`
      const { body } = await owner.post(`${path}/rollback`, { historyId: entry.id })
      assert.equal(body.data.iosDeepLink, iosDeepLink)
    },
  )

  await t.test('a rollback restores rules and variants with their ids', async () => {
    const made = (await owner.post('/links', { ...LINK, rules: [RULE], variants: [HALF, HALF] }))
      .body
    const path = `/links/${made.data.id}`
    await owner.patch(path, { rules: [], variants: null })
    const [, creation] = (await owner.get(`${path}/history`)).body.data
    const { body } = await owner.post(`${path}/rollback`, { historyId: creation.id })
    const { rules, variants } = made.data
    assert.partialDeepStrictEqual(body.data, { rules, variants })
    assert.match(rules[0].id, /^rul_[0-9A-Z]{26}$/)
  })

  await t.test('all options of a link together have a limit', async () => {
    const destinationUrl = `https://example.com/${'x'.repeat(4_000)}`
    const rules = repeat(9, { ...RULE, destinationUrl })
    const { status, body } = await owner.post('/links', { ...LINK, rules })
    assert.deepEqual([status, body.error.details[0].path], [400, 'rules'])
  })
})
