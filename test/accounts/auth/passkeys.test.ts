import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasskeys, PASSKEY_COOKIE } from '../../../src/accounts/second-factor/passkeys.ts'
import { Authenticator, type Twist } from '../../support/authenticator.ts'
import { Browser, dataOf, openDependencies, ORIGIN, refusedWith } from '../../support/auth-rules.ts'

test('passkeys', { concurrency: false }, async (t) => {
  const deps = await openDependencies(t)
  const { sql, time } = deps
  let publicUrl: string | null = null
  const passkeys = createPasskeys({
    ...deps,
    providerIds: [],
    get publicUrl() {
      return publicUrl
    },
  })

  async function optionsFor(browser: Browser) {
    return dataOf(browser.keep(await passkeys.registerOptions(browser.caller)))
  }
  async function add(browser: Browser, key = new Authenticator(ORIGIN), twist: Twist = {}) {
    const response = key.register(await optionsFor(browser), twist)
    const reply = await passkeys.register(browser.caller, { name: 'Phone', response })
    return { key, passkey: dataOf(browser.keep(reply)) }
  }
  async function signIn(key: Authenticator, twist: Twist = {}) {
    const browser = new Browser()
    const options = dataOf(browser.keep(await passkeys.signInOptions(browser.caller)))
    const response = key.signIn(options, twist)
    const finish = () => passkeys.signIn(browser.caller, { response })
    return { browser, finish }
  }
  async function addUser(options = {}) {
    const user = await deps.addUser(options)
    return { ...user, browser: new Browser().signIn(user.id, time.now) }
  }

  await t.test('a passkey is added by its owner and signs them in', async () => {
    const user = await addUser()
    const options = await optionsFor(user.browser)
    assert.equal(options.rp.id, 'localhost')
    assert.equal(options.user.name, user.email)
    assert.equal(options.authenticatorSelection?.userVerification, 'required')
    assert.equal(options.authenticatorSelection?.residentKey, 'required')

    const { key, passkey } = await add(user.browser)
    assert.match(passkey.id, /^psk_/)
    assert.equal(passkey.lastUsedAt, null)
    assert.deepEqual(user.browser.cookies, {})
    const { browser, finish } = await signIn(key)
    const reply = browser.keep(await finish())
    assert.equal(dataOf(reply).user!.id, user.id)
    assert.deepEqual(await deps.sessionOf(browser), { userId: user.id, method: 'passkey' })
    assert.deepEqual(Object.keys(browser.cookies), ['signpost_session', 'signpost_device'])
    const [listed] = dataOf(await passkeys.list(user.browser.caller))
    assert.equal(listed!.lastUsedAt, new Date(time.now).toISOString())
    assert.deepEqual(await deps.securityTypes(user.id), ['passkey.added', 'sign_in.succeeded'])
  })

  await t.test('adding one takes a sign-in of the last fifteen minutes', async () => {
    const user = await addUser()
    const stale = new Browser().signIn(user.id, time.now - 15 * 60_000 - 1)
    const error = await refusedWith(passkeys.registerOptions(stale.caller), 'SESSION_NOT_FRESH')
    assert.equal(error.status, 403)
    assert.match(error.message, /Sign in again/)
    assert.equal((await sql`select 1 from passkey_challenges where user_id = ${user.id}`).length, 0)
    const { passkey } = await add(new Browser().signIn(user.id, time.now - 15 * 60_000))
    // A request that adds no passkey takes no place.
    await passkeys.list(stale.caller)
    await passkeys.rename(stale.caller, passkey.id, { name: 'Laptop' })
    await passkeys.remove(stale.caller, passkey.id)
  })

  await t.test('PUBLIC_URL decides the origin, not the request', async () => {
    const user = await addUser()
    publicUrl = 'https://links.example.com'
    const options = await optionsFor(user.browser)
    assert.equal(options.rp.id, 'links.example.com')
    await refusedWith(add(user.browser), 'VALIDATION_ERROR')
    const { key } = await add(user.browser, new Authenticator(publicUrl))
    await (await signIn(key)).finish()
    publicUrl = null
  })

  const twists: Record<string, Twist> = {
    'another origin': { origin: 'https://localhost.example.com' },
    'the same host over another scheme': { origin: 'https://localhost:3000' },
    'another challenge': { challenge: Buffer.alloc(32, 7).toString('base64url') },
    'no challenge': { challenge: '' },
    'another RP id': { rpId: 'example.com' },
    'a user who was not verified': { isUserVerified: false },
  }
  for (const [what, twist] of Object.entries(twists)) {
    await t.test(`neither adding nor signing in works with ${what}`, async () => {
      const user = await addUser()
      await refusedWith(add(user.browser, new Authenticator(ORIGIN), twist), 'VALIDATION_ERROR')
      const { key } = await add(user.browser)
      const { finish } = await signIn(key, twist)
      await refusedWith(finish(), 'UNAUTHORIZED')
      assert.ok((await deps.securityTypes(user.id)).includes('sign_in.failed'))
      await (await signIn(key)).finish()
    })
  }

  await t.test('an answer counts once, also when it comes 20 times at once', async () => {
    const { browser: owner } = await addUser()
    const { key } = await add(owner)
    const { finish } = await signIn(key)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, finish))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    await refusedWith(finish(), 'UNAUTHORIZED')
  })

  await t.test('an answer to a failed attempt cannot be tried again', async () => {
    const { browser: owner } = await addUser()
    const { key } = await add(owner)
    const browser = new Browser()
    const options = dataOf(browser.keep(await passkeys.signInOptions(browser.caller)))
    const wrong = key.signIn(options, { origin: 'https://example.com' })
    const right = key.signIn(options)
    await refusedWith(passkeys.signIn(browser.caller, { response: wrong }), 'UNAUTHORIZED')
    await refusedWith(passkeys.signIn(browser.caller, { response: right }), 'UNAUTHORIZED')
  })

  await t.test('a challenge is bound to its browser, its end and five minutes', async () => {
    const user = await addUser()
    const other = await addUser()
    const { key } = await add(user.browser)

    const { browser, finish } = await signIn(key)
    const cookie = browser.cookies[PASSKEY_COOKIE]!
    browser.cookies = {}
    await refusedWith(finish(), 'UNAUTHORIZED')
    browser.cookies = { [PASSKEY_COOKIE]: cookie }
    time.now += 5 * 60_000
    await refusedWith(finish(), 'UNAUTHORIZED')

    // A challenge for adding is invalid for signing in, and for another user.
    const options = await optionsFor(user.browser)
    const response = key.signIn({ challenge: options.challenge, rpId: 'localhost' })
    await refusedWith(passkeys.signIn(user.browser.caller, { response }), 'UNAUTHORIZED')
    const theirs = new Authenticator(ORIGIN).register(await optionsFor(user.browser))
    other.browser.cookies = { ...user.browser.cookies }
    await refusedWith(
      passkeys.register(other.browser.caller, { name: 'Theirs', response: theirs }),
      'VALIDATION_ERROR',
    )
  })

  await t.test('a counter that does not go on is a copied authenticator', async () => {
    const { browser: owner } = await addUser()
    const { key } = await add(owner)
    await (await signIn(key, { counter: 7 })).finish()
    await refusedWith((await signIn(key, { counter: 7 })).finish(), 'UNAUTHORIZED')
    await refusedWith((await signIn(key, { counter: 3 })).finish(), 'UNAUTHORIZED')
    await (await signIn(key, { counter: 8 })).finish()
  })

  await t.test('an authenticator that does not count signs in again and again', async () => {
    const { browser: owner } = await addUser()
    const { key } = await add(owner)
    await (await signIn(key, { counter: 0 })).finish()
    await (await signIn(key, { counter: 0 })).finish()
  })

  await t.test('a signature of another key, or for another user, is refused', async () => {
    const [one, other] = [await addUser(), await addUser()]
    const { key } = await add(one.browser)
    const { key: otherKey } = await add(other.browser)
    const impostor = new Authenticator(ORIGIN)
    Object.defineProperty(impostor, 'id', { value: key.id })
    await refusedWith((await signIn(impostor)).finish(), 'UNAUTHORIZED')
    await refusedWith(
      (await signIn(key, { userHandle: otherKey.userHandle })).finish(),
      'UNAUTHORIZED',
    )
    await refusedWith((await signIn(new Authenticator(ORIGIN))).finish(), 'UNAUTHORIZED')
  })

  await t.test('a credential belongs to one account', async () => {
    const [one, other] = [await addUser(), await addUser()]
    const { key } = await add(one.browser)
    await refusedWith(add(other.browser, key), 'CONFLICT')
    const options = await optionsFor(one.browser)
    assert.deepEqual(
      options.excludeCredentials?.map(({ id }) => id),
      [key.id],
    )
  })

  await t.test('broken answers are refused, not failed on', async () => {
    const { browser: owner } = await addUser()
    const { key } = await add(owner)
    const broken = [
      {},
      { id: 7 },
      { id: key.id },
      { id: key.id, rawId: key.id, type: 'public-key', response: {} },
      { id: key.id, rawId: key.id, type: 'public-key', response: null },
      {
        id: key.id,
        rawId: key.id,
        type: 'public-key',
        response: { clientDataJSON: 'bnVsbA', authenticatorData: 'AA', signature: 'AA' },
      },
    ] as never[]
    for (const response of broken) {
      const browser = new Browser()
      browser.keep(await passkeys.signInOptions(browser.caller))
      await refusedWith(passkeys.signIn(browser.caller, { response }), 'UNAUTHORIZED')
      await optionsFor(owner)
      await refusedWith(
        passkeys.register(owner.caller, { name: 'x', response }),
        'VALIDATION_ERROR',
      )
    }
  })

  await t.test('users see, rename and remove their own passkeys alone', async () => {
    const [one, other] = [await addUser(), await addUser()]
    const { key, passkey } = await add(one.browser)
    await refusedWith(passkeys.list(new Browser().caller), 'UNAUTHORIZED')
    assert.deepEqual(dataOf(await passkeys.list(other.browser.caller)), [])
    await refusedWith(
      passkeys.rename(other.browser.caller, passkey.id, { name: 'Mine' }),
      'NOT_FOUND',
    )
    await refusedWith(passkeys.remove(other.browser.caller, passkey.id), 'NOT_FOUND')
    const renamed = await passkeys.rename(one.browser.caller, passkey.id, { name: ' Laptop ' })
    assert.equal(dataOf(renamed).name, 'Laptop')
    await refusedWith(
      passkeys.rename(one.browser.caller, passkey.id, { name: ' ' }),
      'VALIDATION_ERROR',
    )
    await passkeys.remove(one.browser.caller, passkey.id)
    assert.deepEqual(dataOf(await passkeys.list(one.browser.caller)), [])
    await refusedWith((await signIn(key)).finish(), 'UNAUTHORIZED')
    assert.ok((await deps.securityTypes(one.id)).includes('passkey.removed'))
  })

  await t.test('the last way to sign in stays, also when two are removed at once', async () => {
    const { browser: owner } = await addUser({ passwordHash: '' })
    const { passkey: first } = await add(owner)
    const { passkey: second } = await add(owner)
    const outcomes = await Promise.allSettled(
      [first, second].map(({ id }) => passkeys.remove(owner.caller, id)),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    const [left] = dataOf(await passkeys.list(owner.caller))
    await refusedWith(passkeys.remove(owner.caller, left!.id), 'CONFLICT')
    assert.equal((await sql`select 1 from passkeys where id = ${left!.id}`).length, 1)
  })
})
