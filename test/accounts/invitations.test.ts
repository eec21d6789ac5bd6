import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, roleAtLeast } from '../../src/platform/routes/principal.ts'
import { hasInvitation } from '../../src/accounts/invitations/received.ts'
import { parseAddress } from '../../src/platform/resources/field-checks.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import { eventually } from '../support/world.ts'
import { asKey, callerOf, isAbout, openMembershipRules } from '../support/membership-rules.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const PAGE = { limit: 50, offset: 0 }

test('invitations', { concurrency: false }, async (t) => {
  const rules = await openMembershipRules(t)
  const { invitations, admin, time, sent } = rules

  /** An invitation, the token of its mail, and the invited user's session. */
  async function invited(role: (typeof ROLES)[number] = 'member') {
    const owner = await rules.owner()
    const guest = await rules.user()
    const invitation = await invitations.create(owner, { email: guest.email, role })
    const { token } = sent.at(-1)!
    return { owner, guest, invitation, token, caller: callerOf(guest.userId) }
  }

  const isInvited = (email: string) => {
    const { systemSql } = rules
    return hasInvitation({ systemSql, clock: () => time.nowMs }, parseAddress(email)!.emailKey)
  }

  const membersOf = async (workspaceId: string) => {
    const rows = await admin`select role from members where workspace_id = ${workspaceId}`
    return rows.map((row) => row['role']).toSorted()
  }

  await t.test('an API key with scopes invites at most a member', async () => {
    const owner = await rules.owner()
    const narrowed = asKey(owner, ['members:write'])
    for (const role of ROLES) {
      const email = `${role}-by-key@example.com`
      const attempt = invitations.create(narrowed, { email, role })
      if (roleAtLeast(role, 'admin')) await assert.rejects(attempt, { code: 'FORBIDDEN' })
      else assert.equal((await attempt).role, role)
      for (const full of [asKey(owner), asKey(owner, ['*'])])
        assert.equal((await invitations.create(full, { email, role })).role, role)
      // Renewing an open invitation of a higher role grants it once more.
      if (roleAtLeast(role, 'admin'))
        await assert.rejects(invitations.create(narrowed, { email, role }), { code: 'FORBIDDEN' })
    }
  })

  await t.test('an invitation goes out by mail, and its token is nowhere else', async () => {
    const { owner, guest, invitation, token } = await invited('admin')
    assert.equal(
      Object.keys(invitation).join(' '),
      'id workspaceId email role status invitedBy expiresAt createdAt updatedAt mailed accountRequired',
    )
    assert.equal(invitation.status, 'pending')
    assert.equal(invitation.expiresAt, new Date(time.nowMs + 14 * DAY_MS).toISOString())
    assert.deepEqual(sent.at(-1), {
      to: guest.email,
      language: undefined,
      workspaceName: `${owner.name}'s workspace`,
      inviterName: owner.name,
      role: 'admin',
      token,
    })
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const everything = await Promise.all([
      invitations.list(owner, PAGE),
      admin`select row_to_json(i) as row from invitations i`,
      admin`select * from audit_log`,
      admin`select * from security_log`,
    ])
    assert.doesNotMatch(JSON.stringify(everything), new RegExp(token))
  })

  await t.test('accepting makes a member with the role and switches the session', async () => {
    const { owner, guest, invitation, token, caller } = await invited('admin')
    const seen = await invitations.peek(caller, token)
    assert.deepEqual(
      [seen.workspaceName, seen.inviterName],
      [`${owner.name}'s workspace`, owner.name],
    )
    const accepted = await invitations.accept(caller, token)
    assert.deepEqual([accepted.id, accepted.status], [invitation.id, 'accepted'])
    assert.deepEqual(await membersOf(owner.workspaceId), ['admin', 'owner'])
    assert.equal(await rules.activeOf(caller.session!.userId), owner.workspaceId)
    await eventually(async () => assert.ok(rules.announced.includes(`user:${guest.userId}`)))
    assert.equal(await rules.used(owner.workspaceId, 'members'), 2)
    assert.deepEqual((await rules.trail(owner.workspaceId)).toSorted(), [
      'invitation.accepted',
      'invitation.created',
      'member.joined',
      'workspace.created',
    ])
    const logged = await admin`
      select type, user_id from security_log where workspace_id = ${owner.workspaceId} order by type`
    assert.deepEqual(
      logged.map((row) => [row['type'], row['userId']]),
      [
        ['member.invited', null],
        ['member.joined', guest.userId],
      ],
    )
  })

  await t.test('five parallel accepts make one membership', async () => {
    const { owner, token, caller } = await invited()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => invitations.accept(caller, token)),
    )
    const failures = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert.deepEqual(
      failures.map((error) => error.code),
      ['CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT'],
    )
    assert.deepEqual(await membersOf(owner.workspaceId), ['member', 'owner'])
    assert.equal(await rules.used(owner.workspaceId, 'members'), 2)
  })

  await t.test('accept, reject and cancel at once: one of them happens', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, invitation, token, caller } = await invited()
      const outcomes = await Promise.allSettled([
        invitations.accept(caller, token),
        invitations.reject(caller, token),
        invitations.cancel(owner, invitation.id),
      ])
      assert.equal(outcomes.filter((each) => each.status === 'fulfilled').length, 1)
      const { data } = await invitations.list(owner, PAGE)
      const isMember = (await membersOf(owner.workspaceId)).length === 2
      assert.equal(data[0]!.status === 'accepted', isMember)
    }
  })

  await t.test(
    'only the invited address accepts, rejects or reads, in any case of letters',
    async () => {
      const { owner, token } = await invited()
      const stranger = callerOf((await rules.user()).userId)
      for (const attempt of [invitations.peek, invitations.accept, invitations.reject]) {
        await assert.rejects(attempt(stranger, token), { code: 'FORBIDDEN' })
        await assert.rejects(attempt(stranger, 'x'.repeat(43)), { code: 'NOT_FOUND' })
        await assert.rejects(attempt({ ...stranger, session: null }, token), {
          code: 'UNAUTHORIZED',
        })
      }
      assert.deepEqual(await membersOf(owner.workspaceId), ['owner'])
      const guest = await rules.user('mixed-case@example.com')
      await invitations.create(owner, { email: ' Mixed-Case@Example.com ', role: 'viewer' })
      assert.equal(sent.at(-1)!.to, 'Mixed-Case@Example.com')
      await invitations.accept(callerOf(guest.userId), sent.at(-1)!.token)
    },
  )

  await t.test(
    'inviting again renews: the earlier token is void, the time starts again',
    async () => {
      const { owner, guest, invitation, token, caller } = await invited('member')
      time.nowMs += DAY_MS
      const again = await invitations.create(owner, {
        email: guest.email.toUpperCase(),
        role: 'viewer',
      })
      assert.deepEqual([again.id, again.role], [invitation.id, 'viewer'])
      assert.equal(again.expiresAt, new Date(time.nowMs + 14 * DAY_MS).toISOString())
      await assert.rejects(invitations.accept(caller, token), { code: 'NOT_FOUND' })
      await invitations.accept(caller, sent.at(-1)!.token)
      assert.deepEqual(await membersOf(owner.workspaceId), ['owner', 'viewer'])
      assert.equal((await invitations.list(owner, PAGE)).meta.total, 1)
      await assert.rejects(invitations.create(owner, { email: guest.email, role: 'viewer' }), {
        code: 'CONFLICT',
      })
    },
  )

  await t.test('an invitation ends after 14 days, and can be renewed', async () => {
    const { owner, guest, token, caller } = await invited()
    assert.equal(await isInvited(guest.email.toUpperCase()), true)
    time.nowMs += 14 * DAY_MS - 1
    assert.equal((await invitations.peek(caller, token)).status, 'pending')
    time.nowMs += 1
    await assert.rejects(invitations.accept(caller, token), { code: 'GONE' })
    assert.equal(await isInvited(guest.email), false)
    assert.equal((await invitations.list(owner, { ...PAGE, status: 'expired' })).meta.total, 1)
    assert.equal((await invitations.list(owner, { ...PAGE, status: 'pending' })).meta.total, 0)
    await invitations.create(owner, { email: guest.email, role: 'viewer' })
    assert.equal((await invitations.list(owner, { ...PAGE, status: 'pending' })).meta.total, 1)
    await invitations.accept(caller, sent.at(-1)!.token)
  })

  await t.test('a closed invitation stays closed', async () => {
    const rejected = await invited()
    await invitations.reject(rejected.caller, rejected.token)
    await assert.rejects(invitations.accept(rejected.caller, rejected.token), { code: 'GONE' })
    await assert.rejects(invitations.cancel(rejected.owner, rejected.invitation.id), {
      code: 'CONFLICT',
    })
    assert.deepEqual((await rules.trail(rejected.owner.workspaceId)).toSorted(), [
      'invitation.created',
      'invitation.rejected',
      'workspace.created',
    ])
    const canceled = await invited()
    await invitations.cancel(canceled.owner, canceled.invitation.id)
    await assert.rejects(invitations.reject(canceled.caller, canceled.token), { code: 'GONE' })
    assert.equal(await isInvited(canceled.guest.email), false)
    // A new one is a new invitation.
    const again = await invitations.create(canceled.owner, {
      email: canceled.guest.email,
      role: 'viewer',
    })
    assert.notEqual(again.id, canceled.invitation.id)
  })

  await t.test('no member invites above the own role, and only admins invite', async () => {
    const owner = await rules.owner()
    for (const acting of ROLES) {
      const principal = await rules.member(owner.workspaceId, acting)
      for (const role of ROLES) {
        const attempt = invitations.create(principal, {
          email: `${acting}-${role}@example.com`,
          role,
        })
        if (roleAtLeast(acting, 'admin') && roleAtLeast(acting, role)) await attempt
        else await assert.rejects(attempt, { code: 'FORBIDDEN' }, `${acting} invites ${role}`)
      }
    }
  })

  await t.test(
    'an address that could write mail headers, or is invalid, is refused with its path',
    async () => {
      const owner = await rules.owner()
      const count = sent.length
      for (const email of [
        'a@b\r\nBcc: c@example.com',
        'a b@example.com',
        'a',
        '@',
        'a@',
        'a@b,c@d',
      ])
        await assert.rejects(invitations.create(owner, { email, role: 'viewer' }), isAbout('email'))
      assert.equal(sent.length, count)
    },
  )

  await t.test(
    'another workspace’s invitation is FORBIDDEN, an unknown one NOT_FOUND',
    async () => {
      const { invitation } = await invited()
      const other = await rules.owner()
      await assert.rejects(invitations.find(other, { id: invitation.id }), { code: 'FORBIDDEN' })
      await assert.rejects(invitations.find(other, { id: 'inv_none' }), { code: 'NOT_FOUND' })
      await assert.rejects(invitations.cancel(other, invitation.id), { code: 'NOT_FOUND' })
      assert.equal((await invitations.list(other, PAGE)).meta.total, 0)
    },
  )

  await t.test('the seats of a plan hold, however many accept at once', async () => {
    const owner = await rules.owner()
    await admin`update workspaces set plan = 'pro' where id = ${owner.workspaceId}`
    const max = readPlans(null).named('pro').limits.members!
    const guests = []
    for (let i = 0; i < 10; i++) {
      const guest = await rules.user()
      await invitations.create(owner, { email: guest.email, role: 'viewer' })
      guests.push({ caller: callerOf(guest.userId), token: sent.at(-1)!.token })
    }
    const outcomes = await Promise.allSettled(
      guests.map(({ caller, token }) => invitations.accept(caller, token)),
    )
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    for (const error of refused) assert.equal(error.code, 'PLAN_LIMIT_REACHED')
    assert.equal((await membersOf(owner.workspaceId)).length, max)
    assert.equal(await rules.used(owner.workspaceId, 'members'), max)
    // A full workspace says so at the invitation.
    await assert.rejects(invitations.create(owner, { email: 'late@example.com', role: 'viewer' }), {
      code: 'PLAN_LIMIT_REACHED',
    })
    assert.equal(await rules.used(owner.workspaceId, 'members'), max)
  })
})
