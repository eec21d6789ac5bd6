import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, type Member } from '../support/world.ts'

const LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

test('folders', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const make = async (member: Member, name: string) => {
    const { status, body } = await member.post('/folders', { name })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }

  await t.test('a folder is created, read, listed, renamed and deleted', async () => {
    const owner = await world.member()
    const made = await make(owner, ' Spring ')
    assert.deepEqual(made, {
      id: made.id,
      workspaceId: owner.workspaceId,
      name: 'Spring',
      links: 0,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
    })
    world.clock.advance(1_000)
    const { data } = (await owner.patch(`/folders/${made.id}`, { name: 'Autumn' })).body
    assert.equal(data.name, 'Autumn')
    assert.ok(data.updatedAt > made.updatedAt)
    assert.deepEqual((await owner.get(`/folders/${made.id}`)).body.data, data)
    assert.deepEqual((await owner.get('/folders')).body.data, [data])
    assert.equal((await owner.delete(`/folders/${made.id}`)).status, 204)
    assert.equal((await owner.get(`/folders/${made.id}`)).status, 404)
    const { body } = await owner.get(`/audit-log?targetId=${made.id}`)
    assert.deepEqual(
      body.data.map(({ action }: { action: string }) => action),
      ['folder.deleted', 'folder.updated', 'folder.created'],
    )
  })

  await t.test('names are unique in every case, also between parallel requests', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const made = await make(owner, 'Straße')
    const again = await owner.post('/folders', { name: 'STRASSE' })
    assert.deepEqual([again.status, again.body.error.details[0].path], [409, 'name'])
    await make(other, 'Straße')
    const second = await make(owner, 'Second')
    assert.equal((await owner.patch(`/folders/${second.id}`, { name: 'strasse' })).status, 409)
    assert.equal((await owner.patch(`/folders/${made.id}`, { name: 'STRASSE' })).status, 200)
    const names = Array.from({ length: 8 }, () => owner.post('/folders', { name: 'Same' }))
    const statuses = (await Promise.all(names)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [201, 409, 409, 409, 409, 409, 409, 409])
  })

  await t.test('a bad name is refused with its path', async () => {
    const owner = await world.member()
    for (const name of ['', '  ', 'a\nb', 'x'.repeat(101), 7, null, undefined]) {
      const { status, body } = await owner.post('/folders', { name })
      assert.deepEqual([status, body.error.details[0].path], [400, 'name'], String(name))
    }
  })

  await t.test('the list is searched, sorted and paged', async () => {
    const owner = await world.member()
    for (const name of ['Zebra', 'apple', 'Äpfel', '10', '9']) {
      await make(owner, name)
      world.clock.advance(1)
    }
    const namesOf = async (query: string) => {
      const { body } = await owner.get(`/folders?${query}`)
      return [body.meta.total, ...body.data.map(({ name }: { name: string }) => name)]
    }
    assert.deepEqual(await namesOf(''), [5, '9', '10', 'Äpfel', 'apple', 'Zebra'])
    assert.deepEqual(await namesOf('limit=2&offset=2'), [5, 'Äpfel', 'apple'])
    assert.deepEqual(await namesOf('sortOrder=desc&limit=1'), [5, 'Zebra'])
    assert.deepEqual(await namesOf('sortBy=createdAt&limit=1'), [5, 'Zebra'])
    assert.deepEqual(await namesOf('search=PP'), [1, 'apple'])
    assert.deepEqual(await namesOf(`search=${encodeURIComponent('äPF')}`), [1, 'Äpfel'])
    assert.equal((await owner.get('/folders?sortBy=links')).status, 400)
  })

  await t.test(
    'links are counted, and a deletion takes them out of the folder at once',
    async () => {
      const owner = await world.member()
      const { id: folderId } = await make(owner, 'Spring')
      const links = [
        await owner.post('/links', { ...LINK, folderId }),
        await owner.post('/links', { ...LINK, folderId, status: 'archived' }),
      ].map(({ body }) => body.data)
      assert.equal((await owner.get(`/folders/${folderId}`)).body.data.links, 2)
      await owner.delete(`/folders/${folderId}`)
      const { data } = (await owner.get(`/links/${links[0].id}`)).body
      assert.deepEqual(data, { ...links[0], folderId: null })
      assert.equal((await owner.get(`/links?folderId=${folderId}`)).body.meta.total, 0)
    },
  )

  await t.test('a workspace has at most 1,000 folders', async () => {
    const owner = await world.member()
    await world.sql`
      insert into folders (id, workspace_id, name, name_key, created_at, updated_at)
      select 'fld_' || i || ${owner.workspaceId}::text, ${owner.workspaceId}, i, i, now(), now()
      from generate_series(1, 999) as i`
    const made = await Promise.all(['a', 'b', 'c'].map((name) => owner.post('/folders', { name })))
    assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 403, 403])
    const refused = made.find(({ status }) => status === 403)!.body.error
    assert.equal(refused.code, 'PLAN_LIMIT_REACHED')
    assert.deepEqual(refused.details, { limit: 'folders', max: 1_000, used: 1_000 })
  })
})
