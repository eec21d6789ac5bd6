import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, request, type IncomingMessage, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openForwarding, restoreSender } from '../../../src/platform/http/forwarded-requests.ts'
import { openHttpServer } from '../../../src/platform/http/http-server.ts'
import { addressOf, isEncrypted } from '../../../src/platform/http/request.ts'
import { until } from '../../support/eventually.ts'
import { freshFolder } from '../../support/fixtures.ts'
import { sendRaw } from '../../support/raw-http.ts'

const MEGABYTE = 1024 * 1024

/** A server that forwards every request to another one, which has the handler. */
async function openPair(t: TestContext, handle: RequestListener) {
  const path = join(freshFolder(), 'requests.sock')
  const options = { host: '127.0.0.1', port: 0, clock: Date.now }
  const inner = await openHttpServer(() => handle, { ...options, path, onArrival: restoreSender })
  const forwarding = openForwarding(path, Date.now)
  const front = await openHttpServer(() => forwarding.forward, options)
  const close = async () => {
    await front[Symbol.asyncDispose]()
    await forwarding[Symbol.asyncDispose]()
    await inner[Symbol.asyncDispose]()
  }
  t.after(close)
  return { origin: `http://127.0.0.1:${front.port}`, port: front.port, inner }
}

/** Answers with what arrived. */
const echo: RequestListener = (req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  const answer = () =>
    res.writeHead(201, { 'Content-Type': 'application/json', 'Set-Cookie': ['a=1', 'b=2'] }).end(
      JSON.stringify({
        method: req.method,
        url: req.url,
        headers: req.rawHeaders,
        sender: addressOf(req),
        isEncrypted: isEncrypted(req),
        httpVersion: req.httpVersion,
        bytes: Buffer.concat(chunks).length,
      }),
    )
  if (req.readableEnded) answer()
  else req.once('end', answer)
}

test('a request arrives as it was sent, with the address of its sender, which no client can choose', async (t) => {
  const { origin, port } = await openPair(t, echo)
  const headers = [
    ['Accept', 'a/b'],
    ['x-TWICE', '1'],
    ['x-TWICE', '2'],
    ['X-Signpost-Sender', '192.0.2.1 https 1.1'],
    ['Upgrade', 'websocket'],
  ] as const
  const answer = await sendRaw(origin, { method: 'PUT', path: '/a?b=%20', headers, body: 'abc' })
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2'])
  const { headers: seenHeaders, ...seen } = JSON.parse(answer.body)
  assert.deepEqual(seen, {
    method: 'PUT',
    url: '/a?b=%20',
    sender: '127.0.0.1',
    isEncrypted: false,
    httpVersion: '1.1',
    bytes: 3,
  })
  const own = ['accept', 'x-twice', 'upgrade', 'host']
  const pairs = toPairs(seenHeaders).filter(([name]) => own.includes(name!.toLowerCase()))
  assert.deepEqual(pairs, [
    ['host', `127.0.0.1:${port}`],
    ['Accept', 'a/b'],
    ['x-TWICE', '1'],
    ['x-TWICE', '2'],
  ])

  const old = await exchange(port, 'GET /old HTTP/1.0\r\nTrailer: x-end\r\n\r\n')
  assert.match(old, /"url":"\/old".*"httpVersion":"1\.0"/)
  const absolute = await exchange(
    port,
    'GET http://other.example/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  )
  assert.match(absolute, /"url":"\/x","headers":\["host","other\.example"/)
  const ambiguous = await exchange(port, 'GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')
  assert.match(ambiguous, /^HTTP\/1\.1 400 /)
})

test('a body is streamed, and one that is refused before its end has its answer', async (t) => {
  const { origin } = await openPair(t, (req, res) => {
    if (req.url === '/refused') res.writeHead(413, { Connection: 'close' }).end('too large')
    else echo(req, res)
  })
  const body = Buffer.alloc(20 * MEGABYTE)
  const taken = await sendRaw(origin, { method: 'POST', path: '/taken', body })
  assert.equal(JSON.parse(taken.body).bytes, body.length)
  for (let attempt = 0; attempt < 20; attempt++) {
    const refused = await sendRaw(origin, { method: 'POST', path: '/refused', body })
    assert.equal(refused.status, 413)
    assert.equal(refused.body, 'too large')
  }
})

test('an answer is streamed, and each side notices that the other has gone', async (t) => {
  const closed: string[] = []
  const { origin } = await openPair(t, (req, res) => {
    res.once('close', () => closed.push(req.url!))
    res.writeHead(200).write('first')
    if (req.url === '/cut') setImmediate(() => res.destroy())
  })
  const left = get(`${origin}/left`)
  const [answer] = (await once(left, 'response')) as [IncomingMessage]
  const [chunk] = await once(answer, 'data')
  assert.equal(String(chunk), 'first')
  answer.once('error', () => {})
  left.destroy()
  await until(() => closed.includes('/left'), 'the client has gone')

  await assert.rejects(async () => (await fetch(`${origin}/cut`)).text())
})

test('a connection carries further requests, unless the server ends it', async (t) => {
  const { origin } = await openPair(t, (req, res) => {
    if (req.url === '/last') res.setHeader('Connection', 'close')
    res.end(req.url)
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const ask = async (path: string) => {
    const sent = request(`${origin}${path}`, { agent, method: 'POST' }).end('body')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    return { reused: sent.reusedSocket, connection: answer.headers.connection }
  }
  assert.deepEqual(await ask('/one'), { reused: false, connection: 'keep-alive' })
  assert.deepEqual(await ask('/last'), { reused: true, connection: 'close' })
  assert.deepEqual(await ask('/two'), { reused: false, connection: 'keep-alive' })
})

test('connections are kept, and each request has its own sender', async (t) => {
  const sockets = new Set<unknown>()
  const { port } = await openPair(t, (req, res) => {
    sockets.add(req.socket)
    echo(req, res)
  })
  for (const version of ['1.0', '1.1', '1.0']) {
    const end = version === '1.1' ? 'Host: a\r\nConnection: close\r\n\r\n' : '\r\n'
    const seen = await exchange(port, `POST /x HTTP/${version}\r\nContent-Length: 0\r\n${end}`)
    assert.match(seen, new RegExp(`"httpVersion":"${version}"`))
  }
  assert.equal(sockets.size, 1)
})

test('no stream and no slow body keeps another request waiting', async (t) => {
  const { origin, port } = await openPair(t, (req, res) => {
    if (req.url === '/stream') res.writeHead(200).write('first')
    else echo(req, res)
  })
  const held = Array.from({ length: 200 }, (_, i) => {
    const socket = connect(port, '127.0.0.1')
    if (i % 2 === 0) socket.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n')
    else socket.write('POST /slow HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na')
    return socket
  })
  await Promise.all(held.filter((_, i) => i % 2 === 0).map((socket) => once(socket, 'data')))
  assert.equal((await sendRaw(origin, { method: 'GET', path: '/' })).status, 201)
  for (const socket of held) socket.destroy()
})

test('a body that its client breaks off reaches no other request', async (t) => {
  let [arrived, closed] = [0, 0]
  const { origin, port } = await openPair(t, (req, res) => {
    if (req.url !== '/broken') return echo(req, res)
    arrived++
    req.once('error', () => {})
    res.once('close', () => closed++)
  })
  for (let i = 0; i < 20; i++) {
    const socket = connect(port, '127.0.0.1')
    socket.write('POST /broken HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nGET /stolen')
    await until(() => arrived > i, 'it has arrived')
    socket.destroy()
    const answer = await sendRaw(origin, { method: 'POST', path: '/whole', body: 'abc' })
    assert.equal(JSON.parse(answer.body).url, '/whole')
  }
  await until(() => closed === arrived, 'the server notices each')
})

test('requests are answered with 503 while the other server is unavailable', async (t) => {
  const { origin, inner } = await openPair(t, echo)
  await inner[Symbol.asyncDispose]()
  const answer = await sendRaw(origin, { method: 'POST', path: '/', body: 'abc' })
  assert.equal(answer.status, 503)
  assert.equal(answer.headers['retry-after'], '1')
  assert.equal(JSON.parse(answer.body).error.code, 'UNAVAILABLE')
})

function toPairs(raw: string[]): string[][] {
  return raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]!]] : []))
}

/** All bytes of the answer to these. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.write(bytes)
  await once(socket, 'close')
  return text
}
