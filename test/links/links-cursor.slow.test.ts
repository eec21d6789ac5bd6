import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addClicks } from '../../src/clicks/shipping/cursor.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import { eventually, openWorld, type Member, type World } from '../support/world.ts'

const SORTS = ['createdAt', 'updatedAt', 'name', 'slug', 'clicks', 'lastClickedAt', 'expiresAt']
const ORDERS = ['asc', 'desc']
const FILTERS = [
  '',
  'includeArchived=true',
  'tag=red',
  'tags=red,blue',
  'tags=red,even&tagsMode=all',
  'search=link',
  'status=active',
]

test('pages by cursor are those of the whole list, in every order and with every filter', async (t) => {
  const { owner } = await openLinks(t, 15)
  for (const sortBy of SORTS)
    for (const sortOrder of ORDERS)
      for (const filter of FILTERS) {
        const query = `sortBy=${sortBy}&sortOrder=${sortOrder}&${filter}`
        const whole = await read(owner, `${query}&limit=100`)
        assert.equal(whole.meta.nextCursor, null)
        assert.equal(whole.meta.total, whole.ids.length, query)
        assert.ok(whole.ids.length > 4, query)
        assert.deepEqual(await readByCursor(owner, `${query}&limit=4`), whole.ids, query)
        assert.deepEqual(
          (await read(owner, `${query}&offset=3&limit=2`)).ids,
          whole.ids.slice(3, 5),
        )
      }
})

test('a list of more matches than are counted goes on by cursor, over the links without a value', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await addMany(world, owner, 10_050)
  for (const sortBy of ['expiresAt', 'lastClickedAt', 'clicks', 'name', 'createdAt'])
    for (const sortOrder of ORDERS)
      for (const filter of ['', '&status=active']) {
        const query = `sortBy=${sortBy}&sortOrder=${sortOrder}${filter}`
        // 50 links have a value, at one end of the order.
        const offset = sortOrder === 'desc' ? 30 : 9_980
        const { ids: expected } = await read(owner, `${query}&limit=60&offset=${offset + 20}`)
        const { meta } = await read(owner, `${query}&limit=20&offset=${offset}`)
        const { ids } = await read(owner, `${query}&limit=60&cursor=${meta.nextCursor}`)
        assert.deepEqual(ids, expected, query)
      }
})

test('a page that is full at the end of the list has no next one', async (t) => {
  const { owner } = await openLinks(t, 4)
  for (const filter of ['', 'search=link']) {
    const { ids, meta } = await read(owner, `${filter}&includeArchived=true&limit=4`)
    assert.deepEqual([ids.length, meta.nextCursor], [4, null])
    const beyond = await read(owner, `${filter}&includeArchived=true&limit=4&offset=9`)
    assert.deepEqual([beyond.ids.length, beyond.meta.nextCursor, beyond.meta.total], [0, null, 4])
  }
})

test('links that are created and deleted between two pages neither repeat nor hide another', async (t) => {
  const { owner } = await openLinks(t, 12)
  const query = 'includeArchived=true&limit=5'
  const { ids } = await read(owner, 'includeArchived=true&limit=100')
  const first = await read(owner, query)
  for (let n = 0; n < 3; n++)
    await owner.post('/links', { name: `New ${n}`, destinationUrl: 'https://example.com/' })
  await owner.delete(`/links/${ids[1]}`)
  await owner.delete(`/links/${ids[4]}`)
  const rest = await readByCursor(owner, `${query}&cursor=${first.meta.nextCursor}`)
  assert.deepEqual([...first.ids, ...rest], ids)
})

test('a cursor of another list, or a text that is no cursor, is refused with its path', async (t) => {
  const { world, owner } = await openLinks(t, 6)
  const cursorOf = async (query: string) =>
    (await read(owner, `${query}&limit=2`)).meta.nextCursor as string
  const refusal = async (principal: Member, query: string) => {
    const { status, body } = await principal.get(`/links?${query}`)
    return [status, body.error?.details?.[0]?.path]
  }
  const byDate = await cursorOf('')
  const other = await world.member()
  for (const query of ['sortBy=name', 'sortOrder=asc', 'search=link', 'includeArchived=true'])
    assert.deepEqual(await refusal(owner, `${query}&cursor=${byDate}`), [400, 'cursor'], query)
  assert.deepEqual(await refusal(other, `cursor=${byDate}`), [400, 'cursor'])
  assert.deepEqual(await refusal(owner, `cursor=${byDate}&offset=1`), [400, 'offset'])
  assert.equal((await owner.get(`/links?cursor=${byDate}&limit=1&offset=0`)).status, 200)

  for (const cursor of ['', 'x', 'bnVsbA', 'W10', byDate.slice(0, -9), `${byDate}.`.repeat(99)])
    assert.deepEqual(await refusal(owner, `cursor=${cursor}`), [400, 'cursor'], cursor)
  const forged = async (sortBy: string, change: (parts: unknown[]) => unknown) => {
    const cursor = await cursorOf(`sortBy=${sortBy}`)
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const text = Buffer.from(JSON.stringify(change(parts))).toString('base64url')
    return refusal(owner, `sortBy=${sortBy}&cursor=${text}`)
  }
  for (const [sortBy, key] of [
    ['createdAt', '2026-02-30T00:00:00.000000Z'],
    ['createdAt', 'infinity'],
    ['createdAt', null],
    ['createdAt', 5],
    ['clicks', '-1'],
    ['clicks', '9'.repeat(30)],
    ['name', 'a\0b'],
    ['name', '\ud800'],
    ['name', 'x'.repeat(1_001)],
    ['slug', null],
  ] as const)
    assert.deepEqual(
      await forged(sortBy, ([print, , id]) => [print, key, id]),
      [400, 'cursor'],
      `${sortBy} ${key}`,
    )
  for (const id of ['', 'a b', null, 'x'.repeat(65)])
    assert.deepEqual(await forged('slug', ([print, key]) => [print, key, id]), [400, 'cursor'])
})

test('the order by clicks follows the counters, and the rows show them at once', async (t) => {
  const { world, owner } = await openLinks(t, 3)
  await world.sql`
    update link_ranks set clicks = 0, last_clicked_at = null
    where workspace_id = ${owner.workspaceId}`
  const { ids } = await read(owner, 'sortOrder=asc')
  const [first, second] = ids
  const { workspaceId } = owner
  const lastMs = Date.parse('2026-01-01T00:00:00Z')
  await inTransaction(world.sql, (tx) =>
    addClicks(tx, [
      { workspaceId, linkId: second!, clicks: 2, lastMs },
      { workspaceId, linkId: first!, clicks: 1, lastMs: lastMs + 1 },
    ]),
  )
  assert.equal((await owner.get(`/links/${second}`)).body.data.clicks, 2)
  await eventually(async () => {
    const byClicks = await read(owner, 'sortBy=clicks')
    assert.deepEqual(byClicks.ids.slice(0, 2), [second, first])
  }, 20_000)
  const byTime = await read(owner, 'sortBy=lastClickedAt')
  assert.deepEqual(byTime.ids.slice(0, 2), [first, second])
  assert.equal(byTime.ids.length, 3)
})

/** Links with equal and missing values of each sort key. */
async function openLinks(t: Parameters<typeof openWorld>[0], count: number) {
  const world = await openWorld(t)
  const owner = await world.member()
  for (let n = 0; n < count; n++) {
    const { status } = await owner.post('/links', {
      name: `Link ${['b', 'Ä', 'a', '10', '9'][n % 5]}`,
      destinationUrl: 'https://example.com/',
      ...(n % 3 === 0 && { expiresAt: `2099-01-0${1 + (n % 4)}T00:00:00.000Z` }),
      ...(n % 2 === 0 && { tags: n % 4 === 0 ? ['red', 'even', 'blue'] : ['red', 'even'] }),
      ...(n % 7 === 6 && { status: 'archived' }),
    })
    assert.equal(status, 201)
    if (n % 2 === 0) world.clock.advance(1)
  }
  await world.sql`
    update link_ranks set clicks = length(link_id) + ascii(right(link_id, 1)) % 3,
      last_clicked_at = timestamptz '2026-01-01 00:00:00.123456Z'
        + (ascii(right(link_id, 1)) % 3) * interval '1 hour'
    where workspace_id = ${owner.workspaceId} and ascii(right(link_id, 1)) % 2 = 0`
  return { world, owner }
}

async function addMany(world: World, owner: Member, count: number): Promise<void> {
  await world.sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at,
      updated_at, expires_at)
    select 'lnk_' || i, ${owner.workspaceId}, 'Link ' || i, 'many-' || i, 'many-' || i,
      'https://example.com/', 'usr_1', to_timestamp(1700000000 - i / 2), now(),
      case when i % 200 = 0 then to_timestamp(4000000000 + i % 7) end
    from generate_series(1, ${count}::integer) as i`
  await world.sql`
    update link_ranks set clicks = length(link_id) % 4 + 1, last_clicked_at = to_timestamp(1700000000)
    where workspace_id = ${owner.workspaceId} and link_id like '%00'`
}

async function read(owner: Member, query: string) {
  const { status, body } = await owner.get(`/links?${query}`)
  assert.equal(status, 200, `${query} ${JSON.stringify(body)}`)
  return { ids: body.data.map(({ id }: { id: string }) => id) as string[], meta: body.meta }
}

async function readByCursor(owner: Member, query: string): Promise<string[]> {
  const { ids, meta } = await read(owner, query)
  if (meta.nextCursor === null) return ids
  const [before] = query.split('&cursor=')
  return [...ids, ...(await readByCursor(owner, `${before}&cursor=${meta.nextCursor}`))]
}
