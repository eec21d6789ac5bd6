import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must, type Calls } from '../support/calls.ts'
import { eventually, openWorld } from '../support/world.ts'

type Shown = { userId: string; lastActiveAt: string | null; twoFactorEnabled: boolean | null }

test('what admins see of members', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const { workspaceId } = owner
  const member = await world.member({ workspaceId, role: 'member' })
  const memberOf = async (calls: Calls, userId: string): Promise<Shown> => {
    const { data } = (await must(200, calls.get('/members'))).body
    return data.find((each: Shown) => each.userId === userId)
  }
  const at = (ms: number) => new Date(ms).toISOString()

  await t.test('requests with a session are activity, exact to the minute', async () => {
    assert.equal((await memberOf(owner, member.userId)).lastActiveAt, null)
    await must(200, member.get('/links'))
    const session = await world.session(member)
    await must(200, session.get('/links'))
    const firstMs = world.clock.now
    await eventually(async () =>
      assert.equal((await memberOf(owner, member.userId)).lastActiveAt, at(firstMs)),
    )
    world.clock.advance(59_000)
    await must(200, session.get('/links'))
    world.clock.advance(1_000)
    await must(200, session.get('/links'))
    await eventually(async () =>
      assert.equal((await memberOf(owner, member.userId)).lastActiveAt, at(firstMs + 60_000)),
    )
  })

  await t.test('activity in another workspace is not shown', async () => {
    const other = await world.member()
    const join = { workspaceId: other.workspaceId, userId: member.userId }
    await world.sql`
      insert into members ${world.sql({ ...join, role: 'viewer', createdAt: new Date() })}`
    assert.equal((await memberOf(other, member.userId)).lastActiveAt, null)
    world.clock.advance(60_000)
    await must(200, (await world.session(member)).get('/links'))
    await eventually(async () => {
      const { lastActiveAt } = await memberOf(owner, member.userId)
      assert.equal(lastActiveAt, at(world.clock.now))
    })
    assert.equal((await memberOf(other, member.userId)).lastActiveAt, null)
  })

  await t.test('two-factor sign-in is shown once it is on', async () => {
    assert.equal((await memberOf(owner, member.userId)).twoFactorEnabled, false)
    await world.sql`
      insert into two_factor (user_id, secret_sealed, created_at)
      values (${member.userId}, '\\x00', now())`
    assert.equal((await memberOf(owner, member.userId)).twoFactorEnabled, false)
    await world.sql`update two_factor set confirmed_at = now() where user_id = ${member.userId}`
    assert.equal((await memberOf(owner, member.userId)).twoFactorEnabled, true)
    const changed = await must(200, owner.patch(`/members/${member.userId}`, { role: 'viewer' }))
    assert.equal(changed.body.data.twoFactorEnabled, true)
    assert.notEqual(changed.body.data.lastActiveAt, null)
  })

  await t.test('lower roles see neither, not even their own', async () => {
    for (const role of ['viewer', 'member'] as const) {
      await world.sql`
        update members set role = ${role}
        where workspace_id = ${workspaceId} and user_id = ${member.userId}`
      const fresh = await world.session(member)
      for (const userId of [owner.userId, member.userId]) {
        const { lastActiveAt, twoFactorEnabled } = await memberOf(fresh, userId)
        assert.deepEqual([lastActiveAt, twoFactorEnabled], [null, null])
      }
    }
  })
})
