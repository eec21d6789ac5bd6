import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteExpired } from '../../src/links/history/expiry.ts'
import { asSystem } from '../support/privileges.ts'
import { eventually, openWorld, type Member } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

type Named = { changes: { name: { old: string; new: string } } }

async function makeLink(member: Member, fields: object = {}) {
  const { status, body } = await member.post('/links', { ...NEW, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return { id: body.data.id as string, path: `/links/${body.data.id}`, data: body.data }
}

async function readHistory(member: Member, path: string, query = '') {
  const { status, body } = await member.get(`${path}/history${query}`)
  assert.equal(status, 200)
  return { entries: body.data, meta: body.meta }
}

/** The fields of a link without those that every change or visit moves. */
function stateOf({
  updatedAt: _at,
  clicks: _n,
  lastClickedAt: _last,
  ...fields
}: object & Record<string, unknown>) {
  return fields
}

test('the history of a link', { concurrency: false }, async (t) => {
  const world = await openWorld(t)

  await t.test('lists every change with its author, the creation last', async () => {
    const owner = await world.member()
    const link = await makeLink(owner)
    await owner.patch(link.path, { name: 'Second' })
    await owner.patch(link.path, { name: 'Second' })
    await owner.patch(link.path, { noindex: true, redirectType: 301 })
    const { entries, meta } = await readHistory(owner, link.path)
    assert.deepEqual([meta.total, meta.limit, meta.offset], [3, 50, 0])
    assert.deepEqual(
      entries.map(({ changes }: { changes: object }) => changes),
      [
        { redirectType: { old: 302, new: 301 }, noindex: { old: false, new: true } },
        { name: { old: 'Docs', new: 'Second' } },
        {},
      ],
    )
    assert.match(entries[0].id, /^hst_[0-9A-Z]{26}$/)
    assert.equal(entries[0].actor.type, 'api_key')
    assert.equal(entries[0].actor.name, 'bootstrap')
    assert.deepEqual([entries[2].actor.type, entries[2].actor.id], ['user', owner.userId])
    assert.equal(entries[2].changedAt, link.data.createdAt)
    const page = async (query: string) => (await readHistory(owner, link.path, query)).entries
    assert.deepEqual(await page('?limit=1&offset=1'), [entries[1]])
    assert.deepEqual(await page('?limit=2&offset=1'), entries.slice(1))
    assert.deepEqual(await page('?limit=2&offset=3'), [])
  })

  await t.test('a rollback to any entry restores the state right after it', async () => {
    const owner = await world.member()
    const link = await makeLink(owner, { slug: 'first-slug', metadata: { a: 1 } })
    const in30Days = new Date(world.clock.now + 30 * DAY_MS).toISOString()
    const changes = [
      { name: 'Second', slug: 'Second-Slug', forwardQuery: false },
      { destinationUrl: 'https://example.com/3', metadata: null, expiresAt: in30Days },
      { status: 'paused', startsAt: new Date(world.clock.now).toISOString(), utmSource: 'x' },
      { status: 'archived', forwardQuery: true, expiresAt: null },
    ]
    const states = [link.data]
    for (const change of changes) states.push((await owner.patch(link.path, change)).body.data)
    const { entries } = await readHistory(owner, link.path)
    const ids = entries.map(({ id }: { id: string }) => id).toReversed()
    for (const i of [0, 3, 1, 4, 2]) {
      const { status, body } = await owner.post(`${link.path}/rollback`, { historyId: ids[i] })
      assert.equal(status, 200, JSON.stringify(body))
      const { archivedAt, ...restored } = stateOf(body.data)
      const { archivedAt: before, ...expected } = stateOf(states[i])
      assert.deepEqual(restored, expected)
      assert.equal(archivedAt === null, before === null)
    }
    assert.equal((await readHistory(owner, link.path)).meta.total, 10)
  })

  await t.test('a rollback is an ordinary update', async () => {
    const owner = await world.member()
    const link = await makeLink(owner, { slug: 'ordinary' })
    await owner.patch(link.path, { destinationUrl: 'https://example.com/wrong' })
    const visit = async () => (await world.call('GET', '/ordinary')).headers.get('location')
    await eventually(async () => assert.equal(await visit(), 'https://example.com/wrong'))
    const [, first] = (await readHistory(owner, link.path)).entries
    const { body } = await owner.post(`${link.path}/rollback`, { historyId: first.id })
    assert.equal(body.data.destinationUrl, NEW.destinationUrl)
    await eventually(async () => assert.equal(await visit(), NEW.destinationUrl))
    const change = { old: 'https://example.com/wrong', new: NEW.destinationUrl }
    const [audited] = (await owner.get('/audit-log?action=link.updated')).body.data
    assert.deepEqual(audited.changes, { destinationUrl: change })
    const events = await world.sql<{ data: string }[]>`
      select data from events
      where workspace_id = ${owner.workspaceId} and type = 'link.updated' order by id`
    assert.deepEqual(
      events.map(({ data }) => JSON.parse(data).previous.destinationUrl).toSorted(),
      [NEW.destinationUrl, change.old].toSorted(),
    )
    assert.deepEqual((await readHistory(owner, link.path)).entries[0].changes, {
      destinationUrl: change,
    })
    // To the present state: nothing changes.
    const [present] = (await readHistory(owner, link.path)).entries
    assert.equal((await owner.post(`${link.path}/rollback`, { historyId: present.id })).status, 200)
    assert.equal((await readHistory(owner, link.path)).meta.total, 3)
  })

  await t.test('an entry that the link does not have is refused', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const [link, second, foreign] = [
      await makeLink(owner),
      await makeLink(owner),
      await makeLink(other),
    ]
    await owner.patch(second.path, { name: 'Other' })
    await other.patch(foreign.path, { name: 'Other' })
    const own = (await readHistory(owner, second.path)).entries
    const theirs = (await readHistory(other, foreign.path)).entries
    const refusalOf = async (historyId: unknown) => {
      const { status, body } = await owner.post(`${link.path}/rollback`, { historyId })
      return [status, body.error.details[0]?.path]
    }
    for (const id of ['hst_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x', '', 7, null, link.id])
      assert.deepEqual(await refusalOf(id), [400, 'historyId'], String(id))
    for (const { id } of own) assert.deepEqual(await refusalOf(id), [400, 'historyId'])
    for (const { id } of theirs) assert.deepEqual(await refusalOf(id), [403, undefined])
    assert.equal((await other.get(`${link.path}/history`)).status, 403)
  })

  await t.test('a rollback to a slug that is taken is a conflict', async () => {
    const owner = await world.member()
    const link = await makeLink(owner, { slug: 'wanted' })
    await owner.patch(link.path, { slug: 'renamed' })
    await makeLink(owner, { slug: 'Wanted' })
    const [, creation] = (await readHistory(owner, link.path)).entries
    const { status, body } = await owner.post(`${link.path}/rollback`, { historyId: creation.id })
    assert.deepEqual([status, body.error.details[0].path], [409, 'slug'])
    assert.equal((await owner.get(link.path)).body.data.slug, 'renamed')
  })

  await t.test('a link that the operator has blocked cannot be changed', async () => {
    const owner = await world.member()
    const link = await makeLink(owner)
    await owner.patch(link.path, { status: 'paused' })
    await world.sql`update links set status = 'blocked' where id = ${link.id}`
    for (const fields of [{ status: 'active' }, { status: 'archived' }, { name: 'Other' }]) {
      const refused = await owner.patch(link.path, fields)
      assert.deepEqual([refused.status, refused.body.error.details[0].path], [403, 'status'])
    }
    const [, creation] = (await readHistory(owner, link.path)).entries
    await owner.post(`${link.path}/rollback`, { historyId: creation.id })
    const { status, body } = await owner.patch(link.path, {
      name: link.data.name,
      status: 'blocked',
    })
    assert.deepEqual([status, body.data.status], [200, 'blocked'])
  })

  await t.test('the newest 500 changes are kept, and no more than 4 MiB of them', async () => {
    const owner = await world.member()
    const link = await makeLink(owner)
    await owner.patch(link.path, { name: 'Oldest' })
    const [oldest, creation] = (await readHistory(owner, link.path)).entries
    await world.sql`
      insert into link_versions (id, workspace_id, link_id, version, changes, bytes, actor_type,
        actor_id, changed_at)
      select 'hst_' || n, ${owner.workspaceId}, ${link.id}, n, '{}', 2, 'user', ${owner.userId}, now()
      from generate_series(3, 500) n`
    assert.equal((await readHistory(owner, link.path)).meta.total, 500)
    await owner.patch(link.path, { name: 'Version 501' })
    assert.equal((await readHistory(owner, link.path)).meta.total, 501)
    await owner.patch(link.path, { name: 'Version 502' })
    // Without every later change, the state after the creation is unknown.
    const { entries, meta } = await readHistory(owner, link.path, '?limit=100&offset=400')
    assert.equal(meta.total, 500)
    assert.equal(entries.length, 100)
    for (const { id } of [oldest, creation])
      assert.equal((await owner.post(`${link.path}/rollback`, { historyId: id })).status, 400)
    await world.sql`
      update link_versions set bytes = 1000000 where link_id = ${link.id} and version in (100, 490)`
    await world.sql`
      update link_versions set bytes = 3000000 where link_id = ${link.id} and version = 499`
    await owner.patch(link.path, { name: 'Version 503' })
    assert.equal((await readHistory(owner, link.path)).meta.total, 503 - 100)
  })

  await t.test('the versions of a link go an hour after it', async () => {
    const owner = await world.member()
    const link = await makeLink(owner)
    await owner.patch(link.path, { name: 'Second' })
    await owner.delete(link.path)
    assert.equal((await owner.get(`${link.path}/history`)).status, 404)
    const inAnHour = () => world.clock.now + 3_600_000
    const { signal } = new AbortController()
    await deleteExpired({ sql: asSystem(world.sql), clock: inAnHour }, signal)
    const rows = await world.sql`
      select id from link_versions where workspace_id = ${owner.workspaceId}`
    assert.equal(rows.length, 0)
  })

  await t.test('changes of a link at the same time make a version each', async () => {
    const owner = await world.member()
    const link = await makeLink(owner)
    const names = Array.from({ length: 20 }, (_, i) => `Name ${i}`)
    await Promise.all(names.map((name) => owner.patch(link.path, { name })))
    const { entries } = await readHistory(owner, link.path)
    assert.equal(entries.length, 21)
    const changed = entries.slice(0, -1).map(({ changes }: Named) => changes.name)
    for (const [i, { old }] of changed.entries()) assert.equal(old, changed[i + 1]?.new ?? NEW.name)
  })
})
