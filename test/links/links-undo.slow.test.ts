import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteExpired } from '../../src/links/history/expiry.ts'
import { asSystem } from '../support/privileges.ts'
import { eventually, openWorld, type Member, type World } from '../support/world.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

async function makeLinks(owner: Member, count: number, fields: object = {}) {
  const links = Array.from({ length: count }, (_, i) => ({
    name: `Link ${i}`,
    destinationUrl: `https://example.com/${i}`,
    ...fields,
  }))
  const { status, body } = await owner.post('/links/bulk', { links })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.meta.failed, 0, JSON.stringify(body.data[0]))
  return body.data.map(({ id }: { id: string }) => id) as string[]
}

async function readAll(owner: Member, ids: readonly string[]) {
  const read = ids.map(async (id) => (await owner.get(`/links/${id}`)).body.data)
  const links = await Promise.all(read)
  return links.map((link) => {
    const { updatedAt: _at, ...fields } = link ?? {}
    return fields
  })
}

const undo = (owner: Member, undoId: string) => owner.post('/links/bulk/undo', { undoId })

test('operations on many links are undone', { concurrency: false }, async (t) => {
  const world = await openWorld(t)

  await t.test('a deletion by filter returns whole', async () => {
    const owner = await world.member()
    const ids = await makeLinks(owner, 30, { tags: ['old'], maxClicks: 5 })
    const kept = await makeLinks(owner, 2, { tags: ['new'] })
    const before = await readAll(owner, ids)
    const deleted = await owner.send('DELETE', '/links/bulk', { filter: { tag: 'old' } })
    assert.equal(deleted.status, 200, deleted.text)
    assert.partialDeepStrictEqual(deleted.body.meta, { total: 30, succeeded: 30, failed: 0 })
    assert.equal((await owner.get('/links')).body.meta.total, kept.length)
    const { status, body } = await undo(owner, deleted.body.meta.undoId)
    assert.equal(status, 200, JSON.stringify(body))
    assert.partialDeepStrictEqual(body.meta, { total: 30, succeeded: 30, skipped: 0 })
    assert.deepEqual(new Set(body.data.map(({ id }: { id: string }) => id)), new Set(ids))
    assert.ok(body.data.every(({ status: each }: { status: string }) => each === 'restored'))
    assert.deepEqual(await readAll(owner, ids), before)
    const audited = (await owner.get('/audit-log?action=link.restored')).body.meta.total
    assert.equal(audited, 30)
    const again = await undo(owner, deleted.body.meta.undoId)
    assert.deepEqual([again.status, again.body.error.code], [404, 'NOT_FOUND'])
  })

  await t.test(
    'changes return to the former values, and what was changed since stays',
    async () => {
      const owner = await world.member()
      const [folder, campaign] = [
        (await owner.post('/folders', { name: 'Target' })).body.data,
        (await owner.post('/campaigns', { name: 'Autumn', utmCampaign: 'autumn' })).body.data,
      ]
      const ids = [
        ...(await makeLinks(owner, 2, {
          tags: ['a'],
          utmSource: 'poster',
          password: 'first word',
        })),
        ...(await makeLinks(owner, 2)),
      ]
      const before = await readAll(owner, ids)
      const data = {
        status: 'archived',
        folderId: folder.id,
        campaignId: campaign.id,
        tags: ['b'],
        password: 'second word',
        noindex: true,
      }
      const changed = await owner.patch('/links/bulk', { ids, data })
      assert.partialDeepStrictEqual(changed.body.meta, { total: 4, succeeded: 4 })
      assert.doesNotMatch(changed.text, /argon2/)
      await owner.patch(`/links/${ids[1]}`, { name: 'Edited since' })
      await owner.delete(`/links/${ids[3]}`)
      const { status, body } = await undo(owner, changed.body.meta.undoId)
      assert.equal(status, 200, JSON.stringify(body))
      assert.partialDeepStrictEqual(body.meta, { total: 4, succeeded: 2, skipped: 2 })
      const reasons = Object.fromEntries(
        body.data.map((row: { id: string; reason: string }) => [row.id, row.reason]),
      )
      assert.deepEqual(reasons, {
        [ids[0]!]: null,
        [ids[1]!]: 'changed',
        [ids[2]!]: null,
        [ids[3]!]: 'deleted',
      })
      const after = await readAll(owner, ids.slice(0, 3))
      assert.deepEqual([after[0], after[2]], [before[0], before[2]])
      assert.partialDeepStrictEqual(after[1], { name: 'Edited since', status: 'archived' })
      const visit = (word: string) =>
        world.call('GET', `/${after[0].slug}`, {
          headers: { authorization: `Basic ${Buffer.from(`x:${word}`).toString('base64')}` },
        })
      await eventually(async () => assert.equal((await visit('first word')).status, 302))
      assert.equal((await visit('second word')).status, 401)
      const [entry] = (await owner.get(`/links/${ids[0]}/history`)).body.data
      assert.deepEqual(entry.changes.status, { old: 'archived', new: 'active' })
      assert.doesNotMatch(JSON.stringify(entry), /argon2|first word|second word/)
    },
  )

  await t.test('a filter matches as the list does, and no more than it may', async () => {
    const [owner, stranger] = [await world.member(), await world.member()]
    const foreign = (await stranger.post('/folders', { name: 'Foreign' })).body.data
    await makeLinks(owner, 3, { tags: ['x'] })
    await makeLinks(owner, 2, { tags: ['x'], status: 'archived' })
    const change = (filter: object, data: object = { tags: ['y'] }) =>
      owner.patch('/links/bulk', { filter, data })
    const none = await change({ tag: 'unknown' })
    assert.partialDeepStrictEqual(none.body.meta, { total: 0, undoId: null })
    assert.equal((await change({ tag: 'x' }, { utmTerm: 'a' })).body.meta.total, 3)
    const all = await change({ tag: 'x', includeArchived: true }, { utmTerm: 'a' })
    assert.partialDeepStrictEqual(all.body.meta, { total: 5, succeeded: 5 })
    assert.equal((await change({}, { utmTerm: 'b' })).body.meta.total, 3)
    assert.equal((await change({ folderId: foreign.id })).status, 403)
    const refused: [object, string][] = [
      [{ data: {} }, 'ids'],
      [{ ids: ['lnk_1'], filter: {}, data: {} }, 'ids'],
      [{ filter: { status: 'odd' }, data: {} }, 'filter.status'],
      [{ filter: { tag: 1 }, data: {} }, 'filter.tag'],
      [{ filter: 'all', data: {} }, 'filter'],
    ]
    for (const [body, path] of refused) {
      const answer = await owner.patch('/links/bulk', body)
      const { error } = answer.body
      assert.deepEqual([answer.status, error?.details[0].path], [400, path], JSON.stringify(body))
    }
    await fillLinks(world, owner.workspaceId, 10_000)
    const many = await owner.send('DELETE', '/links/bulk', { filter: {} })
    assert.deepEqual([many.status, many.body.error.details[0].code], [400, 'too_many'])
    assert.equal((await owner.get('/links')).body.meta.total, 10_003)
  })

  await t.test('thousands of links are one operation', async () => {
    const owner = await world.member()
    await fillLinks(world, owner.workspaceId, 2_300)
    const filter = { search: 'fill' }
    const changed = await owner.patch('/links/bulk', { filter, data: { tags: ['bulk'] } })
    assert.partialDeepStrictEqual(changed.body.meta, { total: 2_300, succeeded: 2_300 })
    assert.equal((await owner.get('/tags')).body.data[0].links, 2_300)
    const reverted = await undo(owner, changed.body.meta.undoId)
    assert.partialDeepStrictEqual(reverted.body.meta, { total: 2_300, succeeded: 2_300 })
    assert.equal((await owner.get('/tags')).body.meta.total, 0)
    const deleted = await owner.send('DELETE', '/links/bulk', { filter })
    assert.partialDeepStrictEqual(deleted.body.meta, { total: 2_300, succeeded: 2_300 })
    assert.equal((await owner.get('/links')).body.meta.total, 0)
    const { body } = await undo(owner, deleted.body.meta.undoId)
    assert.partialDeepStrictEqual(body.meta, { total: 2_300, succeeded: 2_300, skipped: 0 })
    assert.equal((await owner.get('/links')).body.meta.total, 2_300)
    assert.equal((await owner.get('/links?search=fill-2299')).body.meta.total, 1)
  })

  await t.test('only this workspace undoes, once, and for an hour', async () => {
    const [owner, stranger] = [await world.member(), await world.member()]
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    const member = await world.member({ workspaceId: owner.workspaceId, role: 'member' })
    const ids = await makeLinks(owner, 3)
    const { undoId } = (await owner.send('DELETE', '/links/bulk', { ids })).body.meta
    assert.equal((await undo(stranger, undoId)).status, 404)
    assert.equal((await undo(viewer, undoId)).status, 403)
    assert.equal((await undo(owner, 'und_unknown')).status, 404)
    const answers = await Promise.all([owner, member, owner].map((by) => undo(by, undoId)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404])
    assert.equal((await owner.get('/links')).body.meta.total, 3)

    const later = await owner.patch('/links/bulk', { ids, data: { utmTerm: 'x' } })
    const gone = await owner.send('DELETE', '/links/bulk', { ids })
    world.clock.advance(HOUR_MS)
    for (const { body } of [later, gone])
      assert.equal((await undo(owner, body.meta.undoId)).status, 404)
    await deleteExpired(
      { sql: asSystem(world.sql), clock: () => world.clock.now },
      new AbortController().signal,
    )
    const rows = await world.sql`
      select from link_versions where workspace_id = ${owner.workspaceId}`
    assert.equal(rows.length, 0)
  })

  await t.test('a link whose slug is taken stays deleted, and can be restored later', async () => {
    const owner = await world.member()
    const [first, second] = await makeLinks(owner, 2)
    const slug = (await owner.get(`/links/${first}`)).body.data.slug
    const { undoId } = (await owner.send('DELETE', '/links/bulk', { ids: [first, second] })).body
      .meta
    const taker = await owner.post('/links', {
      name: 'T',
      destinationUrl: 'https://e.example/',
      slug,
    })
    const { body } = await undo(owner, undoId)
    assert.partialDeepStrictEqual(body.meta, { total: 2, succeeded: 1, skipped: 1 })
    const skipped = body.data.find(({ id }: { id: string }) => id === first)
    assert.deepEqual([skipped.status, skipped.reason], ['skipped', 'refused'])
    await owner.patch(`/links/${taker.body.data.id}`, { slug: 'another' })
    assert.equal((await owner.post(`/links/${first}/restore`)).status, 200)
  })
})

test('an import is undone', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const stranger = await world.member()
  const run = async (csv: string, query = '') => {
    const started = await world.call('POST', `/v1/links/import${query}`, {
      headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'text/csv' },
      body: csv,
    })
    assert.equal(started.status, 202, started.text)
    const path = `/links/imports/${started.body.data.id}`
    await eventually(async () =>
      assert.equal((await owner.get(path)).body.data.status, 'completed'),
    )
    return path
  }
  const old = await owner.post('/links', {
    name: 'Old',
    destinationUrl: 'https://example.com/old',
    slug: 'old-one',
  })
  const rows = Array.from({ length: 120 }, (_, i) => `Row ${i},https://example.com/${i},row-${i}`)
  const csv = ['name,destinationUrl,slug', 'New name,https://example.com/new,old-one', ...rows]
  const path = await run(csv.join('\n'), '?onConflict=update')
  assert.equal((await owner.get('/links')).body.meta.total, 121)
  const byName = async (name: string) =>
    (await owner.get(`/links?search=${encodeURIComponent(name)}&sortBy=name&sortOrder=asc`)).body
      .data[0]
  const [edited, clicked] = [await byName('row-7'), await byName('row-8')]
  await owner.patch(`/links/${edited.id}`, { name: 'Edited' })
  await world.sql`
    insert into link_clicks (link_id, workspace_id, clicks)
    values (${clicked.id}, ${owner.workspaceId}, 1)`
  assert.equal((await stranger.post(`${path}/undo`)).status, 403)

  const { status, body } = await owner.post(`${path}/undo`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.partialDeepStrictEqual(body.meta, { total: 121, succeeded: 119, skipped: 2 })
  const reasonOf = (id: string) => body.data.find((row: { id: string }) => row.id === id).reason
  assert.deepEqual([reasonOf(edited.id), reasonOf(clicked.id)], ['changed', 'clicked'])
  const { total } = (await owner.get('/links')).body.meta
  assert.equal(total, 3)
  const restored = (await owner.get(`/links/${old.body.data.id}`)).body.data
  assert.deepEqual([restored.name, restored.destinationUrl], ['Old', 'https://example.com/old'])
  assert.equal((await owner.post(`${path}/undo`)).status, 404)

  const dry = await run('name,destinationUrl\nDry,https://example.com/dry', '?dryRun=true')
  assert.equal((await owner.post(`${dry}/undo`)).status, 404)
  const late = await run('name,destinationUrl\nLate,https://example.com/late')
  world.clock.advance(HOUR_MS)
  assert.equal((await owner.post(`${late}/undo`)).status, 404)
  assert.equal((await owner.get('/links')).body.meta.total, 4)

  const historyOf = async (id: string) => (await owner.get(`/links/${id}/history`)).body.data
  const histories = () => Promise.all([edited.id, clicked.id].map(historyOf))
  const before = await histories()
  assert.deepEqual(
    before.map(({ length }) => length),
    [2, 1],
  )
  const clock = () => world.clock.now
  await deleteExpired({ sql: asSystem(world.sql), clock }, new AbortController().signal)
  assert.deepEqual(await histories(), before)
  const left = await world.sql`
    select from link_versions
    where workspace_id = ${owner.workspaceId}
      and (kind <> 'updated' or operation_id is not null or undo_data is not null)`
  assert.equal(left.length, 0)
})

/** Links without the rules, as many as a test needs. */
async function fillLinks({ sql }: World, workspaceId: string, count: number): Promise<void> {
  await sql`
    with made as (
      insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at, updated_at)
      select 'lnk_' || ${workspaceId} || i, ${workspaceId}, 'Fill', name, lower(name), 'https://example.com/', 'usr_1',
        date_trunc('second', now()), date_trunc('second', now())
      from generate_series(1, ${count}::int) as i, concat(${workspaceId}::text, '-fill-', i) as name
      returning id, slug, slug_key
    )
    insert into link_addresses (domain_id, slug_key, workspace_id, link_id, slug)
    select '', slug_key, ${workspaceId}, id, slug from made`
}
