import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { OAuth2Server } from 'oauth2-mock-server'
import { TOTP } from 'otpauth'
import { openLog } from '../../../src/platform/core/log.ts'
import { holdDataDir } from '../../../src/platform/storage/installation/data-dir.ts'
import { openStores, type StoreSettings } from '../../../src/platform/storage/stores.ts'
import { Browser, must } from '../../support/calls.ts'
import { freshDataDir } from '../../support/program.ts'
import { openWorld, type World } from '../../support/world.ts'
import { Authenticator } from '../../support/authenticator.ts'

const PASSWORD = 'quiet harbour lamp'

/** As the command `accept-new-secret-key` does. */
async function acceptKey(t: TestContext, settings: Omit<StoreSettings, 'clickhouseEngine'>) {
  using dataDir = holdDataDir(freshDataDir(t), Date.now)
  const all = { ...settings, clickhouseEngine: 'MergeTree' }
  await using _stores = await openStores(all, dataDir, openLog('silent'), {
    accept: 'new-secret-key',
  })
}

test('a server with another SECRET_KEY', { concurrency: false }, async (t) => {
  const issuer = new OAuth2Server()
  await issuer.issuer.keys.generate('RS256')
  await issuer.start(0, '127.0.0.1')
  t.after(() => issuer.stop())
  const shared = {
    oidcIssuer: issuer.issuer.url!,
    oidcClientId: 'signpost',
    oidcClientSecret: 'a client secret',
  }
  const before = await openWorld(t, { config: { ...shared, secretKey: 'a'.repeat(64) } })
  const replaced = { ...shared, secretKey: 'b'.repeat(64), ...before.urls }
  await acceptKey(t, replaced)
  const lines: string[] = []
  const after = await openWorld(t, {
    log: openLog('error', { write: (line: string) => void lines.push(line) }),
    config: replaced,
  })

  /** The same browser at the other server. */
  function moved(browser: Browser, world: World): Browser {
    const there = new Browser(world.origin)
    for (const [name, value] of browser.cookies) there.cookies.set(name, value)
    return there
  }

  await t.test(
    'says so where the second factor is asked for, to the user and the operator',
    async () => {
      const user = await before.user()
      const { email, password } = user
      const setUp = await must(200, user.post('/auth/two-factor/enable', { password }))
      const totp = new TOTP({ secret: setUp.body.data.secret })
      const codeAt = (world: World) => totp.generate({ timestamp: world.clock.now })
      await must(200, user.post('/auth/two-factor/verify', { code: codeAt(before) }))
      after.clock.advance(60_000)

      const waiting = new Browser(after.origin)
      await must(200, waiting.calls.post('/auth/sign-in/email', { email, password }))
      const session = moved(user.browser, after).calls
      const backup = setUp.body.data.backupCodes[0]
      for (const answer of [
        await waiting.calls.post('/auth/two-factor/verify', { code: codeAt(after) }),
        await waiting.calls.post('/auth/two-factor/verify', { code: backup }),
        await session.post('/auth/two-factor/disable', { password, code: codeAt(after) }),
      ]) {
        assert.equal(answer.status, 503)
        assert.equal(answer.body.error.code, 'SECRET_KEY_CHANGED')
        assert.match(answer.body.error.message, /^The server cannot decrypt .* SECRET_KEY .*\.$/)
      }
      assert.equal(lines.length, 3)
      for (const line of lines)
        assert.match(line, /sealed secret \(totp\).*SECRET_KEY may have changed/)
      // Nothing was used up: with the former key all is as before.
      const back = moved(waiting, before).calls
      before.clock.advance(60_000)
      await must(200, back.post('/auth/two-factor/verify', { code: backup }))
      lines.length = 0
    },
  )

  await t.test('sets up a second factor again that was not on yet', async () => {
    const user = await before.user()
    const { password } = user
    await must(200, user.post('/auth/two-factor/enable', { password }))
    const session = moved(user.browser, after).calls
    const { error } = (await must(503, session.post('/auth/two-factor/verify', { code: '1' }))).body
    assert.equal(error.code, 'SECRET_KEY_CHANGED')
    await must(200, session.post('/auth/two-factor/enable', { password }))
    await must(401, session.post('/auth/two-factor/verify', { code: '1' }))
    lines.length = 0
  })

  await t.test(
    'takes a sign-in with a provider that began before for none of its own',
    async () => {
      const browser = new Browser(before.origin)
      const start = await must(302, browser.calls.get('/auth/sign-in/oidc'))
      const answer = await fetch(start.headers.get('location')!, { redirect: 'manual' })
      const { search } = new URL(answer.headers.get('location')!)
      const { error } = (
        await must(400, moved(browser, after).calls.get(`/auth/callback/oidc${search}`))
      ).body
      assert.equal(error.details[0].code, 'state_mismatch')
    },
  )

  await t.test('keeps sessions, passwords, passkeys and sign-ups that wait', async () => {
    const user = await before.user()
    const key = new Authenticator(before.origin)
    const options = await must(200, user.post('/auth/passkeys/register/options'))
    const response = key.register(options.body.data)
    await must(201, user.post('/auth/passkeys/register/verify', { name: 'Phone', response }))

    await must(200, moved(user.browser, after).calls.get('/auth/session'))
    const { email, password } = user
    const known = moved(user.browser, after)
    await must(200, known.calls.post('/auth/sign-in/email', { email, password }))
    const browser = new Browser(after.origin)
    const asked = await must(200, browser.calls.post('/auth/passkeys/sign-in/options'))
    const assertion = { response: key.signIn(asked.body.data, { origin: after.origin }) }
    await must(200, browser.calls.post('/auth/passkeys/sign-in/verify', assertion))

    const fresh = new Browser(before.origin)
    const account = { name: 'Owner', email: 'waiting@example.com', password: PASSWORD }
    await must(201, fresh.calls.post('/auth/sign-up/email', account))
    const { token } = await before.outbox.next(account.email)
    await must(200, moved(fresh, after).calls.post('/auth/verify-email', { token }))
    assert.deepEqual(lines, [])
  })
})
