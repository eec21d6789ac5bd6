import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isAllowedAddress } from '../../src/api/requests/identify.ts'
import {
  keyOf,
  openTestGateway,
  MEMBERSHIP,
  sessionOf,
  type Sent,
} from '../support/test-gateway.ts'

const KEY = { authorization: 'Bearer member' }
const COOKIE = { cookie: 'signpost_session=sess' }

test('the identity of a request', async (t) => {
  const gateway = await openTestGateway(t)
  const { send, keys, sessions, principals } = gateway
  keys.set('viewer', keyOf('viewer', { role: 'viewer' }))
  sessions.set('nowhere', sessionOf('nowhere', null))
  sessions.set('two', sessionOf('two', MEMBERSHIP, ['ws_2']))
  const suspended = { ...MEMBERSHIP, isSuspended: true }
  sessions.set('suspended', sessionOf('suspended', suspended))
  keys.set('suspended', keyOf('suspended', { isSuspended: true }))
  const last = () => principals.at(-1)!

  await t.test('a key is its owner, acting as a key', async () => {
    assert.equal((await send('GET', '/v1/things', KEY)).status, 200)
    assert.deepEqual(last().actor, { type: 'api_key', id: 'key_member' })
    assert.deepEqual([last().userId, last().workspaceId], ['usr_member', 'ws_1'])
    assert.equal(last().ip, '127.0.0.1')
    assert.equal(gateway.used.at(-1), 'key_member')
  })

  await t.test('a session is a user in the workspace of the session', async () => {
    assert.equal((await send('GET', '/v1/things', COOKIE)).status, 200)
    assert.deepEqual(last().actor, { type: 'user', id: 'usr_sess' })
    assert.equal(last().scopes, null)
    assert.equal((await send('GET', '/v1/session-only', COOKIE)).status, 200)
    assert.equal((await send('GET', '/v1/session-only', KEY)).status, 403)
  })

  await t.test('a session that writes is checked again', async () => {
    const json = { 'content-type': 'application/json' }
    await send('GET', '/v1/things', COOKIE)
    await send('POST', '/v1/things', { ...KEY, ...json }, '{"name":"x"}')
    assert.deepEqual(gateway.forgotten, [])
    const { status } = await send('POST', '/v1/things', { ...COOKIE, ...json }, '{"name":"x"}')
    assert.equal(status, 200)
    assert.deepEqual(gateway.forgotten, ['ses_sess'])
  })

  await t.test('a key wins over a cookie, also when it is not valid', async () => {
    await send('GET', '/v1/things', { ...COOKIE, ...KEY })
    assert.equal(last().actor.type, 'api_key')
    const wrong = { ...COOKIE, authorization: 'Bearer wrong' }
    assert.equal((await send('GET', '/v1/things', wrong)).status, 401)
  })

  await t.test('an Authorization header that is not one bearer token is a 401', async () => {
    const tries: Sent[] = [
      [
        ['authorization', 'Bearer member'],
        ['authorization', 'Bearer member'],
      ],
      [
        ['Authorization', 'Bearer member'],
        ['AUTHORIZATION', 'Bearer viewer'],
      ],
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Basic member' },
      { authorization: 'member' },
      { authorization: 'Bearer member, Bearer member' },
      { authorization: `Bearer ${'x'.repeat(10_000)}` },
      { cookie: 'signpost_session=unknown' },
      { cookie: `signpost_session=${'x'.repeat(10_000)}` },
      { cookie: '__Host-signpost_session=sess' },
      {},
    ]
    for (const headers of tries) {
      const { status, headers: answered } = await send('GET', '/v1/things', headers)
      assert.equal(status, 401, JSON.stringify(headers).slice(0, 100))
      assert.equal(answered['www-authenticate'], 'Bearer')
    }
    assert.equal((await send('GET', '/v1/things', { authorization: 'bearer member' })).status, 200)
  })

  await t.test('a session names another of its own workspaces, and no foreign one', async () => {
    const ask = (workspace: string) =>
      send('GET', '/v1/things', {
        cookie: 'signpost_session=two',
        'x-signpost-workspace': workspace,
      })
    assert.equal((await ask('ws_2')).status, 200)
    assert.equal(last().workspaceId, 'ws_2')
    for (const foreign of ['ws_3', '', 'x'.repeat(1_000), 'ws_1, ws_2']) {
      const { status, body } = await ask(foreign)
      assert.equal(status, 403)
      assert.match(body.error.message, /not a member/)
    }
  })

  await t.test('a key that is sent to another workspace than its own does nothing', async () => {
    const ask = (workspace: string, path = '/v1/things') =>
      send('GET', path, { ...KEY, 'x-signpost-workspace': workspace })
    assert.equal((await ask('ws_1')).status, 200)
    assert.equal(last().workspaceId, 'ws_1')
    assert.equal((await ask('ws_1', '/v1/workspaces')).status, 200)
    const [calls, accountCalls] = [principals.length, gateway.callers.length]
    for (const foreign of ['ws_2', '', 'x'.repeat(1_000), 'ws_1, ws_2', 'WS_1'])
      for (const path of ['/v1/things', '/v1/workspaces']) {
        const { status, body } = await ask(foreign, path)
        assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN'])
        assert.match(
          body.error.message,
          /^The request names a workspace that this API key does not belong to\.$/,
        )
      }
    assert.deepEqual([principals.length, gateway.callers.length], [calls, accountCalls])
  })

  await t.test('a read may name the workspace in its query, as in the header', async () => {
    const two = { cookie: 'signpost_session=two' }
    const ask = (query: string, headers: Record<string, string> = two) =>
      send('GET', `/v1/things?${query}`, headers)
    assert.equal((await ask('workspaceId=ws_2')).status, 200)
    assert.equal(last().workspaceId, 'ws_2')
    const twice = { ...two, 'x-signpost-workspace': 'ws_2' }
    assert.equal((await ask('workspaceId=ws_2', twice)).status, 200)
    assert.equal((await ask('workspaceId=ws_1', KEY)).status, 200)
    for (const foreign of ['ws_3', '', 'x'.repeat(1_000), 'ws_1&workspaceId=ws_2'])
      for (const headers of [two, KEY]) {
        const { status, body } = await ask(`workspaceId=${foreign}`, headers)
        assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN'], foreign)
      }
    for (const headers of [two, KEY]) {
      const both = { ...headers, 'x-signpost-workspace': 'ws_1' }
      const { status, body } = await ask('workspaceId=ws_2', both)
      assert.equal(status, 400)
      assert.equal(body.error.details[0].path, 'workspaceId')
    }
    assert.equal((await ask('workspaceId=ws_2', {})).status, 401)
  })

  await t.test('a write does not look at the query for its workspace', async () => {
    const { status } = await send(
      'POST',
      '/v1/things?workspaceId=ws_2',
      { cookie: 'signpost_session=two', 'content-type': 'application/json' },
      '{"name":"Name"}',
    )
    assert.equal(status, 200)
    assert.equal(last().workspaceId, 'ws_1')
  })

  await t.test('without a workspace, or in a suspended one, only accounts go on', async () => {
    const nowhere = { cookie: 'signpost_session=nowhere' }
    const { status, body } = await send('GET', '/v1/things', nowhere)
    assert.equal(status, 403)
    assert.match(body.error.message, /no workspace/)
    assert.equal((await send('GET', '/v1/auth/me', nowhere)).body.data.name, 'usr_nowhere')
    for (const credential of [
      { cookie: 'signpost_session=suspended' },
      { authorization: 'Bearer suspended' },
    ]) {
      assert.equal((await send('GET', '/v1/things', credential)).status, 403)
      assert.equal((await send('GET', '/v1/workspaces', credential)).status, 200)
    }
  })

  await t.test('identity headers of a client change nothing; its credential decides', async () => {
    const name = fc.constantFrom('x-user-id', 'x-workspace-id', 'x-role', 'x-signpost-identity')
    const spelled = fc
      .tuple(name, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }))
      .map(([text, upper]) =>
        [...text].map((char, i) => (upper[i] ? char.toUpperCase() : char)).join(''),
      )
    const variant = fc.oneof(
      spelled,
      name.map((text) => text.replaceAll('-', '_')),
    )
    const value = fc.constantFrom('owner', 'usr_viewer', 'ws_2', '', 'viewer', '1')
    const header = fc.tuple(variant, value)
    const credential = fc.constantFrom<[string, string][]>(
      [],
      [['authorization', 'Bearer member']],
      [['authorization', 'Bearer viewer']],
      [['cookie', 'signpost_session=sess']],
    )
    const forged = fc.array(header, { maxLength: 6 })
    const named = fc.option(name, { nil: null })
    await fc.assert(
      fc.asyncProperty(credential, forged, named, async (own, extra, connection) => {
        principals.length = 0
        const plain = await send('GET', '/v1/things', own)
        const plainPrincipal = principals.pop()
        const headers = [
          ...extra,
          ...own,
          ...(connection === null ? [] : [['connection', connection] as [string, string]]),
        ]
        const tampered = await send('GET', '/v1/things', headers)
        const tamperedPrincipal = principals.pop()
        assert.equal(tampered.status, plain.status)
        assert.deepEqual(
          { ...tamperedPrincipal, requestId: '' },
          { ...plainPrincipal, requestId: '' },
        )
      }),
      { numRuns: 60 },
    )
  })

  await t.test('identity trailers of a client change nothing either', async () => {
    const trailing = await sendTrailers(gateway.port)
    assert.match(trailing, /^HTTP\/1\.1 200/)
    assert.deepEqual([last().userId, last().role], ['usr_member', 'member'])
  })
})

test('keys with an address list', async (t) => {
  const gateway = await openTestGateway(t, { trustedProxies: ['127.0.0.1'] })
  const { send, keys, denied } = gateway
  keys.set('listed', keyOf('listed', { ipAllowlist: ['203.0.113.0/24', '2001:db8::/64'] }))
  const from = (address: string) =>
    send('GET', '/v1/things', {
      authorization: 'Bearer listed',
      ...(address === '' ? {} : { 'x-forwarded-for': address }),
    })

  for (const good of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1:2', '9.9.9.9, 203.0.113.1'])
    assert.equal((await from(good)).status, 200, good)
  for (const bad of ['203.0.114.9', '2001:db8:0:1::1', '203.0.113.9, 9.9.9.9', 'junk', '']) {
    const { status, body } = await from(bad)
    assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN'], bad)
  }

  await t.test('every refusal is reported, with its key, address, method and path', async () => {
    denied.length = 0
    for (let i = 0; i < 2; i++) await from('198.51.100.7')
    await from('198.51.100.8')
    assert.deepEqual(denied, [
      'key_listed 198.51.100.7 GET /v1/things',
      'key_listed 198.51.100.7 GET /v1/things',
      'key_listed 198.51.100.8 GET /v1/things',
    ])
  })
})

test('an address list allows the addresses of its ranges', () => {
  assert.equal(isAllowedAddress([], '198.51.100.7'), true)
  assert.equal(isAllowedAddress([], null), true)
  assert.equal(isAllowedAddress(['1.2.3.4/32'], '::ffff:1.2.3.4'), true)
  assert.equal(isAllowedAddress(['::ffff:1.2.3.0/120'], '1.2.3.4'), true)
  assert.equal(isAllowedAddress(['1.2.3.4'], '1.2.3.4'), true)
  assert.equal(isAllowedAddress(['0.0.0.0/0'], '::1'), false)
  assert.equal(isAllowedAddress(['::/0'], '1.2.3.4'), false)
  assert.equal(isAllowedAddress(['1.2.3.4/32'], null), false)
  assert.equal(isAllowedAddress(['nonsense', '1.2.3.4/99'], '1.2.3.4'), false)
})

/** A chunked POST whose trailers claim another identity; the answer's first bytes. */
function sendTrailers(port: number): Promise<string> {
  const text = JSON.stringify({ name: 'x' })
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        'POST /v1/things HTTP/1.1\r\nhost: x\r\nauthorization: Bearer member\r\n' +
          'content-type: application/json\r\ntransfer-encoding: chunked\r\n' +
          'trailer: x-role, x-user-id\r\nconnection: close, x-role\r\n\r\n' +
          `${text.length.toString(16)}\r\n${text}\r\n0\r\nx-role: owner\r\nx-user-id: usr_viewer\r\n\r\n`,
      ),
    )
    let answer = ''
    socket.on('data', (chunk) => (answer += String(chunk)))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
