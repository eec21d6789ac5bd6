import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { ulid } from '../../src/platform/core/ids.ts'
import { unmarkCell } from '../../src/platform/resources/csv.ts'
import { DIMENSION_NAMES, DIMENSIONS } from '../../src/analytics/questions/dimensions.ts'
import { EXPORT_COLUMNS } from '../../src/analytics/clicks/export.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { eventually, openWorld, type Answer, type Member } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'
import { insertRows } from '../support/click-rows.ts'

type Stored = Record<string, string | number>

async function store(clickhouse: ClickHouseClient, rows: readonly Stored[]): Promise<void> {
  const values = rows.map(({ atMs, ...row }) => ({
    click_id: ulid(Number(atMs)),
    at: new Date(Number(atMs)).toISOString().replace('T', ' ').replace('Z', ''),
    segment: 'test-1',
    kind: 'human',
    visitor: '1',
    host: 'sho.rt',
    slug: 'abc',
    route: 'default',
    ...row,
  }))
  await insertRows(clickhouse, 'clicks', values)
}

const HOSTILE = [
  '=1+1',
  '@x',
  '__proto__',
  'two\nlines',
  'a,"b"',
  "'quoted",
  'unknown',
  '😀'.repeat(60),
]

/** Clicks of some weeks with labels of every kind, among them hostile and missing ones. */
function makeClicks(workspaceId: string, linkIds: readonly string[], nowMs: number, count: number) {
  let state = 7
  const roll = (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
  const pick = (values: readonly string[]) => values[roll(values.length)]!
  return Array.from({ length: count }, (): Stored => ({
    workspace_id: workspaceId,
    link_id: pick(linkIds),
    // Several clicks of one millisecond.
    atMs: nowMs - roll(25 * 24) * 3_600_000 - roll(3),
    kind: pick(['human', 'human', 'human', 'bot', 'preview', 'prefetch', 'view']),
    visitor: String(roll(10) === 0 ? 0n : 2n ** 63n + BigInt(roll(count / 5))),
    ...Object.fromEntries(
      DIMENSION_NAMES.map((name) => [
        DIMENSIONS[name].column,
        pick(['', 'unknown', 'Common', ...(name.startsWith('utm') ? HOSTILE : ['Rare'])]),
      ]),
    ),
    route: pick(['default', 'rule:rul_1']),
    domain_id: pick(['', 'dom_1']),
  }))
}

async function makeLink(owner: Member): Promise<string> {
  const destinationUrl = 'https://example.com/'
  const { body } = await owner.post('/links', { name: 'Logged', destinationUrl })
  return body.data.id
}

function toRecords({ text }: Answer): Record<string, string>[] {
  const records = parse(text, { columns: true, bom: true, relax_quotes: false })
  return (records as Record<string, string>[]).map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, cell]) => [name, unmarkCell(cell)])),
  )
}

for (const isPair of [false, true])
  test(`a spreadsheet finds every number of an answer in an export, ${isPair ? 'through a gateway of its own' : 'in one process'}`, async (t) => {
    const world = await openWorld(t, { isPair })
    const [owner, stranger] = [await world.member(), await world.member()]
    const linkIds = [await makeLink(owner), await makeLink(owner)]
    const clicks = makeClicks(owner.workspaceId, linkIds, world.clock.now, 1_500)
    await store(world.clickhouse, clicks)
    await store(world.clickhouse, makeClicks(stranger.workspaceId, linkIds, world.clock.now, 100))

    const answer = await owner.get('/analytics/export?kind=all&days=60&format=csv')
    assert.equal(answer.status, 200, answer.text.slice(0, 500))
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(
      answer.headers.get('content-disposition')!,
      /^attachment; filename="clicks-\d{4}-\d\d-\d\d\.csv"$/,
    )
    assert.doesNotMatch(answer.text, /(^|[,\n]"?)[=+@-]/m)
    const all = toRecords(answer)
    assert.deepEqual(Object.keys(all[0]!), [...EXPORT_COLUMNS])
    assert.equal(all.length, clicks.filter(({ kind }) => kind !== 'view').length)
    const times = all.map(({ timestamp, id }) => `${timestamp} ${id}`)
    assert.deepEqual(times, times.toSorted())
    for (const { visitor } of clicks)
      assert.ok(!answer.text.includes(String(visitor)) || visitor === '0')

    for (const linkId of linkIds) {
      const { body } = await owner.get(`/analytics/links/${linkId}?days=30`)
      const own = all.filter((each) => each['linkId'] === linkId)
      const human = own.filter(({ kind }) => kind === 'human')
      const { breakdowns, ...numbers } = body.data
      assert.equal(human.length, numbers.totalClicks)
      assert.equal(human.length, numbers.periodClicks)
      assert.equal(own.length - human.length, numbers.botClicks)
      const visitors = new Set(human.map(({ visitor }) => visitor).filter((each) => each !== ''))
      assert.equal(visitors.size, numbers.uniqueVisitors)
      for (const visitor of visitors) assert.match(visitor!, /^v_[\w-]{16}$/)
      for (const [name, breakdown] of Object.entries(breakdowns)) {
        const labels = human.map((each) => each[name]!).filter((label) => label !== '')
        const counted = Object.fromEntries(
          Object.entries(Object.groupBy(labels, (label) => label)).map(([label, each]) => [
            label,
            each!.length,
          ]),
        )
        assert.deepEqual({ ...(breakdown as object) }, counted, name)
      }
    }

    const json = await owner.get(`/analytics/export?format=json&linkId=${linkIds[0]}`)
    assert.equal(json.headers.get('content-type'), 'application/json')
    const list = json.body as Record<string, unknown>[]
    const humanOfFirst = all.filter(({ kind, linkId }) => kind === 'human' && linkId === linkIds[0])
    assert.deepEqual(
      list.map(({ id }) => id),
      humanOfFirst.map(({ id }) => id),
    )
    const pseudonyms = (of: readonly Record<string, unknown>[]) =>
      new Set(of.map(({ visitor }) => visitor).filter(Boolean))
    assert.equal(pseudonyms(list).size, pseudonyms(humanOfFirst).size)
    assert.ok(pseudonyms(list).isDisjointFrom(pseudonyms(all)))

    const none = await owner.get('/analytics/export?format=json&days=1&utmSource=none')
    assert.deepEqual(none.body, [])
    assert.deepEqual(toRecords(await owner.get('/analytics/export?linkId=lnk_unknown')), [])
    const filtered = await owner.get(`/analytics/export?utmSource=${encodeURIComponent('=1+1')}`)
    assert.ok(toRecords(filtered).every((each) => each['utmSource'] === '=1+1'))
    const foreignId = await makeLink(stranger)
    for (const route of ['export', 'events']) {
      assert.equal((await owner.get(`/analytics/${route}?linkId=${foreignId}`)).status, 403)
      for (const query of ['kind=view', 'interval=2w', 'timezone=%2B02:00', 'country=ZZZ']) {
        const { status, body } = await owner.get(`/analytics/${route}?${query}`)
        assert.deepEqual([status, body.error.details[0].path], [400, query.split('=')[0]], query)
      }
    }
    assert.equal((await owner.get('/analytics/export?format=xlsx')).status, 400)
  })

test('the log has each click once, newest first, by offset and by cursor', async (t) => {
  const world = await openWorld(t)
  const [owner, stranger] = [await world.member(), await world.member()]
  const linkIds = [await makeLink(owner), await makeLink(owner)]
  const clicks = makeClicks(owner.workspaceId, linkIds, world.clock.now, 700)
  await store(world.clickhouse, clicks)
  const walk = async (query: string) => {
    const rows = []
    for (let cursor = ''; ;) {
      const { status, body } = await owner.get(
        `/analytics/events?${query}${cursor && `&cursor=${cursor}`}`,
      )
      assert.equal(status, 200, JSON.stringify(body))
      rows.push(...body.data)
      if (body.meta.nextCursor === null) return { rows, meta: body.meta }
      cursor = body.meta.nextCursor
    }
  }
  const count = (kinds: string[]) =>
    clicks.filter(({ kind }) => kinds.includes(String(kind))).length
  for (const [kind, kinds] of [
    ['human', ['human']],
    ['bot', ['bot']],
    ['all', ['human', 'bot', 'preview', 'prefetch']],
  ] as const) {
    const { rows, meta } = await walk(`kind=${kind}&limit=100`)
    assert.equal(rows.length, count([...kinds]))
    assert.equal(meta.total, rows.length)
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
    const order = rows.map(({ timestamp, id }) => `${timestamp} ${id}`)
    assert.deepEqual(order, order.toSorted().toReversed())
    assert.ok(rows.every((row) => kind === 'all' || row.kind === kind))
  }
  const { rows } = await walk('limit=100')
  const second = await owner.get('/analytics/events?limit=7&offset=93')
  assert.deepEqual(second.body.data, rows.slice(93, 100))
  const { total, limit, offset } = second.body.meta
  assert.deepEqual([total, limit, offset], [rows.length, 7, 93])
  assert.equal(second.body.meta.clicksFrom, null)

  const [row] = rows
  assert.deepEqual(Object.keys(row), [
    ...['id', 'kind', 'route', 'domainId', 'visitor', 'clickId', 'link', 'destinationUrl'],
    ...['timestamp', 'country', 'region', 'city', 'continent', 'device', 'browser', 'os'],
    ...['referrer', 'language', 'trigger'],
    ...['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'],
  ])
  const stored = new Set(clicks.map(({ visitor }) => visitor))
  assert.ok(rows.every(({ visitor }) => !stored.has(visitor)))
  assert.ok(rows.some(({ visitor }) => visitor === null))

  const narrow = await walk(`linkId=${linkIds[1]}&utmSource=Common,-x&limit=20`)
  const matching = clicks.filter(
    (each) =>
      each['kind'] === 'human' &&
      each['link_id'] === linkIds[1] &&
      ['Common', '-x'].includes(String(each['utm_source'])),
  )
  assert.equal(narrow.rows.length, matching.length)

  const { nextCursor } = (await owner.get('/analytics/events?limit=1')).body.meta
  const foreign = await stranger.get(`/analytics/events?cursor=${nextCursor}`)
  assert.deepEqual([foreign.status, foreign.body.error.details[0].path], [400, 'cursor'])
  for (const [query, path] of [
    ['limit=0', 'limit'],
    ['offset=10001', 'offset'],
    ['offset=-1', 'offset'],
    ['cursor=x', 'cursor'],
    [`cursor=${nextCursor}&offset=1`, 'offset'],
    ['start=2026-02-01&end=2026-01-01', 'start'],
  ]) {
    const { status, body } = await owner.get(`/analytics/events?${query}`)
    assert.deepEqual([status, body.error.details[0].path], [400, path], query)
  }
  assert.equal((await owner.get('/analytics/events?limit=101')).body.meta.limit, 100)
})

test('a visitor has one pseudonym on a day in the log, and another one in another workspace', async (t) => {
  const world = await openWorld(t)
  const noonMs = Math.floor(world.clock.now / DAY_MS) * DAY_MS - DAY_MS / 2
  const pseudonyms = []
  for (let n = 0; n < 2; n++) {
    const owner = await world.member()
    const linkId = await makeLink(owner)
    const click = { workspace_id: owner.workspaceId, link_id: linkId, visitor: '123456789' }
    await store(
      world.clickhouse,
      [0, 1, DAY_MS].map((ageMs) => ({ ...click, atMs: noonMs - ageMs })),
    )
    const { body } = await owner.get('/analytics/events')
    pseudonyms.push(body.data.map(({ visitor }: { visitor: string }) => visitor))
  }
  const [own, other] = pseudonyms
  assert.equal(own[0], own[1])
  assert.notEqual(own[0], own[2])
  assert.equal(new Set([...own, ...other]).size, 4)
})

test('the log and an export say from when their clicks are complete', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await world.sql`
    insert into click_folds (id, month, state, segments, clicks, lease_until, ended_at)
    values ('fld1', 202401, 'done', '{}', 1, now(), now()), ('fld2', 202402, 'done', '{}', 1, now(), now())`
  const asked = 'start=2024-01-15&end=2024-05-01'
  const { body } = await owner.get(`/analytics/events?${asked}`)
  assert.equal(body.meta.clicksFrom, '2024-03-01T00:00:00.000Z')
  const { headers } = await owner.get(`/analytics/export?${asked}`)
  assert.equal(headers.get('x-signpost-clicks-from'), '2024-03-01T00:00:00.000Z')
})

test('one export of a workspace runs at a time, and one that is left makes room', async (t) => {
  const world = await openWorld(t)
  const [owner, other] = [await world.member(), await world.member()]
  const linkIds = [await makeLink(owner)]
  // More than the buffers of a connection hold.
  for (let n = 0; n < 6; n++)
    await store(
      world.clickhouse,
      makeClicks(owner.workspaceId, linkIds, world.clock.now - n * 7, 2_000).map((each) => ({
        ...each,
        kind: 'human',
        destination: `https://example.com/${'x'.repeat(3_600)}`,
      })),
    )
  const client = new AbortController()
  const running = await fetch(`${world.origin}/v1/analytics/export`, {
    headers: { authorization: `Bearer ${owner.apiKey}` },
    signal: client.signal,
  })
  const refused = await owner.get('/analytics/export')
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
  assert.equal((await other.get('/analytics/export')).status, 200)
  client.abort()
  await running.text().catch(() => {})
  const whole = await eventually(async () => {
    const again = await owner.get('/analytics/export')
    assert.equal(again.status, 200)
    return again
  })
  const ids = toRecords(whole).map(({ id }) => id)
  assert.equal(ids.length, 12_000)
  assert.equal(new Set(ids).size, ids.length)
})
