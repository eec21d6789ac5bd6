import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataOf, refusedWith } from '../../support/auth-rules.ts'
import {
  formBrowser,
  newBrowser,
  openService,
  OTHER_PASSWORD,
  PASSWORD,
  successes,
} from '../../support/auth-service.ts'
import { HOUR_MS } from '../../../src/platform/core/clock.ts'

test('a new password by mail', { concurrency: false }, async (t) => {
  const service = await openService(t)
  const { reset, lastMail, signInWith, signedIn } = service

  async function ask(email: string) {
    dataOf(await reset.request(newBrowser().caller, email))
    return lastMail(email, 'resetPassword').token!
  }

  await t.test(
    'the answer is the same for every address, and no mail goes to unknown ones',
    async () => {
      const { email } = await service.member()
      const unknown = service.freshEmail()
      const before = service.sent.length
      assert.deepEqual(
        await reset.request(newBrowser().caller, unknown),
        await reset.request(newBrowser().caller, email),
      )
      assert.deepEqual(
        service.sent.slice(before).map(({ to, kind }) => [to, kind]),
        [[email, 'resetPassword']],
      )
    },
  )

  await t.test('it ends every session and every link, and starts no session', async () => {
    const { email, browser, userId } = await service.member()
    const token = await ask(email)
    const stored = await service.sql`select * from auth_tokens`
    assert.ok(!JSON.stringify(stored).includes(token))
    const reply = await reset.reset(newBrowser().caller, { token, password: OTHER_PASSWORD })
    assert.deepEqual(reply, { data: { reset: true } })
    assert.equal(await signedIn(browser), false)
    await refusedWith(signInWith(newBrowser(), email), 'INVALID_CREDENTIALS')
    assert.ok((await signInWith(newBrowser(), email, OTHER_PASSWORD)).user)
    assert.equal(lastMail(email).kind, 'passwordChanged')
    assert.ok((await service.securityTypes(userId)).includes('password.reset'))
  })

  await t.test('a link is good once, of twenty uses at the same time', async () => {
    const { email } = await service.member()
    const token = await ask(email)
    const uses = Array.from({ length: 16 }, () =>
      reset.reset(newBrowser().caller, { token, password: OTHER_PASSWORD }),
    )
    assert.equal(await successes(uses), 1)
    await refusedWith(reset.reset(newBrowser().caller, { token, password: OTHER_PASSWORD }), 'GONE')
  })

  await t.test('a link is void after an hour, a newer one, or another password', async () => {
    const { email, browser } = await service.member()
    const use = (token: string) =>
      reset.reset(newBrowser().caller, { token, password: OTHER_PASSWORD })
    const first = await ask(email)
    const second = await ask(email)
    await refusedWith(use(first), 'GONE')
    const change = { currentPassword: PASSWORD, newPassword: 'the third password' }
    await service.passwordChange.change(browser.caller, change)
    await refusedWith(use(second), 'GONE')
    const third = await ask(email)
    service.time.now += HOUR_MS
    await refusedWith(use(third), 'GONE')
  })

  await t.test('opening the link uses nothing, and a weak password does not cost it', async () => {
    const { email } = await service.member()
    const token = await ask(email)
    for (let i = 0; i < 3; i++) {
      const page = await reset.show(formBrowser().caller, token)
      assert.ok('html' in page && page.html.includes('autocomplete="new-password"'))
    }
    const weak = await reset.reset(formBrowser().caller, { token, password: 'password1234' })
    assert.ok('html' in weak && weak.status === 400 && weak.html.includes('role="alert"'))
    const done = await reset.reset(formBrowser().caller, { token, password: OTHER_PASSWORD })
    assert.ok('html' in done && done.html.includes('Password changed'))
    const gone = await reset.show(formBrowser().caller, token)
    assert.ok('html' in gone && gone.status === 410)
    const forged = await reset.show(formBrowser().caller, '"><script>alert(1)</script>')
    assert.ok('html' in forged && !forged.html.includes('<script'))
  })

  await t.test('a link of one kind is invalid for another', async () => {
    const { email, browser } = await service.member()
    const token = await ask(email)
    await refusedWith(service.profile.confirmChange(newBrowser().caller, { token }), 'GONE')
    const newEmail = service.freshEmail()
    await service.profile.changeEmail(browser.caller, { newEmail, password: PASSWORD })
    const verify = lastMail(newEmail).token!
    await refusedWith(
      reset.reset(newBrowser().caller, { token: verify, password: OTHER_PASSWORD }),
      'GONE',
    )
  })
})

test('what signed-in users change', { concurrency: false }, async (t) => {
  const service = await openService(t)
  const { profile, passwordChange, lastMail, signInWith, signedIn, freshEmail } = service

  await t.test(
    'a new password takes the old one, ends other sessions and renews this one',
    async () => {
      const { email, browser, userId } = await service.member()
      const other = newBrowser()
      await signInWith(other, email)
      const change = (input: { currentPassword?: string; newPassword: string }) =>
        passwordChange.change(browser.caller, input)
      const rows = [
        [{ newPassword: OTHER_PASSWORD }, 'currentPassword'],
        [{ currentPassword: 'wrong', newPassword: OTHER_PASSWORD }, 'currentPassword'],
        [{ currentPassword: PASSWORD, newPassword: 'short' }, 'newPassword'],
      ] as const
      for (const [input, path] of rows)
        assert.partialDeepStrictEqual(
          (await refusedWith(change(input), 'VALIDATION_ERROR')).details,
          [{ path }],
        )
      const before = { ...browser.session!, token: browser.cookies['signpost_session'] }
      browser.keep(await change({ currentPassword: PASSWORD, newPassword: OTHER_PASSWORD }))
      assert.equal(await signedIn(other), false)
      assert.equal(await signedIn(browser), true)
      assert.notEqual(browser.session!.id, before.id)
      assert.equal(await service.sessions.authenticate(before.token!, null), null)
      assert.equal(browser.session!.workspaceId, before.workspaceId)
      assert.ok((await service.securityTypes(userId)).includes('password.changed'))
      assert.equal(lastMail(email).kind, 'passwordChanged')
    },
  )

  await t.test('of two changes at once one is made', async () => {
    const { browser } = await service.member()
    const changes = ['first of the two', 'second of the two'].map((newPassword) =>
      passwordChange.change(browser.caller, { currentPassword: PASSWORD, newPassword }),
    )
    assert.equal(await successes(changes), 1)
  })

  await t.test('a user without a password sets one soon after signing in', async () => {
    const { id } = await service.addUser({ passwordHash: '' })
    const browser = newBrowser().signIn(id, service.time.now)
    dataOf(await passwordChange.change(browser.caller, { newPassword: PASSWORD }))
    const late = await service.addUser({ passwordHash: '' })
    const stale = newBrowser().signIn(late.id, service.time.now - HOUR_MS)
    await refusedWith(
      passwordChange.change(stale.caller, { newPassword: PASSWORD }),
      'SESSION_NOT_FRESH',
    )
  })

  await t.test('a name', async () => {
    const { browser } = await service.member()
    const forged = { name: ' New name ', emailVerified: false, email: 'x@example.com' }
    const { name, emailVerified } = dataOf(await profile.update(browser.caller, forged))
    assert.deepEqual([name, emailVerified], ['New name', true])
    await refusedWith(profile.update(browser.caller, { name: 'a\0b' }), 'VALIDATION_ERROR')
    await refusedWith(profile.update(newBrowser().caller, { name: 'x' }), 'UNAUTHORIZED')
  })

  await t.test(
    'an address changes once the old one approves and the new one is verified',
    async () => {
      for (const order of [
        ['approveEmailChange', 'verifyNewEmail'],
        ['verifyNewEmail', 'approveEmailChange'],
      ] as const) {
        const { email, browser } = await service.member()
        const newEmail = freshEmail()
        await refusedWith(
          profile.changeEmail(browser.caller, { newEmail, password: 'wrong' }),
          'VALIDATION_ERROR',
        )
        dataOf(await profile.changeEmail(browser.caller, { newEmail, password: PASSWORD }))
        await service.reset.request(newBrowser().caller, email)
        const confirmers = { approveEmailChange: newBrowser(), verifyNewEmail: browser }
        const tokens = {
          approveEmailChange: lastMail(email, 'approveEmailChange').token!,
          verifyNewEmail: lastMail(newEmail, 'verifyNewEmail').token!,
        }
        for (const token of Object.values(tokens)) {
          const page = await profile.showChange(newBrowser().caller, token)
          assert.ok('html' in page && page.html.includes('/v1/auth/change-email/confirm'))
        }
        const confirm = async (kind: keyof typeof tokens) =>
          dataOf(await profile.confirmChange(confirmers[kind].caller, { token: tokens[kind] }))
            .changed
        assert.equal(await confirm(order[0]), false)
        assert.ok((await signInWith(newBrowser(), email)).user)
        await refusedWith(confirm(order[0]), 'GONE')
        assert.equal(await confirm(order[1]), true)
        assert.equal(lastMail(email).kind, 'emailChanged')
        assert.equal((await signInWith(newBrowser(), newEmail)).user!.email, newEmail)
        await refusedWith(signInWith(newBrowser(), email), 'INVALID_CREDENTIALS')
        const { token } = lastMail(email, 'resetPassword')
        await refusedWith(
          service.reset.reset(newBrowser().caller, { token: token!, password: OTHER_PASSWORD }),
          'GONE',
        )
      }
    },
  )

  await t.test('an address that is taken is not revealed to the caller', async () => {
    const taken = await service.member()
    const { browser, email } = await service.member()
    const ask = (newEmail: string) =>
      profile.changeEmail(browser.caller, { newEmail, password: PASSWORD })
    assert.deepEqual(await ask(taken.email), await ask(freshEmail()))
    assert.equal(lastMail(taken.email).kind, 'alreadyRegistered')
    assert.equal(lastMail(email).kind, 'approveEmailChange')
  })

  await t.test('an address that was taken in the meantime is a conflict', async () => {
    const { browser, email } = await service.member()
    const newEmail = freshEmail()
    await profile.changeEmail(browser.caller, { newEmail, password: PASSWORD })
    const approve = lastMail(email, 'approveEmailChange').token!
    const verify = lastMail(newEmail, 'verifyNewEmail').token!
    await service.member(newEmail)
    await profile.confirmChange(newBrowser().caller, { token: approve })
    await refusedWith(profile.confirmChange(browser.caller, { token: verify }), 'CONFLICT')
  })

  await t.test('a newer change or another password voids a change of address', async () => {
    const { browser, email } = await service.member()
    const [first, second] = [freshEmail(), freshEmail()]
    await profile.changeEmail(browser.caller, { newEmail: first, password: PASSWORD })
    await profile.changeEmail(browser.caller, { newEmail: second, password: PASSWORD })
    await refusedWith(
      profile.confirmChange(browser.caller, { token: lastMail(first).token! }),
      'GONE',
    )
    const change = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD }
    await passwordChange.change(browser.caller, change)
    for (const token of [lastMail(second).token!, lastMail(email, 'approveEmailChange').token!])
      await refusedWith(profile.confirmChange(browser.caller, { token }), 'GONE')
  })

  await t.test(
    'a mailbox alone does not give its address to the account of another user',
    async () => {
      const stranger = await service.member()
      const victims = freshEmail()
      const ask = { newEmail: victims, password: PASSWORD }
      dataOf(await profile.changeEmail(stranger.browser.caller, ask))
      const approve = lastMail(stranger.email, 'approveEmailChange').token!
      assert.equal(
        dataOf(await profile.confirmChange(newBrowser().caller, { token: approve })).changed,
        false,
      )
      const mail = lastMail(victims, 'verifyNewEmail')
      assert.deepEqual([mail.name, mail.email], ['Owner', stranger.email])
      const token = mail.token!

      const victim = await service.member()
      for (const browser of [newBrowser(), victim.browser]) {
        const page = await profile.showChange(browser.caller, token)
        assert.ok('html' in page && page.html.includes('type="password"'))
        assert.ok(page.html.includes(stranger.email) && page.html.includes(victims))
        const error = await refusedWith(
          profile.confirmChange(browser.caller, { token }),
          'VALIDATION_ERROR',
        )
        assert.partialDeepStrictEqual(error.details, [{ path: 'password', code: 'required' }])
        await refusedWith(
          profile.confirmChange(browser.caller, { token, password: OTHER_PASSWORD }),
          'INVALID_CREDENTIALS',
        )
      }
      const form = await profile.confirmChange(formBrowser().caller, { token, password: 'no' })
      assert.ok('html' in form && form.status === 401 && form.html.includes('role="alert"'))
      assert.equal((await service.securityTypes(stranger.userId)).at(-1), 'email.changed')
      const [user] = await service.sql`select email from users where id = ${stranger.userId}`
      assert.equal(user!['email'], stranger.email)
      // The victim signs up with her address as if nothing had been asked.
      assert.ok((await service.member(victims)).userId !== stranger.userId)
    },
  )

  await t.test(
    'the new address is confirmed in a session of the account, or with its password',
    async () => {
      for (const isSignedIn of [true, false]) {
        const { email, browser } = await service.member()
        const newEmail = freshEmail()
        await profile.changeEmail(browser.caller, { newEmail, password: PASSWORD })
        const approve = lastMail(email, 'approveEmailChange').token!
        await profile.confirmChange(newBrowser().caller, { token: approve })
        const token = lastMail(newEmail, 'verifyNewEmail').token!
        const opener = isSignedIn ? browser : newBrowser()
        const page = await profile.showChange(opener.caller, token)
        assert.ok('html' in page && page.html.includes('type="password"') === !isSignedIn)
        const input = { token, ...(!isSignedIn && { password: PASSWORD }) }
        assert.equal(dataOf(await profile.confirmChange(opener.caller, input)).changed, true)
      }
    },
  )

  await t.test(
    'guesses on the page of the new address count as guesses at the account',
    async () => {
      let guesses = 0
      const limited = service.with({ accountIpLimiter: { consume: async () => void guesses++ } })
      const { browser } = await service.member()
      const newEmail = freshEmail()
      await profile.changeEmail(browser.caller, { newEmail, password: PASSWORD })
      const token = lastMail(newEmail, 'verifyNewEmail').token!
      const guess = { token, password: OTHER_PASSWORD }
      await refusedWith(
        limited.profile.confirmChange(newBrowser().caller, guess),
        'INVALID_CREDENTIALS',
      )
      assert.equal(guesses, 1)
    },
  )
})
