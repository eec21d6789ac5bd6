import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must, type Calls } from '../support/calls.ts'
import { callsWith, openWorld } from '../support/world.ts'

type Found = Record<string, { id: string; name: string; slug: string; status: string }[]>

test('GET /search', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const member = await world.member()
  const destinationUrl = 'https://example.com/page'
  const add = async (fields: object, calls: Calls = member) =>
    (await must(201, calls.post('/links', { name: 'Link', destinationUrl, ...fields }))).body.data
  const search = async (q: string, rest = '', calls: Calls = member): Promise<Found> =>
    (await must(200, calls.get(`/search?q=${encodeURIComponent(q)}${rest}`))).body.data
  const linksOf = async (q: string, rest = '') =>
    (await search(q, rest))['links']!.map(({ slug }) => slug)

  await t.test(
    'links: the exact slug first, then what begins with it, then what has it',
    async () => {
      await add({ slug: 'has-acorn-in-it' })
      await add({ slug: 'in-destination', destinationUrl: 'https://example.com/acorn' })
      await add({ slug: 'a-word', name: 'The acorn' })
      await add({ slug: 'a-name', name: 'Acorns' })
      await add({ slug: 'acorn-two' })
      await add({ slug: 'acorn' })
      const ranked = ['acorn', 'acorn-two', 'a-name', 'a-word', 'has-acorn-in-it']
      assert.deepEqual(await linksOf('ACORN'), ranked)
      assert.deepEqual(await linksOf('acorn', '&limit=20'), [...ranked, 'in-destination'])
      assert.deepEqual(await linksOf('acorn', '&limit=1'), ['acorn'])
      assert.deepEqual(await linksOf(' corn '), await linksOf('corn'))
      assert.equal((await linksOf('corn')).length, 5)
    },
  )

  await t.test('links are found by alias and external id, and by their beginnings', async () => {
    await add({ slug: 'main-one', aliases: ['old-name'], externalId: 'CRM-4711' })
    for (const q of ['old-name', 'OLD-na', 'CRM-4711', 'CRM-47'])
      assert.deepEqual(await linksOf(q), ['main-one'], q)
    assert.deepEqual(await linksOf('4711'), [])
  })

  await t.test('a pasted short URL finds its link first', async () => {
    const link = await add({ slug: 'Große-Straße', aliases: ['short/alias'] })
    await add({ slug: 'grosse-other' })
    const { host } = new URL(world.origin)
    for (const q of [
      link.shortUrl,
      `${link.shortUrl}?utm_source=mail#top`,
      `${host}/gro%C3%9Fe-stra%C3%9Fe/`,
      `${world.origin}/short/alias`,
    ])
      assert.equal((await linksOf(q))[0], 'Große-Straße', q)
    // On another host it is a text like any other.
    assert.deepEqual(await linksOf('https://elsewhere.example/Große-Straße'), [])
  })

  await t.test('short texts match the beginning of slugs alone', async () => {
    await add({ slug: 'zq-first' })
    await add({ slug: 'has-zq' })
    assert.deepEqual(await linksOf('zq'), ['zq-first'])
    await add({ slug: 'jp', name: '東京の地図' })
    assert.deepEqual(await linksOf('京'), ['jp'])
  })

  await t.test('the state is that of the list', async () => {
    const link = await add({ slug: 'stateful', expiresAt: '2100-01-01T00:00:00.000Z' })
    assert.equal((await search('stateful'))['links']![0]!.status, 'active')
    await world.sql`update links set expires_at = now() - interval '1 year' where id = ${link.id}`
    assert.equal((await search('stateful'))['links']![0]!.status, 'expired')
  })

  await t.test('campaigns, tags, folders, endpoints and members are found by name', async () => {
    await must(201, member.post('/campaigns', { name: 'Maple week' }))
    await must(201, member.post('/campaigns', { name: 'After maple' }))
    await must(201, member.post('/folders', { name: 'Maple folder' }))
    await add({ slug: 'tagged', tags: ['maple-syrup', 'other'] })
    const hook = { url: 'https://hooks.example.com/maple', events: ['link.created'] }
    await must(201, member.post('/webhooks/endpoints', hook))
    await world.sql`update users set name = 'Maple User' where id = ${member.userId}`
    const found = await search('MAPLE')
    const namesOf = (section: string) => found[section]!.map(({ name }) => name)
    assert.deepEqual(namesOf('campaigns'), ['Maple week', 'After maple'])
    assert.deepEqual(namesOf('tags'), ['maple-syrup'])
    assert.deepEqual(namesOf('folders'), ['Maple folder'])
    assert.deepEqual(namesOf('members'), ['Maple User'])
    assert.partialDeepStrictEqual(found['webhookEndpoints'], [{ url: hook.url, status: 'active' }])
    assert.deepEqual(found['links'], [])
  })

  await t.test('a key gets the sections that its scopes read, and no other', async () => {
    const session = await world.session(member)
    const sectionsFor = async (scopes: string[] | null) => {
      const made = await must(201, session.post('/api-keys', { name: 'Key', scopes }))
      const found = await search('maple', '', callsWith(made.body.data.key, world.origin))
      return Object.keys(found)
    }
    assert.deepEqual(await sectionsFor(['media:read']), [])
    assert.deepEqual(await sectionsFor(['links:read']), ['links', 'tags', 'folders'])
    assert.deepEqual(await sectionsFor(['webhooks:write', 'members:read']), [
      'webhookEndpoints',
      'members',
    ])
    assert.equal((await sectionsFor(['*:read'])).length, 6)
  })

  await t.test('another workspace finds nothing of it', async () => {
    const stranger = await world.member()
    for (const q of ['acorn', 'old-name', 'CRM-4711', 'maple', `${world.origin}/acorn`]) {
      const found = await search(q, '', stranger)
      assert.deepEqual(Object.values(found).flat(), [], q)
    }
  })

  await t.test('any text is a text: wildcards, patterns, quotes', async () => {
    for (const q of [
      '%',
      '_',
      '***',
      '***=a',
      '(((((',
      '\\',
      "'; drop table links; --",
      '😀',
      'x'.repeat(2_048),
    ])
      assert.deepEqual(Object.values(await search(q)).flat(), [], q.slice(0, 30))
    for (const query of ['', `?q=${'x'.repeat(2_049)}`, '?q=a&limit=0', '?q=a&limit=21'])
      await must(400, member.get(`/search${query}`))
    for (const q of ['', ' '])
      for (const found of Object.values(await search(q))) assert.deepEqual(found, [])
  })
})
