import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Type } from 'typebox'
import { ApiError } from '../../src/platform/core/errors.ts'
import { route } from '../../src/platform/routes/route.ts'
import { openApiDocuments } from '../../src/api/openapi/openapi.ts'
import { openTestGateway } from '../support/test-gateway.ts'

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-site': 'same-origin',
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const STYLES = ['body{color:red}', 'p{margin:0}']
const PAGE = `<!doctype html><style>${STYLES[0]}</style><style nonce="x">${STYLES[1]}</style><p>Hi</p>`

const row = {
  requires: { credential: 'none' },
  name: 'test',
  summary: 'Test',
  description: '',
  tag: 'Test',
} as const
const ROUTES = [
  route('GET /auth/page', {
    ...row,
    shapes: {},
    handle: async () => ({
      html: PAGE,
      cookies: [
        { name: 'a', value: '1' },
        { name: 'b', value: '', maxAgeSeconds: 0 },
      ],
    }),
  }),
  route('GET /auth/go', {
    ...row,
    shapes: { query: Type.Object({ to: Type.String() }) },
    handle: async (_caller, { query }) => ({ redirect: query.to }),
  }),
  route('POST /auth/form', {
    ...row,
    accepts: 'form',
    shapes: {
      body: Type.Object({ token: Type.String({ minLength: 3, maxLength: 20_000 }) }),
      reply: Type.Object({ token: Type.String() }),
    },
    handle: async (caller, { body }) => {
      if (body.token === 'spent') throw new ApiError('GONE', 'This <link> was used before.')
      if (caller.wantsHtml) return { html: `<p>${body.token.length}</p>` }
      return { data: body }
    },
  }),
  route('DELETE /auth/gone', {
    ...row,
    requires: { credential: 'session' },
    status: 204,
    shapes: {},
    handle: async () => ({
      data: undefined,
      cookies: [{ name: 'signpost_session', value: '', maxAgeSeconds: 0 }],
    }),
  }),
]

test('account routes', async (t) => {
  const { send, callers } = await openTestGateway(t, { routes: ROUTES })

  await t.test('public routes know a session, and ignore one that has ended', async () => {
    const name = async (headers: Record<string, string>) =>
      (await send('GET', '/v1/auth/ok', headers)).body.data.name
    assert.equal(await name({}), 'anonymous')
    assert.equal(await name({ cookie: 'signpost_session=sess' }), 'usr_sess')
    assert.equal(await name({ cookie: 'signpost_session=over' }), 'anonymous')
    assert.equal(await name({ authorization: 'Bearer wrong' }), 'anonymous')
    assert.equal(callers.at(-1)!.principal, null)
  })

  await t.test('routes for sessions refuse keys, routes for any credential take them', async () => {
    const key = { authorization: 'Bearer member' }
    const cookie = { cookie: 'signpost_session=sess' }
    assert.equal((await send('GET', '/v1/auth/me')).status, 401)
    assert.equal(
      (await send('GET', '/v1/auth/me', { cookie: 'signpost_session=over' })).status,
      401,
    )
    assert.equal((await send('GET', '/v1/auth/me', key)).status, 403)
    assert.equal((await send('GET', '/v1/auth/me', { ...cookie, ...key })).status, 403)
    assert.equal((await send('GET', '/v1/auth/me', cookie)).status, 200)
    assert.equal((await send('GET', '/v1/workspaces', key)).body.data.name, 'usr_member')
    assert.equal((await send('GET', '/v1/workspaces', cookie)).body.data.name, 'usr_sess')
    assert.equal((await send('GET', '/v1/workspaces')).status, 401)
    const foreign = { ...cookie, 'x-signpost-workspace': 'ws_9' }
    assert.equal((await send('GET', '/v1/workspaces', foreign)).status, 403)
  })

  await t.test('a page is sent under a policy that allows its own styles alone', async () => {
    const { status, headers, text } = await send('GET', '/v1/auth/page')
    assert.deepEqual([status, text], [200, PAGE])
    const hashes = STYLES.map(
      (style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    )
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; style-src ${hashes.join(' ')}; form-action 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'`,
    )
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(String(headers['x-request-id']), /^req_/)
    assert.deepEqual(headers['set-cookie'], [
      'a=1; Path=/; HttpOnly; SameSite=Lax',
      'b=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ])
  })

  await t.test('a redirect leads to a path of this server or an absolute URL', async () => {
    const go = (to: string) => send('GET', `/v1/auth/go?to=${encodeURIComponent(to)}`)
    for (const good of ['/app/', '/app?x=1#y', 'https://id.example/authorize?a=b']) {
      const { status, headers } = await go(good)
      assert.deepEqual([status, headers.location], [302, good])
      assert.match(String(headers['x-request-id']), /^req_/)
    }
    const bad = [
      '//elsewhere.example',
      '/\\elsewhere.example',
      'app',
      'javascript:alert(1)',
      '',
      '/a b',
      '/a\r\nx: y',
    ]
    for (const location of bad) assert.equal((await go(location)).status, 500, location)
  })

  await t.test('an answer without a body may end a cookie', async () => {
    const answer = await send('DELETE', '/v1/auth/gone', { cookie: 'signpost_session=sess' })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.match(answer.headers['set-cookie']![0]!, /^signpost_session=; .*Max-Age=0$/)
  })

  await t.test('a form is read like JSON where a route takes forms', async () => {
    const post = (body: string, headers: Record<string, string> = FORM) =>
      send('POST', '/v1/auth/form', headers, body)
    assert.deepEqual((await post('token=a+b%26%C3%A9')).body.data, { token: 'a b&é' })
    assert.equal((await post('token=abc', { ...FORM, ...BROWSER })).text, '<p>3</p>')
    const json = { 'content-type': 'application/json' }
    assert.deepEqual((await post('{"token":"abc"}', json)).body.data, { token: 'abc' })
    for (const [body, status] of [
      ['token=a', 400],
      ['other=abc', 400],
      ['', 400],
      ['token=abc&token=abd', 400],
      ['token=%ff%fe%fd', 400],
      ['token=%zz', 400],
      ['token=abc%00', 400],
      ['token=abc&__proto__=x', 400],
      [`token=abc${'&a=1'.repeat(200)}`, 400],
      [`token=${'a'.repeat(16_378)}`, 200],
      [`token=${'a'.repeat(16_379)}`, 413],
    ] as const)
      assert.equal((await post(body)).status, status, body.slice(0, 40))
    const compressed = await post('token=abc', { ...FORM, 'content-encoding': 'gzip' })
    assert.equal(compressed.status, 415)
  })

  await t.test('a failure is a page for a browser, with the message escaped', async () => {
    const post = (body: string, headers: Record<string, string>) =>
      send('POST', '/v1/auth/form', { ...FORM, ...headers }, body)
    const page = await post('token=spent', BROWSER)
    assert.equal(page.status, 410)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(page.text, /This &lt;link&gt; was used before\./)
    assert.match(
      String(page.headers['content-security-policy']),
      /default-src 'none'; style-src 'sha256-/,
    )
    const foreign = await post('token=abc', { ...BROWSER, origin: 'https://elsewhere.example' })
    assert.deepEqual([foreign.status, foreign.body], [403, undefined])
    assert.match(foreign.text, /another site/)
    assert.match((await post('token=a', BROWSER)).text, /token must have at least 3 characters/)
    assert.equal((await post('token=spent', { accept: '*/*' })).body.error.code, 'GONE')
    const both = 'application/json, text/html;q=0.5'
    assert.equal((await post('token=spent', { accept: both })).body.error.code, 'GONE')
    const data = await send('GET', '/v1/auth/me', BROWSER)
    assert.equal(data.body.error.code, 'UNAUTHORIZED', 'a route that answers data does so always')
  })
})

test('accounts have a document of their own', () => {
  const workspaces = route('GET /workspaces', {
    ...row,
    requires: { credential: 'any' },
    shapes: { reply: Type.Null() },
    handle: async () => ({ data: null }),
  })
  const ORIGIN = 'https://go.example.com'
  const documents = openApiDocuments('1.0.0', [...ROUTES, workspaces], [])
  const [api, auth] = [documents.api(ORIGIN), documents.auth(ORIGIN)]
  assert.deepEqual(Object.keys(api.paths), ['/workspaces'])
  assert.deepEqual(Object.keys(auth.paths), ['/auth/page', '/auth/go', '/auth/form', '/auth/gone'])
  const operations = auth.paths as Record<string, Record<string, Record<string, unknown>>>
  assert.deepEqual(operations['/auth/form']!['post']!['security'], [])
  assert.deepEqual(operations['/auth/gone']!['delete']!['security'], [{ session: [] }])
  assert.deepEqual(
    Object.keys((operations['/auth/form']!['post']!['requestBody'] as { content: object }).content),
    ['application/json'],
  )
  assert.deepEqual(Object.keys(operations['/auth/page']!['get']!['responses'] as object), [
    '200',
    '302',
    '400',
    '429',
    '500',
    '503',
    'default',
  ])
  assert.equal(auth.components.securitySchemes.session.name, 'signpost_session')
})
