import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { openLog } from '../../../src/platform/core/log.ts'
import { SESSION_COOKIE } from '../../../src/accounts/sign-in/sessions.ts'
import { DEVICE_COOKIE } from '../../../src/accounts/sign-in/throttle.ts'
import { openRateLimits } from '../../../src/platform/limits/rate-limits.ts'
import { dataOf, refusedWith } from '../../support/auth-rules.ts'
import { newBrowser, openService, OTHER_PASSWORD, PASSWORD } from '../../support/auth-service.ts'

test('signing in with a password', { concurrency: false }, async (t) => {
  const service = await openService(t)
  const { signIn, signInWith, signUpWith, freshEmail, lastMail } = service

  await t.test('a wrong password and an unknown address get the same answer', async () => {
    const { email, userId } = await service.member()
    const answers = []
    for (const each of [email, freshEmail()]) {
      const before = service.passwords.stats().runs
      const error = await refusedWith(
        signInWith(newBrowser(), each, OTHER_PASSWORD),
        'INVALID_CREDENTIALS',
      )
      assert.equal(service.passwords.stats().runs - before, 2, 'two hashes for either')
      answers.push([error.status, error.message, error.details])
    }
    assert.deepEqual(answers[0], answers[1])
    assert.equal(answers[0]![0], 401)
    assert.equal((await service.securityTypes(userId)).at(-1), 'sign_in.failed')
  })

  await t.test('a user without a password cannot be guessed into', async () => {
    const { email } = await service.addUser({ passwordHash: '' })
    await refusedWith(signInWith(newBrowser(), email, ''), 'INVALID_CREDENTIALS')
    await refusedWith(signInWith(newBrowser(), email), 'INVALID_CREDENTIALS')
  })

  await t.test(
    'an unverified sign-up is mailed its link again, for its password alone',
    async () => {
      const email = freshEmail()
      const browser = newBrowser()
      await signUpWith(newBrowser(), email, 'a squatter was here')
      await signUpWith(browser, email)
      const mailsBefore = service.sent.length
      await refusedWith(signInWith(browser, email, OTHER_PASSWORD), 'INVALID_CREDENTIALS')
      assert.equal(service.sent.length, mailsBefore)
      const before = service.passwords.stats().runs
      await refusedWith(signInWith(browser, email), 'EMAIL_NOT_VERIFIED')
      assert.equal(service.passwords.stats().runs - before, 2, 'one hash for all that are pending')
      assert.equal(service.sent.length, mailsBefore + 1)
      const { token } = lastMail(email)
      dataOf(await service.verification.verify(browser.caller, { token: token! }))
    },
  )

  await t.test(
    'a sign-up and its password do not tell whether the address has an account',
    async () => {
      for (const signup of ['open', 'invite'] as const) {
        const asking = service.with({ signup })
        const answers = []
        const { email: known, userId } = await service.member()
        const { email: withoutPassword } = await service.addUser({
          email: freshEmail(),
          passwordHash: '',
        })
        for (const email of [freshEmail(), known, withoutPassword]) {
          const stranger = newBrowser()
          const body = { name: 'Stranger', email, password: OTHER_PASSWORD }
          stranger.keep(await asking.signUp.signUp(stranger.caller, body))
          const before = asking.passwords.stats().runs
          const attempt = (password: string) =>
            asking.signIn.withPassword(stranger.caller, { email, password })
          const meant = await refusedWith(attempt(OTHER_PASSWORD), 'EMAIL_NOT_VERIFIED')
          const runs = asking.passwords.stats().runs - before
          const wrong = await refusedWith(attempt('the third password'), 'INVALID_CREDENTIALS')
          answers.push([runs, meant.message, meant.details, wrong.message, wrong.details])
        }
        assert.deepEqual(answers[1], answers[0], signup)
        assert.deepEqual(answers[2], answers[0], signup)
        const kinds = asking.sent.map(({ to, kind }) => (to === known ? kind : null))
        const told = kinds.filter((kind) => kind !== null)
        assert.deepEqual(told, ['alreadyRegistered', 'alreadyRegistered'], signup)
        assert.equal((await service.securityTypes(userId)).at(-1), 'sign_in.failed')
        assert.ok((await signInWith(newBrowser(), known)).user)
      }
    },
  )

  await t.test('the session is new, and one that was planted before ends', async () => {
    const planter = await service.member()
    const { email } = await service.member()
    const browser = newBrowser()
    browser.cookies[SESSION_COOKIE] = planter.browser.cookies[SESSION_COOKIE]!
    await service.signedIn(browser)
    const { session } = await signInWith(browser, email)
    assert.notEqual(session!.id, planter.browser.session!.id)
    assert.notEqual(browser.cookies[SESSION_COOKIE], planter.browser.cookies[SESSION_COOKIE])
    assert.equal(await service.signedIn(planter.browser), false)
  })

  await t.test('six first logins at once make one workspace', async () => {
    const { id, email } = await service.addUser({
      passwordHash: await service.passwords.hash(PASSWORD),
    })
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => signInWith(newBrowser(), email)),
    )
    assert.equal(new Set(replies.map(({ workspace }) => workspace!.id)).size, 1)
    const rows = await service.sql`select 1 from members where user_id = ${id}`
    assert.equal(rows.length, 1)
  })

  await t.test('a suspended user is refused, and signed out everywhere', async () => {
    const { email, userId, browser } = await service.member()
    await service.sql`update users set suspended_at = now() where id = ${userId}`
    assert.equal(await service.signedIn(browser), false)
    await refusedWith(signInWith(newBrowser(), email, OTHER_PASSWORD), 'INVALID_CREDENTIALS')
    await refusedWith(signInWith(newBrowser(), email), 'FORBIDDEN')
    await service.sql`delete from users where id = ${userId}`
    await refusedWith(signInWith(newBrowser(), email), 'INVALID_CREDENTIALS')
    await refusedWith(
      service.completeSignIn(newBrowser().caller, userId, 'passkey'),
      'UNAUTHORIZED',
    )
  })

  await t.test('a session says whether its workspace is suspended', async () => {
    const { browser } = await service.member()
    const shown = async () => dataOf(await signIn.current(browser.caller))!.workspace!
    const { id } = await shown()
    assert.equal((await shown()).isSuspended, false)
    await service.sql`update workspaces set suspended_at = now() where id = ${id}`
    assert.equal((await shown()).isSuspended, true)
  })

  await t.test('a user whose address is not verified gets no session in any way', async () => {
    const { id } = await service.addUser()
    await service.sql`update users set email_verified_at = null where id = ${id}`
    await refusedWith(
      service.completeSignIn(newBrowser().caller, id, 'passkey'),
      'EMAIL_NOT_VERIFIED',
    )
  })

  await t.test('a second factor is asked for, and nothing succeeds before it', async () => {
    const { email, userId, browser } = await service.member()
    const { secret } = dataOf(
      await service.twoFactor.enable(browser.caller, { password: PASSWORD }),
    )
    const codeOf = () => new TOTP({ secret }).generate({ timestamp: service.time.now })
    await service.twoFactor.verify(browser.caller, { code: codeOf() })
    service.time.now += 90_000
    const typesBefore = await service.securityTypes(userId)

    const other = newBrowser()
    assert.deepEqual(await signInWith(other, email), { twoFactorRequired: true })
    assert.equal(other.session, null)
    assert.deepEqual(await service.securityTypes(userId), typesBefore)
    other.keep(await service.twoFactor.verify(other.caller, { code: codeOf() }))
    assert.equal(await service.signedIn(other), true)
    assert.deepEqual((await service.securityTypes(userId)).slice(typesBefore.length), [
      'sign_in.succeeded',
    ])

    // Another password ends a sign-in that waits for its second factor.
    const waiting = newBrowser()
    await signInWith(waiting, email)
    await service.reset.request(newBrowser().caller, email)
    const { token } = lastMail(email, 'resetPassword')
    await service.reset.reset(newBrowser().caller, { token: token!, password: OTHER_PASSWORD })
    service.time.now += 90_000
    await refusedWith(service.twoFactor.verify(waiting.caller, { code: codeOf() }), 'UNAUTHORIZED')
  })

  await t.test('a password that was changed while it was compared begins no session', async () => {
    const { email, userId } = await service.member()
    const [before] = await service.sql<{ passwordHash: string }[]>`
      select password_hash from users where id = ${userId}`
    const changed = await service.passwords.hash(OTHER_PASSWORD)
    await service.sql`update users set password_hash = ${changed} where id = ${userId}`
    await refusedWith(
      service.enter(newBrowser().caller, userId, 'password', before!.passwordHash),
      'INVALID_CREDENTIALS',
    )
    assert.ok((await signInWith(newBrowser(), email, OTHER_PASSWORD)).user)
  })
})

test('guesses are counted by account', { concurrency: false }, async (t) => {
  const limits = await openRateLimits({ redisUrl: null, log: openLog('silent') })
  t.after(() => limits[Symbol.asyncDispose]())
  const deps = await openService(t)
  const limited = deps.with({
    accountLimiter: limits.limiter('account', { points: 20 }),
    accountIpLimiter: limits.limiter('account-ip', { points: 5 }),
  })
  const guess = (email: string, password: string, ip: string, browser = newBrowser()) =>
    limited.signIn.withPassword({ ...browser.caller, ip }, { email, password })

  await t.test('by network: a right password is refused as well, and no hash is run', async () => {
    const { email } = await deps.member()
    for (let i = 1; i <= 5; i++)
      await refusedWith(guess(email, OTHER_PASSWORD, `2001:db8:1:2::${i}`), 'INVALID_CREDENTIALS')
    const before = limited.passwords.stats().runs
    const error = await refusedWith(guess(email, PASSWORD, '2001:db8:1:2:ffff::1'), 'RATE_LIMITED')
    assert.ok('retryAfter' in error.details)
    assert.equal(limited.passwords.stats().runs, before)
    dataOf(await guess(email, PASSWORD, '2001:db8:1:3::1'))
  })

  await t.test('an unknown address is limited in the same way', async () => {
    const email = deps.freshEmail()
    for (let i = 0; i < 5; i++)
      await refusedWith(guess(email, PASSWORD, '192.0.2.9'), 'INVALID_CREDENTIALS')
    await refusedWith(guess(email, PASSWORD, '192.0.2.9'), 'RATE_LIMITED')
  })

  await t.test('strangers do not lock out a device that has signed in before', async () => {
    const { email, browser } = await deps.member()
    for (let i = 0; i < 20; i++)
      await refusedWith(guess(email, OTHER_PASSWORD, `198.51.100.${i}`), 'INVALID_CREDENTIALS')
    await refusedWith(guess(email, PASSWORD, '198.51.100.99'), 'RATE_LIMITED')

    const known = newBrowser()
    known.cookies[DEVICE_COOKIE] = browser.cookies[DEVICE_COOKIE]!
    dataOf(await guess(email, PASSWORD, '198.51.100.99', known))
    // Its own budget is as strict.
    for (let i = 0; i < 4; i++)
      await refusedWith(guess(email, OTHER_PASSWORD, '192.0.2.1', known), 'INVALID_CREDENTIALS')
    await refusedWith(guess(email, PASSWORD, '192.0.2.1', known), 'RATE_LIMITED')
  })

  await t.test(
    'a device is known to the account it signed in to, and only if we say so',
    async () => {
      const { email } = await deps.member()
      const { browser: foreign } = await deps.member()
      for (let i = 0; i < 20; i++)
        await refusedWith(guess(email, OTHER_PASSWORD, `203.0.113.${i}`), 'INVALID_CREDENTIALS')
      const [id, issued, signature] = foreign.cookies[DEVICE_COOKIE]!.split('.')
      for (const forged of [
        `${id}.${issued}.${signature}`,
        `x.${issued}.${signature}`,
        'a.b.c',
        '..',
      ]) {
        const browser = newBrowser()
        browser.cookies[DEVICE_COOKIE] = forged
        await refusedWith(guess(email, PASSWORD, '203.0.113.99', browser), 'RATE_LIMITED')
      }
    },
  )

  await t.test('a change of address keeps the browsers of the account known', async () => {
    const { email, browser, userId } = await deps.member()
    const newEmail = deps.freshEmail()
    await deps.sql`
      update users set email = ${newEmail}, email_key = ${newEmail} where id = ${userId}`
    for (let i = 0; i < 20; i++)
      await refusedWith(guess(newEmail, OTHER_PASSWORD, `203.0.114.${i}`), 'INVALID_CREDENTIALS')
    await refusedWith(guess(newEmail, PASSWORD, '203.0.114.99'), 'RATE_LIMITED')
    const known = () => {
      const jar = newBrowser()
      jar.cookies[DEVICE_COOKIE] = browser.cookies[DEVICE_COOKIE]!
      return jar
    }
    dataOf(await guess(newEmail, PASSWORD, '203.0.114.99', known()))
    // For the address that the account has left, the browser is as unknown as any other.
    for (let i = 0; i < 5; i++)
      await refusedWith(guess(email, PASSWORD, '203.0.114.98', known()), 'INVALID_CREDENTIALS')
    await refusedWith(guess(email, PASSWORD, '203.0.114.98', known()), 'RATE_LIMITED')
  })
})
