import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, openWorld, type Answer, type Member } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

test('aliases', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const visit = async (slug: string) => (await world.call('GET', `/${slug}`)).status
  const make = async (member: Member, fields: object) => {
    const { status, body } = await member.post('/links', { ...NEW, ...fields })
    assert.equal(status, 201, JSON.stringify(body))
    return { id: body.data.id as string, path: `/links/${body.data.id}`, data: body.data }
  }
  const change = async (member: Member, path: string, fields: object) => {
    const { status, body } = await member.patch(path, fields)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }

  await t.test('a renamed link keeps its old slug on request, and its statistics', async () => {
    const owner = await world.member()
    const link = await make(owner, { slug: 'Old-Name' })
    assert.equal(await visit('old-name'), 302)
    const renamed = await change(owner, link.path, { slug: 'new-name', keepAlias: true })
    assert.deepEqual([renamed.slug, renamed.aliases], ['new-name', ['Old-Name']])
    await eventually(async () => {
      assert.equal(await visit('new-name'), 302)
      assert.equal(await visit('OLD-NAME'), 302)
    })
    assert.deepEqual((await owner.get(link.path)).body.data.aliases, ['Old-Name'])
    assert.deepEqual((await owner.get('/links')).body.data[0].aliases, ['Old-Name'])
    await eventually(async () => {
      const { body } = await owner.get(`/analytics/links/${link.id}`)
      assert.ok(body.data.totalClicks >= 3)
    })
    const { changes } = (await owner.get(`${link.path}/history`)).body.data[0]
    assert.deepEqual(changes.aliases, { old: [], new: ['Old-Name'] })
  })

  await t.test('every change of a link reaches the visitors of its aliases', async () => {
    const owner = await world.member()
    const link = await make(owner, { slug: 'main', aliases: ['second', 'third'] })
    assert.deepEqual(link.data.aliases, ['second', 'third'])
    const locations = async () =>
      Promise.all(
        ['main', 'second', 'third'].map(async (slug) =>
          (await world.call('GET', `/${slug}`)).headers.get('location'),
        ),
      )
    assert.deepEqual(new Set(await locations()), new Set([NEW.destinationUrl]))
    const destinationUrl = 'https://example.com/changed'
    await change(owner, link.path, { destinationUrl })
    await eventually(async () =>
      assert.deepEqual(new Set(await locations()), new Set([destinationUrl])),
    )
    await owner.delete(link.path)
    await eventually(async () => assert.deepEqual(new Set(await locations()), new Set([null])))
  })

  await t.test('the list of aliases replaces the one before', async () => {
    const owner = await world.member()
    const link = await make(owner, { slug: 'listed' })
    assert.deepEqual((await change(owner, link.path, { aliases: ['l2', 'l1'] })).aliases, [
      'l1',
      'l2',
    ])
    const { updatedAt } = (await owner.get(link.path)).body.data
    world.clock.advance(1_000)
    const same = await change(owner, link.path, { aliases: ['L1', 'l2', 'l1', 'Listed'] })
    assert.deepEqual([same.aliases, same.updatedAt], [['l1', 'l2'], updatedAt])
    assert.deepEqual((await change(owner, link.path, { aliases: ['l2', 'l3'] })).aliases, [
      'l2',
      'l3',
    ])
    await eventually(async () => {
      assert.deepEqual(await Promise.all(['l1', 'l2', 'l3'].map(visit)), [404, 302, 302])
    })
    assert.deepEqual((await change(owner, link.path, { aliases: null })).aliases, [])
    await eventually(async () => assert.equal(await visit('l3'), 404))
    const { id, ...fields } = (await owner.get(link.path)).body.data
    assert.deepEqual(await change(owner, link.path, fields), { id, ...fields })
  })

  await t.test('slug and alias change places', async () => {
    const owner = await world.member()
    const link = await make(owner, { slug: 'here', aliases: ['there'] })
    const swapped = await change(owner, link.path, { slug: 'There', keepAlias: true })
    assert.deepEqual([swapped.slug, swapped.aliases], ['There', ['here']])
    const back = await change(owner, link.path, { slug: 'here' })
    assert.deepEqual([back.slug, back.aliases], ['here', []])
    await eventually(async () =>
      assert.deepEqual([await visit('here'), await visit('there')], [302, 404]),
    )
    const [, swap] = (await owner.get(`${link.path}/history`)).body.data
    const { body } = await owner.post(`${link.path}/rollback`, { historyId: swap.id })
    assert.deepEqual([body.data.slug, body.data.aliases], ['There', ['here']])
  })

  await t.test('slugs and aliases of a host are unique together', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const link = await make(owner, { slug: 'unique', aliases: ['unique-2'] })
    const mine = await make(other, { slug: 'mine' })
    const refusalOf = ({ status, body }: Answer) => [status, body.error?.details[0].path]
    const conflict = (path: string) => [409, path]
    for (const member of [owner, other]) {
      assert.deepEqual(
        refusalOf(await member.post('/links', { ...NEW, slug: 'Unique-2' })),
        conflict('slug'),
      )
      const aliases = ['free', 'UNIQUE']
      assert.deepEqual(
        refusalOf(await member.post('/links', { ...NEW, aliases })),
        conflict('aliases.1'),
      )
    }
    for (const aliases of [['unique'], ['unique-2', 'free']])
      assert.deepEqual(refusalOf(await other.patch(mine.path, { aliases })), conflict('aliases.0'))
    assert.deepEqual(
      refusalOf(await other.patch(mine.path, { slug: 'unique-2' })),
      conflict('slug'),
    )
    assert.deepEqual((await other.get(mine.path)).body.data, mine.data)
    assert.equal(await visit('free'), 404)

    // Reserved for its workspace when it is removed, and when the link is deleted.
    await change(owner, link.path, { aliases: [] })
    assert.equal((await other.patch(mine.path, { aliases: ['unique-2'] })).status, 409)
    await change(owner, link.path, { aliases: ['unique-2'] })
    await owner.delete(link.path)
    assert.equal((await other.patch(mine.path, { aliases: ['unique-2'] })).status, 409)
    assert.equal((await owner.post('/links', { ...NEW, slug: 'unique-2' })).status, 201)
    world.clock.advance(31 * DAY_MS)
    assert.equal((await other.patch(mine.path, { aliases: ['unique'] })).status, 200)
  })

  await t.test('an alias that links at the same time ask for goes to one of them', async () => {
    const owner = await world.member()
    const links = await Promise.all(
      Array.from({ length: 10 }, (_, i) => make(owner, { slug: `racer-${i}` })),
    )
    const answers = await Promise.all(
      links.map(({ path }) => owner.patch(path, { aliases: ['prize-a', 'prize-b'] })),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 409)])
  })

  await t.test('changes of the aliases of a link at the same time are all kept', async () => {
    const owner = await world.member()
    const link = await make(owner, { slug: 'stage-0' })
    const slugs = Array.from({ length: 10 }, (_, i) => `stage-${i + 1}`)
    await Promise.all(slugs.map((slug) => change(owner, link.path, { slug, keepAlias: true })))
    const { slug, aliases } = (await owner.get(link.path)).body.data
    assert.deepEqual([slug, ...aliases].toSorted(), ['stage-0', ...slugs].toSorted())
  })

  await t.test('bad aliases are refused with their path, and 21 are too many', async () => {
    const owner = await world.member()
    const link = await make(owner, { slug: 'bounded' })
    const many = Array.from({ length: 21 }, (_, i) => `bounded-${i}`)
    const bad: [string, object][] = [
      ['aliases.1', { aliases: ['fine', 'a b'] }],
      ['aliases.0', { aliases: ['v1'] }],
      ['aliases.0', { aliases: [''] }],
      ['aliases.0', { aliases: [7] }],
      ['aliases', { aliases: 'x' }],
      ['aliases', { aliases: many }],
      ['keepAlias', { keepAlias: 'yes' }],
    ]
    for (const [path, fields] of bad) {
      const { status, body } = await owner.patch(link.path, fields)
      assert.deepEqual([status, body.error.details[0].path], [400, path])
    }
    await change(owner, link.path, { aliases: many.slice(1) })
    const { status, body } = await owner.patch(link.path, { slug: 'bounded-x', keepAlias: true })
    assert.deepEqual([status, body.error.details[0].path], [400, 'keepAlias'])
    const [rows] = await world.sql`
      select count(*) as n from link_addresses where workspace_id = ${owner.workspaceId}`
    assert.equal(rows!['n'], 21)
  })

  await t.test('a kept alias is not checked again', async () => {
    const owner = await world.member()
    const link = await make(owner, { slug: 'modern', aliases: ['ancient'] })
    await world.sql`
      update link_addresses set slug = 'billing/x', slug_key = 'billing/x'
      where link_id = ${link.id} and is_alias`
    const { aliases } = await change(owner, link.path, { aliases: ['billing/x', 'other'] })
    assert.deepEqual(aliases, ['billing/x', 'other'])
  })
})
