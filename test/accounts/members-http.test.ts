import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must, type Calls } from '../support/calls.ts'
import { addMembership } from '../support/fixtures.ts'
import { eventually, openWorld, type World } from '../support/world.ts'

const LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

test('the sessions of a member who is removed', { concurrency: false }, async (t) => {
  const world = await openWorld(t)

  await t.test('go on in another workspace of theirs, and reach the lost one no more', async () => {
    const boss = await world.member()
    const user = await world.member()
    await join(world, user.userId, boss.workspaceId)
    const [there, home] = [
      await world.session({ ...user, workspaceId: boss.workspaceId }),
      await world.session(user),
    ]
    const key = (await must(201, there.post('/api-keys', { name: 'Key' }))).body.data.key
    const withKey = { authorization: `Bearer ${key}` }
    assert.equal((await placeOf(there)).workspace.id, boss.workspaceId)

    await must(204, boss.delete(`/members/${user.userId}`))
    await eventually(async () => {
      assert.equal((await placeOf(there)).workspace.id, user.workspaceId)
      assert.equal((await world.call('GET', '/v1/links', { headers: withKey })).status, 401)
    })
    assert.equal((await placeOf(there)).role, 'owner')
    assert.equal((await placeOf(home)).workspace.id, user.workspaceId)
    const made = await must(201, there.post('/links', LINK))
    assert.equal(made.body.data.workspaceId, user.workspaceId)
    const lost = { 'x-signpost-workspace': boss.workspaceId }
    await must(403, there.get('/links', lost))
    await must(403, there.post('/links', LINK, lost))
    await must(403, there.post(`/workspaces/${boss.workspaceId}/activate`))
    assert.equal((await boss.get('/links')).body.meta.total, 0)
  })

  await t.test(
    'are in no workspace when that was the only one, until there is another',
    async () => {
      const boss = await world.member()
      const user = await world.member({ workspaceId: boss.workspaceId, role: 'member' })
      const session = await world.session(user)
      await must(201, session.post('/links', LINK))
      await must(204, boss.delete(`/members/${user.userId}`))
      await eventually(async () => void (await must(403, session.get('/links'))))
      assert.deepEqual(
        [(await placeOf(session)).workspace, (await placeOf(session)).role],
        [null, null],
      )
      assert.equal((await must(200, session.get('/workspaces'))).body.meta.total, 0)
      const own = (await must(201, session.post('/workspaces', { name: 'Own' }))).body.data
      assert.equal((await placeOf(session)).workspace.id, own.id)
      await must(201, session.post('/links', LINK))
      // Their earlier links stay where they were.
      assert.equal((await boss.get('/links')).body.meta.total, 1)
    },
  )

  await t.test('are in a workspace with the first request after they chose it', async () => {
    const boss = await world.member()
    const user = await world.member()
    await join(world, user.userId, boss.workspaceId)
    const session = await world.session(user)
    for (let i = 0; i < 20; i++)
      for (const id of [boss.workspaceId, user.workspaceId]) {
        await must(200, session.post(`/workspaces/${id}/activate`))
        assert.equal((await placeOf(session)).workspace.id, id)
      }
  })
})

async function join(world: World, userId: string, workspaceId: string): Promise<void> {
  const nowMs = world.clock.now
  await addMembership(world.sql, { workspaceId, userId, role: 'admin', nowMs })
}

async function placeOf(session: Calls) {
  return (await must(200, session.get('/auth/session'))).body.data
}
