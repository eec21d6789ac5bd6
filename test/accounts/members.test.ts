import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { roleAtLeast, ROLES, type Role } from '../../src/platform/routes/principal.ts'
import { eventually } from '../support/world.ts'
import { asKey, openMembershipRules } from '../support/membership-rules.ts'

const PAGE = { limit: 50, offset: 0 }

test('members', { concurrency: false }, async (t) => {
  const rules = await openMembershipRules(t)
  const { members, admin } = rules

  const rolesIn = async (workspaceId: string) => {
    const rows = await admin<{ userId: string; role: Role }[]>`
      select user_id, role from members where workspace_id = ${workspaceId}`
    return new Map(rows.map((row) => [row.userId, row.role]))
  }

  await t.test('a list shows name, address, role and time, page by page', async () => {
    const owner = await rules.owner()
    const second = await rules.member(owner.workspaceId, 'viewer')
    await rules.owner()
    const { data, meta } = await members.list(second, PAGE)
    assert.deepEqual(
      data.map(({ userId, email, role }) => [userId, email, role]),
      [
        [owner.userId, owner.email, 'owner'],
        [second.userId, second.email, 'viewer'],
      ],
    )
    assert.equal(
      Object.keys(data[0]!).join(' '),
      'userId name email role joinedAt lastActiveAt twoFactorEnabled',
    )
    assert.equal(meta.total, 2)
    const next = await members.list(second, { limit: 1, offset: 1 })
    assert.equal(next.data[0]!.userId, second.userId)
    assert.equal(next.meta.total, 2)
  })

  await t.test(
    'an unknown user is NOT_FOUND, a member of another workspace alone is FORBIDDEN',
    async () => {
      const [owner, stranger] = [await rules.owner(), await rules.owner()]
      const loner = await rules.user()
      await assert.rejects(members.find(owner, { userId: 'usr_none' }), { code: 'NOT_FOUND' })
      await assert.rejects(members.find(owner, { userId: loner.userId }), { code: 'NOT_FOUND' })
      await assert.rejects(members.find(owner, { userId: stranger.userId }), { code: 'FORBIDDEN' })
      await assert.rejects(members.remove(owner, stranger.userId), { code: 'NOT_FOUND' })
      await assert.rejects(members.setRole(owner, stranger.userId, { role: 'viewer' }), {
        code: 'NOT_FOUND',
      })
      assert.equal((await rolesIn(stranger.workspaceId)).size, 1)
    },
  )

  await t.test('every pair of roles: who may give what to whom, and remove whom', async () => {
    const owner = await rules.owner()
    for (const acting of ROLES)
      for (const target of ROLES) {
        const actor = await rules.member(owner.workspaceId, acting)
        const isOverTarget = acting === 'owner' || (acting === 'admin' && target !== 'owner')
        for (const role of ROLES) {
          const other = await rules.member(owner.workspaceId, target)
          const isAllowed = isOverTarget && (role !== 'owner' || acting === 'owner')
          const isNoChange = role === target && (acting === 'admin' || acting === 'owner')
          const attempt = members.setRole(actor, other.userId, { role })
          const label = `${acting} makes ${target} ${role}`
          if (isAllowed || isNoChange) assert.equal((await attempt).role, role, label)
          else await assert.rejects(attempt, { code: 'FORBIDDEN' }, label)
          const now = (await rolesIn(owner.workspaceId)).get(other.userId)
          assert.equal(now, isAllowed ? role : target, label)
        }
        const other = await rules.member(owner.workspaceId, target)
        const removal = members.remove(actor, other.userId)
        const label = `${acting} removes ${target}`
        if (isOverTarget) await removal
        else await assert.rejects(removal, { code: 'FORBIDDEN' }, label)
      }
  })

  await t.test('an API key with scopes makes no user more than a member', async () => {
    const owner = await rules.owner()
    const narrowed = asKey(owner, ['members:write'])
    for (const role of ROLES) {
      const other = await rules.member(owner.workspaceId, role === 'viewer' ? 'member' : 'viewer')
      const attempt = members.setRole(narrowed, other.userId, { role })
      if (!roleAtLeast(role, 'admin')) assert.equal((await attempt).role, role)
      else {
        await assert.rejects(attempt, { code: 'FORBIDDEN' }, role)
        const full = asKey(owner, ['*'])
        assert.equal((await members.setRole(full, other.userId, { role })).role, role)
      }
    }
  })

  await t.test(
    'the role that counts is the one of now, not the one the credential knew',
    async () => {
      const owner = await rules.owner()
      const former = await rules.member(owner.workspaceId, 'admin')
      const other = await rules.member(owner.workspaceId, 'viewer')
      await members.setRole(owner, former.userId, { role: 'viewer' })
      await assert.rejects(members.remove(former, other.userId), { code: 'FORBIDDEN' })
      await members.remove(owner, former.userId)
      await assert.rejects(members.setRole(former, other.userId, { role: 'admin' }), {
        code: 'FORBIDDEN',
      })
    },
  )

  await t.test(
    'every member but the last owner may leave, and two who leave at once leave one',
    async () => {
      const owner = await rules.owner()
      const viewer = await rules.member(owner.workspaceId, 'viewer')
      await members.remove(viewer, viewer.userId)
      await assert.rejects(members.remove(owner, owner.userId), { code: 'CONFLICT' })
      await assert.rejects(members.setRole(owner, owner.userId, { role: 'admin' }), {
        code: 'CONFLICT',
      })
      for (let round = 0; round < 5; round++) {
        const two = [
          await rules.member(owner.workspaceId, 'owner'),
          await rules.member(owner.workspaceId, 'owner'),
        ]
        await Promise.all(
          [owner, ...two].map((each) => members.remove(each, each.userId).catch(() => {})),
        )
        const left = await rolesIn(owner.workspaceId)
        assert.deepEqual([...left.values()], ['owner'])
        const [lastId] = left.keys()
        Object.assign(owner, { userId: lastId, actor: { type: 'user', id: lastId } })
      }
    },
  )

  await t.test('owners who demote each other at once leave an owner', async () => {
    const owner = await rules.owner()
    const second = await rules.member(owner.workspaceId, 'owner')
    await Promise.allSettled([
      members.setRole(owner, second.userId, { role: 'viewer' }),
      members.setRole(second, owner.userId, { role: 'viewer' }),
    ])
    assert.ok([...(await rolesIn(owner.workspaceId)).values()].includes('owner'))
  })

  await t.test(
    'a removal ends keys and open invitations, and every process is notified',
    async () => {
      const owner = await rules.owner()
      const other = await rules.member(owner.workspaceId, 'admin')
      const made = await rules.apiKeys.create(other, { name: 'theirs' })
      const kept = await rules.apiKeys.create(owner, { name: 'kept' })
      const invitation = await rules.invitations.create(other, {
        email: 'invited@example.com',
        role: 'viewer',
      })
      rules.time.nowMs += 1
      await members.remove(owner, other.userId)
      assert.equal(await rules.keyAuthentication.authenticate(made.key), null)
      assert.ok(await rules.keyAuthentication.authenticate(kept.key))
      const { data } = await rules.invitations.list(owner, PAGE)
      assert.deepEqual(
        data.map(({ id, status }) => [id, status]),
        [[invitation.id, 'canceled']],
      )
      await eventually(async () => {
        assert.ok(rules.announced.includes(`user:${other.userId}`))
        assert.ok(rules.announced.includes(`key:${made.id}`))
      })
      assert.equal(await rules.used(owner.workspaceId, 'api_keys'), 1)
      assert.equal(await rules.used(owner.workspaceId, 'members'), 1)
      assert.deepEqual((await rules.trail(owner.workspaceId)).slice(-3).toSorted(), [
        'api_key.revoked',
        'invitation.canceled',
        'member.removed',
      ])
      const logged = await admin`
      select type, user_id, actor_id, actor_name from security_log
      where workspace_id = ${owner.workspaceId} and type in ('member.removed', 'api_key.revoked')
      order by type`
      assert.deepEqual(
        logged.map((row) => [row['type'], row['userId'], row['actorId'], row['actorName']]),
        [
          ['api_key.revoked', other.userId, owner.userId, owner.name],
          ['member.removed', other.userId, owner.userId, owner.name],
        ],
      )
    },
  )

  await t.test('a demotion cancels what the lower role could not have invited', async () => {
    const owner = await rules.owner()
    const second = await rules.member(owner.workspaceId, 'owner')
    for (const role of ['owner', 'admin'] as const)
      await rules.invitations.create(second, { email: `${role}@example.com`, role })
    const states = async () =>
      Object.fromEntries(
        (await rules.invitations.list(owner, PAGE)).data.map(({ role, status }) => [role, status]),
      )
    await members.setRole(owner, second.userId, { role: 'admin' })
    assert.deepEqual(await states(), { owner: 'canceled', admin: 'pending' })
    await members.setRole(owner, second.userId, { role: 'member' })
    assert.deepEqual(await states(), { owner: 'canceled', admin: 'canceled' })
  })

  await t.test(
    'in any sequence of changes of memberships, each has its audit row and an owner stays',
    async () => {
      const step = fc.record({
        actor: fc.nat(3),
        target: fc.nat(3),
        role: fc.option(fc.constantFrom(...ROLES)),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          const owner = await rules.owner()
          const users = [owner]
          for (const role of ['owner', 'admin', 'viewer'] as const)
            users.push(await rules.member(owner.workspaceId, role))
          for (const { actor, target, role } of steps) {
            const before = await rolesIn(owner.workspaceId)
            const audited = (await rules.trail(owner.workspaceId)).length
            const id = users[target]!.userId
            const attempt = role
              ? members.setRole(users[actor]!, id, { role })
              : members.remove(users[actor]!, id)
            await attempt.catch((error) => assert.match(error.code, /FORBIDDEN|CONFLICT|NOT_FOUND/))
            const after = await rolesIn(owner.workspaceId)
            const isChanged = before.get(id) !== after.get(id)
            assert.equal((await rules.trail(owner.workspaceId)).length - audited, isChanged ? 1 : 0)
            assert.ok([...after.values()].includes('owner'))
          }
        }),
        { numRuns: 15 },
      )
    },
  )
})
