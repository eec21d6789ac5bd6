import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, openWorld } from '../support/world.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

test('a link with a click limit', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const visit = async (slug: string) => (await world.call('GET', `/${slug}`)).status
  const listed = async (status: string) => {
    const { body } = await owner.get(`/links?status=${status}`)
    return body.data.map(({ slug }: { slug: string }) => slug).toSorted()
  }
  const served = async () => {
    const rows = await world.sql<{ served: number }[]>`
      select served from link_quotas where workspace_id = ${owner.workspaceId}`
    return rows.map((row) => row.served)
  }
  const { data } = (await owner.post('/links', { ...NEW, slug: 'twice', maxClicks: 2 })).body
  await owner.post('/links', { ...NEW, slug: 'always' })
  const path = `/links/${data.id}`
  const change = async (fields: object) => (await owner.patch(path, fields)).body.data

  await t.test('expires with the last redirect, in reads and in lists', async () => {
    assert.deepEqual([data.maxClicks, data.status], [2, 'active'])
    assert.deepEqual([await listed('active'), await listed('expired')], [['always', 'twice'], []])
    assert.deepEqual(
      [await visit('twice'), await visit('twice'), await visit('twice')],
      [302, 302, 410],
    )
    assert.equal((await owner.get(path)).body.data.status, 'expired')
    assert.deepEqual([await listed('active'), await listed('expired')], [['always'], ['twice']])
    const [all] = (await owner.get('/links?sortBy=slug')).body.data
    assert.deepEqual([all.slug, all.status], ['twice', 'expired'])
  })

  await t.test('counts the redirects of its aliases too', async () => {
    await change({ aliases: ['two'] })
    assert.equal(await visit('two'), 410)
    assert.deepEqual(await served(), [2])
  })

  await t.test('is active again under a higher limit, and keeps its count', async () => {
    const raised = await change({ maxClicks: 3 })
    assert.equal(raised.status, 'active')
    const [entry] = (await owner.get(`${path}/history`)).body.data
    assert.deepEqual(entry.changes, {
      status: { old: 'expired', new: 'active' },
      maxClicks: { old: 2, new: 3 },
    })
    await eventually(async () => assert.equal(await visit('two'), 302))
    await eventually(async () => assert.equal(await visit('twice'), 410))
    assert.deepEqual(await served(), [3])
    assert.equal((await change({ name: 'Renamed' })).status, 'expired')
    assert.equal((await change({ maxClicks: 1 })).status, 'expired')
  })

  await t.test('has no limit and no count after the option is removed', async () => {
    assert.equal((await change({ maxClicks: null })).status, 'active')
    assert.deepEqual(await served(), [])
    await eventually(async () => assert.equal(await visit('twice'), 302))
    const [, limited] = (await owner.get(`${path}/history`)).body.data
    const { body } = await owner.post(`${path}/rollback`, { historyId: limited.id })
    assert.deepEqual([body.data.maxClicks, body.data.status], [1, 'active'])
    assert.deepEqual(await served(), [0])
    // The count waits with the deleted link, which may be restored for an hour.
    await owner.delete(path)
    assert.deepEqual(await served(), [0])
  })
})
