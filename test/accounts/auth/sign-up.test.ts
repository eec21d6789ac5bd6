import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SIGN_UP_COOKIE } from '../../../src/accounts/sign-in/pending-sign-ups.ts'
import { SESSION_COOKIE } from '../../../src/accounts/sign-in/sessions.ts'
import { dataOf, refusedWith } from '../../support/auth-rules.ts'
import {
  formBrowser,
  newBrowser,
  openService,
  OTHER_PASSWORD,
  PASSWORD,
  successes,
  type Service,
} from '../../support/auth-service.ts'
import { HOUR_MS } from '../../../src/platform/core/clock.ts'

const countOf = async (service: Service, email: string) =>
  (await service.sql`select 1 from users where email_key = ${email.toLowerCase()}`).length

test('signing up with an address and a password', { concurrency: false }, async (t) => {
  const service = await openService(t)
  const { signUpWith, signInWith, verification, lastMail, freshEmail, sent } = service

  await t.test('in the browser that typed the password the link is enough', async () => {
    const email = freshEmail()
    const browser = newBrowser()
    const reply = await signUpWith(browser, email)
    const said = { verificationRequired: true, invitationRequired: false, signedIn: false }
    assert.deepEqual(dataOf(reply), { email, ...said })
    assert.equal(await countOf(service, email), 0)

    const { kind, token } = lastMail(email)
    assert.equal(kind, 'verifyEmail')
    assert.match(token!, /^[\w-]{43}$/, '256 bits')
    const done = browser.keep(await verification.verify(browser.caller, { token: token! }))
    const { user, workspace, role } = dataOf(done)
    assert.equal(user!.emailVerified, true)
    assert.equal(workspace!.name, "Owner's workspace")
    assert.equal(role, 'owner')
    assert.ok(browser.cookies[SESSION_COOKIE])
    assert.equal(browser.cookies[SIGN_UP_COOKIE], undefined)
    assert.ok((await signInWith(newBrowser(), email)).user)
  })

  await t.test('in another browser the link asks for that password', async () => {
    const email = freshEmail()
    await signUpWith(newBrowser(), email)
    const token = lastMail(email).token!
    const other = newBrowser()
    const error = await refusedWith(
      verification.verify(other.caller, { token }),
      'VALIDATION_ERROR',
    )
    assert.partialDeepStrictEqual(error.details, [{ path: 'password', code: 'required' }])
    await refusedWith(
      verification.verify(other.caller, { token, password: OTHER_PASSWORD }),
      'INVALID_CREDENTIALS',
    )
    dataOf(await verification.verify(other.caller, { token, password: PASSWORD }))
  })

  await t.test("a squatter's password never becomes the owner's", async () => {
    const email = freshEmail()
    const squatter = newBrowser()
    const owner = newBrowser()
    await signUpWith(squatter, email, OTHER_PASSWORD, 'Squatter')
    const squattersLink = lastMail(email).token!
    const mailsBefore = sent.length
    await signUpWith(owner, email, PASSWORD)
    assert.equal(sent.length, mailsBefore + 1, 'the second sign-up sends its own mail')
    const ownersLink = lastMail(email).token!
    assert.notEqual(ownersLink, squattersLink)

    // Neither without a password nor with hers does the mail that came first complete the squatter's.
    const elsewhere = newBrowser()
    await refusedWith(
      verification.verify(elsewhere.caller, { token: squattersLink }),
      'VALIDATION_ERROR',
    )
    dataOf(
      await verification.verify(elsewhere.caller, { token: squattersLink, password: PASSWORD }),
    )
    await refusedWith(verification.verify(owner.caller, { token: ownersLink }), 'GONE')
    // Completing one voids the others, also where they were typed.
    await refusedWith(verification.verify(squatter.caller, { token: squattersLink }), 'GONE')
    await refusedWith(signInWith(squatter, email, OTHER_PASSWORD), 'INVALID_CREDENTIALS')
    assert.ok((await signInWith(newBrowser(), email)).user)
  })

  await t.test('five wrong passwords void a link, also at once', async () => {
    const email = freshEmail()
    const browser = newBrowser()
    await signUpWith(browser, email)
    const token = lastMail(email).token!
    const guess = { token, password: OTHER_PASSWORD }
    const before = service.passwords.stats().runs
    await Promise.allSettled(
      Array.from({ length: 12 }, () => verification.verify(newBrowser().caller, guess)),
    )
    assert.equal(service.passwords.stats().runs - before, 5)
    await refusedWith(
      verification.verify(newBrowser().caller, { token, password: PASSWORD }),
      'GONE',
    )
    await refusedWith(verification.verify(browser.caller, { token }), 'GONE')
    await service.signUp.resend(browser.caller, email)
    dataOf(await verification.verify(browser.caller, { token: lastMail(email).token! }))
  })

  await t.test('opening the link uses nothing, however often', async () => {
    const email = freshEmail()
    const browser = formBrowser()
    await signUpWith(browser, email)
    const token = lastMail(email).token!
    for (const opener of [formBrowser(), formBrowser(), browser]) {
      const page = await verification.show(opener.caller, token)
      assert.ok('html' in page && page.html.includes('<form method="post"'))
      assert.equal(page.html.includes('type="password"'), opener !== browser)
      assert.equal(page.cookies, undefined)
    }
    assert.equal(await countOf(service, email), 0)
    const done = await verification.verify(browser.caller, { token })
    assert.ok('redirect' in done && done.redirect === '/')
    assert.ok(done.cookies?.some(({ name }) => name === SESSION_COOKIE))
    const again = await verification.show(browser.caller, token)
    assert.ok('html' in again && again.status === 410)
  })

  await t.test('a form with a wrong password gets its page again, escaped', async () => {
    const email = `"'&+${freshEmail()}`.replace('"', '')
    await signUpWith(formBrowser(), email)
    const token = lastMail(email).token!
    const page = await verification.verify(formBrowser().caller, { token, password: 'no' })
    assert.ok('html' in page && page.status === 401)
    assert.match(page.html, /not the password that you signed up with/)
    assert.ok(page.html.includes('&#39;&amp;+') && !page.html.includes("'&+"))
  })

  await t.test('a link is good once, of twenty uses at the same time', async () => {
    const email = freshEmail()
    const browser = newBrowser()
    await signUpWith(browser, email)
    const token = lastMail(email).token!
    const uses = Array.from({ length: 20 }, () => verification.verify(browser.caller, { token }))
    assert.equal(await successes(uses), 1)
    assert.equal(await countOf(service, email), 1)
  })

  await t.test('a link is good for an hour, and until there is a newer one', async () => {
    const email = freshEmail()
    const browser = newBrowser()
    await signUpWith(browser, email)
    const first = lastMail(email).token!
    await service.signUp.resend(browser.caller, email)
    const second = lastMail(email).token!
    assert.notEqual(first, second)
    await refusedWith(verification.verify(browser.caller, { token: first }), 'GONE')
    service.time.now += HOUR_MS
    await refusedWith(verification.verify(browser.caller, { token: second }), 'GONE')
    await refusedWith(verification.verify(browser.caller, { token: 'x' }), 'GONE')
  })

  await t.test('the answer is the same for a known address, which is told by mail', async () => {
    const { email, userId } = await service.member()
    const unknown = freshEmail()
    const replies = []
    for (const each of [email.toUpperCase(), unknown]) {
      const before = service.passwords.stats().runs
      const reply = await service.signUp.signUp(newBrowser().caller, {
        name: 'Another',
        email: each,
        password: OTHER_PASSWORD,
      })
      assert.equal(service.passwords.stats().runs - before, 1, 'one hash for either')
      const cookies = reply.cookies!.map(({ name, value }) => [name, value.length])
      replies.push({ ...dataOf(reply), email: '', cookies })
    }
    assert.deepEqual(replies[0], replies[1])
    assert.equal(lastMail(email).kind, 'alreadyRegistered')
    assert.equal(lastMail(unknown).kind, 'verifyEmail')
    const types = await service.securityTypes(userId)
    assert.equal(types.at(-1), 'sign_up.requested')
    for (const each of [email, unknown])
      await refusedWith(signInWith(newBrowser(), each, OTHER_PASSWORD), 'EMAIL_NOT_VERIFIED')
  })

  await t.test(
    'addresses that differ in case are one, those with dots and tags are not',
    async () => {
      const { email } = await service.member(`Case.${freshEmail()}`)
      assert.ok((await signInWith(newBrowser(), email.toLowerCase())).user)
      await signUpWith(newBrowser(), email.replace('Case.', 'Case'))
      assert.equal(lastMail(email.replace('Case.', 'Case')).kind, 'verifyEmail')
    },
  )

  await t.test('what is sent beside the fields changes nothing', async () => {
    const email = freshEmail()
    const browser = newBrowser()
    const forged = { id: 'usr_mine', role: 'owner', emailVerified: true, userId: 'usr_x' }
    const body = { name: 'Owner', email, password: PASSWORD, ...forged }
    browser.keep(await service.signUp.signUp(browser.caller, body))
    assert.equal(await countOf(service, email), 0)
    const reply = await verification.verify(browser.caller, { token: lastMail(email).token! })
    assert.notEqual(dataOf(reply).user!.id, 'usr_mine')
  })

  await t.test('bad names, addresses and passwords are refused with their path', async () => {
    const good = { name: 'Owner', email: freshEmail(), password: PASSWORD }
    const rows = [
      [{ ...good, name: 'two\nlines' }, 'name'],
      [{ ...good, name: '  ' }, 'name'],
      [{ ...good, email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
      [{ ...good, password: 'too short' }, 'password'],
      [{ ...good, password: 'password1234' }, 'password'],
    ] as const
    const mailsBefore = sent.length
    for (const [body, path] of rows) {
      const error = await refusedWith(
        service.signUp.signUp(newBrowser().caller, body),
        'VALIDATION_ERROR',
      )
      assert.partialDeepStrictEqual(error.details, [{ path }])
    }
    assert.equal(sent.length, mailsBefore)
  })

  await t.test('no password, token or secret is stored in clear text', async () => {
    const email = freshEmail()
    const browser = newBrowser()
    await signUpWith(browser, email)
    const { token } = lastMail(email)
    const rows = await service.sql`select * from pending_sign_ups where email = ${email}`
    const text = JSON.stringify(rows)
    for (const secret of [PASSWORD, token!, browser.cookies[SIGN_UP_COOKIE]!]) {
      assert.ok(!text.includes(secret))
      assert.ok(!text.includes(JSON.stringify(Buffer.from(secret))))
    }
  })
})

test('a server may take new accounts by invitation, or none', { concurrency: false }, async (t) => {
  const service = await openService(t)
  const body = { name: 'Owner', email: 'invited@example.com', password: PASSWORD }

  await t.test('closed refuses every address in the same way', async () => {
    const closed = service.with({ signup: 'closed' })
    await refusedWith(closed.signUp.signUp(newBrowser().caller, body), 'FORBIDDEN')
  })

  await t.test(
    'by invitation the answer is the same, and only the invited get a mail',
    async () => {
      const invite = service.with({ signup: 'invite' })
      await service.invite(body.email)
      const other = { ...body, email: 'other@example.com' }
      for (const each of [body, other])
        dataOf(await invite.signUp.signUp(newBrowser().caller, each))
      await invite.signUp.resend(newBrowser().caller, other.email)
      assert.deepEqual(
        invite.sent.map(({ to }) => to),
        [body.email],
      )
    },
  )
})

test('without required verification', { concurrency: false }, async (t) => {
  const service = await openService(t, { requireEmailVerification: false })
  const { freshEmail, lastMail, signUpWith, signInWith, verification } = service

  await t.test('an account can be used at once, and is verified by its link', async () => {
    const email = freshEmail()
    const browser = newBrowser()
    assert.equal(dataOf(await signUpWith(browser, email)).verificationRequired, false)
    assert.equal((await signInWith(browser, email)).user!.emailVerified, false)
    const { user } = dataOf(
      await verification.verify(browser.caller, { token: lastMail(email).token! }),
    )
    assert.equal(user!.emailVerified, true)
  })

  await t.test('an address that was never verified goes to the holder of the mailbox', async () => {
    const email = freshEmail()
    const squatter = newBrowser()
    await signUpWith(squatter, email, OTHER_PASSWORD)
    const { user } = await signInWith(squatter, email, OTHER_PASSWORD)
    await service.addKey(user!.id)
    const owner = newBrowser()
    await signUpWith(owner, email)
    dataOf(await verification.verify(owner.caller, { token: lastMail(email).token! }))
    assert.equal(await service.signedIn(squatter), false)
    assert.equal(await service.countKeys(user!.id), 0)
    await refusedWith(signInWith(newBrowser(), email, OTHER_PASSWORD), 'INVALID_CREDENTIALS')
    assert.equal((await signInWith(newBrowser(), email)).user!.id, user!.id)
  })

  await t.test('a change of address that a squatter began ends with the claim', async () => {
    const email = freshEmail()
    const squatter = newBrowser()
    await signUpWith(squatter, email, OTHER_PASSWORD)
    await signInWith(squatter, email, OTHER_PASSWORD)
    const newEmail = freshEmail()
    const ask = { newEmail, password: OTHER_PASSWORD }
    dataOf(await service.profile.changeEmail(squatter.caller, ask))
    const token = lastMail(newEmail, 'verifyNewEmail').token!
    await service.reset.request(squatter.caller, email)

    const owner = newBrowser()
    await signUpWith(owner, email)
    dataOf(
      await verification.verify(owner.caller, { token: lastMail(email, 'verifyEmail').token! }),
    )
    for (const browser of [squatter, owner])
      await refusedWith(
        service.profile.confirmChange(browser.caller, { token, password: PASSWORD }),
        'GONE',
      )
    const reset = { token: lastMail(email, 'resetPassword').token!, password: OTHER_PASSWORD }
    await refusedWith(service.reset.reset(squatter.caller, reset), 'GONE')
    assert.equal((await signInWith(newBrowser(), email)).user!.email, email)
  })

  await t.test('when it is required later, a right password is mailed its link', async () => {
    const email = freshEmail()
    await signUpWith(newBrowser(), email)
    const required = service.with({})
    const signIn = (password: string) =>
      required.signIn.withPassword(newBrowser().caller, { email, password })
    await refusedWith(signIn(OTHER_PASSWORD), 'INVALID_CREDENTIALS')
    assert.equal(required.sent.length, 0)
    await refusedWith(signIn(PASSWORD), 'EMAIL_NOT_VERIFIED')
    const token = required.sent[0]!.token!
    dataOf(await required.verification.verify(newBrowser().caller, { token, password: PASSWORD }))
    dataOf(await signIn(PASSWORD))
  })
})
