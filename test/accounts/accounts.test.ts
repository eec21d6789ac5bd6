import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperatorError } from '../../src/platform/core/errors.ts'
import { bootstrapFromConfig } from '../../src/operator/workspaces/bootstrap.ts'
import { mintKey } from '../../src/accounts/api-keys/key.ts'
import { freshDataDir } from '../support/program.ts'
import { callsWith, eventually, openWorld, type World } from '../support/world.ts'

const PASSWORD = 'quiet harbour lamp'
const NOTHING = { bootstrapEmail: null, bootstrapPassword: null, bootstrapApiKey: null }

/** A signed-in user: cookie calls under `/v1`. */
async function signIn(world: World, email: string, password = PASSWORD) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${world.origin}/v1/auth/sign-in/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  assert.equal(response.status, 200)
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  return (method: string, path: string, body?: unknown) =>
    world.call(method, `/v1${path}`, {
      headers: { cookie, ...(body === undefined ? {} : headers) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
}

test('accounts by the command line and by settings', { concurrency: false }, async (t) => {
  const dataDir = freshDataDir(t)
  const world = await openWorld(t, { config: { dataDir } })
  const { app, sql } = world

  async function used(workspaceId: string, name: string): Promise<number> {
    const [row] = await sql`
      select used from usage_counters where workspace_id = ${workspaceId} and name = ${name}`
    return Number(row?.['used'] ?? 0)
  }

  await t.test('bootstrap makes an account that can sign in, counted and logged', async () => {
    const email = 'first@example.com'
    const made = await app.bootstrap.create({ email, password: PASSWORD, workspace: 'Press' })
    assert.equal(made.setPasswordUrl, undefined)
    const send = await signIn(world, email)
    const { body } = await send('GET', '/auth/session')
    assert.deepEqual([body.data.role, body.data.workspace.name], ['owner', 'Press'])
    assert.equal((await callsWith(made.apiKey, world.origin).get('/links')).status, 200)
    const again = await app.bootstrap.create({ email: 'First@Example.com', password: PASSWORD })
    assert.deepEqual([again.userId, again.workspaceId], [made.userId, made.workspaceId])
    assert.equal(await used(made.workspaceId, 'members'), 1)
    assert.equal(await used(made.workspaceId, 'api_keys'), 1)
    const types = await sql`
      select type, count(*)::int as n from security_log
      where user_id = ${made.userId} and actor_type = 'system' group by 1 order by 1`
    assert.deepEqual(
      types.map((row) => [row['type'], row['n']]),
      [
        ['api_key.created', 2],
        ['api_key.revoked', 1],
        ['member.joined', 1],
        ['password.changed', 2],
      ],
    )
    // Another password ends the sessions that the first one made.
    await eventually(async () => assert.equal((await send('GET', '/auth/session')).status, 401))
  })

  await t.test('without a password it gives a link for one, which works once', async () => {
    const email = 'link@example.com'
    const { setPasswordUrl } = await app.bootstrap.create({ email })
    assert.ok(setPasswordUrl!.startsWith(`${world.origin}/v1/auth/reset-password?token=`))
    const token = new URL(setPasswordUrl!).searchParams.get('token')
    world.clock.advance(23 * 3_600_000)
    const body = JSON.stringify({ token, password: PASSWORD })
    const headers = { 'content-type': 'application/json' }
    const use = () => world.call('POST', '/v1/auth/reset-password', { headers, body })
    assert.equal((await use()).status, 200)
    assert.equal((await use()).status, 410)
    await signIn(world, email)
  })

  await t.test('bad input is a sentence, and makes nothing', async () => {
    const email = 'bad@example.com'
    for (const input of [
      { email: 'no-address' },
      { email, role: 'king' },
      { email, workspace: 'wsp_none' },
      { email, workspace: ' ' },
    ])
      await assert.rejects(app.bootstrap.create(input), OperatorError)
    await assert.rejects(app.bootstrap.create({ email, password: 'password12' }), OperatorError)
    assert.equal((await sql`select 1 from users where email_key = ${email}`).length, 0)
    const made = await app.bootstrap.create({ email })
    await assert.rejects(app.bootstrap.create({ email, role: 'viewer' }), /last owner/)
    assert.equal((await callsWith(made.apiKey, world.origin).get('/links')).status, 200)
  })

  await t.test('an account that was never verified is taken over without its ways in', async () => {
    const email = 'squatted@example.com'
    const { userId, workspaceId, apiKey } = await app.bootstrap.create({
      email,
      password: PASSWORD,
    })
    await signIn(world, email)
    await sql`update users set email_verified_at = null where id = ${userId}`
    const again = await app.bootstrap.create({ email })
    assert.equal(again.workspaceId, workspaceId)
    const [user] =
      await sql`select password_hash, email_verified_at from users where id = ${userId}`
    assert.equal(user!['passwordHash'], null)
    assert.ok(user!['emailVerifiedAt'])
    assert.equal((await sql`select 1 from sessions where user_id = ${userId}`).length, 0)
    await eventually(async () =>
      assert.equal((await callsWith(apiKey, world.origin).get('/links')).status, 401),
    )
  })

  await t.test(
    'settings make the account at the start, and later starts change nothing',
    async () => {
      const key = mintKey()
      const config = {
        bootstrapEmail: 'start@example.com',
        bootstrapPassword: PASSWORD,
        bootstrapApiKey: key,
      }
      await bootstrapFromConfig(config, app.bootstrap)
      assert.equal((await callsWith(key, world.origin).get('/links')).status, 200)
      await signIn(world, 'start@example.com')
      const rows = () => sql`select id, key_hash from api_keys where name = 'bootstrap' order by id`
      const before = await rows()
      await bootstrapFromConfig(
        { ...config, bootstrapPassword: 'another quiet lamp' },
        app.bootstrap,
      )
      assert.deepEqual(await rows(), before)
      await signIn(world, 'start@example.com')
      const other = mintKey()
      await bootstrapFromConfig({ ...config, bootstrapApiKey: other }, app.bootstrap)
      assert.equal((await callsWith(other, world.origin).get('/links')).status, 200)
      await eventually(async () =>
        assert.equal((await callsWith(key, world.origin).get('/links')).status, 401),
      )
    },
  )

  await t.test('settings that are not good are one sentence', async () => {
    const email = 'settings@example.com'
    const refusals: [object, RegExp][] = [
      [{ bootstrapPassword: PASSWORD }, /^BOOTSTRAP_PASSWORD .*BOOTSTRAP_EMAIL\.$/],
      [{ bootstrapApiKey: mintKey() }, /^BOOTSTRAP_API_KEY .*BOOTSTRAP_EMAIL\.$/],
      [
        { bootstrapEmail: email, bootstrapApiKey: `${mintKey().slice(0, -1)}-` },
        /^BOOTSTRAP_API_KEY must/,
      ],
      [
        { bootstrapEmail: email, bootstrapApiKey: `sp_${'a'.repeat(40)}` },
        /^BOOTSTRAP_API_KEY must/,
      ],
      [{ bootstrapEmail: email, bootstrapPassword: 'short' }, /^BOOTSTRAP_PASSWORD must have/],
      [{ bootstrapEmail: 'no-address' }, /is not an e-mail address/],
    ]
    for (const [settings, message] of refusals)
      await assert.rejects(
        bootstrapFromConfig({ ...NOTHING, ...settings }, app.bootstrap),
        (error) => {
          assert.ok(error instanceof OperatorError)
          assert.match(error.message, message)
          return true
        },
      )
    await bootstrapFromConfig(NOTHING, app.bootstrap)
  })

  await t.test('a user reads everything that is kept about them, and no secret', async () => {
    const email = 'export@example.com'
    const made = await app.bootstrap.create({ email, password: PASSWORD })
    const send = await signIn(world, email)
    const { status, body } = await send('GET', '/auth/user/export')
    assert.equal(status, 200)
    const { data } = body
    assert.equal(data.user.email, email)
    assert.equal(data.memberships[0].workspaceId, made.workspaceId)
    assert.equal(data.apiKeys[0].name, 'bootstrap')
    assert.equal(data.sessions.length, 1)
    assert.ok(data.securityLog.some((row: { type: string }) => row.type === 'sign_in.succeeded'))
    const text = JSON.stringify(body)
    for (const secret of [made.apiKey, 'argon2', 'hash', 'token', 'sealed'])
      assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), secret)
    const key = callsWith(made.apiKey, world.origin)
    assert.notEqual((await key.get('/auth/user/export')).status, 200)
  })

  await t.test(
    'an account ends with its password alone, and not while others need it',
    async () => {
      const email = 'ending@example.com'
      const made = await app.bootstrap.create({ email, password: PASSWORD, workspace: 'Owned' })
      const host = await world.member()
      await app.bootstrap.create({ email, workspace: host.workspaceId, role: 'admin' })
      const guest = await world.member({ workspaceId: made.workspaceId, role: 'viewer' })
      await guest.get('/links')
      const send = await signIn(world, email)
      const refused = await send('DELETE', '/auth/user', { password: PASSWORD })
      assert.equal(refused.status, 409)
      assert.deepEqual(refused.body.error.details, {
        workspaces: [{ id: made.workspaceId, name: 'Owned' }],
      })
      for (const body of [{}, { password: 'wrong password' }])
        assert.equal(
          (await send('DELETE', '/auth/user', { workspaces: 'delete', ...body })).status,
          400,
        )
      assert.equal(await used(host.workspaceId, 'members'), 2)

      const done = await send('DELETE', '/auth/user', { password: PASSWORD, workspaces: 'delete' })
      assert.equal(done.status, 204, JSON.stringify(done.body))
      assert.equal((await sql`select 1 from users where id = ${made.userId}`).length, 0)
      assert.equal((await sql`select 1 from workspaces where id = ${made.workspaceId}`).length, 0)
      assert.equal(await used(host.workspaceId, 'members'), 1)
      assert.equal(await used(host.workspaceId, 'api_keys'), 1)
      const actions = await sql`
      select action from audit_log where workspace_id = ${host.workspaceId} and target_id = ${made.userId}`
      assert.ok(actions.some((row) => row['action'] === 'member.left'))
      const [row] = await sql`
      select * from security_log where type = 'account.deleted' and actor_id = ${made.userId}`
      assert.deepEqual([row!['actorEmail'], row!['actorName'], row!['userId']], [null, null, null])
      const personal = await sql`
      select 1 from security_log where workspace_id is null and actor_email = ${email}`
      assert.equal(personal.length, 0)
      await eventually(async () => {
        assert.equal((await send('GET', '/auth/session')).status, 401)
        assert.equal((await guest.get('/links')).status, 401)
      })
      await eventually(async () => {
        const mails = readdirSync(join(dataDir, 'outbox')).map((name) =>
          readFileSync(join(dataDir, 'outbox', name), 'utf8'),
        )
        assert.ok(mails.some((mail) => mail.includes('was deleted') && mail.includes(email)))
      })
    },
  )

  await t.test('an owner beside another one leaves the workspace to them', async () => {
    const email = 'leaving@example.com'
    const made = await app.bootstrap.create({ email, password: PASSWORD })
    await world.member({ workspaceId: made.workspaceId, role: 'owner' })
    const send = await signIn(world, email)
    assert.equal((await send('DELETE', '/auth/user', { password: PASSWORD })).status, 204)
    assert.equal(await used(made.workspaceId, 'members'), 1)
  })
})
