import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, type Member } from '../support/world.ts'

const LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
type Row = Record<string, unknown>

test('tags', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const make = async (member: Member, fields: object) => {
    const { status, body } = await member.post('/links', { ...LINK, ...fields })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }
  const pathOf = (tag: string) => `/tags/${encodeURIComponent(tag)}`
  const tagsOf = async (member: Member, query = '') => {
    const { status, body } = await member.get(`/tags?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return [
      body.meta.total,
      ...body.data.map(({ name, links }: Row) => `${String(name)}: ${String(links)}`),
    ]
  }
  const totalOf = async (member: Member, query: string) =>
    (await member.get(`/links?${query}`)).body.meta.total
  const readLink = async (member: Member, id: string) =>
    (await member.get(`/links/${id}`)).body.data

  await t.test('tags are listed with their links, searched, sorted and paged', async () => {
    const owner = await world.member()
    assert.deepEqual(await tagsOf(owner), [0])
    await make(owner, { tags: ['b', 'a', 'Älter'] })
    await make(owner, { tags: ['b', '10', '9'], status: 'archived' })
    await make(await world.member(), { tags: ['b', 'foreign'] })
    assert.deepEqual(await tagsOf(owner), [5, '9: 1', '10: 1', 'a: 1', 'Älter: 1', 'b: 2'])
    assert.deepEqual(await tagsOf(owner, 'sortBy=links&sortOrder=desc&limit=1'), [5, 'b: 2'])
    assert.deepEqual(await tagsOf(owner, 'limit=2&offset=1'), [5, '10: 1', 'a: 1'])
    assert.deepEqual(await tagsOf(owner, `search=${encodeURIComponent('äL')}`), [1, 'Älter: 1'])
    assert.deepEqual(await tagsOf(owner, 'offset=99'), [5])
  })

  await t.test('a tag is renamed, merged and deleted on every link', async () => {
    const owner = await world.member()
    const other = await world.member()
    const one = await make(owner, { tags: ['a', 'b', 'c'] })
    const two = await make(owner, { tags: ['b'] })
    const foreign = await make(other, { tags: ['b'] })
    world.clock.advance(1_000)
    const renamed = await owner.patch(pathOf('b'), { name: ' x ' })
    assert.deepEqual(renamed.body.data, { name: 'x', links: 2, pending: 0 })
    const after = await readLink(owner, one.id)
    assert.deepEqual(after.tags, ['a', 'x', 'c'])
    assert.ok(after.updatedAt > one.updatedAt)
    const merged = await owner.patch(pathOf('x'), { name: 'a' })
    assert.deepEqual(merged.body.data, { name: 'a', links: 2, pending: 0 })
    assert.deepEqual((await readLink(owner, one.id)).tags, ['a', 'c'])
    assert.deepEqual(await tagsOf(owner), [2, 'a: 2', 'c: 1'])
    assert.equal(await totalOf(owner, 'tag=a'), 2)
    assert.equal((await owner.delete(pathOf('a'))).status, 204)
    assert.deepEqual((await readLink(owner, two.id)).tags, [])
    assert.deepEqual(await tagsOf(owner), [1, 'c: 1'])
    assert.deepEqual((await readLink(other, foreign.id)).tags, ['b'])
    for (const answer of [await owner.delete(pathOf('a')), await owner.patch(pathOf('a'), LINK)])
      assert.equal(answer.status, 404)
    const { body } = await owner.get('/audit-log?targetType=tag')
    assert.deepEqual(
      body.data.map(({ action, target, changes }: Row & { target: Row; changes: Row }) => [
        action,
        target.name,
        (changes.name as Row).new,
      ]),
      [
        ['tag.deleted', 'a', null],
        ['tag.renamed', 'x', 'a'],
        ['tag.renamed', 'b', 'x'],
      ],
    )
  })

  await t.test('a path can name every tag that a link can have', async () => {
    const owner = await world.member()
    const odd = [
      'a/b',
      '50%',
      '%2F',
      'a+b',
      'who?',
      '#1',
      'ü "é"',
      '👨‍👩‍👧',
      '__proto__',
      'x\\y',
      '...',
    ]
    await make(owner, { tags: [...odd, '😀'.repeat(50)] })
    for (const tag of [...odd, '😀'.repeat(50)]) {
      const { status, body } = await owner.patch(pathOf(tag), { name: tag.slice(0, 2) + '!' })
      assert.equal(status, 200, `${tag} ${JSON.stringify(body)}`)
    }
    for (const tag of ['.', '..', 'a,b', ' ']) {
      const { status, body } = await owner.post('/links', { ...LINK, tags: [tag] })
      assert.deepEqual([status, body.error.details[0].path], [400, 'tags.0'], tag)
    }
    await make(owner, { tags: ['last'] })
    for (const name of ['a,b', '', '.', 'x'.repeat(51), null]) {
      const { status, body } = await owner.patch(pathOf('last'), { name })
      assert.deepEqual([status, body.error.details[0].path], [400, 'name'], String(name))
    }
  })
})
