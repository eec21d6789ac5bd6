import assert from 'node:assert/strict'
import { OAuth2Server } from 'oauth2-mock-server'
import { test } from 'node:test'
import { signInPage } from '../../src/accounts/invitations/invitation-page.ts'
import { Browser, must } from '../support/calls.ts'
import { addMembership } from '../support/fixtures.ts'
import { openWorld, type Member } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const PASSWORD = 'quiet harbour lamp'

type Visit = { status: number; headers: Headers; text: string }

let serial = 0

test('the page of an invitation mail', { concurrency: false }, async (t) => {
  const issuer = new OAuth2Server()
  await issuer.issuer.keys.generate('RS256')
  await issuer.start(0, '127.0.0.1')
  t.after(() => issuer.stop())
  let claims = {}
  issuer.service.on('beforeTokenSigning', (token: { payload: object }) => {
    Object.assign(token.payload, claims)
  })
  const world = await openWorld(t, {
    config: {
      oidcIssuer: issuer.issuer.url!,
      oidcClientId: 'signpost',
      oidcClientSecret: 'a client secret',
    },
  })
  const freshEmail = () => `guest-${++serial}@example.com`

  /** The link in the mail to the invited address. */
  async function invite(owner: Member, email = freshEmail(), role = 'member') {
    const { body } = await must(201, owner.post('/invitations', { email, role }))
    const { link, token } = await world.outbox.next(email)
    assert.equal(link, `${world.origin}/v1/auth/invitation?token=${token}`)
    return { id: body.data.id as string, email, link, token }
  }

  /** As a browser follows a link, or sends a form of a page of ours. */
  async function visit(
    browser: Browser,
    url: string,
    form?: Record<string, string>,
    origin = world.origin,
  ): Promise<Visit> {
    const answer = await fetch(new URL(url, world.origin), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        cookie: browser.cookie,
        ...(form && { origin }),
      },
      ...(form && { body: new URLSearchParams(form) }),
    })
    browser.keep(answer.headers)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const press = (browser: Browser, token: string, answer: string) =>
    visit(browser, '/v1/auth/invitation', { token, answer })

  /** A browser with a session of the user of this address. */
  async function guest(email: string): Promise<Browser> {
    const made = await world.member()
    await world.sql`
      update users set email = ${email}, email_key = ${email} where id = ${made.userId}`
    const browser = new Browser(world.origin)
    const { cookie } = await world.session(made)
    browser.cookies.set('signpost_session', cookie.slice('signpost_session='.length))
    return browser
  }
  const statusOf = async (owner: Member, id: string) => {
    const { data } = (await must(200, owner.get('/invitations?limit=100'))).body
    return data.find((each: { id: string }) => each.id === id).status
  }

  await t.test(
    'shows a stranger what the mail says and how to sign in, and no button',
    async () => {
      const owner = await world.member()
      await must(200, owner.patch(`/workspaces/${owner.workspaceId}`, { name: 'Harbour' }))
      const { id, email, link, token } = await invite(owner)
      const page = await visit(new Browser(world.origin), link)
      assert.equal(page.status, 200)
      assert.match(page.headers.get('content-type')!, /^text\/html/)
      for (const said of ['Harbour', email, 'as member', '/app/sign-in', 'sign up'])
        assert.ok(page.text.includes(said), said)
      const back = encodeURIComponent(`/v1/auth/invitation?token=${token}`)
      assert.ok(page.text.includes(`href="/v1/auth/sign-in/oidc?redirect=${back}"`))
      assert.doesNotMatch(page.text, /<form|<button|<script/)
      const policy = page.headers.get('content-security-policy')!
      assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/)
      assert.equal(page.headers.get('referrer-policy'), 'same-origin')
      assert.match(page.text, /<meta name="viewport" content="width=device-width/)
      assert.equal(await statusOf(owner, id), 'pending')
    },
  )

  await t.test('leads to the dashboard, and to no sign-up where it is closed', () => {
    const shown = {
      ...({ language: 'en', workspaceName: 'Harbour', inviterName: null, role: 'viewer' } as const),
      ...{ email: 'guest@example.com', expiresAt: new Date(world.clock.now) },
    }
    const open = signInPage(shown, 'token', { providers: [], signup: 'open' }, null)
    assert.match(open, /href="\/app\/sign-in\?invitation=token&amp;email=guest%40example\.com"/)
    assert.match(open, /href="\/app\/sign-up\?invitation=token&amp;email=guest%40example\.com"/)
    const closed = signInPage(shown, 'token', { providers: [], signup: 'closed' }, null)
    assert.match(closed, /href="\/app\/sign-in\?/)
    assert.doesNotMatch(closed, /sign.up/i)
    assert.match(closed, /A former member invites you/)
  })

  await t.test('leads a stranger through a sign-up, and then back to its buttons', async () => {
    const owner = await world.member()
    const { id, email, link, token } = await invite(owner)
    const browser = new Browser(world.origin)
    await visit(browser, link)
    const account = { name: 'Guest', email, password: PASSWORD }
    await must(201, browser.calls.post('/auth/sign-up/email', account))
    const mail = await world.outbox.next(email)
    await visit(browser, '/v1/auth/verify-email', { token: mail.token })

    const scanned = [await visit(browser, link), await visit(browser, link)]
    for (const { status, text } of scanned) {
      assert.equal(status, 200)
      assert.equal(
        text.match(/<button type="submit" name="answer" value="(accept|reject)"/g)!.length,
        2,
      )
    }
    assert.equal(await statusOf(owner, id), 'pending')
    const joined = await press(browser, token, 'accept')
    assert.equal(joined.status, 200)
    assert.match(joined.text, /You have joined/)
    assert.match(joined.text, /href="\/app\/"/)
    assert.equal(await statusOf(owner, id), 'accepted')
    const { data } = (await must(200, browser.calls.get('/auth/session'))).body
    assert.deepEqual([data.workspace.id, data.role], [owner.workspaceId, 'member'])
  })

  await t.test('leads through a provider and back to itself', async () => {
    const owner = await world.member()
    const { email, link } = await invite(owner)
    claims = { sub: email, email, email_verified: true, name: 'Guest' }
    const browser = new Browser(world.origin)
    const [, href] = /href="(\/v1\/auth\/sign-in\/oidc[^"]+)"/.exec(
      (await visit(browser, link)).text,
    )!
    const start = await visit(browser, href!)
    const away = await fetch(start.headers.get('location')!, { redirect: 'manual' })
    const back = await visit(browser, away.headers.get('location')!)
    const own = new URL(back.headers.get('location')!, world.origin).href
    assert.equal(own, link)
    assert.match((await visit(browser, own)).text, /value="accept"/)
  })

  await t.test('takes a no', async () => {
    const owner = await world.member()
    const { id, email, link, token } = await invite(owner)
    const browser = await guest(email)
    assert.match((await press(browser, token, 'reject')).text, /You have declined/)
    assert.equal(await statusOf(owner, id), 'rejected')
    assert.equal((await must(200, owner.get('/members'))).body.meta.total, 1)
    assert.equal((await visit(browser, link)).status, 410)
  })

  await t.test('refuses another user, and takes no answer of theirs', async () => {
    const owner = await world.member()
    const { id, email, link, token } = await invite(owner)
    const other = freshEmail()
    const browser = await guest(other)
    const page = await visit(browser, link)
    assert.equal(page.status, 200)
    assert.ok(
      page.text.includes(
        `You are signed in as ${other}. This invitation is for a different address.`,
      ),
    )
    assert.ok(page.text.includes(email))
    for (const answer of ['accept', 'reject']) {
      const refused = await press(browser, token, answer)
      assert.equal(refused.status, 403)
      assert.equal(refused.text, page.text)
    }
    assert.doesNotMatch(page.text, /<form|<button/)
    assert.equal(await statusOf(owner, id), 'pending')
  })

  await t.test('says when it is over, to every visitor and after every button', async () => {
    const owner = await world.member()
    const [canceled, expired, accepted, renewed] = [
      await invite(owner),
      await invite(owner),
      await invite(owner),
      await invite(owner),
    ]
    const member = await guest(accepted.email)
    await must(204, owner.delete(`/invitations/${canceled.id}`))
    await press(member, accepted.token, 'accept')
    await invite(owner, renewed.email)
    const check = async (
      { link, token }: typeof canceled,
      browser: Browser,
      status: number,
      said: RegExp,
    ) => {
      const pages = [
        await visit(new Browser(world.origin), link),
        await visit(browser, link),
        await press(browser, token, 'accept'),
        await press(browser, token, 'reject'),
      ]
      for (const page of pages) {
        assert.equal(page.status, status)
        assert.match(page.text, said)
        assert.doesNotMatch(page.text, /<form/)
      }
    }
    await check(canceled, await guest(canceled.email), 410, /This invitation was canceled\./)
    await check(accepted, member, 409, /This invitation is already accepted\./)
    await check(renewed, await guest(renewed.email), 404, /A newer email may have replaced it/)
    const unknown = await visit(new Browser(world.origin), '/v1/auth/invitation')
    assert.equal(unknown.status, 404)
    world.clock.advance(14 * DAY_MS)
    await check(expired, await guest(expired.email), 410, /This invitation has expired\./)
  })

  await t.test('shows why an answer does not go through, and its buttons again', async () => {
    const owner = await world.member()
    const { email, token } = await invite(owner)
    const browser = await guest(email)
    const [user] = await world.sql<
      { id: string }[]
    >`select id from users where email_key = ${email}`
    const { workspaceId } = owner
    await addMembership(world.sql, { workspaceId, userId: user!.id, role: 'viewer' })
    const page = await press(browser, token, 'accept')
    assert.equal(page.status, 409)
    assert.match(page.text, /role="alert">You are already a member of this workspace\./)
    assert.match(page.text, /value="reject"/)
  })

  await t.test('takes an answer from its own buttons and a session alone', async () => {
    const owner = await world.member()
    const { id, email, token } = await invite(owner)
    const browser = await guest(email)
    const form = { token, answer: 'accept' }
    const foreign = await visit(browser, '/v1/auth/invitation', form, 'https://example.com')
    assert.equal(foreign.status, 403)
    assert.equal((await press(new Browser(world.origin), token, 'accept')).status, 401)
    assert.equal((await press(browser, token, 'later')).status, 400)
    await must(403, owner.post('/auth/invitation', form))
    assert.equal(await statusOf(owner, id), 'pending')
    const { data } = (await must(200, browser.calls.post('/auth/invitation', form))).body
    assert.deepEqual([data.id, data.status], [id, 'accepted'])
    const again = await must(409, browser.calls.post('/auth/invitation', form))
    assert.equal(again.body.error.code, 'CONFLICT')
  })

  await t.test('shows names as text', async () => {
    const owner = await world.member()
    const name = '<img src=x onerror=alert(1)>"\'&'
    await must(200, owner.patch(`/workspaces/${owner.workspaceId}`, { name }))
    await world.sql`update users set name = ${name} where id = ${owner.userId}`
    const { email, link, token } = await invite(owner)
    const browser = await guest(email)
    const pages = [
      await visit(new Browser(world.origin), link),
      await visit(browser, link),
      await press(browser, token, 'accept'),
    ]
    for (const { text } of pages) {
      assert.doesNotMatch(text, /<img/)
      assert.match(text, /&lt;img src=x/)
    }
  })
})
