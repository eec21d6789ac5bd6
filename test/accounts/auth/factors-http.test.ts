import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OAuth2Server } from 'oauth2-mock-server'
import { TOTP } from 'otpauth'
import { openWorld, type World } from '../../support/world.ts'
import { Authenticator } from '../../support/authenticator.ts'

const STEP_MS = 30_000

test('second factors and providers, over HTTP', { concurrency: false }, async (t) => {
  const issuer = new OAuth2Server()
  await issuer.issuer.keys.generate('RS256')
  await issuer.start(0, '127.0.0.1')
  after(() => issuer.stop())
  const claims = { sub: 'subject', email: 'owner@example.com', email_verified: true, name: 'Owner' }
  issuer.service.on('beforeTokenSigning', (token: { payload: object }) => {
    Object.assign(token.payload, claims)
  })
  const world = await openWorld(t, {
    config: {
      oidcIssuer: issuer.issuer.url!,
      oidcClientId: 'signpost',
      oidcClientSecret: 'client secret',
      rateLimitAuth: 1_000,
    },
  })
  const browser = new CookieJar(world)
  let secret = ''

  /** Through the provider and back; the answer to the callback. */
  async function throughProvider(jar: CookieJar, redirect = '/') {
    const start = await jar.send(
      'GET',
      `/auth/sign-in/oidc?redirect=${encodeURIComponent(redirect)}`,
    )
    assert.equal(start.status, 302, JSON.stringify(start.body))
    const answer = await fetch(start.headers.get('location')!, { redirect: 'manual' })
    const callback = new URL(answer.headers.get('location')!)
    assert.equal(callback.origin, world.origin)
    return jar.send('GET', `${callback.pathname.slice('/v1'.length)}${callback.search}`)
  }

  await t.test(
    'signing in with a provider makes an account, a workspace and a session',
    async () => {
      const { body } = await browser.send('GET', '/auth/providers')
      assert.deepEqual(body.data, [{ id: 'oidc', name: 'Single sign-on' }])
      const answer = await throughProvider(browser, '/app/links')
      assert.equal(answer.status, 302, JSON.stringify(answer.body))
      assert.equal(answer.headers.get('location'), '/app/links')
      assert.deepEqual(
        browser.names().filter((name) => !name.startsWith('signpost_device')),
        ['signpost_session'],
      )
      const session = await browser.send('GET', '/auth/session')
      assert.equal(session.status, 200)
      assert.equal(session.body.data.user.email, 'owner@example.com')
      assert.ok(session.body.data.workspace)
      const accounts = await browser.send('GET', '/auth/accounts')
      assert.equal(accounts.body.data.length, 1)
      const last = await browser.send('DELETE', `/auth/accounts/${accounts.body.data[0].id}`)
      assert.equal(last.status, 409)
    },
  )

  await t.test(
    'a forged callback is an error: a page for a browser, JSON for a client',
    async () => {
      const forged = '/auth/callback/oidc?code=x&state=forged'
      const asJson = await browser.send('GET', forged)
      assert.equal(asJson.status, 400)
      assert.equal(asJson.body.error.details[0].code, 'state_mismatch')
      const asPage = await browser.send('GET', forged, undefined, { accept: 'text/html' })
      assert.equal(asPage.status, 400)
      assert.match(asPage.headers.get('content-type')!, /^text\/html/)
      assert.match(asPage.headers.get('content-security-policy')!, /default-src 'none'/)
      assert.equal((await browser.send('GET', '/auth/sign-in/unknown')).status, 404)
    },
  )

  await t.test('a request without a session, or with a key alone, changes no factor', async () => {
    const stranger = new CookieJar(world)
    const member = await world.member()
    const guarded: [method: string, path: string][] = [
      ['GET', '/auth/two-factor'],
      ['POST', '/auth/two-factor/enable'],
      ['POST', '/auth/two-factor/disable'],
      ['GET', '/auth/passkeys'],
      ['POST', '/auth/passkeys/register/options'],
      ['POST', '/auth/passkeys/register/verify'],
      ['PATCH', '/auth/passkeys/psk_x'],
      ['DELETE', '/auth/passkeys/psk_x'],
      ['GET', '/auth/accounts'],
      ['DELETE', '/auth/accounts/acc_x'],
      ['POST', '/auth/link/oidc'],
    ]
    for (const [method, path] of guarded) {
      assert.equal((await stranger.send(method, path)).status, 401, `${method} ${path}`)
      const headers = { authorization: `Bearer ${member.apiKey}` }
      const withKey = await stranger.send(method, path, undefined, headers)
      assert.equal(withKey.status, 403, `${method} ${path}`)
    }
  })

  await t.test('a passkey is added and signs in', async () => {
    const key = new Authenticator(world.origin)
    const options = await browser.send('POST', '/auth/passkeys/register/options')
    assert.equal(options.status, 200, JSON.stringify(options.body))
    const added = await browser.send('POST', '/auth/passkeys/register/verify', {
      name: 'Phone',
      response: key.register(options.body.data),
    })
    assert.equal(added.status, 201, JSON.stringify(added.body))
    const jar = new CookieJar(world)
    const asked = await jar.send('POST', '/auth/passkeys/sign-in/options')
    const response = key.signIn(asked.body.data)
    const signedIn = await jar.send('POST', '/auth/passkeys/sign-in/verify', { response })
    assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body))
    assert.equal((await jar.send('GET', '/auth/session')).status, 200)
    const again = await jar.send('POST', '/auth/passkeys/sign-in/verify', { response })
    assert.equal(again.status, 401)
    const removed = await browser.send('DELETE', `/auth/passkeys/${added.body.data.id}`)
    assert.equal(removed.status, 204)
  })

  await t.test('an old session adds no way to sign in, until a new sign-in', async () => {
    const user = await world.user()
    const asked = async () => [
      await user.post('/auth/passkeys/register/options'),
      await user.post('/auth/link/oidc'),
    ]
    const statuses = async () => (await asked()).map(({ status }) => status)
    assert.deepEqual(await statuses(), [200, 200])
    world.clock.advance(15 * 60_000 + 1)
    for (const { status, headers, body } of await asked()) {
      assert.deepEqual([status, body.error.code], [403, 'SESSION_NOT_FRESH'])
      assert.deepEqual(headers.getSetCookie(), [])
    }
    const asPage = await user.post('/auth/link/oidc', undefined, { accept: 'text/html' })
    assert.equal(asPage.status, 403)
    assert.match(asPage.headers.get('content-type')!, /^text\/html/)
    const { email, password } = user
    assert.equal((await user.post('/auth/sign-in/email', { email, password })).status, 200)
    assert.deepEqual(await statuses(), [200, 200])
    world.clock.advance(15 * 60_000 + 1)
    assert.deepEqual(await statuses(), [403, 403])
    const change = { currentPassword: password, newPassword: 'seven grey herons' }
    assert.equal((await user.post('/auth/change-password', change)).status, 200)
    assert.deepEqual(await statuses(), [200, 200])
    // Those of the user of the other tests are included.
    await throughProvider(browser)
  })

  await t.test('two-factor sign-in is turned on with a first code', async () => {
    const setup = await browser.send('POST', '/auth/two-factor/enable', {})
    assert.equal(setup.status, 200, JSON.stringify(setup.body))
    secret = setup.body.data.secret
    assert.equal(setup.body.data.backupCodes.length, 10)
    const wrong = await browser.send('POST', '/auth/two-factor/verify', { code: '000000' })
    assert.equal(wrong.status, 401)
    assert.equal(wrong.body.error.code, 'INVALID_CODE')
    const on = await browser.send('POST', '/auth/two-factor/verify', { code: codeNow() })
    assert.equal(on.status, 200, JSON.stringify(on.body))
    assert.equal(on.body.data.enabled, true)
    const { body } = await browser.send('GET', '/auth/two-factor')
    assert.deepEqual(body.data, { enabled: true, backupCodesLeft: 10 })
  })

  await t.test(
    'then a sign-in has no session before its code, in JSON or by the form',
    async () => {
      for (const isForm of [false, true]) {
        world.clock.advance(2 * STEP_MS)
        const jar = new CookieJar(world)
        const answer = await throughProvider(jar, '/app/links')
        const page = answer.headers.get('location')!
        assert.equal(page, '/v1/auth/two-factor/verify?redirect=%2Fapp%2Flinks')
        assert.equal((await jar.send('GET', '/auth/session')).status, 401)
        const html = await jar.send('GET', page.slice('/v1'.length))
        assert.equal(html.status, 200)
        assert.match(html.headers.get('content-type')!, /^text\/html/)
        const done = isForm
          ? await jar.sendForm('/auth/two-factor/verify', {
              code: codeNow(),
              redirect: '//example.com',
            })
          : await jar.send('POST', '/auth/two-factor/verify', { code: codeNow() })
        assert.equal(done.status, isForm ? 302 : 200, JSON.stringify(done.body))
        if (isForm) assert.equal(done.headers.get('location'), '/')
        assert.equal((await jar.send('GET', '/auth/session')).status, 200)
      }
    },
  )

  function codeNow(): string {
    return new TOTP({ secret }).generate({ timestamp: world.clock.now })
  }
})

/** A browser's cookies between calls below `/v1`. */
class CookieJar {
  readonly #world: World
  readonly #cookies = new Map<string, string>()

  constructor(world: World) {
    this.#world = world
  }

  names(): string[] {
    return [...this.#cookies.keys()].toSorted()
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return this.#call(method, path, {
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  sendForm(path: string, fields: Record<string, string>) {
    return this.#call('POST', path, {
      headers: { accept: 'text/html', origin: this.#world.origin },
      body: new URLSearchParams(fields),
    })
  }

  async #call(
    method: string,
    path: string,
    init: { headers: object; body?: string | URLSearchParams },
  ) {
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#world.call(method, `/v1${path}`, {
      ...init,
      headers: { ...init.headers, ...(cookie === '' ? {} : { cookie }) },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair, ...attributes] = line.split('; ')
      const at = pair!.indexOf('=')
      assert.ok(attributes.includes('HttpOnly') && attributes.includes('SameSite=Lax'), line)
      if (attributes.includes('Max-Age=0')) this.#cookies.delete(pair!.slice(0, at))
      else this.#cookies.set(pair!.slice(0, at), pair!.slice(at + 1))
    }
    return answer
  }
}
