import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '../support/calls.ts'
import { openWorld } from '../support/world.ts'

const VIEW = { name: 'Sale', query: 'tag=sale&sort=clicks&columns=status,tags' }

test('views of links', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const colleague = await world.member({ workspaceId: owner.workspaceId, role: 'member' })
  const namesOf = async (caller: typeof owner) => {
    const { body } = await must(200, caller.get('/link-views'))
    return body.data.map(({ name }: { name: string }) => name)
  }

  await t.test('a view belongs to its user until it is shared', async () => {
    const { body } = await must(201, owner.post('/link-views', VIEW))
    const { id } = body.data
    assert.equal(body.data.isShared, false)
    assert.deepEqual(await namesOf(colleague), [])
    assert.equal((await colleague.patch(`/link-views/${id}`, { name: 'Mine' })).status, 404)
    assert.equal((await colleague.send('DELETE', `/link-views/${id}`)).status, 404)
    await must(200, owner.patch(`/link-views/${id}`, { isShared: true }))
    assert.deepEqual(await namesOf(colleague), ['Sale'])
    await must(200, colleague.patch(`/link-views/${id}`, { name: 'Sales', query: 'tag=sales' }))
    assert.deepEqual(await namesOf(owner), ['Sales'])
    await must(204, colleague.send('DELETE', `/link-views/${id}`))
    assert.deepEqual(await namesOf(owner), [])
  })

  await t.test('a user has at most 50, and a name and query of a bounded length', async () => {
    for (let at = 0; at < 50; at++)
      await must(201, colleague.post('/link-views', { ...VIEW, name: `View ${at}` }))
    assert.equal((await colleague.post('/link-views', VIEW)).status, 409)
    for (const [body, path] of [
      [{ ...VIEW, name: 'x'.repeat(51) }, 'name'],
      [{ ...VIEW, query: 'x'.repeat(2_049) }, 'query'],
      [{ name: 'No query' }, 'query'],
    ] as const) {
      const refused = await owner.post('/link-views', body)
      assert.equal(refused.status, 400)
      assert.equal(refused.body.error.details[0].path, path)
    }
  })
})
