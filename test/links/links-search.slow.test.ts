import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, type Member, type World } from '../support/world.ts'

const PAGE = 'https://example.com/page'

test('the search of links', async (t) => {
  const world = await openWorld(t)

  await t.test('every part of each field is found, in any case and normal form', async () => {
    const owner = await world.member()
    const names = await makeNamed(world, owner, [
      'Plain words',
      'A\u0308pfel und Öl',
      'ΟΔΌΣ',
      'Привет мир',
      '東京の桜',
      'Sale 100% off_today',
      'back\\slash',
      'a.b*c(d)[e]^f$',
      'Family 👨\u200d👩\u200d👧',
      'Ze4q zed',
      `long ${'abcdefghij'.repeat(24)}`,
    ])
    for (const [at, name] of names.entries())
      for (const term of [name, name.toUpperCase(), name.normalize('NFD'), name.slice(0, 200)])
        assert.deepEqual(await found(owner, clip(term)), [at], `${name} by ${term}`)
    for (const [term, expected] of [
      ['ä', [1]],
      ['a\u0308', [1]],
      ['Ä', [1]],
      ['öL', [1]],
      ['ιπ', []],
      ['όσ', [2]],
      ['ИВЕТ', [3]],
      ['京の', [4]],
      ['桜', [4]],
      ['%', [5]],
      ['f_t', [5]],
      ['_', [5]],
      ['\\', [6]],
      ['.*', []],
      ['c(d)[e]^f$', [7]],
      ['👩', [8]],
      ['ze4q', [9]],
      ['***=', []],
      ['(?i)plain', []],
      ['abcdefghij'.repeat(12), [10]],
      [`${'abcdefghij'.repeat(19)}x`, []],
    ] as const)
      assert.deepEqual(await found(owner, term), expected, term)
  })

  await t.test('a term is looked for within a field, not across two', async () => {
    const owner = await world.member()
    const { body } = await owner.post('/links', { name: 'One', destinationUrl: PAGE, slug: 'two' })
    for (const term of ['One\ntwo', 'onetwo', 'One two', 'e\nt', '\n', `two\n${PAGE}`, 'twohttps'])
      assert.deepEqual(await found(owner, term), [], JSON.stringify(term))
    for (const term of ['ne', 'TWO', 'n', 'example.com/p', ':', '/'])
      assert.equal((await search(owner, term)).data[0]?.id, body.data.id, term)
  })

  await t.test('what a change leaves is found, and what it takes away is not', async () => {
    const owner = await world.member()
    const input = { name: 'Before', destinationUrl: PAGE, slug: 'earlier' }
    const { body } = await owner.post('/links', input)
    await owner.patch(`/links/${body.data.id}`, { name: 'After', slug: 'later' })
    for (const [term, total] of [
      ['before', 0],
      ['earlier', 0],
      ['after', 1],
      ['later', 1],
    ] as const)
      assert.equal((await search(owner, term)).meta.total, total, term)
    await owner.delete(`/links/${body.data.id}`)
    assert.equal((await search(owner, 'after')).meta.total, 0)
  })

  await t.test('other filters and the order hold for what is found', async () => {
    const owner = await world.member()
    await makeNamed(world, owner, ['match one', 'other', 'match two', 'match three'])
    const [, second] = (await owner.get('/links?sortOrder=asc')).body.data.slice(1)
    await owner.patch(`/links/${second.id}`, { status: 'archived' })
    const names = async (query: string) =>
      (await owner.get(`/links?search=match&${query}`)).body.data.map(
        (link: { name: string }) => link.name,
      )
    assert.deepEqual(await names(''), ['match three', 'match one'])
    assert.deepEqual(await names('sortBy=name&sortOrder=asc&includeArchived=true'), [
      'match one',
      'match three',
      'match two',
    ])
    assert.deepEqual(await names('status=archived'), ['match two'])
    assert.deepEqual(await names('limit=1&offset=1'), ['match one'])
    assert.deepEqual(await names('tag=x'), [])
  })

  await t.test('another workspace’s links are neither found nor counted', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    await makeNamed(world, other, ['secret plan', 'sp'])
    await makeNamed(world, owner, ['open plan'])
    for (const term of ['secret', 'sp', 's', 'plan', 'secret plan'.repeat(12)])
      assert.doesNotMatch(JSON.stringify(await search(owner, term)), /secret plan/)
    assert.equal((await search(owner, 'plan')).meta.total, 1)
  })
})

test('totals of filtered lists', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await makeMany(world, owner, 10_060)

  await t.test('a total beyond 10,000 says so, and the pages go on in order', async () => {
    for (const query of ['search=spring', 'search=s', 'status=active']) {
      const { body } = await owner.get(`/links?${query}&limit=2`)
      assert.deepEqual(
        { ...body.meta, requestId: '', nextCursor: '' },
        {
          requestId: '',
          nextCursor: '',
          total: 10_000,
          limit: 2,
          offset: 0,
          totalIsExact: false,
        },
      )
      assert.deepEqual(namesOf(body.data), ['Spring 1', 'Spring 2'])
      const { body: last } = await owner.get(`/links?${query}&limit=2&offset=10058`)
      assert.deepEqual(namesOf(last.data), ['Spring 10059', 'Spring 10060'])
    }
  })

  await t.test('a total up to 10,000 is exact, as is that of a list without filters', async () => {
    const exact = async (query: string, total: number) => {
      const { meta } = (await owner.get(`/links?${query}`)).body
      assert.deepEqual([meta.total, 'totalIsExact' in meta], [total, false], query)
    }
    await exact('', 10_060)
    await exact('includeArchived=true', 10_060)
    await exact('search=spring 1006', 2)
    await exact('search=spring&status=paused', 0)
    await world.sql`
      update links set status = 'paused'
      where workspace_id = ${owner.workspaceId} and name like '%7'`
    await exact('search=spring&status=paused', 1_006)
    await exact('status=paused', 1_006)
    await exact('search=spring&status=active', 9_054)
  })
})

test('names are in the order that users expect', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const names = ['Zebra', '10', 'banana', 'Äpfel', 'éclair', '9', 'apple', 'Banana', 'eclair']
  await makeNamed(world, owner, names)
  const sorted = ['9', '10', 'Äpfel', 'apple', 'banana', 'Banana', 'eclair', 'éclair', 'Zebra']
  const { body } = await owner.get('/links?sortBy=name&sortOrder=asc')
  assert.deepEqual(namesOf(body.data), sorted)
  const { body: down } = await owner.get('/links?sortBy=name&sortOrder=desc')
  assert.deepEqual(namesOf(down.data), sorted.toReversed())
})

async function makeNamed(world: World, owner: Member, names: string[]): Promise<string[]> {
  const made = []
  for (const [at, name] of names.entries()) {
    const { body } = await owner.post('/links', { name, destinationUrl: `${PAGE}-${at}` })
    made.push(body.data.name)
    world.clock.advance(1)
  }
  return made
}

async function makeMany(world: World, owner: Member, count: number): Promise<void> {
  await world.sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at, updated_at)
    select 'lnk_' || i, ${owner.workspaceId}, 'Spring ' || i, 'many-' || i, 'many-' || i,
      'https://example.com/' || i, 'usr_1', to_timestamp(1700000000 - i), now()
    from generate_series(1, ${count}::integer) as i`
}

/** At most 200 characters, none of them cut in half. */
function clip(term: string): string {
  return Array.from(term).slice(0, 200).join('')
}

async function search(owner: Member, term: string) {
  const { status, body } = await owner.get(`/links?search=${encodeURIComponent(term)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Indexes of the links of `makeNamed` that are found. */
async function found(owner: Member, term: string): Promise<number[]> {
  const { data } = await search(owner, term)
  return data
    .map((link: { destinationUrl: string }) => Number(link.destinationUrl.split('-')[1]))
    .toSorted((a: number, b: number) => a - b)
}

function namesOf(links: { name: string }[]): string[] {
  return links.map((link) => link.name)
}
