import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { sendRaw } from '../support/raw-http.ts'
import { eventually } from '../support/world.ts'
import {
  BODY_LIMIT_BYTES,
  openEchoGateway,
  openEchoServices,
  TOKEN,
} from '../support/echo-servers.ts'

const MEMBER = [['Authorization', 'Bearer member']] as const
const JSON_TYPE = [['Content-Type', 'application/json']] as const

test('a gateway and services as two servers', async (t) => {
  const services = await openEchoServices(t)
  // Longer than any wait here, so that it hides nothing.
  const { origin, forwarder } = await openEchoGateway(t, services.origin, { limitMs: 600_000 })

  await t.test('the identity is forwarded completely, and the credential is not', async () => {
    const answer = await sendRaw(origin, {
      path: '/v1/echo/a%20b?x=1&x=2',
      headers: [
        ...MEMBER,
        ['User-Agent', 'tryer é'],
        ['X-Request-Id', 'request-0001'],
        ['Cookie', 'session=canary'],
        ['X-Forwarded-For', '203.0.113.9'],
        ['Accept-Language', 'de'],
        ['Connection', 'close, x-mine'],
        ['X-Mine', 'canary'],
      ],
    })
    const common = { requestId: 'request-0001', ip: '198.51.100.7', userAgent: 'tryer é' }
    assert.deepEqual(JSON.parse(answer.body).data, {
      principal: {
        ...common,
        userId: 'usr_member',
        workspaceId: 'wsp_one',
        role: 'member',
        actor: { type: 'api_key', id: 'key_member' },
        scopes: ['links:read'],
      },
      params: { id: 'a b' },
      query: { x: ['1', '2'] },
    })
    const { rawHeaders } = services.arrived.at(-1)!
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
    assert.deepEqual(names.toSorted(), [
      'accept-language',
      'connection',
      'host',
      'x-request-id',
      'x-role',
      'x-signpost-identity',
      'x-user-id',
      'x-workspace-id',
    ])
    assert.doesNotMatch(rawHeaders.join(), /canary|Bearer/)
  })

  await t.test('the answer comes back as it was, cookies included', async () => {
    const answer = await sendRaw(origin, {
      path: '/v1/auth/echo',
      headers: [['X-Request-Id', 'request-0002']],
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['x-request-id'], 'request-0002')
    assert.deepEqual(answer.headers['set-cookie'], [
      '__Host-one=1; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Host-two=2; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
    ])
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers['x-ratelimit-limit'], '1000000')
    const head = await sendRaw(origin, { method: 'HEAD', path: '/v1/echo', headers: MEMBER })
    assert.equal(head.status, 200)
    assert.equal(head.body, '')
    const gone = await sendRaw(origin, { method: 'DELETE', path: '/v1/echo/1', headers: MEMBER })
    assert.equal(gone.status, 204)
    assert.equal(gone.headers['content-length'], undefined)
  })

  await t.test(
    'a session is forwarded with its origin; cookies reach the auth service only',
    async () => {
      const headers = [['Cookie', '__Host-signpost_session=admin; __Host-state=1']] as const
      const { caller } = JSON.parse(
        (await sendRaw(origin, { path: '/v1/auth/echo', headers })).body,
      ).data
      assert.equal(caller.principal.role, 'admin')
      assert.equal(caller.session.createdAt, '1970-01-01T00:00:00.000Z')
      assert.equal(caller.origin, 'https://links.example')
      assert.deepEqual(caller.cookies, { signpost_session: 'admin', state: '1' })
      const other = await sendRaw(origin, { path: '/v1/users', headers })
      assert.deepEqual(JSON.parse(other.body).data.caller.cookies, {})
      assert.equal(JSON.parse(other.body).data.caller.principal.userId, 'usr_admin')
      const foreign = await sendRaw(origin, {
        method: 'POST',
        path: '/v1/echo',
        headers: [...headers, ['Origin', 'https://elsewhere.example']],
      })
      assert.equal(foreign.status, 403)
    },
  )

  await t.test('bodies pass in both framings, up to the limit, and not beyond', async () => {
    const post = (text: string, trailers: [string, string][] = []) =>
      sendRaw(origin, {
        method: 'POST',
        path: '/v1/echo',
        headers: [...MEMBER, ...JSON_TYPE],
        body: text,
        trailers,
      })
    const longest = JSON.stringify('x'.repeat(BODY_LIMIT_BYTES - 2))
    for (const trailers of [[], [['x-sum', '1'] as [string, string]]]) {
      const whole = await post(longest, trailers)
      assert.equal(whole.status, 200)
      assert.equal(JSON.parse(whole.body).data.body.length, BODY_LIMIT_BYTES - 2)
      for (const extra of [1, 5_000_000]) {
        const tooLong = await post(longest + ' '.repeat(extra), trailers)
        assert.equal(tooLong.status, 413, tooLong.body)
        assert.equal(JSON.parse(tooLong.body).error.code, 'PAYLOAD_TOO_LARGE')
      }
    }
    const without = { method: 'POST', path: '/v1/echo', headers: [...MEMBER, ...JSON_TYPE] }
    assert.equal((await sendRaw(origin, without)).status, 200)
  })

  await t.test('connections to services are kept', async () => {
    services.arrived.length = 0
    for (let i = 0; i < 10; i++) await sendRaw(origin, { path: '/v1/echo', headers: MEMBER })
    const sockets = new Set(services.arrived.map(({ socket }) => socket))
    assert.ok(sockets.size < 10, `${sockets.size} connections for 10 requests`)
  })

  await t.test('role, scope and resource are checked behind the trust boundary', async () => {
    const ask = (method: string, path: string) =>
      sendRaw(origin, { method, path, headers: [...MEMBER, ...JSON_TYPE], body: '{"a":1}' })
    assert.equal((await ask('PUT', '/v1/echo/1')).status, 403)
    assert.equal((await ask('PATCH', '/v1/echo/1')).status, 403)
    assert.equal((await ask('POST', '/v1/echo')).status, 200)
  })

  await t.test('requests without a route are answered by the gateway', async () => {
    assert.equal((await sendRaw(origin, { path: '/v1/nothing' })).status, 404)
    assert.equal((await sendRaw(origin, { path: '/v1/users', method: 'PATCH' })).status, 405)
    assert.equal((await sendRaw(origin, { path: '/v1/echo' })).status, 401)
  })

  await t.test('a client that hangs up ends the request to the services', async () => {
    const leaving = new AbortController()
    const request = { path: '/v1/hang', headers: MEMBER, signal: leaving.signal }
    const answer = assert.rejects(sendRaw(origin, request))
    const hang = await eventually(async () => services.hangs.at(-1) ?? assert.fail('not there yet'))
    assert.equal(hang.destroyed, false)
    leaving.abort()
    await answer
    await eventually(async () => assert.equal(hang.destroyed, true))
  })

  await t.test('a ping reaches the services', () => forwarder.ping())
})

test('services that take too long, refuse the gateway or are gone are a 503', async (t) => {
  const services = await openEchoServices(t)
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as { port: number }
  await new Promise((resolve) => gone.close(resolve))

  const slow = await openEchoGateway(t, services.origin, { limitMs: 300 })
  const wrong = await openEchoGateway(t, services.origin, { internalToken: `${TOKEN}?` })
  const lost = await openEchoGateway(t, `http://127.0.0.1:${port}`)
  for (const [{ origin }, path] of [
    [slow, '/v1/hang'],
    [wrong, '/v1/echo'],
    [lost, '/v1/echo'],
  ] as const) {
    const answer = await sendRaw(origin, { path, headers: MEMBER })
    assert.equal(answer.status, 503)
    assert.equal(answer.headers['retry-after'], '1')
    assert.equal(JSON.parse(answer.body).error.code, 'UNAVAILABLE')
    assert.equal(answer.headers['www-authenticate'], undefined)
  }
  await assert.rejects(lost.forwarder.ping())
  for (const hang of services.hangs) await eventually(async () => assert.ok(hang.destroyed))
})

test('a kept connection that services closed costs a reader nothing', async (t) => {
  let answered = 0
  const moody = createServer((_request, response) => {
    answered++
    response.end('{}')
    // As a server does that is stopped right after an answer.
    if (answered === 1) response.on('close', () => response.socket?.once('data', () => {}))
  })
  moody.on('connection', (socket) => {
    let requests = 0
    socket.prependListener('data', () => {
      if (++requests === 2) socket.destroy()
    })
  })
  moody.listen(0, '127.0.0.1')
  await once(moody, 'listening')
  t.after(() => {
    moody.closeAllConnections()
    moody.close()
  })
  const { port } = moody.address() as { port: number }
  const { origin } = await openEchoGateway(t, `http://127.0.0.1:${port}`)
  for (let i = 0; i < 5; i++)
    assert.equal((await sendRaw(origin, { path: '/v1/echo', headers: MEMBER })).status, 200)
})

test('an address without a path, and requests behind a refused body, are answered in order', async (t) => {
  const services = await openEchoServices(t)
  const { origin } = await openEchoGateway(t, services.origin)
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  t.after(() => socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
  const body = '{'.repeat(2_000_000)
  const common = 'Host: localhost\r\nAuthorization: Bearer member\r\n'
  socket.write(
    `PUT /v1/echo/1 HTTP/1.1\r\n${common}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
      `OPTIONS * HTTP/1.1\r\n${common}\r\n` +
      `GET http://localhost/v1/echo HTTP/1.1\r\n${common}\r\n` +
      `GET /v1/echo HTTP/1.1\r\n${common}Connection: close\r\n\r\n`,
  )
  await once(socket, 'end')
  const statuses = Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)
  assert.deepEqual(statuses, ['403', '404', '200', '200'], text)
})
