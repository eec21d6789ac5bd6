import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../src/platform/core/errors.ts'
import { createApiKeys } from '../../../src/accounts/api-keys/api-keys.ts'
import { createAuditLog } from '../../../src/accounts/logs/audit-log.ts'
import { createBootstrap } from '../../../src/operator/workspaces/bootstrap.ts'
import type { Principal } from '../../../src/platform/routes/principal.ts'
import { createSecurityLog } from '../../../src/accounts/logs/security-log.ts'
import { createSecurityRecorder } from '../../../src/platform/audit/security.ts'
import { inWorkspace } from '../../../src/platform/storage/postgres/postgres.ts'
import { openMembershipRules } from '../../support/membership-rules.ts'
import { openLogs, whoIs } from '../../support/log-world.ts'
import { addMembership } from '../../support/fixtures.ts'
import { heavyReadsOn } from '../../support/heavy-reads.ts'

const FORBIDDEN = { name: 'ApiError', code: 'FORBIDDEN', status: 403 }

test('the audit log shows who changed what, newest first, in exactly the contract’s shape', async (t) => {
  const logs = await openLogs(t)
  const principal = await logs.owner('Owner')
  await logs.write(principal, 'First')
  logs.clock.now += 1
  await inWorkspace(logs.sql, principal.workspaceId, (tx) =>
    logs.audit(tx, principal, {
      action: 'link.updated',
      target: { type: 'link', id: 'lnk_2', name: 'Second' },
      changes: { name: { old: 'A', new: 'Second' } },
    }),
  )
  const { data, meta } = await logs.auditLog(principal)
  assert.deepEqual(meta, { total: 2, limit: 50, offset: 0 })
  const [row, first] = [data[0]!, data[1]!]
  const { id, hash, actor, ...rest } = row
  assert.match(id, /^aud_/)
  assert.match(hash!, /^[0-9a-f]{64}$/)
  assert.equal(actor.type, 'user')
  assert.equal(actor.id, principal.userId)
  assert.equal(actor.name, 'Owner')
  assert.match(actor.email!, /^owner-.*@example\.com$/)
  assert.deepEqual(rest, {
    workspaceId: principal.workspaceId,
    action: 'link.updated',
    target: { type: 'link', id: 'lnk_2', name: 'Second' },
    changes: { name: { old: 'A', new: 'Second' } },
    ipAddress: '203.0.113.7',
    userAgent: 'test/1.0',
    requestId: 'req_test',
    createdAt: new Date(logs.clock.now).toISOString(),
    prevHash: first.hash,
  })
})

test('the audit log is filtered and paged, with the total of all that match', async (t) => {
  const logs = await openLogs(t)
  const principal = await logs.owner()
  const other = whoIs('key_9', principal.workspaceId, { actor: { type: 'api_key', id: 'key_9' } })
  const times: string[] = []
  for (let n = 0; n < 6; n++) {
    logs.clock.now += 1_000
    times.push(new Date(logs.clock.now).toISOString())
    await logs.write(
      n % 2 ? principal : other,
      `n${n}`,
      n < 4 ? 'link.created' : 'link.deleted',
      `lnk_${n}`,
    )
  }
  const names = async (query: Parameters<typeof logs.auditLog>[1]) => {
    const { data, meta } = await logs.auditLog(principal, query)
    return `${data.map((row) => row.target.name).join(' ')} of ${meta.total}`
  }
  assert.equal(await names({}), 'n5 n4 n3 n2 n1 n0 of 6')
  assert.equal(await names({ action: 'link.deleted' }), 'n5 n4 of 2')
  assert.equal(await names({ actorId: principal.userId }), 'n5 n3 n1 of 3')
  assert.equal(await names({ actorId: 'key_9', action: 'link.created' }), 'n2 n0 of 2')
  assert.equal(await names({ targetId: 'lnk_2' }), 'n2 of 1')
  assert.equal(await names({ targetType: 'domain' }), ' of 0')
  assert.equal(await names({ from: times[1]!, to: times[3]! }), 'n2 n1 of 2')
  assert.equal(await names({ limit: 2, offset: 1 }), 'n4 n3 of 6')
  assert.equal((await logs.auditLog(principal, { limit: 1_000 })).meta.limit, 100)
  await assert.rejects(logs.auditLog(principal, { from: '0001-01-01T00:00:00Z' }), {
    code: 'VALIDATION_ERROR',
  })
})

test('an id of another workspace is refused as a filter, an unknown one matches nothing', async (t) => {
  const logs = await openLogs(t)
  const [mine, theirs] = [await logs.owner(), await logs.owner()]
  const fellow = await logs.user('Fellow')
  await logs.join(mine.workspaceId, fellow.id, 'viewer')
  await logs.join(theirs.workspaceId, fellow.id, 'viewer')
  const foreignLink = await logs.write(theirs)
  await logs.write(whoIs(fellow.id, theirs.workspaceId))
  await logs.write(whoIs('x', theirs.workspaceId, { actor: { type: 'system', id: 'bootstrap' } }))
  for (const query of [
    { targetId: foreignLink },
    { targetId: theirs.userId },
    { targetId: theirs.workspaceId },
    { actorId: theirs.userId },
  ])
    await assert.rejects(logs.auditLog(mine, query), FORBIDDEN)
  for (const query of [
    { targetId: 'lnk_unknown' },
    { actorId: 'usr_unknown' },
    { actorId: fellow.id },
    { actorId: mine.userId },
    { actorId: 'bootstrap' },
  ])
    assert.equal((await logs.auditLog(mine, query)).meta.total, 0)
  for (const query of [{ actorId: theirs.userId }, { userId: theirs.userId }])
    await assert.rejects(logs.securityLog(mine, query), FORBIDDEN)
  for (const query of [{ actorId: 'usr_unknown' }, { userId: fellow.id }])
    assert.equal((await logs.securityLog(mine, query)).meta.total, 0)
})

test('a plan without the audit log is told so, after a foreign id is refused', async (t) => {
  const logs = await openLogs(t)
  const [mine, theirs] = [await logs.owner(), await logs.owner()]
  const auditLog = createAuditLog({
    sql: logs.sql,
    reads: heavyReadsOn(logs.sql),
    requireCapability: async (_tx, workspaceId, capability) => {
      assert.deepEqual([workspaceId, capability], [mine.workspaceId, 'audit_log'])
      throw new ApiError('PLAN_CAPABILITY_REQUIRED')
    },
  })
  const page = { limit: 50, offset: 0 }
  await assert.rejects(auditLog.list(mine, page), { code: 'PLAN_CAPABILITY_REQUIRED' })
  await assert.rejects(auditLog.list(mine, { ...page, actorId: theirs.userId }), FORBIDDEN)
})

test('the security log shows the workspace’s events and its members’ own, since they joined', async (t) => {
  const logs = await openLogs(t)
  const [mine, theirs] = [await logs.owner(), await logs.owner()]
  const user = await logs.user('User')
  const signIn = (userId: string | null, rest = {}) =>
    logs.record(logs.systemSql, {
      type: 'sign_in.succeeded',
      userId,
      workspaceId: null,
      actor: userId === null ? null : { type: 'user', id: userId },
      ip: '203.0.113.7',
      userAgent: 'test/1.0',
      requestId: 'req_test',
      ...rest,
    })
  const tick = () => (logs.clock.now += 1_000)

  await signIn(user.id)
  tick()
  await logs.join(mine.workspaceId, user.id, 'member')
  await signIn(user.id, { type: 'sign_in.failed', outcome: 'failure', actor: null })
  tick()
  await signIn(null, { type: 'sign_in.failed', outcome: 'failure', details: { reason: 'unknown' } })
  await signIn(theirs.userId)
  tick()
  await logs.record(logs.systemSql, {
    type: 'member.role_changed',
    userId: user.id,
    workspaceId: mine.workspaceId,
    actor: { type: 'user', id: mine.userId },
    ip: null,
    userAgent: null,
    requestId: 'req_test',
    details: { from: 'viewer', to: 'member' },
  })

  const { data, meta } = await logs.securityLog(mine)
  assert.deepEqual(meta, { total: 2, limit: 50, offset: 0 })
  assert.deepEqual(
    data.map((row) => row.type),
    ['member.role_changed', 'sign_in.failed'],
  )
  const { id, createdAt, ...rest } = data[1]!
  assert.match(id, /^sec_/)
  assert.match(createdAt, /Z$/)
  assert.deepEqual(rest, {
    workspaceId: null,
    type: 'sign_in.failed',
    outcome: 'failure',
    actor: { type: 'anonymous', id: null, name: null, email: null },
    userId: user.id,
    details: {},
    ipAddress: '203.0.113.7',
    userAgent: 'test/1.0',
    geo: { country: 'CH' },
    requestId: 'req_test',
  })

  const count = async (query: Parameters<typeof logs.securityLog>[1], principal = mine) =>
    (await logs.securityLog(principal, query)).meta.total
  assert.equal(await count({ type: 'sign_in.failed' }), 1)
  assert.equal(await count({ outcome: 'success' }), 1)
  assert.equal(await count({ userId: user.id }), 2)
  assert.equal(await count({ actorId: mine.userId }), 1)
  assert.equal(await count({ to: createdAt }), 0)
  assert.equal(await count({ from: createdAt }), 2)
  assert.equal(await count({}, theirs), 1)
})

test('the security log keeps what happened to the account of a member who has left', async (t) => {
  const rules = await openMembershipRules(t)
  const { time, systemSql: sql, admin } = rules
  const recordSecurity = createSecurityRecorder(() => time.nowMs)
  const securityLog = createSecurityLog({ reads: heavyReadsOn(rules.sql) })
  const [mine, theirs] = [await rules.owner(), await rules.owner()]
  const failedSignIn = async (userId: string, reason: string) => {
    time.nowMs += 1_000
    await recordSecurity(sql, {
      type: 'sign_in.failed',
      outcome: 'failure',
      userId,
      workspaceId: null,
      actor: null,
      ip: '203.0.113.7',
      userAgent: null,
      requestId: 'req_test',
      details: { reason },
    })
    time.nowMs += 1_000
  }
  const reasons = async (principal: Principal) => {
    const page = { limit: 50, offset: 0, type: 'sign_in.failed' }
    const { data, meta } = await securityLog.list(principal, page)
    assert.equal(meta.total, data.length)
    return data.map(({ details }) => details['reason'])
  }

  const colleague = await rules.member(mine.workspaceId, 'admin')
  const { userId } = colleague
  await failedSignIn(userId, 'member')
  await rules.members.remove(mine, userId)
  await failedSignIn(userId, 'gone')
  assert.deepEqual(await reasons(mine), ['member'])
  assert.deepEqual(await reasons(theirs), [])
  // A second membership shows its own time, and not what was between the two.
  const { workspaceId } = mine
  await addMembership(admin, { workspaceId, userId, role: 'viewer', nowMs: time.nowMs })
  await failedSignIn(userId, 'back')
  assert.deepEqual(await reasons(mine), ['back', 'member'])
  await rules.members.remove({ ...colleague, role: 'viewer' }, userId)
  await failedSignIn(userId, 'gone again')
  assert.deepEqual(await reasons(mine), ['back', 'member'])
  // A deleted account keeps nothing of this.
  await admin`delete from users where id = ${userId}`
  assert.deepEqual(await reasons(mine), [])
  assert.equal((await admin`select 1 from former_members`).length, 0)
})

test('the security log names the actor, who is not always the account it is about', async (t) => {
  const logs = await openLogs(t)
  const mine = await logs.owner()
  const user = await logs.user('User')
  await logs.join(mine.workspaceId, user.id, 'member')
  await logs.systemSql`
    insert into api_keys (id, workspace_id, user_id, name, prefix, key_hash, created_at, updated_at)
    values ('key_1', ${mine.workspaceId}, ${mine.userId}, 'deploys', 'sp_', 'x', now(), now())`
  const about = {
    type: 'member.removed',
    userId: user.id,
    workspaceId: mine.workspaceId,
    ...{ ip: null, userAgent: null, requestId: 'req_test' },
  } as const
  const [owner] = await logs.systemSql`select name, email from users where id = ${mine.userId}`
  const actors = [
    [null, { type: 'anonymous', id: null, name: null, email: null }],
    [
      { type: 'api_key', id: 'key_1' },
      { type: 'api_key', id: 'key_1', name: 'deploys', email: owner!['email'] },
    ],
    [
      { type: 'user', id: mine.userId },
      { type: 'user', id: mine.userId, name: owner!['name'], email: owner!['email'] },
    ],
    [
      { type: 'system', id: 'operator' },
      { type: 'system', id: 'operator', name: null, email: null },
    ],
  ] as const
  for (const [actor, shown] of actors) {
    logs.clock.now += 1
    await logs.record(logs.systemSql, { ...about, actor })
    const { data } = await logs.securityLog(mine)
    assert.deepEqual(data[0]!.actor, shown)
    assert.equal(data[0]!.userId, user.id)
  }
})

test('the wall alone keeps a user’s events from before they joined', async (t) => {
  const logs = await openLogs(t)
  const mine = await logs.owner()
  const user = await logs.user('User')
  const entry = {
    type: 'sign_out' as const,
    userId: user.id,
    workspaceId: null,
    actor: null,
    ip: null,
    userAgent: null,
    requestId: 'req_test',
  }
  await logs.record(logs.systemSql, entry)
  logs.clock.now += 1_000
  await logs.join(mine.workspaceId, user.id, 'viewer')
  const seen = () =>
    inWorkspace(logs.sql, mine.workspaceId, (tx) => tx`select id from security_log`)
  assert.equal((await seen()).length, 0)
  await logs.record(logs.systemSql, entry)
  assert.equal((await seen()).length, 1)
})

test('no secret is in either log, for any input', async (t) => {
  const logs = await openLogs(t)
  const canary = 'canary-3f9a'
  const clock = () => logs.clock.now
  const { systemSql, audit } = logs
  const limit = async () => {}
  const apiKeys = createApiKeys({ clock, audit, limit, recordSecurity: logs.record } as never)
  const bootstrap = createBootstrap({
    systemSql,
    clock,
    audit,
    limit: async () => {},
    apiKeys,
    plans: { initial: { id: 'self_hosted' } },
    recordSecurity: logs.record,
    origin: () => 'http://localhost',
  } as never)
  const made = [
    await bootstrap.create({ email: 'owner@example.com' }),
    await bootstrap.create({ email: 'owner@example.com' }),
  ]
  const principal = whoIs(made[0]!.userId, made[0]!.workspaceId)
  const fields = [
    'password',
    'secret',
    'signingSecret',
    'shareToken',
    'apiKey',
    'api_key',
    'cookies',
  ]
  await inWorkspace(logs.sql, principal.workspaceId, (tx) =>
    audit(tx, principal, {
      action: 'link.updated',
      target: { type: 'x', id: 'x_1', name: null },
      changes: Object.fromEntries(
        [...fields, 'name'].map((field) => [
          field,
          { old: null, new: field === 'name' ? 'plain' : canary },
        ]),
      ),
    }),
  )
  const rows = await logs.superuser<{ text: string }[]>`
    select row_to_json(a)::text as text from audit_log a
    union all select row_to_json(s)::text from security_log s`
  const all = rows.map((row) => row.text).join('\n')
  assert.ok(rows.length > 3 && all.includes('plain') && all.includes('"new":"********"'))
  assert.ok(!all.includes(canary))
  for (const { apiKey } of made)
    assert.ok(!all.includes(apiKey) && !all.includes(apiKey.slice(5, 25)))
})
