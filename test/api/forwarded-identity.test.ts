import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ROLES } from '../../src/platform/routes/principal.ts'
import {
  digestBody,
  readIdentity,
  stripIdentity,
  writeIdentity,
  type ForwardedIdentity,
} from '../../src/api/border/forwarded-identity.ts'
import { clientCopies } from '../support/client-copies.ts'
import { sendRaw, type HeaderLines } from '../support/raw-http.ts'
import {
  openEchoGateway,
  openEchoServices,
  openEchoWhole,
  ROWS,
  TOKEN,
} from '../support/echo-servers.ts'

const JSON_TYPE = 'application/json'
const NOW = 1_800_000_000_000
const REQUEST = { method: 'POST', url: '/v1/links?x=1' }

const id = fc.stringMatching(/^[a-z]{3}_[0-9A-Z]{26}$/)
const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 100 }))

/** Every identity of a gateway: anonymous, a user without a workspace, a user in one, an API key. */
const callers: fc.Arbitrary<ForwardedIdentity> = fc
  .record({
    kind: fc.constantFrom('anonymous', 'homeless', 'user', 'key'),
    ids: fc.tuple(id, id, id),
    role: fc.constantFrom(...ROLES),
    scopes: fc.option(fc.array(fc.stringMatching(/^[a-z*]{1,9}:[a-z]{1,9}$/), { maxLength: 5 })),
    requestId: fc.stringMatching(/^[A-Za-z0-9._-]{8,128}$/),
    ip: fc.option(fc.oneof(fc.ipV4(), fc.ipV6())),
    userAgent: text,
    createdAt: fc.date({ noInvalidDate: true }),
  })
  .map(({ kind, ids: [userId, workspaceId, other], role, scopes, createdAt, ...common }) => {
    const origin = 'https://links.example:8443'
    const isUser = kind === 'homeless' || kind === 'user'
    const home = kind === 'homeless' ? null : workspaceId
    const session = isUser ? { id: other, userId, workspaceId: home, createdAt } : null
    if (kind === 'anonymous' || kind === 'homeless')
      return { ...common, origin, session, principal: null }
    const actor =
      kind === 'key'
        ? { type: 'api_key' as const, id: other }
        : { type: 'user' as const, id: userId }
    const principal = { userId, workspaceId, role, actor, scopes, ...common }
    return { ...common, origin, session, principal }
  })

function read(headers: Record<string, string | string[]>, nowMs = NOW, request = REQUEST) {
  const headersDistinct = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat()]),
  )
  return readIdentity({ ...request, headersDistinct }, TOKEN, nowMs)
}

test('a written identity can be read for a minute', () => {
  fc.assert(
    fc.property(callers, fc.integer({ min: -60_000, max: 60_000 }), (caller, lateMs) => {
      const headers = writeIdentity(caller, REQUEST, TOKEN, NOW)
      assert.deepEqual(read(headers, NOW + lateMs), {
        caller,
        bodyDigest: null,
        isBodyWithheld: false,
      })
      assert.equal(read(headers, NOW + 60_001), null)
      assert.equal(read(headers, NOW - 60_001), null)
    }),
  )
})

test('an identity with a header missing, doubled, swapped or changed by one character is refused', () => {
  fc.assert(
    fc.property(callers, callers, fc.nat(), fc.nat(), (caller, another, at, place) => {
      const headers = writeIdentity(caller, REQUEST, TOKEN, NOW)
      const names = Object.keys(headers)
      const name = names[at % names.length]!
      const value = headers[name]!
      const { [name]: _, ...without } = headers
      assert.equal(read(without), null)
      assert.equal(read({ ...headers, [name]: [value, value] }), null)
      const i = place % value.length
      const other = `${value.slice(0, i)}${value[i] === 'A' ? 'B' : 'A'}${value.slice(i + 1)}`
      // The last character of base64 holds bits that mean nothing.
      if (i < value.length - 1) assert.equal(read({ ...headers, [name]: other }), null)
      const theirs = writeIdentity(another, REQUEST, TOKEN, NOW)[name]
      if (theirs !== undefined && theirs !== value)
        assert.equal(read({ ...headers, [name]: theirs }), null)
    }),
  )
})

test('an identity is good for its own method and address, and under its own token', () => {
  const caller = fc.sample(callers, 1)[0]!
  const headers = writeIdentity(caller, REQUEST, TOKEN, NOW)
  assert.equal(read(headers, NOW, { ...REQUEST, method: 'DELETE' }), null)
  assert.equal(read(headers, NOW, { ...REQUEST, url: '/v1/links?x=2' }), null)
  assert.equal(read(writeIdentity(caller, REQUEST, `${TOKEN}!`, NOW)), null)
  const unsigned = { 'x-user-id': 'usr_1', 'x-workspace-id': 'wsp_1', 'x-role': 'owner' }
  assert.equal(read(unsigned), null)
  assert.equal(read({ ...unsigned, authorization: `Bearer ${TOKEN}` }), null)
})

test('an identity carries the digest of the body that it was sent with', () => {
  const caller = fc.sample(callers, 1)[0]!
  const bodyDigest = digestBody(Buffer.from('{"role":"viewer"}'))
  const headers = writeIdentity(caller, REQUEST, TOKEN, NOW, { bodyDigest })
  assert.deepEqual(read(headers), { caller, bodyDigest, isBodyWithheld: false })
  assert.equal(read(writeIdentity(caller, REQUEST, TOKEN, NOW, { bodyDigest: 'no digest' })), null)
})

test('services refuse a body other than the one that their gateway sent', async (t) => {
  const services = await openEchoServices(t)
  const common = { requestId: 'request-0001', ip: null, userAgent: null }
  const actor = { type: 'api_key' as const, id: 'key_1' }
  const ids = { userId: 'usr_1', workspaceId: 'wsp_1', role: 'owner' as const }
  const principal = { ...ids, ...common, actor, scopes: null }
  const caller = { ...common, origin: services.origin, session: null, principal }
  const sent = '{"role":"viewer"}'
  const ask = async (signedBody: string | null, body: string | undefined, type = JSON_TYPE) => {
    const bodyDigest = digestBody(signedBody === null ? null : Buffer.from(signedBody))
    const row = { method: 'POST', url: '/v1/echo' }
    const identity = writeIdentity(caller, row, TOKEN, Date.now(), { bodyDigest })
    const headers: HeaderLines = [...Object.entries(identity), ['Content-Type', type]]
    const answer = { method: 'POST', path: row.url, headers, ...(body !== undefined && { body }) }
    return (await sendRaw(services.origin, answer)).status
  }
  assert.equal(await ask(sent, sent), 200)
  assert.equal(await ask(sent, sent, 'text/plain'), 415)
  for (const other of ['{"role":"owner!"}', `${sent} `, '', undefined])
    assert.equal(await ask(sent, other), 401, other)
  assert.equal(await ask(sent, '{"role":"owner!"}', 'text/plain'), 401)
  assert.equal(await ask(null, sent), 401)
  assert.equal(await ask(null, undefined), 200)
})

test('signed fields of the wrong shape are refused', () => {
  const ids = ['usr_1', 'wsp_1', 'key_1'] as const
  const common = { requestId: 'request-0001', ip: '198.51.100.7', userAgent: null }
  const principal = {
    ...common,
    userId: ids[0],
    workspaceId: ids[1],
    role: 'owner' as const,
    actor: { type: 'api_key' as const, id: ids[2] },
    scopes: null,
  }
  const session = { id: 'ses_1', userId: ids[0], workspaceId: ids[1], createdAt: new Date(NOW) }
  const good: ForwardedIdentity = {
    ...common,
    origin: 'https://links.example',
    session: null,
    principal,
  }
  const sent = (caller: unknown) =>
    read(writeIdentity(caller as ForwardedIdentity, REQUEST, TOKEN, NOW)) === null
  assert.equal(sent(good), false)
  const bad: unknown[] = [
    { ...good, requestId: 'short' },
    { ...good, ip: 'localhost' },
    { ...good, origin: 'javascript:alert(1)' },
    { ...good, origin: 'https://links.example/path' },
    { ...good, principal: { ...principal, userId: 'usr 1' } },
    { ...good, principal: { ...principal, workspaceId: 'wsp_1,wsp_2' } },
    { ...good, principal: { ...principal, role: 'root' } },
    { ...good, principal: { ...principal, role: 'Owner' } },
    { ...good, principal: { ...principal, actor: { type: 'system', id: 'sys_1' } } },
    { ...good, principal: { ...principal, actor: { type: 'user', id: 'usr_2' } } },
    { ...good, principal: { ...principal, scopes: ['links:read\n'] } },
    {
      ...good,
      principal: { ...principal, scopes: Array.from({ length: 101 }, () => 'links:read') },
    },
    { ...good, session },
    { ...good, principal: null, session: { ...session, userId: '' } },
    { ...good, principal: null, session: { ...session, createdAt: new Date(Number.NaN) } },
  ]
  for (const caller of bad) assert.equal(sent(caller), true, JSON.stringify(caller))
})

test('services answer requests of the gateway only', async (t) => {
  const { origin } = await openEchoServices(t)
  const direct: HeaderLines[] = [
    [],
    [['Authorization', 'Bearer owner']],
    [['Authorization', `Bearer ${TOKEN}`]],
    [
      ['X-User-Id', 'usr_owner'],
      ['X-Workspace-Id', 'wsp_one'],
      ['X-Role', 'owner'],
      ['X-Signpost-Identity', TOKEN],
    ],
  ]
  const targets = ['/v1', '/v1/nothing', '/', '/docs', '/healthy', '/health/', '//v1/echo']
  for (const headers of direct) {
    for (const { method, path } of ROWS)
      assertRefused(await sendRaw(origin, { method, path: `/v1${path}`, headers }))
    for (const path of targets) assertRefused(await sendRaw(origin, { path, headers }))
    assertRefused(await sendRaw(origin, { path: '/v1/echo', method: 'OPTIONS', headers }))
  }
  assert.equal((await sendRaw(origin, { path: '/health' })).status, 200)

  function assertRefused(answer: Awaited<ReturnType<typeof sendRaw>>): void {
    assert.equal(answer.status, 401)
    assert.match(String(answer.headers['x-request-id']), /^req_/)
    assert.equal(answer.headers['www-authenticate'], 'Signpost-Internal')
  }
})

test('what a client says about its identity changes no answer of any route', async (t) => {
  const services = await openEchoServices(t)
  const { origin } = await openEchoGateway(t, services.origin)
  const principal = { userId: 'usr_owner', workspaceId: 'wsp_two', role: 'owner' as const }
  const common = { requestId: 'request-0001', ip: null, userAgent: null }
  const actor = { type: 'api_key' as const, id: 'key_two' }
  const owner = {
    ...common,
    session: null,
    origin,
    principal: { ...principal, ...common, actor, scopes: null },
  }
  // A true one, as it might be copied from the network between gateway and services.
  const stolen = Object.values(
    writeIdentity(owner, { method: 'GET', url: '/v1/echo' }, TOKEN, Date.now()),
  )
  const rows = ROWS.filter(({ path }) => path !== '/hang')
  const credentials: HeaderLines[] = [
    [],
    [['Authorization', 'Bearer member']],
    [['Authorization', 'Bearer owner']],
    [['Cookie', '__Host-signpost_session=admin']],
  ]
  const whole = await openEchoWhole(t)

  for (const { method, path } of rows)
    for (const credential of credentials) {
      const hasBody = method !== 'GET' && method !== 'DELETE'
      const ask = (at: string, headers: HeaderLines, trailers: HeaderLines) =>
        sendRaw(at, {
          method,
          path: `/v1${path.replace(':id', 'lnk_1')}`,
          headers: [
            ...headers,
            ...credential,
            ['X-Request-Id', 'request-0001'],
            ...(hasBody ? [['Content-Type', 'application/json'] as const] : []),
          ],
          ...(hasBody && { body: '{"role":"owner"}', trailers: [['x-sum', '1'], ...trailers] }),
        })
      const plain = await ask(origin, [], [])
      // Only the auth service receives cookies behind the trust boundary.
      if (path !== '/users')
        assert.deepEqual(timeless(plain), timeless(await ask(whole.origin, [], [])))
      await fc.assert(
        fc.asyncProperty(clientCopies(stolen), async ({ headers, trailers }) => {
          const answer = await ask(origin, headers, trailers)
          assert.deepEqual(timeless(answer), timeless(plain))
        }),
        { numRuns: 10 },
      )
    }
})

/** Without what counts requests. */
function timeless({ status, headers, body }: Awaited<ReturnType<typeof sendRaw>>) {
  const kept = Object.entries(headers).filter(([name]) => !name.includes('ratelimit'))
  const value: unknown = body === '' ? null : JSON.parse(body)
  return { status, headers: Object.fromEntries(kept), value }
}

test('identity headers are removed and nothing else is', () => {
  const headers = {
    'x-user-id': 'u',
    'x-workspace-id': 'w',
    'x-role': 'owner',
    'x-signpost-identity': 'v1',
    'x-other': 'o',
  }
  stripIdentity(headers)
  assert.deepEqual(headers, { 'x-other': 'o' })
})
