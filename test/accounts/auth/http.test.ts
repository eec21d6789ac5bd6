import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import PostalMime from 'postal-mime'
import { eventually, openWorld } from '../../support/world.ts'
import { freshFolder } from '../../support/fixtures.ts'

type Body = {
  data: { user: { email: string }; workspace: { name: string }; role: string }
  error: { code: string }
}

const PASSWORD = 'quiet harbour lamp'
const FORM = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }

test('accounts over HTTP', { concurrency: false }, async (t) => {
  const { origin, mailTo, open } = await openHttp(t)
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${origin}/v1/auth${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  async function member(email: string, headers = {}): Promise<string> {
    const body = { name: 'Owner', email, password: PASSWORD }
    const signedUp = await send('/sign-up/email', body, headers)
    assert.equal(signedUp.status, 201)
    const { token } = await mailTo(email)
    const done = await send('/verify-email', { token }, { ...headers, cookie: cookiesOf(signedUp) })
    assert.equal(done.status, 200)
    return cookiesOf(done)
  }
  const get = async (path: string, cookie: string) => {
    const response = await fetch(`${origin}/v1/auth${path}`, { headers: { cookie } })
    return { status: response.status, body: (await response.json()) as Body }
  }

  await t.test('sign-up, link, session, sign-out', async () => {
    const cookie = await member('first@example.com')
    const { status, body } = await get('/session', cookie)
    assert.equal(status, 200)
    assert.equal(body.data.user.email, 'first@example.com')
    assert.equal(body.data.workspace.name, "Owner's workspace")
    assert.equal(body.data.role, 'owner')
    const links = await fetch(`${origin}/v1/links`, { headers: { cookie } })
    assert.equal(links.status, 200)
    assert.equal((await send('/sign-out', '', { cookie })).status, 204)
    await eventually(async () => assert.equal((await get('/session', cookie)).status, 401))
  })

  await t.test('the first workspace is named in the language of the sign-up', async () => {
    const cookie = await member('erste@example.com', { 'accept-language': 'de-AT,de;q=0.9' })
    const { body } = await get('/session', cookie)
    assert.equal(body.data.workspace.name, 'Workspace von Owner')
  })

  await t.test('the page of a link is sent by a plain form, from here only', async () => {
    const email = 'form@example.com'
    await send('/sign-up/email', { name: 'Owner', email, password: PASSWORD })
    const { token, link } = await mailTo(email)
    assert.ok(link.startsWith(`${origin}/v1/auth/verify-email?token=`))
    const page = await fetch(link, { headers: { accept: 'text/html' } })
    assert.equal(page.status, 200)
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'.*style-src 'sha256-.*form-action 'self'/)
    assert.equal(page.headers.getSetCookie().length, 0)

    const form = new URLSearchParams({ token, password: PASSWORD }).toString()
    for (const foreign of ['https://evil.example', 'null'])
      assert.equal((await send('/verify-email', form, { ...FORM, origin: foreign })).status, 403)
    const wrong = new URLSearchParams({ token, password: 'wrong' }).toString()
    const again = await send('/verify-email', wrong, { ...FORM, origin })
    assert.equal(again.status, 401)
    assert.match(await again.text(), /role="alert"/)
    const done = await send('/verify-email', form, { ...FORM, origin })
    assert.equal(done.status, 302)
    assert.equal(done.headers.get('location'), '/')
    assert.equal((await get('/session', cookiesOf(done))).status, 200)
    assert.equal((await fetch(link)).status, 410)
  })

  await t.test('a poisoned host changes no link', async () => {
    const email = 'poison@example.com'
    await member(email)
    for (const headers of [
      { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
      { 'x-forwarded-proto': 'https', 'x-original-host': 'evil.example' },
    ] as Record<string, string>[]) {
      assert.equal((await send('/request-password-reset', { email }, headers)).status, 200)
      const { link } = await mailTo(email)
      assert.ok(link.startsWith(`${origin}/v1/auth/reset-password?token=`), link)
    }
  })

  await t.test('a reset kills the sessions, and its cookie is a new one', async () => {
    const email = 'reset@example.com'
    const cookie = await member(email)
    await send('/request-password-reset', { email })
    const { token } = await mailTo(email)
    const reset = await send('/reset-password', { token, password: 'seven grey herons' })
    assert.deepEqual(((await reset.json()) as Body).data, { reset: true })
    await eventually(async () => assert.equal((await get('/session', cookie)).status, 401))
    const wrong = await send('/sign-in/email', { email, password: PASSWORD })
    assert.equal(wrong.status, 401)
    assert.equal(((await wrong.json()) as Body).error.code, 'INVALID_CREDENTIALS')
    const right = await send('/sign-in/email', { email, password: 'seven grey herons' })
    const [session] = right.headers.getSetCookie()
    assert.match(session!, /^signpost_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=/)
  })

  await t.test('an API key manages no account', async () => {
    const { apiKey } = await open.member()
    const headers = { authorization: `Bearer ${apiKey}` }
    for (const path of ['/session', '/sessions']) {
      const response = await fetch(`${origin}/v1/auth${path}`, { headers })
      assert.equal(response.status, 403, path)
    }
    assert.equal((await fetch(`${origin}/v1/auth/ok`)).status, 200)
  })
})

/** The program with its mails as files, and no limit of addresses in the way. */
async function openHttp(t: TestContext) {
  const dataDir = freshFolder()
  const open = await openWorld(t, { config: { dataDir, rateLimitAuth: 10_000 } })
  const seen = new Set<string>()

  /** The next mail to an address: its link, and the token in it. */
  function mailTo(email: string): Promise<{ link: string; token: string }> {
    return eventually(async () => {
      const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((each) => each.endsWith('.eml') && !seen.has(each))) {
        const mail = await PostalMime.parse(readFileSync(join(dataDir, file)))
        const link = /http\S+\?token=\S+/.exec(mail.text ?? '')?.[0]
        if (!link || !mail.to?.some(({ address }) => address === email)) continue
        seen.add(file)
        return { link, token: new URL(link).searchParams.get('token')! }
      }
      return assert.fail(`no mail to ${email}`)
    })
  }
  return { origin: open.origin, open, mailTo }
}

/** Cookies that a browser would send back. */
function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .filter((cookie) => !cookie.includes('Max-Age=0'))
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ')
}
