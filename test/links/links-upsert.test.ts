import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, type Member } from '../support/world.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

test('links that may exist', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const { sql } = world
  const upsert = async (member: Member, body: object) => {
    const answer = await member.send('PUT', '/links/upsert', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return { ...answer.body.data, created: answer.body.meta.created }
  }
  const check = async (member: Member, slug: string) => {
    const { status, body } = await member.get(`/links/check?slug=${encodeURIComponent(slug)}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.slug, slug)
    return [body.data.available, body.data.reason]
  }

  await t.test('an upsert creates once, and then changes the same link', async () => {
    const owner = await world.member()
    for (const [key, change] of [
      [{ externalId: 'crm-1' }, { slug: 'renamed', destinationUrl: 'https://example.com/2' }],
      [{ slug: 'Own-Slug' }, { name: 'Changed', destinationUrl: 'https://example.com/3' }],
      [{ destinationUrl: 'https://example.com/target' }, { name: 'Changed', tags: ['a'] }],
    ]) {
      const made = await upsert(owner, { ...NEW, ...key })
      assert.equal(made.created, true)
      const same = await upsert(owner, { ...NEW, ...key })
      assert.deepEqual([same.id, same.created, same.updatedAt], [made.id, false, made.updatedAt])
      const changed = await upsert(owner, { ...NEW, ...key, ...change })
      assert.deepEqual([changed.id, changed.created], [made.id, false])
      for (const [field, value] of Object.entries(change!))
        assert.deepEqual(changed[field], value, field)
    }
    const { body } = await owner.get('/links')
    assert.equal(body.meta.total, 3)
  })

  await t.test('fields that are left out stay, and the mask keeps a password', async () => {
    const owner = await world.member()
    await sql`update workspaces set plan = 'business' where id = ${owner.workspaceId}`
    const key = { ...NEW, externalId: 'x' }
    const full = { ...key, tags: ['a'], maxClicks: 4, password: 'quiet harbour' }
    await upsert(owner, full)
    const kept = await upsert(owner, { ...key, password: '********' })
    assert.deepEqual([kept.tags, kept.maxClicks, kept.password], [['a'], 4, '********'])
    const { status, body } = await owner.send('PUT', '/links/upsert', {
      ...NEW,
      externalId: 'new',
      password: '********',
    })
    assert.deepEqual([status, body.error.details[0].path], [400, 'password'])
  })

  await t.test('of several links with the destination the oldest is changed', async () => {
    const owner = await world.member()
    const first = (await owner.post('/links', NEW)).body.data
    world.clock.advance(1_000)
    await owner.post('/links', NEW)
    const found = await upsert(owner, { ...NEW, name: 'Found' })
    assert.deepEqual([found.id, found.created], [first.id, false])
  })

  await t.test('parallel upserts with one key create one link', async () => {
    const owner = await world.member()
    for (const key of [{}, { slug: 'once' }, { externalId: 'once' }]) {
      const destinationUrl = `https://example.com/${Object.keys(key).join()}`
      const all = await Promise.all(
        Array.from({ length: 20 }, () => upsert(owner, { ...NEW, destinationUrl, ...key })),
      )
      assert.equal(new Set(all.map(({ id }) => id)).size, 1)
      assert.equal(all.filter(({ created }) => created).length, 1)
    }
  })

  await t.test('a refused upsert is refused as a creation or an update', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    await other.post('/links', { ...NEW, slug: 'theirs', externalId: 'shared-id' })
    const put = async (body: object) => {
      const { status, body: answer } = await owner.send('PUT', '/links/upsert', body)
      return [status, answer.error?.details[0]?.path]
    }
    assert.deepEqual(await put({ ...NEW, slug: 'theirs' }), [409, 'slug'])
    assert.deepEqual(await put({ name: 'x' }), [400, 'destinationUrl'])
    assert.deepEqual(await put({ ...NEW, destinationUrl: 'ftp://x' }), [400, 'destinationUrl'])
    assert.equal((await upsert(owner, { ...NEW, externalId: 'shared-id' })).created, true)
    await owner.post('/links', { ...NEW, externalId: 'a', slug: 'slug-a' })
    assert.deepEqual(await put({ ...NEW, externalId: 'shared-id', slug: 'slug-a' }), [409, 'slug'])
    await sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    await sql`
      update usage_counters set used = 25
      where workspace_id = ${owner.workspaceId} and name = 'links_monthly'`
    assert.equal((await put({ ...NEW, externalId: 'b' }))[0], 403)
    assert.equal((await upsert(owner, { ...NEW, externalId: 'a', name: 'Kept' })).created, false)
  })

  await t.test('a check tells what a creation would', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const own = (await owner.post('/links', { ...NEW, slug: 'own', aliases: ['own-b'] })).body.data
    await other.post('/links', { ...NEW, slug: 'foreign' })
    assert.deepEqual(await check(owner, 'unused'), [true, null])
    for (const slug of ['own', 'OWN', 'own-b', 'foreign'])
      assert.deepEqual(await check(owner, slug), [false, 'taken'], slug)
    assert.deepEqual(await check(owner, 'api'), [false, 'reserved'])
    assert.deepEqual(await check(owner, 'api/x'), [false, 'reserved'])
    for (const slug of ['a b', '-a', 'a//b', 'x'.repeat(191)])
      assert.deepEqual(await check(owner, slug), [false, 'invalid'], slug)
    await owner.delete(`/links/${own.id}`)
    assert.deepEqual(await check(owner, 'own'), [true, null])
    assert.deepEqual(await check(other, 'own'), [false, 'taken'])
    assert.equal((await owner.get('/links/check')).status, 400)
    assert.equal((await owner.get('/links/check?slug=a&domainId=dom_1')).status, 400)
  })

  await t.test('links are counted by each field, with the filters of the list', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    await other.post('/links', NEW)
    const folder = (await owner.post('/folders', { name: 'Folder' })).body.data.id
    const links = [
      { ...NEW, tags: ['a', 'b'], folderId: folder },
      { ...NEW, tags: ['a'], status: 'paused' },
      { ...NEW, expiresAt: '2020-01-01T00:00:00Z' },
      { ...NEW, name: 'Other', status: 'archived' },
    ]
    assert.equal((await owner.post('/links/bulk', { links })).body.meta.failed, 0)
    const count = async (query: string) => {
      const { status, body } = await owner.get(`/links/count?${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      const rows = body.data.groups.map(({ key, count: n }: { key: string; count: number }) => [
        key,
        n,
      ])
      return { total: body.data.total, groups: Object.fromEntries(rows) }
    }
    assert.deepEqual(await count(''), { total: 3, groups: {} })
    assert.deepEqual(await count('groupBy=status&includeArchived=true'), {
      total: 4,
      groups: { active: 1, paused: 1, expired: 1, archived: 1 },
    })
    assert.deepEqual(await count('groupBy=tag'), { total: 3, groups: { a: 2, b: 1, null: 1 } })
    assert.deepEqual(await count('groupBy=folderId'), {
      total: 3,
      groups: { [folder]: 1, null: 2 },
    })
    assert.deepEqual(await count('groupBy=tag&tag=b'), { total: 1, groups: { a: 1, b: 1 } })
    assert.deepEqual(await count('groupBy=createdBy&search=docs'), {
      total: 3,
      groups: { [owner.userId]: 3 },
    })
    for (const field of ['campaignId', 'domainId'])
      assert.deepEqual(await count(`groupBy=${field}`), { total: 3, groups: { null: 3 } })
    assert.equal((await owner.get('/links/count?groupBy=password')).status, 400)
    const foreign = (await other.post('/folders', { name: 'Theirs' })).body.data.id
    assert.equal((await owner.get(`/links/count?folderId=${foreign}`)).status, 403)
  })
})
