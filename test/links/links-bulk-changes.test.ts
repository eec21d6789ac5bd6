import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteExpired } from '../../src/links/history/expiry.ts'
import { asSystem } from '../support/privileges.ts'
import { eventually, openWorld, type Answer, type Member } from '../support/world.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
const UNKNOWN = 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'

const statuses = ({ body }: Answer) => body.data.map(({ status }: { status: string }) => status)
const refusals = ({ body }: Answer) =>
  body.data
    .filter(({ error }: { error: unknown }) => error !== null)
    .map(
      ({
        index,
        error,
      }: {
        index: number
        error: { code: string; details: { path: string }[] }
      }) => [index, error.code, error.details[0]?.path],
    )

test('links are changed by the hundred', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const { sql } = world
  const make = async (member: Member, links: object[]): Promise<string[]> => {
    const { body } = await member.post('/links/bulk', { links })
    assert.equal(body.meta.failed, 0, JSON.stringify(body.data))
    return body.data.map(({ id }: { id: string }) => id)
  }
  const update = async (member: Member, body: object) => {
    const answer = await member.patch('/links/bulk', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer
  }
  const remove = async (member: Member, body: object) => {
    const answer = await member.delete('/links/bulk', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer
  }
  const read = async (member: Member, id: string) => (await member.get(`/links/${id}`)).body.data
  const countEvents = async ({ workspaceId }: Member, type: string) => {
    const rows =
      await sql`select from events where workspace_id = ${workspaceId} and type = ${type}`
    return rows.length
  }

  await t.test('an update leaves what single updates leave', async () => {
    const owner = await world.member()
    const links = Array.from({ length: 3 }, (_, i) => ({
      ...NEW,
      tags: ['old'],
      externalId: `e${i}`,
    }))
    const [single = '', ...many] = await make(owner, links)
    const data = {
      name: 'Changed',
      tags: ['new'],
      maxClicks: 5,
      utmSource: 'news',
      metadata: { a: [1] },
      status: 'archived',
    }
    const expected = (await owner.patch(`/links/${single}`, data)).body.data
    const answer = await update(owner, { ids: many, data })
    assert.deepEqual(statuses(answer), ['updated', 'updated'])
    assert.deepEqual(answer.body.meta.succeeded, 2)
    const own = ['id', 'slug', 'shortUrl', 'externalId', 'createdAt', 'updatedAt']
    const same = (link: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(link).filter(([name]) => !own.includes(name)))
    const historyOf = async (id: string) => {
      const { data: entries } = (await owner.get(`/links/${id}/history`)).body
      return entries.map(({ changes, actor }: object & Record<string, unknown>) => ({
        changes,
        actor,
      }))
    }
    for (const id of many) {
      assert.deepEqual(same(await read(owner, id)), same(expected))
      assert.deepEqual(await historyOf(id), await historyOf(single))
    }
    const audited = await sql<{ targetId: string; changes: object }[]>`
      select target_id, changes from audit_log
      where workspace_id = ${owner.workspaceId} and action = 'link.updated'`
    assert.equal(audited.length, 3)
    for (const { changes } of audited) assert.deepEqual(changes, audited[0]!.changes)
    assert.equal(await countEvents(owner, 'link.updated'), 3)
    const again = await update(owner, { externalIds: ['e1', 'e2', 'e0'], data })
    assert.deepEqual(statuses(again), ['unchanged', 'unchanged', 'unchanged'])
    assert.equal(await countEvents(owner, 'link.updated'), 3)
    const { body } = await owner.get('/links?tag=new&includeArchived=true')
    assert.equal(body.meta.total, 3)
  })

  await t.test('tags are added to each link and taken off, and the others stay', async () => {
    const owner = await world.member()
    const ids = await make(owner, [
      { ...NEW, tags: ['a', 'b'] },
      { ...NEW, tags: ['b', 'c'] },
      NEW,
      { ...NEW, tags: ['c', 'd'] },
    ])
    const data = { addTags: ['c', ' d '], removeTags: ['b', 'c'], name: 'Tagged' }
    const answer = await update(owner, { filter: {}, data })
    const tagsOf = async () => Promise.all(ids.map(async (id) => (await read(owner, id)).tags))
    assert.deepEqual(await tagsOf(), [
      ['a', 'c', 'd'],
      ['c', 'd'],
      ['c', 'd'],
      ['c', 'd'],
    ])
    assert.equal((await read(owner, ids[0]!)).name, 'Tagged')
    const again = await update(owner, { ids, data })
    assert.deepEqual(statuses(again), ['unchanged', 'unchanged', 'unchanged', 'unchanged'])
    const { undoId } = answer.body.meta
    assert.equal((await owner.post('/links/bulk/undo', { undoId })).status, 200)
    assert.deepEqual(await tagsOf(), [['a', 'b'], ['b', 'c'], [], ['c', 'd']])
  })

  await t.test(
    'a link beyond its tags fails alone, and tags are not replaced as well',
    async () => {
      const owner = await world.member()
      const many = Array.from({ length: 50 }, (_, i) => `t${i}`)
      const ids = await make(owner, [{ ...NEW, tags: many }, NEW])
      const full = await update(owner, { ids, data: { addTags: ['one more'] } })
      assert.deepEqual(statuses(full), ['failed', 'updated'])
      assert.deepEqual(refusals(full), [[0, 'VALIDATION_ERROR', 'data.addTags']])
      const both = await owner.patch('/links/bulk', { ids, data: { tags: [], addTags: ['a'] } })
      const comma = await owner.patch('/links/bulk', { ids, data: { removeTags: ['a,b'] } })
      for (const [{ status, body }, path] of [
        [both, 'data.tags'],
        [comma, 'data.removeTags.0'],
      ] as const)
        assert.deepEqual([status, body.error.details[0].path], [400, path])
    },
  )

  await t.test('each link fails alone, with its place in the request', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const [foreign = ''] = await make(other, [NEW])
    const [a = '', b = ''] = await make(owner, [NEW, NEW])
    const ids = [a, foreign, UNKNOWN, b, a, 'x']
    const answer = await update(owner, { ids, data: { name: 'Changed' } })
    const expected = [
      [1, 'FORBIDDEN', 'ids.1'],
      [2, 'NOT_FOUND', 'ids.2'],
      [4, 'CONFLICT', 'ids.4'],
      [5, 'NOT_FOUND', 'ids.5'],
    ]
    assert.deepEqual(refusals(answer), expected)
    assert.deepEqual(
      [answer.body.data[0].status, answer.body.data[3].status],
      ['updated', 'updated'],
    )
    assert.equal((await read(other, foreign)).name, 'Docs')
    const slugs = await update(owner, { ids: [a, b], data: { slug: 'only-one' } })
    assert.deepEqual(refusals(slugs), [[1, 'CONFLICT', 'data.slug']])
    const taken = await update(owner, { ids: [b], data: { aliases: ['free', 'only-one'] } })
    assert.deepEqual(refusals(taken), [[0, 'CONFLICT', 'data.aliases.1']])
    const bad = await update(owner, { ids: [a, b], data: { destinationUrl: 'ftp://x' } })
    assert.deepEqual(refusals(bad), [
      [0, 'VALIDATION_ERROR', 'data.destinationUrl'],
      [1, 'VALIDATION_ERROR', 'data.destinationUrl'],
    ])
    await owner.patch(`/links/${a}`, { externalId: 'held' })
    const held = await update(owner, { ids: [b], data: { externalId: 'held' } })
    assert.deepEqual(refusals(held), [[0, 'CONFLICT', 'data.externalId']])
    const named = await update(owner, { externalIds: ['none', 'held'], data: { name: 'By name' } })
    assert.deepEqual(refusals(named), [[0, 'NOT_FOUND', 'externalIds.0']])
    const gone = await remove(owner, { ids: [foreign, a, a] })
    assert.deepEqual(refusals(gone), [
      [0, 'FORBIDDEN', 'ids.0'],
      [2, 'CONFLICT', 'ids.2'],
    ])
    assert.equal((await read(other, foreign)).id, foreign)
  })

  await t.test('a renamed link answers under its new slug and the kept one', async () => {
    const owner = await world.member()
    const [id = ''] = await make(owner, [{ ...NEW, slug: 'before', aliases: ['side'] }])
    const go = (slug: string) => fetch(`${world.origin}/${slug}`, { redirect: 'manual' })
    assert.equal((await go('before')).status, 302)
    const data = { slug: 'After', keepAlias: true, destinationUrl: 'https://example.com/new' }
    await update(owner, { ids: [id], data })
    const link = await read(owner, id)
    assert.deepEqual([link.slug, link.aliases], ['After', ['before', 'side']])
    for (const slug of ['before', 'after', 'side'])
      await eventually(async () =>
        assert.equal((await go(slug)).headers.get('location'), 'https://example.com/new'),
      )
    await update(owner, { ids: [id], data: { aliases: [] } })
    await eventually(async () => assert.equal((await go('before')).status, 404))
    const [freed] = await sql`select link_id, free_at from link_addresses where slug_key = 'before'`
    assert.equal(freed!['linkId'], null)
    assert.deepEqual(statuses(await remove(owner, { ids: [id] })), ['deleted'])
    await eventually(async () => assert.equal((await go('after')).status, 404))
  })

  await t.test('a deletion leaves what a single deletion leaves', async () => {
    const owner = await world.member()
    const ids = await make(owner, [
      { ...NEW, tags: ['a'], maxClicks: 3, externalId: 'x' },
      { ...NEW, tags: ['a'], maxClicks: 3 },
      NEW,
    ])
    await update(owner, { ids, data: { name: 'Changed' } })
    const answer = await remove(owner, { externalIds: ['x'] })
    assert.deepEqual([answer.body.data[0].id, statuses(answer)], [ids[0], ['deleted']])
    assert.deepEqual(statuses(await remove(owner, { ids: ids.slice(1) })), ['deleted', 'deleted'])
    for (const table of ['links', 'link_tags']) {
      const left = await sql`select from ${sql(table)} where workspace_id = ${owner.workspaceId}`
      assert.equal(left.length, 0, table)
    }
    const inAnHour = () => world.clock.now + 3_600_000
    const { signal } = new AbortController()
    await deleteExpired({ sql: asSystem(sql), clock: inAnHour }, signal)
    for (const table of ['link_quotas', 'link_versions']) {
      const left = await sql`select from ${sql(table)} where workspace_id = ${owner.workspaceId}`
      assert.equal(left.length, 0, table)
    }
    const freed = await sql`
      select from link_addresses where workspace_id = ${owner.workspaceId} and free_at is not null`
    assert.equal(freed.length, 3)
    assert.equal(await countEvents(owner, 'link.deleted'), 3)
    assert.deepEqual(refusals(await remove(owner, { ids })).length, 3)
  })

  await t.test('one hash serves all links that get a password', async () => {
    const owner = await world.member()
    await sql`update workspaces set plan = 'business' where id = ${owner.workspaceId}`
    const ids = await make(owner, [NEW, NEW])
    await update(owner, { ids, data: { password: 'quiet harbour' } })
    for (const id of ids) assert.equal((await read(owner, id)).password, '********')
    const kept = await update(owner, { ids, data: { password: '********' } })
    assert.deepEqual(statuses(kept), ['unchanged', 'unchanged'])
    const bad = await update(owner, { ids, data: { password: '' } })
    assert.deepEqual(refusals(bad)[1], [1, 'VALIDATION_ERROR', 'data.password'])
    await sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    const refused = await update(owner, { ids, data: { password: 'another harbour' } })
    assert.equal(refused.body.data[0].error.code, 'PLAN_CAPABILITY_REQUIRED')
    const deep = await update(owner, { ids, data: { iosDeepLink: 'exampleapp://a' } })
    assert.equal(deep.body.data[0].error.code, 'PLAN_CAPABILITY_REQUIRED')
    await update(owner, { ids, data: { password: null } })
    for (const id of ids) assert.equal((await read(owner, id)).password, null)
    const audited = await sql<{ changes: object }[]>`
      select changes from audit_log
      where workspace_id = ${owner.workspaceId} and action = 'link.updated'`
    assert.ok(!JSON.stringify(audited).includes('harbour'))
  })

  await t.test('requests of a wrong form are refused as a whole', async () => {
    const owner = await world.member()
    const many = Array.from({ length: 1_001 }, () => 'x')
    for (const [body, path] of [
      [{ data: {} }, 'ids'],
      [{ ids: [UNKNOWN] }, 'data'],
      [{ ids: [], data: {} }, 'ids'],
      [{ ids: many, data: {} }, 'ids'],
      [{ externalIds: many, data: {} }, 'externalIds'],
      [{ ids: [UNKNOWN], externalIds: ['x'], data: {} }, 'ids'],
      [{ ids: [5], data: {} }, 'ids.0'],
      [{ ids: [UNKNOWN], data: { name: 5 } }, 'data.name'],
    ] as const) {
      const { status, body: answer } = await owner.patch('/links/bulk', body)
      assert.deepEqual([status, answer.error.details[0].path], [400, path], JSON.stringify(answer))
    }
    assert.equal((await owner.delete('/links/bulk', {})).status, 400)
    assert.equal((await owner.delete('/links/bulk', { ids: [] })).status, 400)
  })

  await t.test('parallel changes in opposite order all take effect', async () => {
    const owner = await world.member()
    const ids = await make(
      owner,
      Array.from({ length: 50 }, (_, i) => ({ ...NEW, slug: `order-${i}` })),
    )
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i === 3
          ? owner.post('/links/bulk', {
              links: ids.map((_id, n) => ({ ...NEW, slug: `order-new-${49 - n}` })),
            })
          : owner.patch('/links/bulk', {
              ids: i % 2 ? ids : ids.toReversed(),
              data: { name: `Name ${i}` },
            }),
      ),
    )
    for (const { status, body } of answers) {
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.meta.failed, 0)
    }
    const half = ids.slice(0, 25)
    const [first, second] = await Promise.all([
      owner.delete('/links/bulk', { ids: half }),
      owner.delete('/links/bulk', { ids: half.toReversed() }),
    ])
    assert.equal(first.body.meta.succeeded + second.body.meta.succeeded, 25)
    assert.equal(await countEvents(owner, 'link.deleted'), 25)
  })
})
