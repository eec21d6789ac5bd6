import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openLog } from '../../src/platform/core/log.ts'
import { createKeyAuthentication } from '../../src/accounts/api-keys/authentication.ts'
import { isKeyShaped, normalizeRanges } from '../../src/accounts/api-keys/key.ts'
import type { UpdateApiKey } from '../../src/accounts/api-keys/schema.ts'
import { normalizeScopes } from '../../src/accounts/api-keys/scopes.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
} from '../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { eventually } from '../support/world.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { isAbout, openMembershipRules } from '../support/membership-rules.ts'
import { DAY_MS, MINUTE_MS } from '../../src/platform/core/clock.ts'

const PAGE = { limit: 50, offset: 0 }
const FREE = readPlans(null).named('free')
const FIELDS =
  'id name prefix scopes ipAllowlist workspaceId userId app lastUsedAt lastUsedIp expiresAt createdAt updatedAt'

test('the keys of a workspace', { concurrency: false }, async (t) => {
  const rules = await openMembershipRules(t)
  const { apiKeys, keyAuthentication, admin, time } = rules

  await t.test('a key is shown once, has every field, and says who bears it', async () => {
    const owner = await rules.owner()
    const made = await apiKeys.create(owner, {
      name: ' CI ',
      scopes: ['links.write', 'analytics:read', 'links:write'],
      ipAllowlist: ['::ffff:203.0.113.7', '10.1.2.3/8', '2001:DB8::1/32', '203.0.113.7/32'],
      expiresAt: '2026-07-01T00:00:00.000Z',
    })
    assert.ok(isKeyShaped(made.key))
    const { key, ...shown } = made
    assert.equal(Object.keys(shown).join(' '), FIELDS)
    assert.equal(shown.name, 'CI')
    assert.equal(shown.prefix, `${key.slice(0, 6)}…${key.slice(-4)}`)
    assert.deepEqual(shown.scopes, ['links:write', 'analytics:read'])
    assert.deepEqual(shown.ipAllowlist, ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'])
    assert.deepEqual(await apiKeys.get(owner, made.id), shown)
    const listed = await apiKeys.list(owner, PAGE)
    assert.deepEqual(listed.data, [shown])
    assert.equal(listed.meta.total, 1)

    const holder = await keyAuthentication.authenticate(key)
    assert.deepEqual(holder, {
      keyId: made.id,
      userId: owner.userId,
      workspaceId: owner.workspaceId,
      role: 'owner',
      scopes: ['links:write', 'analytics:read'],
      ipAllowlist: ['203.0.113.7/32', '10.0.0.0/8', '2001:db8::/32'],
      expiresAt: new Date('2026-07-01T00:00:00.000Z'),
      lastUsedAt: null,
      plan: 'self_hosted',
      apiRequestsPerMinute: null,
      isSuspended: false,
    })
  })

  await t.test('bad values are refused with their path, and nothing is made', async () => {
    const owner = await rules.owner()
    const bad: [string, object][] = [
      ['name', { name: '  ' }],
      ['name', { name: 'bell\u0007' }],
      ['name', { name: 'x'.repeat(51) }],
      ['scopes', { scopes: [] }],
      ['scopes.1', { scopes: ['links:read', 'link:read'] }],
      ['scopes.0', { scopes: ['billing:write'] }],
      ['scopes.0', { scopes: ['conversions:read'] }],
      ['scopes.0', { scopes: ['constructor'] }],
      ['scopes.0', { scopes: ['*:write'] }],
      ['ipAllowlist.0', { ipAllowlist: ['127.1'] }],
      ['ipAllowlist.0', { ipAllowlist: ['0x7f.0.0.1'] }],
      ['ipAllowlist.1', { ipAllowlist: ['::1', '10.0.0.0/33'] }],
      ['ipAllowlist.0', { ipAllowlist: ['10.0.0.0/8/8'] }],
      ['ipAllowlist.0', { ipAllowlist: ['fe80::1%eth0'] }],
      ['ipAllowlist.0', { ipAllowlist: ['example.com'] }],
      ['expiresAt', { expiresAt: new Date(time.nowMs).toISOString() }],
      ['expiresAt', { expiresAt: '2016-12-31T23:59:60Z' }],
    ]
    for (const [path, fields] of bad)
      await assert.rejects(apiKeys.create(owner, { name: 'x', ...fields }), isAbout(path))
    assert.equal((await apiKeys.list(owner, PAGE)).meta.total, 0)
    assert.equal(await rules.used(owner.workspaceId, 'api_keys'), 0)
  })

  await t.test('an expired, revoked, mistyped or suspended key', async () => {
    const owner = await rules.owner()
    const expiresAt = new Date(time.nowMs + MINUTE_MS).toISOString()
    const { key, id } = await apiKeys.create(owner, { name: 'short', expiresAt })
    assert.ok(await keyAuthentication.authenticate(key))
    assert.equal(
      await keyAuthentication.authenticate(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`),
      null,
    )
    for (const odd of ['', 'sp_', 'x'.repeat(10_000), 'sp_ü'.padEnd(43, 'a')])
      assert.equal(await keyAuthentication.authenticate(odd), null)
    await admin`update workspaces set suspended_at = now() where id = ${owner.workspaceId}`
    assert.equal((await keyAuthentication.authenticate(key))?.isSuspended, true)
    time.nowMs += MINUTE_MS
    assert.equal(await keyAuthentication.authenticate(key), null)
    // A time in the past that is sent back as it was read changes nothing.
    assert.equal((await apiKeys.update(owner, id, { expiresAt })).expiresAt, expiresAt)
    await apiKeys.update(owner, id, { expiresAt: null })
    assert.ok(await keyAuthentication.authenticate(key))
    await admin`update users set suspended_at = now() where id = ${owner.userId}`
    assert.equal(await keyAuthentication.authenticate(key), null)
    await admin`update users set suspended_at = null where id = ${owner.userId}`
    assert.ok(await keyAuthentication.authenticate(key))
    await apiKeys.revoke(owner, id)
    assert.equal(await keyAuthentication.authenticate(key), null)
    await assert.rejects(apiKeys.revoke(owner, id), { code: 'NOT_FOUND' })
    assert.equal(await rules.used(owner.workspaceId, 'api_keys'), 0)
  })

  await t.test('rotation voids the old secret at once, for the key’s own user alone', async () => {
    const owner = await rules.owner()
    const colleague = await rules.member(owner.workspaceId, 'admin')
    const made = await apiKeys.create(owner, { name: 'rotating', scopes: ['links:read'] })
    await assert.rejects(apiKeys.rotate(colleague, made.id), { code: 'FORBIDDEN' })
    const rotated = await apiKeys.rotate(owner, made.id)
    assert.equal(rotated.id, made.id)
    assert.notEqual(rotated.key, made.key)
    assert.equal(await keyAuthentication.authenticate(made.key), null)
    assert.deepEqual((await keyAuthentication.authenticate(rotated.key))?.scopes, ['links:read'])
    await eventually(async () => assert.ok(rules.announced.includes(`key:${made.id}`)))
    await apiKeys.revoke(colleague, made.id)
  })

  await t.test('another user’s key is narrowed or deleted, and never widened', async () => {
    const owner = await rules.owner()
    const admins = [
      await rules.member(owner.workspaceId, 'admin'),
      await rules.member(owner.workspaceId, 'admin'),
    ] as const
    const day = (n: number) => new Date(time.nowMs + n * DAY_MS).toISOString()
    const start = {
      name: 'theirs',
      scopes: ['links:write', 'analytics:read'],
      ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'],
      expiresAt: day(10),
    }
    const wider: [path: string, change: UpdateApiKey][] = [
      ['scopes', { scopes: null }],
      ['scopes', { scopes: ['*'] }],
      ['scopes', { scopes: ['*:read'] }],
      ['scopes', { scopes: ['links:read', 'members:read'] }],
      ['ipAllowlist', { ipAllowlist: [] }],
      ['ipAllowlist', { ipAllowlist: null }],
      ['ipAllowlist', { ipAllowlist: ['10.1.0.0/16', '192.0.2.1'] }],
      ['ipAllowlist', { ipAllowlist: ['10.0.0.0/7'] }],
      ['ipAllowlist', { ipAllowlist: ['::/0'] }],
      ['expiresAt', { expiresAt: null }],
      ['expiresAt', { expiresAt: day(11) }],
      ['scopes', { ipAllowlist: ['10.1.0.0/16'], scopes: null }],
    ]
    const narrower: UpdateApiKey[] = [
      { name: 'renamed' },
      { scopes: ['links:read'] },
      { ipAllowlist: ['10.1.0.0/16', '10.2.0.0/16', '2001:db8:1::1'] },
      { ipAllowlist: ['10.1.2.3'], expiresAt: day(1) },
    ]
    const pairs = [
      [owner, admins[0]],
      [admins[0], admins[1]],
      [admins[0], owner],
    ] as const
    for (const [user, other] of pairs) {
      const { id, key: _, ...before } = await apiKeys.create(user, start)
      for (const [path, change] of wider) {
        await assert.rejects(apiKeys.update(other, id, change), {
          code: 'FORBIDDEN',
          details: [{ path, message: `${path} would be wider.`, code: 'wider' }],
        })
      }
      assert.deepEqual(await apiKeys.get(user, id), { id, ...before })
      for (const change of narrower)
        assert.partialDeepStrictEqual(await apiKeys.update(other, id, change), change)
      // Its own user widens it again.
      await apiKeys.update(user, id, { scopes: null, ipAllowlist: [], expiresAt: null })
      for (const change of narrower) await apiKeys.update(other, id, change)
      // One that is over is not opened again.
      await admin`update api_keys set expires_at = ${new Date(time.nowMs - 1)} where id = ${id}`
      await assert.rejects(apiKeys.update(other, id, { expiresAt: day(1) }), { code: 'FORBIDDEN' })
      await apiKeys.revoke(other, id)
    }
  })

  await t.test(
    'a key has its owner’s role of this moment, and dies with the membership',
    async () => {
      const owner = await rules.owner()
      const colleague = await rules.member(owner.workspaceId, 'admin')
      const { key } = await apiKeys.create(colleague, { name: 'mine' })
      await rules.members.setRole(owner, colleague.userId, { role: 'viewer' })
      assert.equal((await keyAuthentication.authenticate(key))?.role, 'viewer')
      await rules.members.remove(owner, colleague.userId)
      assert.equal(await keyAuthentication.authenticate(key), null)
    },
  )

  await t.test(
    'another workspace’s key is FORBIDDEN, an unknown one NOT_FOUND, and neither changes',
    async () => {
      const [mine, theirs] = [await rules.owner(), await rules.owner()]
      const { id } = await apiKeys.create(theirs, { name: 'theirs' })
      await assert.rejects(apiKeys.find(mine, { id }), { code: 'FORBIDDEN' })
      await assert.rejects(apiKeys.find(mine, { id: 'key_none' }), { code: 'NOT_FOUND' })
      for (const attempt of [
        () => apiKeys.get(mine, id),
        () => apiKeys.update(mine, id, { name: 'stolen' }),
        () => apiKeys.rotate(mine, id),
        () => apiKeys.revoke(mine, id),
      ])
        await assert.rejects(attempt(), { code: 'NOT_FOUND' })
      assert.equal((await apiKeys.get(theirs, id)).name, 'theirs')
      assert.equal((await apiKeys.list(mine, PAGE)).meta.total, 0)
    },
  )

  await t.test('sixty parallel creates stop exactly at the plan’s limit', async () => {
    const owner = await rules.owner()
    await admin`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    const max = FREE.limits.api_keys!
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) => apiKeys.create(owner, { name: `key ${i}` })),
    )
    const refused = outcomes.filter((each) => each.status === 'rejected')
    assert.equal(outcomes.length - refused.length, max)
    for (const { reason } of refused) assert.equal(reason.code, 'PLAN_LIMIT_REACHED')
    assert.equal((await apiKeys.list(owner, PAGE)).meta.total, max)
    assert.equal(await rules.used(owner.workspaceId, 'api_keys'), max)
  })

  await t.test('no workspace has more than a hundred keys, however many ask at once', async () => {
    const owner = await rules.owner()
    await admin`
      insert into api_keys (id, workspace_id, user_id, name, prefix, key_hash, created_at, updated_at)
      select 'key_' || i, ${owner.workspaceId}, ${owner.userId}, 'x', 'x', decode(md5(i::text), 'hex'), now(), now()
      from generate_series(1, 97) i`
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => apiKeys.create(owner, { name: 'one more' })),
    )
    assert.equal(outcomes.filter((each) => each.status === 'fulfilled').length, 3)
  })

  await t.test('keys made while their owner is removed end with the membership', async () => {
    const owner = await rules.owner()
    const colleague = await rules.member(owner.workspaceId, 'admin')
    await Promise.allSettled([
      ...Array.from({ length: 10 }, (_, i) => apiKeys.create(colleague, { name: `${i}` })),
      rules.members.remove(owner, colleague.userId),
      ...Array.from({ length: 10 }, (_, i) => apiKeys.create(colleague, { name: `late ${i}` })),
    ])
    const [left] = await admin`
      select count(*) as keys from api_keys where workspace_id = ${owner.workspaceId}`
    assert.equal(left!['keys'], 0)
    assert.equal(await rules.used(owner.workspaceId, 'api_keys'), 0)
    const trail = await rules.trail(owner.workspaceId)
    const count = (action: string) => trail.filter((each) => each === action).length
    assert.equal(count('api_key.created'), count('api_key.revoked'))
    assert.equal(count('member.removed'), 1)
    await assert.rejects(apiKeys.create(colleague, { name: 'too late' }), { code: 'FORBIDDEN' })
  })

  await t.test('use is noted once a minute, with the address, also by two processes', async () => {
    const owner = await rules.owner()
    const { id } = await apiKeys.create(owner, { name: 'used' })
    const startMs = time.nowMs
    for (let i = 0; i < 50; i++) keyAuthentication.noteUse(id, '198.51.100.1')
    const noted = async () => (await apiKeys.get(owner, id)).lastUsedIp
    await eventually(async () => assert.equal(await noted(), '198.51.100.1'))
    time.nowMs += MINUTE_MS - 1
    const another = openSecondProcess()
    const witness = await apiKeys.create(owner, { name: 'witness' })
    another.noteUse(id, '198.51.100.2')
    another.noteUse(witness.id, '198.51.100.2')
    await eventually(async () =>
      assert.equal((await apiKeys.get(owner, witness.id)).lastUsedIp, '198.51.100.2'),
    )
    assert.equal(await noted(), '198.51.100.1')
    time.nowMs += 1
    keyAuthentication.noteUse(id, '198.51.100.3')
    await eventually(async () => assert.equal(await noted(), '198.51.100.3'))
    assert.equal(
      (await apiKeys.get(owner, id)).lastUsedAt,
      new Date(startMs + MINUTE_MS).toISOString(),
    )
  })

  /** The same rules without the memory of the first ones. Its notes are written in their order. */
  function openSecondProcess() {
    const oneConnection = openPostgres(rules.postgresUrl, { role: WORKER_ROLE, maxConnections: 1 })
    t.after(() => closePostgres(oneConnection))
    return createKeyAuthentication({
      systemSql: oneConnection,
      clock: () => time.nowMs,
      log: openLog('silent'),
      secrets: createSecrets('another secret of 32 characters!'),
    })
  }

  await t.test('a replaced key leaves one key of the name, also at the limit', async () => {
    const owner = await rules.owner()
    await admin`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    const replace = () =>
      inTransaction(rules.systemSql, (tx) => apiKeys.replace(tx, owner, 'bootstrap'))
    for (let i = 1; i < FREE.limits.api_keys!; i++) await apiKeys.create(owner, { name: `${i}` })
    const first = await replace()
    const second = await replace()
    assert.equal(await keyAuthentication.authenticate(first), null)
    assert.ok(await keyAuthentication.authenticate(second))
    await Promise.all([replace(), replace(), replace()])
    const max = FREE.limits.api_keys
    assert.equal((await apiKeys.list(owner, PAGE)).meta.total, max)
    assert.equal(await rules.used(owner.workspaceId, 'api_keys'), max)
  })

  await t.test(
    'every write leaves its rows in both logs, without the secret; a refused one none',
    async () => {
      const owner = await rules.owner()
      const made = await apiKeys.create(owner, { name: 'logged' })
      time.nowMs += 1
      await apiKeys.update(owner, made.id, { name: 'logged' })
      await apiKeys.update(owner, made.id, { name: 'renamed', scopes: ['*'] })
      time.nowMs += 1
      const { key } = await apiKeys.rotate(owner, made.id)
      time.nowMs += 1
      await assert.rejects(apiKeys.create(owner, { name: 'x', scopes: ['no'] }))
      await apiKeys.revoke(owner, made.id)
      assert.deepEqual(await rules.trail(owner.workspaceId), [
        'workspace.created',
        'api_key.created',
        'api_key.updated',
        'api_key.rotated',
        'api_key.revoked',
      ])
      const security = await admin`
      select * from security_log where workspace_id = ${owner.workspaceId} order by created_at`
      assert.deepEqual(
        security.map((row) => row['type']),
        ['api_key.created', 'api_key.rotated', 'api_key.revoked'],
      )
      const audits = await admin`select * from audit_log where workspace_id = ${owner.workspaceId}`
      const text = JSON.stringify([security, audits])
      for (const secret of [made.key, key]) assert.doesNotMatch(text, new RegExp(secret))
    },
  )
})

test('scopes are normalized: dots, presets, order, and nothing is full access', () => {
  assert.equal(normalizeScopes(undefined), null)
  assert.equal(normalizeScopes(null), null)
  assert.deepEqual(normalizeScopes(['apis.all']), ['*'])
  assert.deepEqual(normalizeScopes(['apis.read', '*:read']), ['*:read'])
  assert.deepEqual(normalizeScopes(['deferred']), ['deferred:write'])
  assert.deepEqual(normalizeScopes(['webhooks.read', 'links.read']), [
    'links:read',
    'webhooks:read',
  ])
  assert.deepEqual(normalizeScopes(['utm-templates.write']), ['utm-templates:write'])
})

test('an allow-list keeps its meaning: an address matches exactly what it matched before', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(
      fc.tuple(octet, octet, octet, octet),
      fc.integer({ min: 0, max: 32 }),
      (ip, bits) => {
        const [plain] = normalizeRanges([`${ip.join('.')}/${bits}`])
        const [mapped] = normalizeRanges([`::ffff:${ip.join('.')}/${bits + 96}`])
        assert.equal(mapped, plain)
        assert.deepEqual(normalizeRanges([plain!]), [plain])
        const number = ip.reduce((sum, byte) => sum * 256 + byte, 0)
        const block = 2 ** (32 - bits)
        const network = Math.floor(number / block) * block
        const bytes = [24, 16, 8, 0].map((shift) => Math.floor(network / 2 ** shift) % 256)
        assert.equal(plain, `${bytes.join('.')}/${bits}`)
      },
    ),
  )
  assert.deepEqual(normalizeRanges(['::/0', '2001:db8:ffff::/33']), ['::/0', '2001:db8:8000::/33'])
  assert.deepEqual(normalizeRanges(null), [])
})
