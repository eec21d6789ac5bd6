import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../../src/platform/routes/principal.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import { eventually } from '../support/world.ts'
import {
  asKey,
  callerOf,
  isAbout,
  keyCaller,
  openMembershipRules,
} from '../support/membership-rules.ts'
import { addMembership, addWorkspace, toPrincipal } from '../support/fixtures.ts'

const PAGE = { limit: 50, offset: 0 }

test('workspaces', { concurrency: false }, async (t) => {
  const rules = await openMembershipRules(t)
  const { workspaces, admin, time } = rules
  const join = (userId: string, workspaceId: string, role: Role) =>
    addMembership(admin, { workspaceId, userId, role, nowMs: time.nowMs })

  await t.test('six parallel first logins make one workspace, owned by the caller', async () => {
    const user = await rules.user('Grace@example.com')
    const login = () =>
      inTransaction(rules.systemSql, async (tx) => {
        await tx`select 1 from users where id = ${user.userId} for update`
        return workspaces.ensureFirst(tx, user)
      })
    const ids = new Set(await Promise.all(Array.from({ length: 6 }, login)))
    assert.equal(ids.size, 1)
    const [id] = ids
    const { data, meta } = await workspaces.list(callerOf(user.userId), PAGE)
    assert.equal(meta.total, 1)
    assert.equal(
      Object.keys(data[0]!).join(' '),
      'id name plan role isSuspended honorsPrivacySignals timezone brandColor logoMediaId createdAt updatedAt',
    )
    assert.deepEqual(
      [data[0]!.id, data[0]!.name, data[0]!.plan, data[0]!.role],
      [id, "Grace's workspace", 'self_hosted', 'owner'],
    )
    assert.deepEqual(await rules.trail(id!), ['workspace.created'])
    assert.equal(await rules.used(id!, 'members'), 1)
  })

  await t.test(
    'the name of a first workspace fits, for any name and language of the user',
    async () => {
      for (const [name, language, expected] of [
        ['😀'.repeat(200), undefined, `${'😀'.repeat(88)}'s workspace`],
        ['😀'.repeat(200), 'de', `Workspace von ${'😀'.repeat(86)}`],
        [' \n ', 'ja', 'マイワークスペース'],
      ] as const) {
        const user = { ...(await rules.user()), name, language }
        const id = await inTransaction(rules.systemSql, (tx) => workspaces.ensureFirst(tx, user))
        const shown = await workspaces.get(toPrincipal(user.userId, id), id)
        assert.equal(shown.name, expected)
      }
    },
  )

  await t.test('a user sees all own workspaces, an API key its one', async () => {
    const owner = await rules.owner()
    const other = await rules.owner()
    await join(owner.userId, other.workspaceId, 'viewer')
    const { data } = await workspaces.list(callerOf(owner.userId), PAGE)
    assert.deepEqual(
      data.map(({ id, role }) => [id, role]),
      [
        [owner.workspaceId, 'owner'],
        [other.workspaceId, 'viewer'],
      ],
    )
    const paged = await workspaces.list(callerOf(owner.userId), { limit: 1, offset: 1 })
    assert.deepEqual([paged.data[0]!.id, paged.meta.total], [other.workspaceId, 2])
    const ofKey = await workspaces.list(keyCaller(asKey(owner)), PAGE)
    assert.deepEqual([ofKey.data.length, ofKey.meta.total], [1, 1])
    await assert.rejects(workspaces.list(keyCaller(asKey(owner, ['links:read'])), PAGE), {
      code: 'FORBIDDEN',
    })
    await assert.rejects(workspaces.list({ ...callerOf('x'), session: null }, PAGE), {
      code: 'UNAUTHORIZED',
    })
  })

  await t.test('a new one is the caller’s, and active when none was or when asked', async () => {
    const user = await rules.user()
    const caller = callerOf(user.userId)
    const first = await workspaces.create(caller, { name: ' Research ' })
    assert.deepEqual([first.name, first.role], ['Research', 'owner'])
    assert.equal(await rules.activeOf(caller.session!.userId), first.id)
    const second = await workspaces.create(callerOf(user.userId, first.id), { name: 'Press' })
    assert.equal(await rules.activeOf(caller.session!.userId), first.id)
    assert.deepEqual(await rules.trail(second.id), ['workspace.created'])
    const third = await workspaces.create(callerOf(user.userId, first.id), {
      name: 'Events',
      activate: true,
    })
    assert.equal(await rules.activeOf(caller.session!.userId), third.id)
    for (const name of ['  ', 'a\u0007b', 'x'.repeat(101)])
      await assert.rejects(workspaces.create(caller, { name }), {
        code: 'VALIDATION_ERROR',
      })
  })

  await t.test('parallel creates stop at the maximum of owned workspaces', async () => {
    const owner = await rules.owner()
    // Workspaces of other owners do not count.
    const other = await rules.owner()
    await join(owner.userId, other.workspaceId, 'admin')
    for (let n = 0; n < 96; n++)
      await join(owner.userId, await addWorkspace(admin, { nowMs: time.nowMs }), 'owner')
    const caller = callerOf(owner.userId, owner.workspaceId)
    const create = () => workspaces.create(caller, { name: 'One more' })
    const results = await Promise.allSettled(Array.from({ length: 20 }, create))
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(results.length - refused.length, 3)
    for (const { reason } of refused)
      assert.deepEqual(
        [reason.code, reason.status, reason.message, reason.details],
        [
          'FORBIDDEN',
          403,
          'You own 100 workspaces; the maximum is 100.',
          { limit: 'workspaces', max: 100, used: 100 },
        ],
      )
    await workspaces.remove(owner, owner.workspaceId, {
      confirm: (await workspaces.get(owner, owner.workspaceId)).name,
    })
    await create()
    await assert.rejects(create(), { code: 'FORBIDDEN' })
    assert.equal((await workspaces.create(callerOf(other.userId), { name: 'Mine' })).role, 'owner')
    await assert.rejects(workspaces.create(callerOf('usr_gone'), { name: 'x' }), {
      code: 'UNAUTHORIZED',
    })
  })

  await t.test('a suspended one is shown as such', async () => {
    const owner = await rules.owner()
    const shown = async () => (await workspaces.list(callerOf(owner.userId), PAGE)).data[0]
    assert.equal((await shown())!.isSuspended, false)
    await admin`update workspaces set suspended_at = now() where id = ${owner.workspaceId}`
    assert.equal((await shown())!.isSuspended, true)
  })

  await t.test('only an own workspace can be activated', async () => {
    const [owner, stranger] = [await rules.owner(), await rules.owner()]
    const caller = callerOf(owner.userId, null)
    await assert.rejects(workspaces.activate(caller, stranger.workspaceId), { code: 'FORBIDDEN' })
    await assert.rejects(workspaces.activate(caller, 'wsp_none'), { code: 'NOT_FOUND' })
    assert.equal(await rules.activeOf(caller.session!.userId), null)
    assert.equal((await workspaces.activate(caller, owner.workspaceId)).id, owner.workspaceId)
    assert.equal(await rules.activeOf(caller.session!.userId), owner.workspaceId)
    await eventually(async () =>
      assert.ok(rules.announced.includes(`session:${caller.session!.id}`)),
    )
  })

  await t.test('the role that counts is the one in the workspace of the path', async () => {
    const owner = await rules.owner()
    const other = await rules.owner()
    await join(owner.userId, other.workspaceId, 'admin')
    const id = other.workspaceId
    await workspaces.find(owner, id, 'admin')
    assert.equal((await workspaces.get(owner, id)).role, 'admin')
    assert.equal((await workspaces.update(owner, id, { name: 'Renamed' })).name, 'Renamed')
    await assert.rejects(workspaces.find(owner, id, 'owner'), { code: 'FORBIDDEN' })
    await assert.rejects(workspaces.remove(owner, id, { confirm: 'Renamed' }), {
      code: 'FORBIDDEN',
    })
    // A key reaches its own workspace alone, not the others of its user.
    await assert.rejects(workspaces.find(asKey(owner), id, 'viewer'), { code: 'FORBIDDEN' })
    const stranger = await rules.owner()
    await assert.rejects(workspaces.find(stranger, id, 'viewer'), { code: 'FORBIDDEN' })
    await assert.rejects(workspaces.find(stranger, 'wsp_none', 'viewer'), { code: 'NOT_FOUND' })
    await assert.rejects(workspaces.get(stranger, id), { code: 'NOT_FOUND' })
    await assert.rejects(workspaces.update(stranger, id, { name: 'Mine' }), { code: 'FORBIDDEN' })
    await admin`update workspaces set suspended_at = now() where id = ${id}`
    await assert.rejects(workspaces.find(owner, id, 'viewer'), { code: 'FORBIDDEN' })
  })

  await t.test('a change is audited with both values; the same value changes nothing', async () => {
    const owner = await rules.owner()
    const id = owner.workspaceId
    const before = await workspaces.get(owner, id)
    time.nowMs += 1
    const after = await workspaces.update(owner, id, { name: 'Renamed' })
    assert.equal(after.updatedAt, new Date(time.nowMs).toISOString())
    assert.deepEqual(await workspaces.update(owner, id, { name: ' Renamed ' }), after)
    assert.deepEqual(await workspaces.update(owner, id, {}), after)
    assert.deepEqual(await rules.trail(id), ['workspace.created', 'workspace.updated'])
    const [row] = await admin`
      select changes from audit_log where workspace_id = ${id} and action = 'workspace.updated'`
    assert.deepEqual(row!['changes'], { name: { old: before.name, new: 'Renamed' } })

    const open = await workspaces.update(owner, id, { honorsPrivacySignals: false })
    assert.deepEqual([before.honorsPrivacySignals, open.honorsPrivacySignals], [true, false])
    const [last] = await admin`
      select changes from audit_log
      where workspace_id = ${id} and changes::text like '%honorsPrivacySignals%'`
    assert.deepEqual(last!['changes'], { honorsPrivacySignals: { old: true, new: false } })
  })

  await t.test('deletion takes its name for a yes, and takes everything', async () => {
    const owner = await rules.owner()
    const colleague = await rules.member(owner.workspaceId, 'admin')
    const { key } = await rules.apiKeys.create(colleague, { name: 'k' })
    await rules.invitations.create(owner, { email: 'new@example.com', role: 'viewer' })
    const id = owner.workspaceId
    const { name } = await workspaces.get(owner, id)
    await assert.rejects(workspaces.remove(owner, id, { confirm: 'no' }), isAbout('confirm'))
    await workspaces.remove(owner, id, { confirm: name })
    assert.equal(await rules.keyAuthentication.authenticate(key), null)
    await assert.rejects(workspaces.find(owner, id, 'viewer'), { code: 'NOT_FOUND' })
    await eventually(async () => assert.ok(rules.announced.includes(`workspace:${id}`)))
    const [row] = await admin`
      select details from security_log where user_id = ${owner.userId} and type = 'workspace.deleted'`
    assert.deepEqual(row!['details'], { workspaceId: id, name })
    const [other] = await admin`select count(*) as n from workspaces where id = ${id}`
    assert.equal(other!['n'], 0)
  })
})
