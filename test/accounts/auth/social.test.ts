import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { OAuth2Server } from 'oauth2-mock-server'
import { ApiError, OperatorError } from '../../../src/platform/core/errors.ts'
import { openLog } from '../../../src/platform/core/log.ts'
import { readConfig, SETTINGS } from '../../../src/platform/config/config.ts'
import {
  createLinkedAccounts,
  createIdentities,
} from '../../../src/accounts/providers/identities.ts'
import {
  addPendingSignUp,
  listPendingSignUps,
} from '../../../src/accounts/sign-in/pending-sign-ups.ts'
import { inTransaction } from '../../../src/platform/storage/postgres/postgres.ts'
import {
  createGithubProvider,
  createProviders,
  type ProviderSettings,
} from '../../../src/accounts/providers/providers.ts'
import { returnPathOf } from '../../../src/accounts/sign-in/return-path.ts'
import {
  createSocial,
  OAUTH_COOKIE,
  type CallbackQuery,
} from '../../../src/accounts/providers/social.ts'
import { TWO_FACTOR_COOKIE } from '../../../src/accounts/sign-in/complete-sign-in.ts'
import { Browser, dataOf, openDependencies, ORIGIN, refusedWith } from '../../support/auth-rules.ts'

import assert from 'node:assert/strict'

const NONE: ProviderSettings = {
  oidcIssuer: null,
  oidcClientId: null,
  oidcClientSecret: null,
  oidcName: 'Example Login',
  googleClientId: null,
  googleClientSecret: null,
  githubClientId: null,
  githubClientSecret: null,
  microsoftClientId: null,
  microsoftClientSecret: null,
  microsoftTenant: 'common',
}

type Claims = Record<string, unknown>
type Answer = Awaited<ReturnType<ReturnType<typeof createSocial>['callback']>>

let serial = 0
const newSubject = () => `subject-${++serial}`

test('signing in with a provider', { concurrency: false }, async (t) => {
  const deps = await openDependencies(t)
  const { sql, time } = deps
  const issuer = new OAuth2Server()
  await issuer.issuer.keys.generate('RS256')
  await issuer.start(0, '127.0.0.1')
  after(() => issuer.stop())
  let claims: Claims = {}
  let signup: 'open' | 'invite' = 'open'
  issuer.service.on('beforeTokenSigning', (token: { payload: Claims }) => {
    Object.assign(token.payload, claims)
  })

  const settings = {
    ...NONE,
    oidcIssuer: issuer.issuer.url!,
    oidcClientId: 'signpost',
    oidcClientSecret: 'client secret',
  }
  const identities = createIdentities({
    ...deps,
    get signup() {
      return signup
    },
  })
  const accounts = createLinkedAccounts({ ...deps, providerIds: ['oidc'] })
  const socialWith = (from: ProviderSettings) =>
    createSocial({
      ...deps,
      log: openLog('silent'),
      providers: createProviders(from),
      identities,
      publicUrl: null,
    })
  const social = socialWith(settings)

  /** From the start to the address the provider sends the browser back to. */
  async function toProvider(browser: Browser, redirect?: string, link = false) {
    const start = link ? social.startLink : social.start
    const reply = browser.keep(await start(browser.caller, 'oidc', redirect))
    assert.ok('redirect' in reply)
    const url = new URL(reply.redirect)
    const answer = await fetch(url, { redirect: 'manual' })
    const callback = new URL(answer.headers.get('location')!)
    return { url, callback, query: Object.fromEntries(callback.searchParams) as CallbackQuery }
  }
  async function signIn(browser: Browser, redirect?: string, link = false): Promise<Answer> {
    const { query } = await toProvider(browser, redirect, link)
    return browser.keep(await social.callback(browser.caller, 'oidc', query))
  }
  const userOf = async (browser: Browser) => (await deps.sessionOf(browser))?.userId ?? null
  const verified = (email: string, sub = newSubject()) => ({
    sub,
    email,
    email_verified: true,
    name: 'Owner',
  })

  await t.test('the way to the provider has state, nonce and a PKCE challenge', async () => {
    assert.deepEqual(social.list(), [{ id: 'oidc', name: 'Example Login' }])
    const browser = new Browser()
    const { url, callback } = await toProvider(browser)
    assert.equal(url.origin, issuer.issuer.url)
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
    assert.equal(url.searchParams.get('redirect_uri'), `${ORIGIN}/v1/auth/callback/oidc`)
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.equal(Buffer.from(url.searchParams.get(name)!, 'base64url').length, 32, name)
    assert.equal(callback.pathname, '/v1/auth/callback/oidc')
    const other = await toProvider(new Browser())
    assert.notEqual(other.url.searchParams.get('state'), url.searchParams.get('state'))
    assert.equal((await sql`select 1 from used_callbacks`).length, 0)
    await refusedWith(social.start(browser.caller, 'unknown'), 'NOT_FOUND')
  })

  await t.test('the first sign-in makes a verified account without password', async () => {
    claims = verified('New.User@example.com')
    const emailKey = 'new.user@example.com'
    const pending = {
      email: emailKey,
      emailKey,
      name: 'Owner',
      passwordHash: 'a hash',
      userId: null,
      invitationId: null,
    }
    await inTransaction(sql, (tx) => addPendingSignUp(deps, tx, pending, 'a secret'))
    const browser = new Browser()
    assert.deepEqual(redirectOf(await signIn(browser, '/app/links?tag=a')), '/app/links?tag=a')
    const id = (await userOf(browser))!
    const [user] = await sql`select * from users where id = ${id}`
    assert.equal(user!.email, 'New.User@example.com')
    assert.equal(user!.emailKey, 'new.user@example.com')
    assert.equal(user!.name, 'Owner')
    assert.equal(user!.passwordHash, null)
    assert.ok(user!.emailVerifiedAt)
    assert.equal((await listPendingSignUps(deps, emailKey)).length, 0)
    assert.deepEqual(Object.keys(browser.cookies), ['signpost_session', 'signpost_device'])
    assert.deepEqual(await deps.securityTypes(id), ['account.linked', 'sign_in.succeeded'])

    // Later it is the subject that counts, not the address.
    claims = { ...claims, email: 'renamed@example.com', email_verified: false }
    const later = new Browser()
    await signIn(later)
    assert.equal(await userOf(later), id)
  })

  await t.test('six first sign-ins at once make one account', async () => {
    claims = verified('many@example.com')
    const browsers = Array.from({ length: 6 }, () => new Browser())
    await Promise.all(browsers.map((browser) => signIn(browser)))
    assert.equal(new Set(await Promise.all(browsers.map(userOf))).size, 1)
    assert.ok(await userOf(browsers[0]!))
  })

  await t.test('a verified address links to the account that has verified it too', async () => {
    const { id, email } = await deps.addUser()
    claims = verified(email.toUpperCase())
    const browser = new Browser()
    await signIn(browser)
    assert.equal(await userOf(browser), id)
  })

  await t.test('an address that is not verified opens and makes no account', async () => {
    const { id, email } = await deps.addUser()
    const sentences: string[] = []
    for (const address of [email, 'unknown@example.com']) {
      for (const doubt of [{ email_verified: false }, { email_verified: undefined }]) {
        claims = { ...verified(address), ...doubt }
        const browser = new Browser()
        sentences.push(await refusalOf(signIn(browser), 403))
        assert.equal(await userOf(browser), null)
      }
    }
    assert.equal(new Set(sentences).size, 1, 'the page tells whether there is an account')
    assert.match(sentences[0]!, /has not verified/)
    assert.deepEqual(await deps.securityTypes(id), [])
    assert.ok((await deps.securityTypes(null)).includes('sign_in.failed'))
    assert.equal((await sql`select 1 from users where email_key = 'unknown@example.com'`).length, 0)

    // The owner of the address blocks no other user.
    claims = verified('unknown@example.com')
    const owner = new Browser()
    await signIn(owner)
    assert.ok(await userOf(owner))
  })

  await t.test('an unverified account becomes the owner’s, and its password ends', async () => {
    const { id, email } = await deps.addUser()
    await sql`update users set email_verified_at = null where id = ${id}`
    claims = { ...verified(email), email_verified: false }
    await deps.addKey(id)
    await refusalOf(signIn(new Browser()), 403)
    assert.equal(await deps.countKeys(id), 1)
    claims = verified(email)
    const browser = new Browser()
    await signIn(browser)
    assert.equal(await userOf(browser), id)
    const [user] = await sql`select * from users where id = ${id}`
    assert.equal(user!.passwordHash, null)
    assert.ok(user!.emailVerifiedAt)
    assert.equal(await deps.countKeys(id), 0)
    assert.deepEqual(await deps.securityTypes(id), [
      ...['account.linked', 'api_key.revoked', 'email.verified', 'sign_in.succeeded'],
    ])
    assert.equal((await sql`select 1 from linked_accounts where user_id = ${id}`).length, 1)
    await deps.addKey(id)
    await signIn(new Browser())
    assert.equal(await deps.countKeys(id), 1)
  })

  await t.test('a broken address makes no account', async () => {
    for (const email of ['', 'a@b\r\nBcc: c@example.com', 'no address', 7]) {
      claims = { ...verified('x@example.com'), email }
      await refusalOf(signIn(new Browser()), 403)
    }
  })

  await t.test(
    'an address outside the ID token is asked for, with its own verification',
    async () => {
      const sub = newSubject()
      const asked = { sub, email: `${sub}@example.com` }
      claims = { sub, email_verified: true }
      const answers: [status: number, body: Claims][] = [
        [403, { sub }],
        [403, asked],
        [403, { ...asked, email_verified: false }],
        [400, { ...asked, sub: 'another subject', email_verified: true }],
      ]
      for (const [status, body] of answers) {
        issuer.service.once('beforeUserinfo', (real: { body: Claims }) => void (real.body = body))
        await refusalOf(signIn(new Browser()), status)
      }
      const body = { ...asked, email_verified: true }
      issuer.service.once('beforeUserinfo', (real: { body: Claims }) => void (real.body = body))
      const browser = new Browser()
      await signIn(browser)
      assert.ok(await userOf(browser))
    },
  )

  await t.test('where sign-up is closed only known users come in', async () => {
    claims = verified('known@example.com')
    await signIn(new Browser())
    signup = 'invite'
    const known = new Browser()
    await signIn(known)
    assert.ok(await userOf(known))
    claims = verified('stranger@example.com')
    assert.match(await refusalOf(signIn(new Browser()), 403), /invitation/)
    signup = 'open'
  })

  await t.test('the second factor is asked for before there is a session', async () => {
    const { id, email } = await deps.addUser()
    await sql`insert into two_factor ${sql({
      userId: id,
      secretSealed: deps.secrets.seal('totp', `totp:${id}`, 'JBSWY3DPEHPK3PXP'),
      confirmedAt: new Date(time.now),
      createdAt: new Date(time.now),
    })}`
    claims = verified(email)
    const browser = new Browser()
    const location = redirectOf(await signIn(browser, '/app/domains'))
    assert.equal(location, '/v1/auth/two-factor/verify?redirect=%2Fapp%2Fdomains')
    assert.deepEqual(Object.keys(browser.cookies), [TWO_FACTOR_COOKIE])
  })

  await t.test(
    'an address that had to be changed is not the one the provider verified',
    async () => {
      const { email } = await deps.addUser()
      for (const changed of [` ${email}`, `${email} `, `\t${email}`, `${email}\n`]) {
        claims = verified(changed)
        const browser = new Browser()
        assert.match(await refusalOf(signIn(browser), 403), /has not verified/)
        assert.equal(await userOf(browser), null)
      }
    },
  )

  await t.test('forged, foreign, late and repeated callbacks give no session', async () => {
    claims = verified('victim@example.com')
    const browser = new Browser()
    const { query } = await toProvider(browser)
    const cookie = browser.cookies[OAUTH_COOKIE]!
    const at = async (principal: Browser, input: CallbackQuery, provider = 'oidc') =>
      refusalOf(social.callback(principal.caller, provider, input), 400)

    assert.match(await at(browser, { ...query, state: 'forged' }), /began in another browser/)
    const { state: _, ...stateless } = query
    await at(browser, stateless)
    await at(new Browser(), query)
    const other = new Browser()
    await toProvider(other)
    await at(other, query)
    const tampered = new Browser()
    tampered.cookies[OAUTH_COOKIE] = `${cookie.slice(0, -4)}AAAA`
    await at(tampered, query)

    const { query: late } = await toProvider(other)
    time.now += 10 * 60_000
    await at(other, late)

    const { query: good } = await toProvider(browser)
    const kept = browser.cookies[OAUTH_COOKIE]!
    redirectOf(browser.keep(await social.callback(browser.caller, 'oidc', good)))
    const again = new Browser()
    again.cookies[OAUTH_COOKIE] = kept
    await at(again, good)
    assert.equal(await userOf(again), null)
  })

  await t.test('of 20 callbacks at once one signs in', async () => {
    claims = verified('racing@example.com')
    const browser = new Browser()
    const { query } = await toProvider(browser)
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => social.callback(browser.caller, 'oidc', query)),
    )
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  await t.test('a code of another attempt is refused by its PKCE verifier or nonce', async () => {
    claims = verified('mixed@example.com')
    const browser = new Browser()
    const attacker = await toProvider(new Browser())
    const { query } = await toProvider(browser)
    const mixed = { ...query, code: attacker.query.code! }
    await assert.rejects(social.callback(browser.caller, 'oidc', mixed), { name: 'ApiError' })
    assert.equal(await userOf(browser), null)
  })

  const forged: Record<string, Claims> = {
    'another nonce': { nonce: 'another' },
    'no nonce': { nonce: undefined },
    'another issuer': { iss: 'https://login.example.com' },
    'another audience': { aud: 'another-client' },
    'an end in the past': { exp: 1_000 },
    'no subject': { sub: undefined },
  }
  for (const [what, lie] of Object.entries(forged)) {
    await t.test(`an ID token with ${what} is not believed`, async () => {
      claims = { ...verified('lied@example.com'), ...lie }
      const browser = new Browser()
      assert.match(await refusalOf(signIn(browser), 400), /could not be verified/)
      assert.equal(await userOf(browser), null)
    })
  }

  await t.test(
    'an ID token signed with a key the provider does not publish is not believed',
    async () => {
      claims = verified('signed@example.com')
      const stranger = new OAuth2Server()
      await stranger.issuer.keys.generate('RS256')
      issuer.service.once('beforeResponse', (response: { body: Claims }) => {
        const [head, body] = String(response.body.id_token).split('.')
        response.body.id_token = `${head}.${body}.${Buffer.alloc(256, 1).toString('base64url')}`
      })
      assert.match(await refusalOf(signIn(new Browser()), 400), /could not be verified/)
    },
  )

  await t.test(
    'a failure at the provider is reported as one, and not as an internal error',
    async () => {
      claims = verified('trouble@example.com')
      const cases: [status: number, response: { statusCode: number; body: Claims }][] = [
        [403, { statusCode: 400, body: { error: 'invalid_grant' } }],
        [503, { statusCode: 401, body: { error: 'invalid_client' } }],
        [503, { statusCode: 500, body: { oops: true } }],
        [400, { statusCode: 200, body: { nothing: 'useful' } }],
      ]
      for (const [status, response] of cases) {
        issuer.service.once('beforeResponse', (real: object) => void Object.assign(real, response))
        await refusalOf(signIn(new Browser()), status)
      }
      const browser = new Browser()
      const { query } = await toProvider(browser)
      const denied = social.callback(browser.caller, 'oidc', {
        state: query.state!,
        error: 'access_denied',
      })
      assert.match(await refusalOf(denied, 403), /refused the sign-in/)

      const gone = socialWith({ ...settings, oidcIssuer: 'http://127.0.0.1:9' })
      assert.match(await refusalOf(gone.start(new Browser().caller, 'oidc'), 503), /right now/)
      const error = await refusedWith(gone.start(new Browser().caller, 'oidc'), 'UNAVAILABLE')
      assert.deepEqual(error.details, { reason: 'provider_unavailable' })
    },
  )

  await t.test('a provider that was down is asked again', async () => {
    let isDown = true
    const flaky = createServer((_request, response) => {
      if (isDown) return void response.writeHead(500).end()
      const { port } = flaky.address() as { port: number }
      const base = `http://127.0.0.1:${port}`
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          jwks_uri: `${base}/jwks`,
        }),
      )
    })
    await new Promise<void>((resolve) => flaky.listen(0, '127.0.0.1', resolve))
    t.after(() => flaky.close())
    const { port } = flaky.address() as { port: number }
    const social2 = socialWith({ ...settings, oidcIssuer: `http://127.0.0.1:${port}` })
    await refusalOf(social2.start(new Browser().caller, 'oidc'), 503)
    isDown = false
    redirectOf(await social2.start(new Browser().caller, 'oidc'))
  })

  await t.test('a signed-in user links an account of any address', async () => {
    const { id } = await deps.addUser()
    const browser = new Browser().signIn(id, time.now)
    claims = { ...verified('private@example.com'), email_verified: false }
    await refusedWith(social.startLink(new Browser().caller, 'oidc'), 'UNAUTHORIZED')
    const stale = new Browser().signIn('usr_any', time.now - 15 * 60_000 - 1)
    await refusedWith(social.startLink(stale.caller, 'oidc'), 'SESSION_NOT_FRESH')
    const { url } = await toProvider(new Browser().signIn(id, time.now), '/', true)
    assert.equal(url.searchParams.get('prompt'), 'select_account')
    assert.equal(redirectOf(await signIn(browser, '/app/settings', true)), '/app/settings')
    const [account] = dataOf(await accounts.list(browser.caller))
    assert.equal(account!.provider, 'oidc')
    assert.equal(account!.email, 'private@example.com')
    const later = new Browser()
    await signIn(later)
    assert.equal(await userOf(later), id)

    const other = await deps.addUser()
    const thief = new Browser().signIn(other.id, time.now)
    assert.match(await refusalOf(signIn(thief, '/', true), 409), /linked to another user/)
    await refusedWith(accounts.unlink(thief.caller, account!.id), 'NOT_FOUND')
  })

  await t.test('only the session that began to link ends it', async () => {
    const [one, other] = [await deps.addUser(), await deps.addUser()]
    claims = verified('linking@example.com')
    const browser = new Browser().signIn(one.id, time.now)
    const { query } = await toProvider(browser, '/', true)
    browser.signIn(other.id, time.now)
    await refusalOf(social.callback(browser.caller, 'oidc', query), 400)
    assert.deepEqual(dataOf(await accounts.list(browser.caller)), [])
  })

  await t.test('an account is unlinked, but not when it is the last way to sign in', async () => {
    claims = verified('lonely@example.com')
    const browser = new Browser()
    await signIn(browser)
    const id = (await userOf(browser))!
    browser.signIn(id, time.now)
    const [account] = dataOf(await accounts.list(browser.caller))
    await refusedWith(accounts.unlink(browser.caller, account!.id), 'CONFLICT')
    assert.equal(dataOf(await accounts.list(browser.caller)).length, 1)
    await sql`update users set password_hash = 'a hash' where id = ${id}`
    await accounts.unlink(browser.caller, account!.id)
    assert.deepEqual(dataOf(await accounts.list(browser.caller)), [])
    assert.ok((await deps.securityTypes(id)).includes('account.unlinked'))
  })
})

test('a browser comes back to paths of this server alone', () => {
  const own = [
    '/',
    '/?from=mail',
    '/app/',
    '/app/links',
    '/app/links?search=a%20b&x=%26#top',
    '/app/?q=100%25',
    '/app/a//b',
    '/v1/auth/invitation?token=abc',
    '/app/x?next=/slug',
  ]
  for (const path of own) assert.equal(returnPathOf(path), path)
  const foreign = [
    undefined,
    '',
    'app',
    'https://example.com',
    'HTTPS:example.com',
    'javascript:alert(1)',
    '//example.com',
    '///example.com',
    '/\\example.com',
    '\\\\example.com',
    '\\/example.com',
    '/\t/example.com',
    '/\n/example.com',
    '\t//example.com',
    ' //example.com',
    '/..//example.com',
    '/.//example.com',
    '/app/../..//example.com',
    '%2f%2fexample.com',
    '/%2fexample.com',
    '/%2Fexample.com',
    '/%5cexample.com',
    '/%252fexample.com',
    '/%25252fexample.com',
    '/%2525252fexample.com',
    '/%09/example.com',
    '/%0d%0aLocation:%20//example.com',
    '/app\0',
    // A path that may be a short link, which leads to another site.
    '/slug',
    '/app',
    '/apps/slug',
    '/App/slug',
    '/V1/slug',
    '/v1',
    '/v1slug',
    '/slug/app/',
    '/app/../slug',
    '/v1/./../slug',
    '/v1/%2e%2e/slug',
    '/v1/%252e%252e/slug',
    '/app/x%2F..%2F..%2Fslug',
    '/./slug',
    '/slug?/app/',
    '/\u0085/example.com',
    `/${'a'.repeat(2_000)}`,
  ]
  for (const path of foreign) assert.equal(returnPathOf(path), '/', JSON.stringify(path))
})

test('an issuer is asked over https, and over http on loopback alone', () => {
  const read = (OIDC_ISSUER: string) => readConfig({ OIDC_ISSUER }).oidcIssuer
  for (const url of [
    'https://login.example.com/realms/a',
    'http://localhost:8080',
    'http://[::1]:1',
  ])
    assert.equal(read(url), url)
  const refused = [
    'http://login.example.com',
    'http://localhost.example.com',
    'ftp://localhost',
    'https://user:password@login.example.com',
    'https://login.example.com/?a=b',
    'login.example.com',
  ]
  for (const url of refused) assert.throws(() => read(url), OperatorError, url)
  const secrets = Object.values(SETTINGS).filter((row) => row.name.endsWith('_CLIENT_SECRET'))
  assert.equal(secrets.length, 4)
  assert.ok(secrets.every((row) => row.isSecret))
})

test('half a provider is refused at the start, in one sentence', () => {
  assert.deepEqual([...createProviders(NONE).keys()], [])
  const halves: Partial<ProviderSettings>[] = [
    { oidcIssuer: 'https://login.example.com' },
    { oidcClientId: 'x', oidcClientSecret: 'y' },
    { googleClientId: 'x' },
    { githubClientSecret: 'canary-secret' },
    { microsoftClientId: 'x' },
  ]
  for (const half of halves) {
    assert.throws(
      () => createProviders({ ...NONE, ...half }),
      (error: Error) =>
        error instanceof OperatorError &&
        /^[A-Z_]+( and [A-Z_]+)? must be set as well, because .*\.$/.test(error.message) &&
        !error.message.includes('canary'),
    )
  }
  const all = {
    ...NONE,
    googleClientId: 'x',
    googleClientSecret: 'x',
    githubClientId: 'x',
    githubClientSecret: 'x',
    microsoftClientId: 'x',
    microsoftClientSecret: 'x',
  }
  assert.deepEqual([...createProviders(all).keys()], ['google', 'github', 'microsoft'])
})

test('GitHub signs in with PKCE, its numeric id and the primary address', async (t) => {
  const asked: { path: string; body: string; authorization: string | undefined }[] = []
  let emails: unknown = []
  let token: object = { access_token: 'token', token_type: 'bearer' }
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = (await request.toArray()).join('')
    asked.push({ path: request.url!, body, authorization: request.headers.authorization })
    const answers: Record<string, unknown> = {
      '/token': token,
      '/user': { id: 42, login: 'owner', name: null, email: 'public@example.com' },
      '/user/emails': emails,
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answers[request.url!]))
  }
  const github = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve))
  t.after(() => github.close())
  const base = `http://127.0.0.1:${(github.address() as { port: number }).port}`
  const provider = createGithubProvider(
    { clientId: 'id', clientSecret: 'secret' },
    { authorization: `${base}/authorize`, token: `${base}/token`, api: base },
  )
  const attempt = {
    state: 'the state',
    nonce: 'the nonce',
    codeVerifier: 'v'.repeat(43),
    redirectUri: `${ORIGIN}/v1/auth/callback/github`,
    mustChoose: false,
  }
  const url = await provider.authorizationUrl(attempt)
  assert.equal(url.searchParams.get('state'), 'the state')
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
  const callback = new URL(`${attempt.redirectUri}?code=the-code`)

  emails = [
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'owner@example.com', primary: true, verified: true },
  ]
  assert.deepEqual(await provider.identify(callback, attempt), {
    issuer: 'https://github.com',
    subject: '42',
    email: 'owner@example.com',
    isEmailVerified: true,
    name: 'owner',
  })
  const sent = new URLSearchParams(asked[0]!.body)
  assert.equal(sent.get('code'), 'the-code')
  assert.equal(sent.get('code_verifier'), attempt.codeVerifier)
  assert.equal(sent.get('redirect_uri'), attempt.redirectUri)
  assert.equal(asked.find(({ path }) => path === '/user')!.authorization, 'Bearer token')

  emails = [{ email: 'owner@example.com', primary: true, verified: false }]
  assert.equal((await provider.identify(callback, attempt)).isEmailVerified, false)
  emails = { message: 'no scope' }
  assert.equal((await provider.identify(callback, attempt)).email, null)
  token = { error: 'bad_verification_code' }
  await assert.rejects(provider.identify(callback, attempt), {
    name: 'ProviderError',
    kind: 'refused',
  })
})

function redirectOf(answer: Answer): string {
  assert.ok('redirect' in answer, JSON.stringify(answer))
  return answer.redirect
}

/** The sentence of a refusal. */
async function refusalOf(work: Promise<unknown>, status: number): Promise<string> {
  const error = await work.then(
    (value) => assert.fail(`not refused: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError, String(error))
  assert.equal(error.status, status, error.message)
  return error.message
}
