import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, openWorld, type World } from '../support/world.ts'

const HEARD_WITHIN_MS = 30_000

/**
 * Everything that ends or narrows a credential acts within a second on every process that remembers
 * it. Two processes on one database; the change is made at the first, and asked for at both.
 */
test('every process is notified of the end of a credential', { concurrency: false }, async (t) => {
  const secretKey = 'a'.repeat(64)
  const one = await openWorld(t, { config: { secretKey } })
  const two = await openWorld(t, { config: { secretKey, ...one.urls } })
  const both = [one, two]
  const { sql } = one

  /** A member with an owner beside them, remembered by both processes. */
  async function warm(role: 'viewer' | 'member' | 'admin' | 'owner' = 'admin') {
    const boss = await one.member()
    const user = await one.member({ workspaceId: boss.workspaceId, role })
    const owner = await one.session(boss)
    const own = await one.session(user)
    const made = await own.post('/api-keys', { name: 'warm' })
    const key: string = made.body?.data?.key ?? user.apiKey
    const keyId: string | undefined = made.body?.data?.id
    const asked = { key, keyId, cookie: own.cookie, user, owner, own }
    for (const world of both)
      for (let i = 0; i < 3; i++) {
        assert.equal(await withKey(world, key), 200)
        assert.equal(await withCookie(world, own.cookie), 200)
      }
    return asked
  }

  const withKey = async (world: World, key: string, method = 'GET', path = '/links') =>
    (await world.call(method, `/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).status
  const withCookie = async (world: World, cookie: string, path = '/links') =>
    (await world.call('GET', `/v1${path}`, { headers: { cookie } })).status

  /** Both processes give these answers, soon and from then on. */
  async function soon(expected: number, ask: (world: World) => Promise<number>): Promise<void> {
    await eventually(async () => {
      for (const world of both) assert.equal(await ask(world), expected)
    }, HEARD_WITHIN_MS)
    for (const world of both) assert.equal(await ask(world), expected)
  }

  await t.test('a removed member, key and session', async () => {
    const { key, cookie, user, owner } = await warm()
    assert.equal((await owner.delete(`/members/${user.userId}`)).status, 204)
    await soon(401, (world) => withKey(world, key))
    await soon(403, (world) => withCookie(world, cookie))
  })

  await t.test('a demoted member, key and session', async () => {
    const { key, cookie, user, owner } = await warm()
    assert.equal(await withKey(two, key, 'GET', '/invitations'), 200)
    assert.equal((await owner.patch(`/members/${user.userId}`, { role: 'viewer' })).status, 200)
    await soon(403, (world) => withKey(world, key, 'GET', '/invitations'))
    await soon(403, (world) => withCookie(world, cookie, '/invitations'))
    await soon(200, (world) => withKey(world, key))
  })

  await t.test('a key whose addresses, secret or existence changed', async () => {
    const { key, keyId, own } = await warm()
    assert.equal(
      (await own.patch(`/api-keys/${keyId}`, { ipAllowlist: ['203.0.113.1'] })).status,
      200,
    )
    await soon(403, (world) => withKey(world, key))
    assert.equal((await own.patch(`/api-keys/${keyId}`, { ipAllowlist: [] })).status, 200)
    await soon(200, (world) => withKey(world, key))
    assert.equal(
      (await own.patch(`/api-keys/${keyId}`, { scopes: ['analytics:read'] })).status,
      200,
    )
    await soon(403, (world) => withKey(world, key))
    const rotated = await own.post(`/api-keys/${keyId}/rotate`)
    assert.equal(rotated.status, 200)
    await soon(401, (world) => withKey(world, key))
    await soon(403, (world) => withKey(world, rotated.body.data.key))
    assert.equal((await own.delete(`/api-keys/${keyId}`)).status, 204)
    await soon(401, (world) => withKey(world, rotated.body.data.key))
  })

  await t.test('a key that expires while it is remembered', async () => {
    const { own } = await warm()
    const expiresAt = new Date(one.clock.now + 5_000).toISOString()
    const { key } = (await own.post('/api-keys', { name: 'short', expiresAt })).body.data
    two.clock.now = one.clock.now
    for (const world of both) assert.equal(await withKey(world, key), 200)
    for (const world of both) world.clock.advance(5_000)
    for (const world of both) assert.equal(await withKey(world, key), 401)
  })

  await t.test('a suspended workspace, and then a suspended user', async () => {
    const { key, cookie, user } = await warm()
    const { workspaceId, userId } = user
    await sql`update workspaces set suspended_at = now() where id = ${workspaceId}`
    await soon(403, (world) => withKey(world, key))
    await soon(403, (world) => withCookie(world, cookie))
    await sql`update workspaces set suspended_at = null where id = ${workspaceId}`
    await soon(200, (world) => withKey(world, key))
    await sql`update users set suspended_at = now() where id = ${userId}`
    await soon(401, (world) => withKey(world, key))
    await soon(401, (world) => withCookie(world, cookie))
  })

  await t.test('a deleted user and a deleted workspace', async () => {
    const first = await warm()
    await sql`delete from users where id = ${first.user.userId}`
    await soon(401, (world) => withKey(world, first.key))
    await soon(401, (world) => withCookie(world, first.cookie))
    const second = await warm()
    await sql`delete from workspaces where id = ${second.user.workspaceId}`
    await soon(401, (world) => withKey(world, second.key))
    await soon(403, (world) => withCookie(world, second.cookie))
  })

  await t.test('a key names no workspace but its own, with a cookie beside it or not', async () => {
    const { key, cookie, user } = await warm()
    const elsewhere = await one.member()
    const naming = (workspaceId: string) => ({
      headers: { authorization: `Bearer ${key}`, cookie, 'x-signpost-workspace': workspaceId },
    })
    for (const path of ['/v1/links', '/v1/workspaces']) {
      assert.equal((await one.call('GET', path, naming(elsewhere.workspaceId))).status, 403)
      assert.equal((await one.call('GET', path, naming(user.workspaceId))).status, 200)
    }
    const foreign = await one.call('GET', '/v1/links', {
      headers: { cookie, 'x-signpost-workspace': elsewhere.workspaceId },
    })
    assert.equal(foreign.status, 403)
  })
})
