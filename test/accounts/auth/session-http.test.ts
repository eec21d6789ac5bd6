import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSignInOptions } from '../../../src/accounts/sign-in/open.ts'
import { Browser, must } from '../../support/calls.ts'
import { openWorld, type World } from '../../support/world.ts'

const FRESH_MS = 900_000
const UNSET = { timezone: null, language: null, locale: null, weekStart: null, theme: null }

test('what a dashboard asks first', { concurrency: false }, async (t) => {
  // The gateway lets a request without a session through to the services.
  const world = await openWorld(t, { isPair: true })

  await t.test('an optional session is null for a browser without one, and no error', async () => {
    const { calls } = new Browser(world.origin)
    await must(401, calls.get('/auth/session'))
    await must(401, calls.get('/auth/session?optional=false'))
    const ask = async (headers: Record<string, string>) =>
      (await must(200, calls.get('/auth/session?optional=true', headers))).body
    assert.deepEqual((await ask({})).data, null)
    assert.deepEqual((await ask({ cookie: 'signpost_session=unknown' })).data, null)
    const member = await world.member()
    const ended = await world.session(member)
    await must(204, ended.post('/auth/sign-out'))
    assert.equal((await must(200, ended.get('/auth/session?optional=true'))).body.data, null)
    const session = await world.session(member)
    const { data } = (await must(200, session.get('/auth/session?optional=true'))).body
    assert.equal(data.user.id, member.userId)
    // Another credential, or another workspace, is refused as without it.
    await must(403, member.get('/auth/session?optional=true'))
    await must(
      401,
      calls.get('/auth/session?optional=true', { authorization: 'Bearer sp_unknown' }),
    )
    const elsewhere = { 'x-signpost-workspace': (await world.member()).workspaceId }
    await must(403, session.get('/auth/session?optional=true', elsewhere))
    await must(400, session.get('/auth/session?optional=maybe'))
  })

  await t.test('a session names plan, capabilities and role of its workspace', async () => {
    const member = await world.member()
    const session = await world.session(member)
    const shown = await sessionOf(session)
    assert.equal(shown.role, 'owner')
    assert.deepEqual(
      [shown.workspace.plan, shown.workspace.timezone, shown.capabilities.webhooks],
      ['self_hosted', 'UTC', true],
    )
    const plans = (await must(200, session.get('/plans'))).body.data
    const free = plans.find(({ id }: { id: string }) => id === 'free')
    await world.sql`update workspaces set plan = 'free' where id = ${member.workspaceId}`
    assert.deepEqual((await sessionOf(session)).capabilities, free.capabilities)
    const nowhere = await world.session({
      userId: await userWithoutWorkspace(world),
      workspaceId: null,
    })
    const { workspace, role, capabilities } = await sessionOf(nowhere)
    assert.deepEqual([workspace, role, capabilities], [null, null, null])
  })

  await t.test('a session says until when it is fresh', async () => {
    const session = await world.session(await world.member())
    const signedInMs = world.clock.now
    const { freshUntil } = await sessionOf(session)
    assert.equal(Date.parse(freshUntil), signedInMs + FRESH_MS)
    world.clock.advance(FRESH_MS)
    assert.equal((await sessionOf(session)).freshUntil, freshUntil)
    await must(200, session.post('/auth/passkeys/register/options'))
    world.clock.advance(1)
    assert.equal((await sessionOf(session)).freshUntil, null)
    const { body } = await must(403, session.post('/auth/passkeys/register/options'))
    assert.equal(body.error.code, 'SESSION_NOT_FRESH')
  })

  await t.test('preferences are changed one by one, and reset by null', async () => {
    const session = await world.session(await world.member())
    assert.deepEqual((await sessionOf(session)).preferences, UNSET)
    const change = async (preferences: object) =>
      (await must(200, session.patch('/auth/user', { preferences }))).body.data.preferences
    const all = {
      ...{ timezone: 'Pacific/Auckland', language: 'pt-BR', locale: 'en-NZ' },
      ...{ weekStart: 7, theme: 'dark' },
    }
    assert.deepEqual(await change(all), all)
    assert.deepEqual(await change({ theme: null }), { ...all, theme: null })
    assert.deepEqual(await change({ timezone: 'europe/berlin', locale: 'PT-br' }), {
      ...all,
      timezone: 'Europe/Berlin',
      locale: 'pt-BR',
      theme: null,
    })
    assert.equal((await change({ timezone: 'Asia/Kolkata' })).timezone, 'Asia/Kolkata')
    const shown = await sessionOf(session)
    assert.equal(shown.preferences.weekStart, 7)
    const renamed = (await must(200, session.patch('/auth/user', { name: 'Renamed' }))).body.data
    assert.deepEqual([renamed.name, renamed.preferences], ['Renamed', shown.preferences])
    const exported = (await must(200, session.get('/auth/user/export'))).body.data.user
    assert.equal(exported.preferences.weekStart, 7)
  })

  await t.test('parallel changes of different preferences are all kept', async () => {
    const session = await world.session(await world.member())
    const changes = [
      { timezone: 'Asia/Tokyo' },
      { language: 'ja' },
      { locale: 'ja' },
      { weekStart: 1 },
      { theme: 'light' },
    ]
    await Promise.all(
      changes.map((preferences) => must(200, session.patch('/auth/user', { preferences }))),
    )
    assert.deepEqual((await sessionOf(session)).preferences, Object.assign({}, ...changes))
  })

  await t.test(
    'a preference that is none is a 400 with its path, and changes nothing',
    async () => {
      const session = await world.session(await world.member())
      const bad: [preferences: unknown, path: string][] = [
        [{ timezone: 'Mars/Olympus' }, 'preferences.timezone'],
        [{ timezone: '+02:00' }, 'preferences.timezone'],
        [{ timezone: '' }, 'preferences.timezone'],
        [{ timezone: 'x'.repeat(65) }, 'preferences.timezone'],
        [{ locale: 'not a locale' }, 'preferences.locale'],
        [{ locale: 5 }, 'preferences.locale'],
        [{ language: 'xx' }, 'preferences.language'],
        [{ weekStart: 0 }, 'preferences.weekStart'],
        [{ weekStart: 8 }, 'preferences.weekStart'],
        [{ weekStart: 1.5 }, 'preferences.weekStart'],
        [{ weekStart: 'monday' }, 'preferences.weekStart'],
        [{ theme: 'sepia' }, 'preferences.theme'],
        [{ timeZone: 'UTC' }, 'preferences.timeZone'],
        [{ theme: 'dark', constructor: 1 }, 'preferences.constructor'],
        ['dark', 'preferences'],
        [null, 'preferences'],
      ]
      for (const [preferences, path] of bad) {
        const { body } = await must(400, session.patch('/auth/user', { name: 'Lost', preferences }))
        assert.equal(body.error.details[0].path, path, JSON.stringify(body.error))
      }
      const shown = await sessionOf(session)
      assert.deepEqual(shown.preferences, UNSET)
      assert.notEqual(shown.user.name, 'Lost')
    },
  )

  await t.test('a workspace has a zone, for members who have chosen none', async () => {
    const owner = await world.member()
    const path = `/workspaces/${owner.workspaceId}`
    assert.equal((await must(200, owner.get(path))).body.data.timezone, 'UTC')
    const changed = await must(200, owner.patch(path, { timezone: 'america/new_york' }))
    assert.equal(changed.body.data.timezone, 'America/New_York')
    const { body } = await must(400, owner.patch(path, { timezone: 'Nowhere' }))
    assert.equal(body.error.details[0].path, 'timezone')
    const [row] = (await must(200, owner.get('/audit-log?action=workspace.updated'))).body.data
    assert.deepEqual(row.changes, { timezone: { old: 'UTC', new: 'America/New_York' } })
    const member = await world.member({ workspaceId: owner.workspaceId, role: 'member' })
    await must(403, member.patch(path, { timezone: 'UTC' }))
    const shown = await sessionOf(await world.session(member))
    assert.equal(shown.workspace.timezone, 'America/New_York')
    assert.equal(shown.preferences.timezone, null)
  })
})

test('providers tell what a page for sign-up needs', { concurrency: false }, async (t) => {
  const settings = async (config: Parameters<typeof openWorld>[1]) => {
    const world = await openWorld(t, config)
    const { calls } = new Browser(world.origin)
    const { data, meta } = (await must(200, calls.get('/auth/providers'))).body
    assert.deepEqual([data, meta.total], [[], 0])
    return meta
  }
  const plain = await settings({})
  assert.partialDeepStrictEqual(plain, {
    signup: 'open',
    emailVerificationRequired: true,
    mail: 'outbox',
    password: { minLength: 10, maxLength: 256 },
  })
  const other = await settings({
    config: {
      signup: 'invite',
      requireEmailVerification: false,
      smtpUrl: 'smtp://127.0.0.1:9',
      shortUrl: 'https://links.example.com',
    },
  })
  assert.partialDeepStrictEqual(other, {
    signup: 'invite',
    emailVerificationRequired: false,
    mail: 'smtp',
    shortDomain: 'links.example.com',
  })
})

test('passkeys need https and a name, or this machine', () => {
  const passkeysAt = (origin: string, publicUrl: string | null = null) => {
    const settings = {
      signup: 'open',
      requireEmailVerification: true,
      outboxDir: null,
      shortHost: () => ({ domain: 'links.example.com' }),
    } as const
    return toSignInOptions({ ...settings, publicUrl }, { origin }).passkeys
  }
  for (const good of ['https://links.example.com', 'http://localhost:3000', 'http://a.localhost'])
    assert.ok(passkeysAt(good), good)
  for (const bad of ['http://links.example.com', 'https://192.0.2.1', 'http://[::1]:3000'])
    assert.ok(!passkeysAt(bad), bad)
  assert.ok(passkeysAt('http://192.0.2.1:3000', 'https://links.example.com'))
})

type Signed = { get: Browser['calls']['get'] }

async function sessionOf(session: Signed) {
  return (await must(200, session.get('/auth/session'))).body.data
}

async function userWithoutWorkspace(world: World): Promise<string> {
  const { userId, workspaceId } = await world.member()
  await world.sql`delete from workspaces where id = ${workspaceId}`
  return userId
}
