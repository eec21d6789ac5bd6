import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, must } from '../support/calls.ts'
import { openLines } from '../support/mail-world.ts'
import { openWorld, type Member, type World } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const PASSWORD = 'quiet harbour lamp'
const OTHER_PASSWORD = 'seven brass candles'

let serial = 0

function rulesOf(world: World) {
  const freshEmail = () => `invited-${++serial}@example.com`

  async function invite(owner: Member, email = freshEmail()) {
    const { body } = await must(201, owner.post('/invitations', { email, role: 'member' }))
    const { token } = await world.outbox.next(email)
    return { id: body.data.id as string, email, token }
  }

  async function copyLink(owner: Member, id: string): Promise<string> {
    const { body } = await must(200, owner.post(`/invitations/${id}/link`))
    const [, token] = /\/v1\/auth\/invitation\?token=([\w-]{43})$/.exec(body.data.url)!
    return token!
  }

  const signUp = (browser: Browser, email: string, invitationToken?: string, password = PASSWORD) =>
    browser.calls.post('/auth/sign-up/email', { name: 'Guest', email, password, invitationToken })

  const userOf = async (email: string) => {
    const [user] = await world.sql<{ id: string; emailVerifiedAt: Date | null }[]>`
      select id, email_verified_at from users where email = ${email}`
    return user
  }
  const statusOf = async (owner: Member, id: string) =>
    (await must(200, owner.get(`/invitations/${id}`))).body.data.status
  const sessionOf = async (browser: Browser) =>
    (await must(200, browser.calls.get('/auth/session'))).body.data

  return { freshEmail, invite, copyLink, signUp, userOf, statusOf, sessionOf }
}

test('a sign-up that follows an invitation', { concurrency: false }, async (t) => {
  const { log, lines } = openLines()
  const world = await openWorld(t, { log })
  const { freshEmail, invite, copyLink, signUp, userOf, statusOf, sessionOf } = rulesOf(world)
  const browser = () => new Browser(world.origin)

  await t.test('by the link of the mail it needs no other mail, and joins', async () => {
    const owner = await world.member()
    const { id, email, token } = await invite(owner)
    const guest = browser()
    for (const _ of [1, 2])
      await must(200, guest.calls.get(`/auth/invitation?token=${token}`, { accept: 'text/html' }))
    assert.equal(await statusOf(owner, id), 'pending')
    const { body } = await must(201, signUp(guest, email, token))
    assert.deepEqual(body.data, {
      ...{ email, verificationRequired: false, invitationRequired: false, signedIn: true },
    })
    const { user, workspace, role } = await sessionOf(guest)
    assert.deepEqual([user.email, user.emailVerified], [email, true])
    assert.deepEqual([workspace.id, role], [owner.workspaceId, 'member'])
    const { body: listed } = await must(200, guest.calls.get('/workspaces'))
    assert.deepEqual(listed.data.length, 1, 'no workspace beside that of the invitation')
    assert.equal(await statusOf(owner, id), 'accepted')
    await must(200, browser().calls.post('/auth/sign-in/email', { email, password: PASSWORD }))

    // The token is used up: another address gets nothing by it, and neither does this one.
    const again = await must(201, signUp(browser(), email, token, OTHER_PASSWORD))
    assert.equal(again.body.data.signedIn, false)
    assert.equal((await world.outbox.next(email)).subject, 'You already have an account')
  })

  await t.test(
    'by a copied link it verifies nothing: an inviter never gets the account of another address',
    async () => {
      const owner = await world.member()
      const { id, email, token } = await invite(owner)
      const copied = await copyLink(owner, id)
      assert.notEqual(copied, token)
      const inviter = browser()
      const answer = await must(201, signUp(inviter, email, copied, OTHER_PASSWORD))
      assert.deepEqual(answer.body.data, {
        ...{ email, verificationRequired: true, invitationRequired: false, signedIn: false },
      })
      assert.equal(inviter.cookies.get('signpost_session'), undefined)
      await must(401, inviter.calls.get('/auth/session'))
      await must(
        403,
        inviter.calls.post('/auth/sign-in/email', { email, password: OTHER_PASSWORD }),
      )
      assert.equal(await userOf(email), undefined)
      assert.equal(await statusOf(owner, id), 'pending')
      // The sign-up and the attempt to sign in have each caused one.
      await world.outbox.next(email)
      const mailed = await world.outbox.next(email)
      assert.equal(mailed.subject, 'Confirm your e-mail address')

      // The link of that mail asks its reader for the password of the inviter, which only that one knows.
      const victim = browser()
      await must(400, victim.calls.post('/auth/verify-email', { token: mailed.token }))
      await must(
        401,
        victim.calls.post('/auth/verify-email', { token: mailed.token, password: PASSWORD }),
      )

      // The mail of the invitation binds the account to the password of its reader, and voids the rest.
      await must(201, signUp(victim, email, token, PASSWORD))
      assert.equal((await sessionOf(victim)).role, 'member')
      await must(
        410,
        inviter.calls.post('/auth/verify-email', { token: mailed.token, password: OTHER_PASSWORD }),
      )
      await must(
        401,
        inviter.calls.post('/auth/sign-in/email', { email, password: OTHER_PASSWORD }),
      )
      await must(200, browser().calls.post('/auth/sign-in/email', { email, password: PASSWORD }))
    },
  )

  await t.test('an inviter reads the token of the mail nowhere', async () => {
    const owner = await world.member()
    const { id, token } = await invite(owner)
    const copied = await copyLink(owner, id)
    const seen = [
      ...['/invitations', `/invitations/${id}`, '/audit-log', '/security-log', '/members'],
      '/webhooks/events',
    ].map((path) => owner.get(path))
    seen.push(owner.post(`/invitations/${id}/link`))
    for (const { status, text } of await Promise.all(seen)) {
      assert.equal(status, 200)
      assert.ok(!text.includes(token) && !text.includes(copied))
    }
    const tables = await world.sql<{ name: string }[]>`
      select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`
    for (const { name } of tables) {
      const [found] = await world.sql`
        select 1 from ${world.sql.unsafe(name)} t
        where strpos(t::text, ${token}) > 0 or strpos(t::text, ${copied}) > 0 limit 1`
      assert.equal(found, undefined, name)
    }
    assert.ok(lines.length > 0)
    for (const secret of [token, copied]) assert.ok(!lines.join('').includes(secret))
  })

  await t.test(
    'by a copied link the invited user confirms the address, and has joined then',
    async () => {
      const owner = await world.member()
      const { id, email } = await invite(owner)
      const voided = await copyLink(owner, id)
      const copied = await copyLink(owner, id)
      const guest = browser()
      await must(404, guest.calls.get(`/auth/invitation?token=${voided}`, { accept: 'text/html' }))
      const { text } = await must(
        200,
        guest.calls.get(`/auth/invitation?token=${copied}`, { accept: 'text/html' }),
      )
      const carried = `invitation=${copied}&amp;email=${encodeURIComponent(email)}`
      for (const page of ['sign-up', 'sign-in']) assert.ok(text.includes(`/app/${page}?${carried}`))
      await must(201, signUp(guest, email, copied))
      const { token } = await world.outbox.next(email)
      await must(200, guest.calls.post('/auth/verify-email', { token }))
      const { workspace, role } = await sessionOf(guest)
      assert.deepEqual([workspace.id, role], [owner.workspaceId, 'member'])
      assert.equal(await statusOf(owner, id), 'accepted')
    },
  )

  await t.test(
    'a token of another address, or of an invitation that is not open, changes nothing',
    async () => {
      const owner = await world.member()
      const foreign = await invite(owner)
      const canceled = await invite(owner)
      await must(204, owner.delete(`/invitations/${canceled.id}`))
      await must(410, owner.post(`/invitations/${canceled.id}/link`))
      const expired = await invite(owner)
      const other = freshEmail()
      for (const [email, token] of [
        [other, foreign.token],
        [canceled.email, canceled.token],
        [freshEmail(), 'nonsense'],
      ] as const) {
        const { body } = await must(201, signUp(browser(), email, token))
        assert.equal(body.data.signedIn, false)
        assert.equal((await world.outbox.next(email)).subject, 'Confirm your e-mail address')
      }
      world.clock.advance(14 * DAY_MS)
      await must(410, owner.post(`/invitations/${expired.id}/link`))
      assert.equal(
        (await must(201, signUp(browser(), expired.email, expired.token))).body.data.signedIn,
        false,
      )
      const stranger = await world.member()
      await must(403, stranger.post(`/invitations/${foreign.id}/link`))
    },
  )

  await t.test(
    'an address with an account is told to sign in, to the reader of the mail alone',
    async () => {
      const owner = await world.member()
      const user = await world.user()
      const { id, token } = await invite(owner, user.email)
      await must(409, signUp(browser(), user.email, token, OTHER_PASSWORD))
      const { body } = await must(201, signUp(browser(), user.email, await copyLink(owner, id)))
      assert.deepEqual([body.data.signedIn, body.data.verificationRequired], [false, true])
      await must(
        401,
        browser().calls.post('/auth/sign-in/email', {
          email: user.email,
          password: OTHER_PASSWORD,
        }),
      )
    },
  )

  await t.test('in the browser of another user it ends that session', async () => {
    const owner = await world.member()
    const { email, token } = await invite(owner)
    const other = await world.user()
    const shared = browser()
    await must(
      200,
      shared.calls.post('/auth/sign-in/email', { email: other.email, password: other.password }),
    )
    const { text } = await must(
      200,
      shared.calls.get(`/auth/invitation?token=${token}`, { accept: 'text/html' }),
    )
    assert.ok(text.includes(`You are signed in as ${other.email}`))
    const former = shared.cookies.get('signpost_session')!
    await must(201, signUp(shared, email, token))
    assert.equal((await sessionOf(shared)).user.email, email)
    const late = browser()
    late.cookies.set('signpost_session', former)
    await must(401, late.calls.get('/auth/session'))
  })

  await t.test('of two at once with one token one makes the account', async () => {
    const owner = await world.member()
    const { email, token } = await invite(owner)
    const answers = await Promise.all(
      [PASSWORD, OTHER_PASSWORD].map((password) => signUp(browser(), email, token, password)),
    )
    const winners = answers.map(({ body }) => body.data?.signedIn === true)
    assert.equal(winners.filter(Boolean).length, 1)
    const winner = winners[0] ? PASSWORD : OTHER_PASSWORD
    const loser = winner === PASSWORD ? OTHER_PASSWORD : PASSWORD
    await must(200, browser().calls.post('/auth/sign-in/email', { email, password: winner }))
    const refused = await browser().calls.post('/auth/sign-in/email', { email, password: loser })
    assert.ok([401, 403].includes(refused.status))
  })

  await t.test(
    'to a full workspace it makes the account, and says why it has not joined',
    async () => {
      const owner = await world.member()
      const { id, email, token } = await invite(owner)
      const late = await invite(owner)
      const copied = await copyLink(owner, late.id)
      await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
      const guest = browser()
      const { body } = await must(201, signUp(guest, email, token))
      assert.equal(body.data.signedIn, true)
      assert.match(body.data.invitationRefused, /member/)
      assert.equal(await statusOf(owner, id), 'pending')
      assert.notEqual((await sessionOf(guest)).workspace.id, owner.workspaceId)

      const second = browser()
      await must(201, signUp(second, late.email, copied))
      const mailed = await world.outbox.next(late.email)
      const form = new URLSearchParams({ token: mailed.token })
      const page = await fetch(`${world.origin}/v1/auth/verify-email`, {
        method: 'POST',
        redirect: 'manual',
        headers: { accept: 'text/html', cookie: second.cookie, origin: world.origin },
        body: form,
      })
      assert.equal(page.status, 200)
      assert.match(await page.text(), /you have not joined the workspace that invited you/)
    },
  )
})

test('where sign-up needs an invitation, its mail opens an account and its copied link needs a verified address', async (t) => {
  const world = await openWorld(t, {
    config: { signup: 'invite', requireEmailVerification: false },
  })
  const { invite, copyLink, signUp, userOf, sessionOf } = rulesOf(world)
  const owner = await world.member()
  const first = await invite(owner)
  const guest = new Browser(world.origin)
  await must(201, signUp(guest, first.email, first.token))
  assert.equal((await sessionOf(guest)).role, 'member')

  // The inviter may use an unverified account of the address here, and does not join by it.
  const second = await invite(owner)
  const copied = await copyLink(owner, second.id)
  const inviter = new Browser(world.origin)
  await must(201, signUp(inviter, second.email, copied, OTHER_PASSWORD))
  await must(
    200,
    inviter.calls.post('/auth/sign-in/email', { email: second.email, password: OTHER_PASSWORD }),
  )
  await must(403, inviter.calls.post(`/invitations/${copied}/accept`))
  assert.equal((await userOf(second.email))!.emailVerifiedAt, null)
  const victim = new Browser(world.origin)
  await must(201, signUp(victim, second.email, second.token))
  const { body: joined } = await must(200, victim.calls.get('/workspaces'))
  assert.ok(joined.data.some(({ id }: { id: string }) => id === owner.workspaceId))
  assert.notEqual((await userOf(second.email))!.emailVerifiedAt, null)
  await must(401, inviter.calls.get('/auth/session'))
})

test('where sign-up is closed, no invitation opens an account', async (t) => {
  const world = await openWorld(t, { config: { signup: 'closed' } })
  const { invite, signUp } = rulesOf(world)
  const { email, token } = await invite(await world.member())
  await must(403, signUp(new Browser(world.origin), email, token))
})
