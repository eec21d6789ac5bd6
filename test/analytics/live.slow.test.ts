import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { shipFolder } from '../../src/clicks/shipping/shipper.ts'
import { newBootId, segmentName, type ClickRecord } from '../../src/clicks/journal/format.ts'
import { LivePlaces } from '../../src/analytics/live/live-places.ts'
import { LiveStream } from '../../src/analytics/live/live-stream.ts'
import { encodeSegment, GOOGLEBOT, makeClick, shipperDeps } from '../support/shipping-world.ts'
import { openEventStream } from '../support/event-stream.ts'
import { freshFolder } from '../support/fixtures.ts'
import { until } from '../support/eventually.ts'
import { eventually, openWorld, type Member, type World } from '../support/world.ts'

const never = new AbortController().signal

/** An edge beside the world: each call ships one segment of a journal of its own. */
function openEdge(world: World) {
  const deps = shipperDeps({ ...world, quarantineDir: freshFolder(), registry: new Registry() })
  return async (clicks: readonly ClickRecord[]) => {
    const root = freshFolder()
    const folder = join(root, newBootId())
    mkdirSync(folder)
    writeFileSync(join(folder, segmentName(1, 'sealed')), encodeSegment(clicks))
    await shipFolder(root, deps, never)
  }
}

async function makeLink(owner: Member): Promise<string> {
  const { body } = await owner.post('/links', {
    name: 'Live',
    destinationUrl: 'https://example.com/',
  })
  return body.data.id
}

const bearer = ({ apiKey }: Member) => ({ authorization: `Bearer ${apiKey}` })

const open = (
  t: TestContext,
  { origin }: World,
  headers: Record<string, string>,
  query = '',
  lastId?: string,
) =>
  openEventStream(t, `${origin}/v1/analytics/live${query}`, {
    ...headers,
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  })

for (const isPair of [false, true])
  test(`clicks are shown once as they begin to count, ${isPair ? 'through a gateway of its own' : 'in one process'}`, async (t) => {
    const world = await openWorld(t, {
      isPair,
      pace: 10,
      config: { shortUrl: 'https://short.example.com' },
    })
    const [owner, stranger] = [await world.member(), await world.member()]
    const ship = openEdge(world)
    const linkIds = [await makeLink(owner), await makeLink(owner)]
    const click = (changes: Partial<ClickRecord> = {}) =>
      makeClick(owner.workspaceId, linkIds.slice(0, 1), changes)
    const nowMs = Date.now()
    await ship([click({ atMs: nowMs - 60_000 })])

    const whole = await open(t, world, bearer(owner))
    const single = await open(t, world, bearer(owner), `?linkId=${linkIds[1]}`)
    const other = await open(t, world, bearer(stranger))
    assert.equal(whole.status, 200)
    assert.equal(whole.headers.get('content-type'), 'text/event-stream')
    assert.equal(whole.headers.get('cache-control'), 'no-store')
    assert.equal(whole.headers.get('x-accel-buffering'), 'no')

    const first = click({ atMs: nowMs, utm: ['unknown', '', 'spring', '', ''], trigger: 'qr' })
    await ship([first, click({ userAgent: GOOGLEBOT }), click({ isPrefetch: true })])
    await until(() => whole.named('click').length === 1)
    assert.deepEqual(whole.named('click')[0], {
      event: 'click',
      id: first.clickId,
      data: {
        clickId: first.clickId,
        link: {
          id: linkIds[0],
          slug: first.slug,
          shortUrl: `https://short.example.com/${first.slug}`,
          domain: 'short.example.com',
        },
        destinationUrl: 'https://example.com/',
        timestamp: new Date(nowMs).toISOString(),
        country: 'DE',
        region: null,
        city: null,
        continent: 'EU',
        device: 'desktop',
        browser: 'Chrome',
        os: 'Windows',
        referrer: 'news.example.org',
        language: 'de',
        trigger: 'qr',
        utmSource: 'unknown',
        utmMedium: null,
        utmCampaign: 'spring',
        utmTerm: null,
        utmContent: null,
      },
    })

    // Segments of other edges, whose clicks happened before the first one.
    const late = [30, 20, 10].map((seconds) => click({ atMs: nowMs - seconds * 1_000 }))
    for (const each of late) await ship([each])
    const ofOther = makeClick(owner.workspaceId, linkIds.slice(1))
    await ship([ofOther])
    const order = [first, ...late, ofOther].map(({ clickId }) => clickId)
    await until(() => whole.named('click').length === order.length)
    assert.deepEqual(
      whole.named('click').map(({ id }) => id),
      order,
    )
    await until(() => single.named('click').length === 1)
    assert.deepEqual(
      single.named('click').map(({ id }) => id),
      [ofOther.clickId],
    )
    assert.deepEqual(other.named('click'), [])

    for (const [at, id] of order.entries()) {
      const resumed = await open(t, world, bearer(owner), '?maxSeconds=0', id)
      await resumed.ended
      assert.deepEqual(
        resumed.events.map((each) => each.id),
        order.slice(at + 1),
      )
    }
    const resumed = await open(t, world, bearer(owner), '', order[2])
    const last = click()
    await ship([last])
    await until(() => resumed.named('click').length >= 3)
    assert.deepEqual(
      resumed.named('click').map(({ id }) => id),
      [...order.slice(3), last.clickId],
    )
    const unknown = [{ event: 'skipped', data: { clicks: null } }]
    for (const [caller, id] of [
      [owner, 'nonsense'],
      [owner, '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
      [stranger, first.clickId],
    ] as const) {
      const begun = await open(t, world, bearer(caller), '?maxSeconds=0', id)
      await begun.ended
      assert.deepEqual(begun.events, unknown)
    }

    const foreign = await stranger.get(`/analytics/live?linkId=${linkIds[0]}`)
    assert.equal(foreign.status, 403)
    for (const query of ['maxSeconds=-1', 'maxSeconds=x', 'maxSeconds=14401', 'linkId=']) {
      const { status, body } = await owner.get(`/analytics/live?${query}`)
      assert.deepEqual([status, body.error.details[0].path], [400, query.split('=')[0]])
    }
    const nothing = await owner.get('/analytics/live?maxSeconds=0&linkId=lnk_%27)--')
    assert.equal(nothing.status, 200)
    await until(() => whole.named('ping').length > 0)
    assert.equal(whole.isEnded(), false)
  })

test('of more clicks than a stream takes it gets the newest, and the number of the others', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const ship = openEdge(world)
  const linkId = await makeLink(owner)
  const stream = await open(t, world, bearer(owner))
  const begin = makeClick(owner.workspaceId, [linkId])
  await ship([begin])
  await until(() => stream.named('click').length === 1)
  const nowMs = Date.now()
  const many = Array.from({ length: 1_250 }, (_, n) =>
    makeClick(owner.workspaceId, [linkId], { atMs: nowMs + n }),
  )
  await ship(many)
  await until(() => stream.named('click').length === 101)
  assert.deepEqual(
    stream
      .named('click')
      .slice(1)
      .map(({ id }) => id),
    many.slice(-100).map(({ clickId }) => clickId),
  )
  assert.deepEqual(
    stream.named('skipped').map(({ data }) => data.clicks),
    [1_150],
  )
  const resumed = await open(t, world, bearer(owner), '?maxSeconds=0', begin.clickId)
  await resumed.ended
  assert.deepEqual(resumed.events[0], { event: 'skipped', data: { clicks: 250 } })
  assert.deepEqual(
    resumed.named('click').map(({ id }) => id),
    many.slice(250).map(({ clickId }) => clickId),
  )
})

test('a workspace has twenty streams, and another one its own', async (t) => {
  const world = await openWorld(t)
  const [owner, other] = [await world.member(), await world.member()]
  const colleague = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
  const streams = []
  for (let n = 0; n < 20; n++)
    streams.push(await open(t, world, bearer(n % 2 === 0 ? owner : colleague)))
  assert.ok(streams.every(({ status }) => status === 200))
  for (const caller of [owner, colleague]) {
    const { status, body, headers } = await caller.get('/analytics/live')
    assert.deepEqual([status, body.error.code], [429, 'RATE_LIMITED'])
    assert.equal(headers.get('retry-after'), '10')
  }
  assert.equal((await open(t, world, bearer(other))).status, 200)
  streams[0]!.close()
  await eventually(async () => {
    const again = await owner.get('/analytics/live?maxSeconds=0')
    assert.equal(again.status, 200)
  })
})

test('a stream ends with its credential, its membership, its workspace and the server', async (t) => {
  const world = await openWorld(t, { pace: 10 })
  const { sql } = world
  const kept = await world.member()
  const staying = await open(t, world, bearer(kept))
  const ends: [name: string, end: (owner: Member) => Promise<unknown>][] = [
    ['key', ({ userId }) => sql`delete from api_keys where user_id = ${userId}`],
    [
      'scope',
      ({ userId }) => sql`update api_keys set scopes = '{links:read}' where user_id = ${userId}`,
    ],
    ['membership', ({ userId }) => sql`delete from members where user_id = ${userId}`],
    ['user', ({ userId }) => sql`update users set suspended_at = now() where id = ${userId}`],
    [
      'workspace',
      ({ workspaceId }) =>
        sql`update workspaces set suspended_at = now() where id = ${workspaceId}`,
    ],
  ]
  const streams = []
  for (const [name, end] of ends) {
    const owner = await world.member()
    streams.push({ name, stream: await open(t, world, bearer(owner)) })
    await end(owner)
  }
  const session = await world.session(await world.member())
  const ofSession = await open(t, world, { cookie: session.cookie })
  streams.push({ name: 'session', stream: ofSession })
  assert.equal((await session.post('/auth/sign-out')).status, 204)
  const deleted = await world.session(await world.member())
  streams.push({ name: 'deleted', stream: await open(t, world, { cookie: deleted.cookie }) })
  const [row] = await sql<{ name: string }[]>`
    select name from workspaces where id = ${deleted.workspaceId}`
  const gone = await deleted.delete(`/workspaces/${deleted.workspaceId}`, { confirm: row!.name })
  assert.equal(gone.status, 204, gone.text)
  for (const { name, stream } of streams) {
    assert.equal(stream.status, 200, name)
    await until(() => stream.isEnded(), name)
    await stream.ended
  }
  assert.equal(staying.isEnded(), false)
})

test('streams end in order when the server stops', async (t) => {
  for (const isPair of [false, true]) {
    let stream: Awaited<ReturnType<typeof open>>
    await t.test(isPair ? 'a pair' : 'one process', async (inner) => {
      const world = await openWorld(inner, { isPair })
      stream = await open(t, world, bearer(await world.member()))
      assert.equal(stream.status, 200)
    })
    // The hooks of the inner test have stopped the program.
    await until(() => stream.isEnded())
    await stream!.ended
  }
})

test('a full server gives a place of the user with the most streams to one with fewer', () => {
  const places = new LivePlaces(6)
  const ended: string[] = []
  const take = (userId: string, workspaceId: string, name: string) =>
    places.take({ userId, workspaceId }, () => void ended.push(name))
  for (let n = 0; n < 5; n++) take('hostile', `ws_${n}`, `hostile ${n}`)
  take('one', 'ws_one', 'one')
  take('two', 'ws_two', 'two 0')
  assert.deepEqual(ended, ['hostile 0'])
  take('two', 'ws_two', 'two 1')
  assert.deepEqual(ended, ['hostile 0', 'hostile 1'])
  assert.throws(() => take('hostile', 'ws_9', 'hostile 9'), { code: 'RATE_LIMITED' })
  assert.throws(() => take('two', 'ws_two', 'two 2'), { code: 'RATE_LIMITED' })
  assert.equal(places.size, 6)
})

test('a slow reader is told how many clicks it missed, and keeps a bounded number', async () => {
  const stream = new LiveStream({ workspaceId: 'ws_1', linkId: null })
  stream.beginAfter(10)
  const clicks = (from: number, count: number, arrival: number) =>
    Array.from({ length: count }, (_, n) => ({ arrival, text: `id: ${from + n}\n` }))
  stream.push(clicks(0, 50, 10))
  for (let n = 0; n < 30; n++) stream.push(clicks(100 + n * 10, 10, 11 + n))
  stream.end()
  const none = (async function* () {})()
  let text = ''
  for await (const part of stream.write(none, performance.now() + 60_000)) text += part
  assert.match(text, /^retry: 2000\n\nevent: skipped\ndata: \{"clicks":100\}\n\nid: 200\n/)
  assert.equal(text.match(/^id: /gm)!.length, 200)
})
