import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../support/eventually.ts'
import { eventually, openWorld } from '../support/world.ts'
import { listen } from '../../src/platform/storage/postgres/listen.ts'

test('bootstrap', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { config: { requireEmailVerification: false } })
  const { app, sql, call } = world
  const counted = async (workspaceId: string) => {
    const [row] = await sql<{ used: number; members: number }[]>`
      select (select used from usage_counters
          where workspace_id = ${workspaceId} and name = 'members') as used,
        (select count(*) from members where workspace_id = ${workspaceId}) as members`
    return { ...row! }
  }

  await t.test('every member is counted once, in every role', async () => {
    const { workspaceId } = await world.member()
    assert.deepEqual(await counted(workspaceId), { used: 1, members: 1 })
    const email = 'second@example.com'
    await Promise.all(
      Array.from({ length: 4 }, () => app.bootstrap.create({ email, workspace: workspaceId })),
    )
    await app.bootstrap.create({ email, workspace: workspaceId, role: 'viewer' })
    assert.deepEqual(await counted(workspaceId), { used: 2, members: 2 })
    const expected = [
      { role: { old: null, new: 'owner' } },
      { role: { old: null, new: 'owner' } },
      { role: { old: 'owner', new: 'viewer' } },
    ]
    // Rows are chained after their transaction.
    await eventually(async () => {
      const roles = await sql<{ changes: unknown }[]>`
        select l.changes from audit_log l join audit_chain c on c.row_id = l.id
        where l.workspace_id = ${workspaceId} and l.action = 'member.role_set' order by c.position`
      assert.deepEqual(
        roles.map(({ changes }) => changes),
        expected,
      )
    })
  })

  await t.test('a change of a role is announced to every process', async () => {
    const received: string[] = []
    const listening = await listen(sql, ['signpost_credentials'], ({ payload }) =>
      received.push(payload),
    )
    const email = 'third@example.com'
    const { workspaceId } = await world.member()
    const { userId } = await app.bootstrap.create({ email, workspace: workspaceId })
    // Notifications arrive in the order of their commits: the earlier ones are not counted.
    await sql`select pg_notify('signpost_credentials', 'test:first')`
    await until(() => received.includes('test:first'))
    received.length = 0
    await app.bootstrap.create({ email, workspace: workspaceId, role: 'viewer' })
    await until(() => received.includes(`user:${userId}`))
    listening.close()
  })

  await t.test('it gives no user an account that another one opened unverified', async () => {
    const account = { email: 'operator@example.com', password: 'quiet harbour lamp' }
    const post = (path: string, body: unknown) =>
      call('POST', `/v1/auth${path}`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await post('/sign-up/email', { ...account, name: 'Stranger' })
    const signedIn = await post('/sign-in/email', account)
    assert.equal(signedIn.status, 200)
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const session = () => call('GET', '/v1/auth/session', { headers: { cookie } })
    assert.equal((await session()).status, 200)
    const strangersKey = await call('POST', '/v1/api-keys', {
      headers: { cookie, 'content-type': 'application/json' },
      body: '{"name":"mine"}',
    })
    assert.equal(strangersKey.status, 201)

    const { apiKey } = await app.bootstrap.create({ email: account.email })
    const withKey = (key: string) =>
      call('GET', '/v1/links', { headers: { authorization: `Bearer ${key}` } })
    assert.equal((await withKey(apiKey)).status, 200)
    await eventually(async () => {
      assert.equal((await session()).status, 401)
      assert.equal((await withKey(strangersKey.body.data.key)).status, 401)
    })
    assert.equal((await post('/sign-in/email', account)).status, 401)
  })
})

test('bootstrap keeps to the plan of the installation', async (t) => {
  const { app, sql } = await openWorld(t, { config: { defaultPlan: 'free' } })
  const { workspaceId } = await app.bootstrap.create({ email: 'owner@example.com' })
  const [row] = await sql<{ plan: string }[]>`select plan from workspaces where id = ${workspaceId}`
  assert.equal(row!.plan, 'free')
  await assert.rejects(
    app.bootstrap.create({ email: 'second@example.com', workspace: workspaceId }),
    {
      name: 'OperatorError',
      message: 'The member limit of the plan is reached.',
    },
  )
})
