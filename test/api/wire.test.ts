import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { freePort } from '../support/free-port.ts'
import { callsWith, eventually, openWorld } from '../support/world.ts'
import { openEchoGateway, openEchoServices, openEchoWhole } from '../support/echo-servers.ts'

/** A connection whose bytes the test writes itself. */
type Wire = { socket: Socket; text(): string; closed(): Promise<void> }

function openWire(t: TestContext, origin: string): Wire {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  t.after(() => socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
  socket.on('error', () => {})
  return {
    socket,
    text: () => text,
    closed: async () => {
      if (!socket.closed) await once(socket, 'close')
    },
  }
}

function statusesOf(text: string): string[] {
  return Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status!)
}

const LINK = { name: 'Wire', destinationUrl: 'https://example.com/there' }

test('a client that disconnects within its body is not reported as an unavailable database', async (t) => {
  const lines: { level: string; msg: string; requestId?: string }[] = []
  const log = openLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { origin } = await openWorld(t, { log })
  const { socket } = openWire(t, origin)
  // A small body is handed on when it is complete.
  socket.write(
    'POST /v1/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nx-request-id: hangs-up-01\r\n' +
      'Content-Type: application/json\r\nContent-Length: 99000\r\n\r\n{"email":',
    () => setTimeout(() => socket.destroy(), 50),
  )
  const isOurs = ({ requestId }: { requestId?: string }) => requestId === 'hangs-up-01'
  await eventually(async () => assert.ok(lines.some(isOurs)))
  assert.equal(lines.find(isOurs)?.msg, 'the client disconnected before its answer')
  assert.deepEqual(
    lines.filter(({ level }) => level === 'warn' || level === 'error'),
    [],
  )
})

test('the absolute form of an address is answered as the usual form, for the host that it names', async (t) => {
  const port = await freePort()
  const world = await openWorld(t, { config: { publicUrl: 'http://links.example', port } })
  const here = `http://127.0.0.1:${port}`
  const { apiKey } = await world.member()
  const owner = callsWith(apiKey, here)
  assert.equal((await owner.post('/links', { ...LINK, slug: 'absolute' })).status, 201)
  const ask = async (target: string, host: string) => {
    const wire = openWire(t, here)
    wire.socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    await wire.closed()
    return wire.text()
  }
  // A link that is not in memory is a 503 while the database is slow.
  const redirect = await eventually(async () => {
    const text = await ask('http://links.example/absolute?a=1', 'other.example')
    assert.match(text, /^HTTP\/1\.1 302/)
    return text
  })
  assert.match(redirect, /^Location: https:\/\/example\.com\/there\?a=1\r$/m)
  assert.match(await ask('http://LINKS.example', 'links.example'), /^HTTP\/1\.1 30[27]/)
  assert.match(await ask('http://links.example/v1/links', 'links.example'), /^HTTP\/1\.1 401/)
  // The host of the address counts, not the header.
  assert.match(await ask('http://other.example/absolute', 'links.example'), /^HTTP\/1\.1 404/)
  assert.match(await ask('http://a@links.example/absolute', 'links.example'), /^HTTP\/1\.1 400/)
})

test('a request whose body never ends is logged as a request with the status of its refusal', async (t) => {
  const services = await openEchoServices(t)
  const lines: { msg: string; requestId?: string; path?: string; status?: number }[] = []
  const log = openLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const serving = { log, requestTimeoutMs: 200 }
  const gateways = {
    whole: await openEchoWhole(t, serving),
    forwarding: await openEchoGateway(t, services.origin, serving),
  }
  const refusals = [
    { kind: 'slow', body: '1\r\n{\r\n', status: 408 },
    { kind: 'broken', body: 'no size of a chunk\r\n', status: 400 },
  ]
  for (const [name, { origin }] of Object.entries(gateways))
    for (const { kind, body, status } of refusals) {
      const requestId = `${name}-${kind}`
      const wire = openWire(t, origin)
      wire.socket.write(
        'GET /v1/echo HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer member\r\n\r\n' +
          'POST /v1/echo HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer member\r\n' +
          `x-request-id: ${requestId}\r\nContent-Type: application/json\r\n` +
          `Transfer-Encoding: chunked\r\n\r\n${body}`,
      )
      await wire.closed()
      assert.deepEqual(statusesOf(wire.text()), ['200', String(status)])
      const ours = () => lines.filter((line) => line.requestId === requestId)
      await eventually(async () => assert.notEqual(ours().length, 0))
      assert.deepEqual(
        ours().map(({ msg, path, status: logged }) => [msg, path, logged]),
        [['request', '/v1/echo', status]],
      )
    }
})

test('requests to one server', { concurrency: false }, async (t) => {
  const world = await openWorld(t)

  await t.test('a refusal of a body that broke carries the id of its request', async (part) => {
    const { origin } = world
    const wire = openWire(part, origin)
    wire.socket.write(
      'POST /v1/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nx-request-id: broken-body-01\r\n' +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno size of a chunk\r\n',
    )
    await wire.closed()
    assert.deepEqual(statusesOf(wire.text()), ['400'])
    assert.match(wire.text(), /x-request-id: broken-body-01/)
    assert.match(wire.text(), /"requestId":"broken-body-01"/)
  })

  await t.test(
    'a request that was refused before its body ended gets no second answer',
    async (part) => {
      const { origin } = world
      const wire = openWire(part, origin)
      wire.socket.write(
        'POST /v1/links HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
          'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
      )
      await eventually(async () => assert.match(wire.text(), /UNAUTHORIZED/))
      wire.socket.write('no size of a chunk\r\n')
      await wire.closed()
      assert.deepEqual(statusesOf(wire.text()), ['401'])
    },
  )

  await t.test(
    'the connection stays open after a refused body that arrived whole',
    async (part) => {
      const { apiKey } = await world.member()
      const wire = openWire(part, world.origin)
      const request = (body: string, type = 'application/json', rest = '') =>
        `POST /v1/links HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n${rest}` +
        `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      wire.socket.write(
        request('{"name":') +
          request('a=b', 'text/plain') +
          request('{"name":"\\u0000"}') +
          request(JSON.stringify(LINK), 'application/json', 'Connection: close\r\n'),
      )
      await wire.closed()
      assert.deepEqual(statusesOf(wire.text()), ['400', '415', '400', '201'], wire.text())
    },
  )

  await t.test(
    'an id that is too long for one is a 404, after the credential was checked',
    async () => {
      const owner = await world.member()
      for (const length of [65, 256, 300, 8_000]) {
        const path = `/links/${'x'.repeat(length)}`
        assert.equal((await world.call('GET', `/v1${path}`)).status, 401, String(length))
        assert.equal((await owner.get(path)).status, 404, String(length))
      }
    },
  )

  await t.test(
    'an absent body names the fields that are missing, and may be left out where none is required',
    async () => {
      const owner = await world.member()
      const { status, body } = await owner.post('/links')
      assert.equal(status, 400)
      const paths = body.error.details.map(({ path }: { path: string }) => path)
      assert.deepEqual(paths.toSorted(), ['destinationUrl', 'name'])
      assert.equal((await owner.post('/webhooks/deliveries/retry')).status, 202)
      const user = await world.user()
      const enabling = await user.post('/auth/two-factor/enable')
      assert.equal(enabling.body.error.details[0].path, 'password')
      const unconfirmed = await user.delete(`/workspaces/${user.workspaceId}`)
      assert.equal(unconfirmed.status, 400)
      assert.equal(unconfirmed.body.error.details[0].path, 'confirm')
      const unproven = await user.delete('/auth/user')
      assert.equal(unproven.body.error.details[0].path, 'password')
    },
  )

  await t.test(
    'each method of an Allow header is taken, and each other one is refused',
    async () => {
      const paths = new Set(world.app.routes.map(({ path }) => `/v1${path.replace(/:\w+/g, 'x1')}`))
      for (const path of paths) {
        const { headers } = await world.call('OPTIONS', path)
        const allowed = (headers.get('allow') ?? '').split(', ')
        for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
          const { status } = await world.call(method, path)
          assert.equal(status === 405, !allowed.includes(method), `${method} ${path}: ${status}`)
        }
      }
    },
  )

  await t.test('an inexact number is refused with its path and an alternative', async () => {
    const { origin, member } = world
    const owner = await member()
    const send = (metadata: string) =>
      fetch(`${origin}/v1/links`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
        body: `{"name":"n","destinationUrl":"https://example.com/","metadata":${metadata}}`,
      })
    for (const text of ['{"tweet":1234567890123456789}', '{"tweet":1e20}', '{"tweet":1e999}']) {
      const answer = await send(text)
      assert.equal(answer.status, 400)
      const { error } = (await answer.json()) as { error: { details: object[]; message: string } }
      assert.match(error.message, /2\^53.*string/)
      assert.equal((error.details[0] as { path: string }).path, 'metadata.tweet')
    }
    assert.equal((await send('{"tweet":9007199254740991,"half":0.5}')).status, 201)
  })
})

test('a server whose public address is https tells browsers to stay there', async (t) => {
  const { origin } = await openWorld(t)
  const port = await freePort()
  await openWorld(t, { config: { publicUrl: 'https://links.example', port } })
  for (const path of ['/v1/openapi.json', '/v1/links', '/v1/auth/verify-email?token=x']) {
    const here = await fetch(`${origin}${path}`)
    const there = await fetch(`http://127.0.0.1:${port}${path}`)
    assert.equal(here.headers.get('strict-transport-security'), null, path)
    assert.match(there.headers.get('strict-transport-security') ?? '', /^max-age=\d{8}$/, path)
    for (const { headers } of [here, there]) {
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', path)
      assert.match(headers.get('permissions-policy') ?? '', /geolocation=\(\)/, path)
    }
  }
})
