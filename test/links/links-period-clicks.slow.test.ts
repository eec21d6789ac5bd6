import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { openWorld, type Member, type World } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'
import { insertRows } from '../support/click-rows.ts'
import { storeClicks } from '../support/clicks.ts'

type Clicks = { linkId: string; count: number; atMs: number; kind?: string }

/** Rows as the shipper would insert them. */
function store(clickhouse: ClickHouseClient, workspaceId: string, clicks: Clicks[]) {
  const rows = clicks.flatMap(({ count, ...click }) =>
    Array.from({ length: count }, () => ({ workspaceId, ...click })),
  )
  return storeClicks(clickhouse, rows)
}

async function read(principal: Member, query: string) {
  const { status, body } = await principal.get(`/links?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  const links = body.data as { id: string; periodClicks?: number }[]
  return {
    meta: body.meta,
    ids: links.map(({ id }) => id),
    clicks: links.map(({ periodClicks }) => periodClicks),
  }
}

async function readByCursor(principal: Member, query: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await read(principal, cursor === '' ? query : `${query}&cursor=${cursor}`)
    ids.push(...page.ids)
    cursor = page.meta.nextCursor
  }
  return ids
}

/** Links of which some have clicks, oldest first. */
async function openLinks(t: Parameters<typeof openWorld>[0], count: number) {
  const world = await openWorld(t)
  const owner = await world.member()
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    world.clock.advance(1_000)
    const { body } = await owner.post('/links', {
      name: `Link ${n}`,
      destinationUrl: 'https://example.com/',
      tags: n % 2 === 0 ? ['even'] : [],
    })
    ids.push(body.data.id)
  }
  return { world, owner, ids }
}

test('each link of a page has its human clicks of the period, as its own analytics count them', async (t) => {
  const { world, owner, ids } = await openLinks(t, 3)
  const nowMs = world.clock.now
  await store(world.clickhouse, owner.workspaceId, [
    { linkId: ids[0]!, count: 3, atMs: nowMs },
    { linkId: ids[0]!, count: 2, atMs: nowMs - 6 * DAY_MS },
    { linkId: ids[0]!, count: 4, atMs: nowMs - 8 * DAY_MS },
    { linkId: ids[1]!, count: 5, atMs: nowMs, kind: 'bot' },
    { linkId: ids[1]!, count: 1, atMs: nowMs - 3 * DAY_MS },
  ])
  const other = await world.member()
  await store(world.clickhouse, other.workspaceId, [{ linkId: ids[2]!, count: 9, atMs: nowMs }])

  for (const timezone of ['UTC', 'Asia/Kathmandu', 'Pacific/Apia']) {
    const { clicks, meta } = await read(owner, `clickDays=7&timezone=${timezone}`)
    const expected: number[] = []
    for (const id of ids.toReversed()) {
      const answer = await owner.get(`/analytics/links/${id}?days=7&timezone=${timezone}`)
      expected.push(answer.body.data.periodClicks)
      assert.deepEqual(answer.body.meta.period, meta.period)
    }
    assert.deepEqual(clicks, expected, timezone)
    assert.equal(meta.timezone, timezone)
    assert.equal(meta.asOf, new Date(nowMs).toISOString())
  }
  assert.deepEqual((await read(owner, 'clickDays=7')).clicks, [0, 1, 5])
  assert.deepEqual((await read(owner, 'clickDays=90')).clicks, [0, 1, 9])
  const plain = await read(owner, '')
  assert.deepEqual(plain.clicks, [undefined, undefined, undefined])
  assert.equal('asOf' in plain.meta, false)
  assert.deepEqual((await read(other, 'clickDays=7')).ids, [])
})

test('links are in the order of their clicks of the period, then newest first, on every page', async (t) => {
  const { world, owner, ids } = await openLinks(t, 9)
  const nowMs = world.clock.now
  const counts = [2, 0, 7, 0, 2, 0, 1, 0, 0]
  await store(world.clickhouse, owner.workspaceId, [
    ...ids.map((linkId, n) => ({ linkId, count: counts[n]!, atMs: nowMs })),
    { linkId: 'lnk_deleted', count: 20, atMs: nowMs },
    { linkId: ids[8]!, count: 30, atMs: nowMs - 40 * DAY_MS },
  ])
  const order = [2, 4, 0, 6, 8, 7, 5, 3, 1]
  const query = 'sortBy=periodClicks&clickDays=30'
  const whole = await read(owner, query)
  assert.deepEqual(
    whole.ids,
    order.map((n) => ids[n]),
  )
  assert.deepEqual(
    whole.clicks,
    order.map((n) => counts[n]),
  )
  assert.deepEqual([whole.meta.total, whole.meta.nextCursor], [9, null])
  for (const [suffix, expected] of [
    ['', whole.ids],
    ['&sortOrder=asc', whole.ids.toReversed()],
    ['&tag=even', [2, 4, 0, 6, 8].map((n) => ids[n])],
    ['&search=Link 4', [ids[4]]],
    ['&status=archived', []],
  ] as const) {
    assert.deepEqual((await read(owner, query + suffix)).ids, expected, suffix)
    assert.deepEqual(await readByCursor(owner, `${query}${suffix}&limit=2`), expected, suffix)
    const { ids: part } = await read(owner, `${query}${suffix}&limit=2&offset=3`)
    assert.deepEqual(part, expected.slice(3, 5), suffix)
  }

  await owner.delete(`/links/${ids[2]}`)
  assert.deepEqual((await read(owner, query)).ids, whole.ids.slice(1))
  const other = await world.member()
  assert.deepEqual((await read(other, query)).ids, [])
})

test('among more links than are sorted the most clicked come first, and every page leads on', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await addMany(world, owner, 10_030)
  const nowMs = world.clock.now
  const clicked = [1, 5, 10_029, 4_000]
  await store(
    world.clickhouse,
    owner.workspaceId,
    clicked.map((n, at) => ({ linkId: toId(n), count: 9 - at, atMs: nowMs })),
  )
  // More links than the first look, and all of them deleted.
  await world.clickhouse.command({
    query: `
      insert into clicks (workspace_id, link_id, click_id, at, kind)
      select {workspaceId:String}, concat('lnk_gone_', toString(number % 10100)),
        leftPad(toString(number), 26, '0'), fromUnixTimestamp64Milli(toInt64(${nowMs})), 'human'
      from numbers(202000)`,
    query_params: { workspaceId: owner.workspaceId },
  })
  const first = clicked.map(toId)
  const newest = Array.from({ length: 10_030 }, (_, n) => 10_029 - n)
  const expected = [...first, ...newest.filter((n) => !clicked.includes(n)).map(toId)]
  const query = 'sortBy=periodClicks&clickDays=7'
  for (const filter of ['', '&tag=all']) {
    const page = await read(owner, `${query}${filter}&limit=10`)
    assert.deepEqual(page.ids, expected.slice(0, 10), filter)
    assert.deepEqual(page.clicks, [9, 8, 7, 6, 0, 0, 0, 0, 0, 0])
    assert.equal(page.meta.total, filter === '' ? 10_030 : 10_000)
    const second = await read(owner, `${query}${filter}&limit=10&cursor=${page.meta.nextCursor}`)
    assert.deepEqual(second.ids, expected.slice(10, 20), filter)
    const two = await read(owner, `${query}${filter}&limit=2`)
    const next = await read(owner, `${query}${filter}&limit=5&cursor=${two.meta.nextCursor}`)
    assert.deepEqual(next.ids, expected.slice(2, 7), filter)
    for (const offset of [2, 4, 10_000, 10_029, 10_030]) {
      const { ids } = await read(owner, `${query}${filter}&limit=5&offset=${offset}`)
      assert.deepEqual(ids, expected.slice(offset, offset + 5), `${filter} ${offset}`)
    }
    const rising = expected.toReversed()
    for (const offset of [0, 10_024, 10_028]) {
      const asked = `${query}${filter}&sortOrder=asc&limit=5&offset=${offset}`
      const { ids, meta } = await read(owner, asked)
      assert.deepEqual(ids, rising.slice(offset, offset + 5), `${filter} ${offset}`)
      if (offset === 10_028) continue
      const { ids: after } = await read(
        owner,
        `${query}${filter}&sortOrder=asc&limit=5&cursor=${meta.nextCursor}`,
      )
      assert.deepEqual(after, rising.slice(offset + 5, offset + 10))
    }
  }
})

test('clicks of months that are kept as counts per day are among them', async (t) => {
  const { world, owner, ids } = await openLinks(t, 2)
  const nowMs = world.clock.now
  const at = new Date(nowMs - 60 * DAY_MS)
  const month = at.getUTCFullYear() * 100 + at.getUTCMonth() + 1
  await world.sql`
    insert into click_folds (id, month, state, segments, lease_until, ended_at)
    values ('fold_1', ${month}, 'done', '{}', now(), now() - interval '9 days')`
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const row = { workspace_id: owner.workspaceId, kind: 'human', grp: 'visits' }
  await insertRows(world.clickhouse, 'click_days', [
    { ...row, fold: 'fold_1', link_id: ids[0], day: day(at.getTime()), clicks: 5 },
    { ...row, fold: 'fold_1', link_id: ids[0], day: day(nowMs - 120 * DAY_MS), clicks: 50 },
    { ...row, fold: 'fold_1', link_id: ids[0], day: day(at.getTime()), clicks: 7, kind: 'bot' },
    { ...row, fold: 'fold_2', link_id: ids[0], day: day(at.getTime()), clicks: 9 },
  ])
  await store(world.clickhouse, owner.workspaceId, [
    { linkId: ids[0]!, count: 2, atMs: nowMs },
    { linkId: ids[1]!, count: 3, atMs: nowMs },
  ])
  const query = 'sortBy=periodClicks'
  assert.deepEqual((await read(owner, `${query}&clickDays=90`)).clicks, [7, 3])
  assert.deepEqual((await read(owner, `${query}&clickDays=90&timezone=Asia/Tokyo`)).clicks, [7, 3])
  assert.deepEqual((await read(owner, `${query}&clickDays=30`)).clicks, [3, 2])
})

test('what the list cannot count is refused with its path', async (t) => {
  const { owner } = await openLinks(t, 1)
  const { meta } = await read(owner, 'limit=1')
  assert.equal(meta.nextCursor, null)
  const cursorOf = (key: unknown) =>
    Buffer.from(JSON.stringify(['vrhWSz4z4v7m', key, 'lnk_1'])).toString('base64url')
  for (const [query, path] of [
    ['sortBy=periodClicks', 'sortBy'],
    ['clickDays=0', 'clickDays'],
    ['clickDays=91', 'clickDays'],
    ['clickDays=a', 'clickDays'],
    ['clickDays=7&timezone=Mars/Olympus', 'timezone'],
    ['clickDays=7&timezone=%2B02:00', 'timezone'],
    ['sortBy=periodClicks&clickDays=7&timezone=Mars/Olympus', 'timezone'],
    [`sortBy=periodClicks&clickDays=7&cursor=${cursorOf('5')}`, 'cursor'],
    [
      `sortBy=periodClicks&clickDays=7&cursor=${cursorOf('-1 2026-01-01T00:00:00.000000Z')}`,
      'cursor',
    ],
    [`sortBy=periodClicks&clickDays=7&cursor=${cursorOf(null)}`, 'cursor'],
    [`sortBy=periodClicks&clickDays=7&offset=1&cursor=${cursorOf(null)}`, 'offset'],
  ] as const) {
    const { status, body } = await owner.get(`/links?${query}`)
    assert.deepEqual([status, body.error?.details?.[0]?.path], [400, path], query)
  }
})

const toId = (n: number) => `lnk_many_${String(n).padStart(6, '0')}`

/** Links with a tag, each a second younger than the one before. */
async function addMany({ sql, clock }: World, { workspaceId, userId }: Member, count: number) {
  const now = new Date(clock.now - count * 1_000)
  await sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, redirect_type, status,
      created_by, tags, created_at, updated_at)
    select 'lnk_many_' || lpad(n::text, 6, '0'), ${workspaceId}, 'Link ' || n, 'many' || n, 'many' || n,
      'https://example.com/', 302, 'active', ${userId}, array['all'],
      ${now}::timestamptz + n * interval '1 second', ${now}
    from generate_series(0, ${count - 1}::int) as n`
  // As autovacuum does a minute later.
  await sql`analyze links, link_tags`
}
