import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway, type TestGateway } from '../support/test-gateway.ts'

const BODY = JSON.stringify({ name: 'x' })
const JSON_TYPE = { 'content-type': 'application/json' }
const COOKIE = { cookie: 'signpost_session=sess', ...JSON_TYPE }
const KEY = { authorization: 'Bearer member', ...JSON_TYPE }

/** Headers that a browser adds for a page, and whether its write passes; `%` is our own host. */
const PAGES: readonly [said: Record<string, string>, status: number][] = [
  [{}, 200],
  [{ 'sec-fetch-site': 'same-origin' }, 200],
  [{ 'sec-fetch-site': 'none' }, 200],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': '' }, 403],
  [{ origin: 'http://%' }, 200],
  [{ origin: 'http://%', 'sec-fetch-site': 'cross-site' }, 200],
  [{ origin: 'null' }, 403],
  [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, 403],
  [{ origin: '' }, 403],
  [{ origin: 'https://elsewhere.example' }, 403],
  [{ origin: 'http://%.elsewhere.example' }, 403],
  [{ origin: 'http://elsewhere.example/%' }, 403],
  [{ origin: 'http://%, http://%' }, 403],
  [{ origin: 'https://listed.example' }, 200],
  [{ origin: 'http://listed.example' }, 403],
  [{ origin: 'https://listed.example.elsewhere.example' }, 403],
  [{ origin: 'https://elsewhere-listed.example' }, 403],
]

test('writes with a cookie come from pages of ours', async (t) => {
  const gateway = await openTestGateway(t, { corsOrigins: ['https://listed.example'] })
  const { send } = gateway
  const saidBy = (said: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(said).map(([name, text]) => [
        name,
        text.replaceAll('%', `127.0.0.1:${gateway.port}`),
      ]),
    )

  for (const [said, status] of PAGES)
    await t.test(`${JSON.stringify(said)} is a ${status}`, async () => {
      const page = saidBy(said)
      const written = await send('POST', '/v1/things', { ...COOKIE, ...page }, BODY)
      assert.equal(written.status, status)
      if (status === 403) assert.equal(written.body.error.code, 'FORBIDDEN')
      const made = await send('POST', '/v1/workspaces', { ...COOKIE, ...page }, undefined)
      assert.equal(made.status, status, 'an account')
      const signedIn = await send('POST', '/v1/auth/sign-in', { ...JSON_TYPE, ...page }, BODY)
      assert.equal(signedIn.status, status, 'a sign-in')
      assert.equal(signedIn.headers['set-cookie'] === undefined, status === 403)
      const read = await send('GET', '/v1/things', { ...COOKIE, ...page })
      assert.equal(read.status, 200, 'reading')
      const keyed = await send('POST', '/v1/things', { ...KEY, ...page }, BODY)
      assert.equal(keyed.status, 200, 'an API key')
      assert.equal((await send('POST', '/v1/workspaces', { ...KEY, ...page })).status, 200)
    })

  await t.test(
    'content types that a page may send without permission are not read as JSON',
    async () => {
      const types = [
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
      ]
      for (const type of types) {
        const headers = { cookie: COOKIE.cookie, 'content-type': type }
        assert.equal((await send('POST', '/v1/things', headers, 'name=x')).status, 415, type)
      }
    },
  )

  await t.test('no field or header turns one method into another', async () => {
    gateway.principals.length = 0
    const tries = ['/v1/things?_method=POST', '/v1/things?_method=DELETE']
    for (const path of tries) {
      await send('GET', path, { ...COOKIE, 'x-http-method-override': 'POST' })
      await send('GET', path, { ...COOKIE, 'x-http-method': 'POST' })
    }
    const overridden = JSON.stringify({ name: 'x', _method: 'DELETE' })
    assert.equal((await send('POST', '/v1/things', COOKIE, overridden)).status, 200)
    assert.equal(gateway.principals.length, 5)
  })
})

test('with PUBLIC_URL, that origin and loopback are ours, for every Host', async (t) => {
  const gateway = await openTestGateway(t, { publicUrl: 'https://links.example' })
  const statusOf = async (origin: string, host: string) => {
    const headers = { host, origin, cookie: '__Host-signpost_session=sess', ...JSON_TYPE }
    return (await gateway.send('POST', '/v1/things', headers, BODY)).status
  }
  const local = `localhost:${gateway.port}`
  assert.equal(await statusOf('https://links.example', 'links.example'), 200)
  assert.equal(await statusOf('https://links.example', 'backend:3000'), 200)
  assert.equal(await statusOf(`http://${local}`, local), 200)
  assert.equal(await statusOf(`http://[::1]:${gateway.port}`, `[::1]:${gateway.port}`), 200)
  assert.equal(await statusOf('http://links.example', 'links.example'), 403)
  assert.equal(await statusOf('https://elsewhere.example', 'elsewhere.example'), 403)
  assert.equal(await statusOf('http://localhost:1', local), 403)
  assert.equal(await statusOf(`http://${local}`, 'links.example'), 403)
})

test('cookies carry the prefix exactly when the browser is on https', async (t) => {
  const secure =
    /^__Host-signpost_session=new%2Fvalue; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=60$/
  const plain = /^signpost_session=new%2Fvalue; Path=\/; HttpOnly; SameSite=Lax; Max-Age=60$/
  const set = async ({ send }: TestGateway, headers: Record<string, string> = {}) =>
    (await send('GET', '/v1/auth/ok', headers)).headers['set-cookie']![0]!
  const principal = async (
    { send }: TestGateway,
    cookie: string,
    headers: Record<string, string> = {},
  ) => (await send('GET', '/v1/auth/ok', { cookie, ...headers })).body.data.name
  const bare = 'signpost_session=sess'
  const prefixed = '__Host-signpost_session=sess'

  await t.test('on http', async () => {
    const gateway = await openTestGateway(t)
    assert.match(await set(gateway), plain)
    assert.match(await set(gateway, { 'x-forwarded-proto': 'https' }), plain)
    assert.equal(await principal(gateway, bare), 'usr_sess')
    assert.equal(await principal(gateway, `${bare}; signpost_session=tossed`), 'usr_sess')
    assert.equal(await principal(gateway, prefixed), 'anonymous')
  })

  await t.test('behind a trusted proxy', async () => {
    const gateway = await openTestGateway(t, { trustedProxies: ['127.0.0.0/8'] })
    const https = { 'x-forwarded-proto': 'https' }
    assert.match(await set(gateway, https), secure)
    assert.match(await set(gateway, { 'x-forwarded-proto': 'https, http' }), plain)
    assert.match(await set(gateway), plain)
    assert.equal(await principal(gateway, prefixed, https), 'usr_sess')
    assert.equal(await principal(gateway, bare, https), 'anonymous', 'a sibling may have set it')
    assert.equal(gateway.callers.at(-1)!.origin, `https://127.0.0.1:${gateway.port}`)
  })

  await t.test('with a PUBLIC_URL on https', async () => {
    const gateway = await openTestGateway(t, { publicUrl: 'https://links.example' })
    assert.match(await set(gateway), secure)
    assert.equal(await principal(gateway, `signpost_session=tossed; ${prefixed}; x`), 'usr_sess')
    assert.equal(gateway.callers.at(-1)!.origin, 'https://links.example')
    assert.deepEqual(gateway.callers.at(-1)!.cookies, { signpost_session: 'sess' })
  })

  await t.test('an invalid Host leads nowhere', async () => {
    const gateway = await openTestGateway(t)
    await gateway.send('GET', '/v1/auth/ok', { host: 'a"><script>' })
    assert.equal(gateway.callers.at(-1)!.origin, 'http://localhost')
  })
})
