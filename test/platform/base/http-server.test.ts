import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { connect, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../../src/platform/core/errors.ts'
import { openListeningSockets } from '../../../src/platform/processes/listening-sockets.ts'
import { openHttpServer } from '../../../src/platform/http/http-server.ts'
import { NO_SOCKETS } from '../../../src/platform/http/listening.ts'
import type { PlainHandler } from '../../../src/platform/http/plain-connection.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { USES_SHORT_PATH } from '../../support/short-path.ts'
import { until } from '../../support/eventually.ts'

const HOST = 'Host: localhost\r\n'
const HELLO = `GET /hello HTTP/1.1\r\n${HOST}\r\n`

test('a request without a Host header is refused, except by the version that knows none', async (t) => {
  const { send } = await openServer(t)
  const refused = await send('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')
  assertRefused(refused, 400, 'VALIDATION_ERROR')
  const named = await send('GET / HTTP/1.1\r\nX-Request-Id: client-0001\r\n\r\n')
  assert.match(named, /x-request-id: client-0001\r\n/)
  assert.match(await send('GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
})

test('an expectation that cannot be met is a 417 with our body', async (t) => {
  const { send } = await openServer(t)
  assertRefused(
    await send(`POST / HTTP/1.1\r\n${HOST}Expect: foo\r\nContent-Length: 2\r\n\r\n`),
    417,
    'EXPECTATION_FAILED',
  )
  const body = `POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab`
  assert.match(await send(body), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
})

test('CONNECT is answered, not hung up on', async (t) => {
  const { send } = await openServer(t)
  const answer = await send(`CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`)
  assertRefused(answer, 405, 'METHOD_NOT_ALLOWED')
  assert.match(answer, /allow: GET, /)
})

test('what is no HTTP gets an error body and an id', async (t) => {
  const { send } = await openServer(t)
  assertRefused(await send('nonsense\r\n\r\n'), 400, 'VALIDATION_ERROR')
  const long = `GET / HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`
  assertRefused(await send(long), 431, 'HEADERS_TOO_LARGE')
})

test('a refusal never takes the place of an answer that is still to come', async (t) => {
  for (const broken of ['nonsense\r\n\r\n', `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`]) {
    const { send, answerNext } = await openServer(t, { isHeld: true })
    const answers = send(HELLO + HELLO.replace('hello', 'second') + broken)
    await answerNext('/hello')
    await answerNext('/second')
    const [first, second, third] = (await answers).split(/(?=HTTP\/1\.1 )/)
    assert.match(first!, /^HTTP\/1\.1 200 [^]*\/hello$/)
    assert.match(second!, /^HTTP\/1\.1 200 [^]*\/second$/)
    assert.match(third!, /^HTTP\/1\.1 40[05] /)
  }
})

test('a body that breaks off is refused in the place of its own answer, after earlier ones', async (t) => {
  const { send, answerNext } = await openServer(t, { isHeld: true })
  const chunked = `POST /body HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`
  const alone = await send(chunked)
  assertRefused(alone, 400, 'VALIDATION_ERROR')
  assert.equal(alone.match(/HTTP\/1\.1/g)?.length, 1)

  const answers = send(HELLO + chunked)
  await answerNext('/hello')
  const [first, second, ...more] = (await answers).split(/(?=HTTP\/1\.1 )/)
  assert.match(first!, /^HTTP\/1\.1 200 [^]*\/hello$/)
  assertRefused(second!, 400, 'VALIDATION_ERROR')
  assert.deepEqual(more, [])
})

test('a client that leaves before the answer, after broken bytes, harms nothing', async (t) => {
  const { port, send, answerNext } = await openServer(t, { isHeld: true })
  const socket = connect(port, '127.0.0.1')
  socket.write(`${HELLO}nonsense\r\n\r\nmore nonsense`)
  await answerNext('/hello', () => socket.destroy())
  const answer = send(HELLO.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  await answerNext('/hello')
  assert.match(await answer, /^HTTP\/1\.1 200 /)
})

test('the port is known to the handler before the first request, on both loopback addresses', async (t) => {
  const ports: number[] = []
  const server = await openHttpServer(
    (port) => {
      ports.push(port)
      return (_req, res) => res.end(String(port))
    },
    { host: '127.0.0.1', port: 0, clock: Date.now },
  )
  t.after(() => server[Symbol.asyncDispose]())
  assert.deepEqual(ports, [server.port])
  const hosts = ['127.0.0.1', ...((await hasIpv6()) ? ['[::1]'] : [])]
  for (const host of hosts) {
    const answer = await fetch(`http://${host}:${server.port}`)
    assert.equal(await answer.text(), String(server.port))
  }
})

test('a port that is taken on ::1 alone is refused before anything is started, and later too', async (t) => {
  if (!(await hasIpv6())) return t.skip('there is no ::1')
  const taken = createServer()
  t.after(() => taken.close())
  // Of 127.0.0.1 first: a port that is free on ::1 may be taken there.
  const held = createServer()
  const port = await listen(held, '127.0.0.1')
  await listen(taken, '::1', port)
  await new Promise((resolve) => held.close(resolve))
  const isRefusal = (error: unknown) =>
    error instanceof OperatorError && /Port \d+ on ::1 is in use/.test(error.message)
  await assert.rejects(openListeningSockets({ ...readConfig({}), port }, NO_SOCKETS), isRefusal)
  const open = () =>
    openHttpServer(() => (_req, res) => res.end(), { host: '127.0.0.1', port, clock: Date.now })
  await assert.rejects(open(), isRefusal)
  // A listener that was opened before the refusal is closed again.
  const again = createServer()
  assert.equal(await listen(again, '127.0.0.1', port), port)
  again.close()
  return undefined
})

test('an idle connection ends without a reset, also when a request crosses its end', async (t) => {
  const { port, close } = await openServer(t)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let [text, failure] = ['', '']
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.on('error', (error: NodeJS.ErrnoException) => (failure = error.code ?? ''))
  socket.write(HELLO)
  await until(() => text.endsWith('/hello'))
  const ended = once(socket, 'end')
  const closed = close()
  await ended
  // It crosses the end of the stream; a reset would be the answer of a socket that was destroyed.
  for (let i = 0; i < 5; i++) {
    socket.write(HELLO)
    await sleep(20)
  }
  socket.end()
  await closed
  assert.equal(failure, '')
  assert.equal(text.split('HTTP/1.1 200').length, 2, 'one answer')
})

test('a connection that carried no request ends while a request of another goes on', async (t) => {
  const { port, send, answerNext, arrived, close } = await openServer(t, { isHeld: true })
  const unused = connect({ port, host: '127.0.0.1' }).resume()
  await once(unused, 'connect')
  const answer = send(HELLO)
  await until(() => arrived.length === 1)
  const closed = close()
  await once(unused, 'end')
  await answerNext('/hello')
  assert.match(await answer, /\/hello$/)
  await closed
})

test('before the end, answers end their connections in order', async (t) => {
  const { send, endWithAnswers } = await openServer(t)
  endWithAnswers()
  const answer = await send(HELLO)
  assert.match(answer, /^connection: close\r$/im)
  assert.match(answer, /\/hello$/)
})

test('requests of one connection are handled one after the other, and answered in order', async (t) => {
  const { send, answerNext, arrived } = await openServer(t, { isHeld: true })
  const paths = ['/first', '/second', '/third']
  const body = 'x'.repeat(200_000)
  const [get, last] = [
    HELLO.replace('/hello', '/first'),
    HELLO.replace('/hello', '/third').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
  ]
  const post = `POST /second HTTP/1.1\r\n${HOST}Content-Length: ${body.length}\r\n\r\n${body}`
  const answers = send(get + post + last)
  for (const [i, path] of paths.entries())
    await answerNext(path, () => assert.deepEqual(arrived, paths.slice(0, i + 1)))
  assert.deepEqual((await answers).match(/\/\w+$|\/\w+(?=HTTP)/g), paths)
})

test('a connection with too many unanswered requests ends after the answers to the first of them', async (t) => {
  const { port, send, arrived } = await openServer(t)
  const kinds = [
    ['', 17],
    // A refusal ends the connection too.
    ['Expect: foo\r\n', 4],
  ] as const
  for (const [lines, count] of kinds) {
    arrived.length = 0
    const flood = HELLO.replace('\r\n\r\n', `\r\n${lines}\r\n`).repeat(20_000)
    const answers = (await send(HELLO.repeat(3) + flood)).split(/(?=HTTP\/1\.1 )/)
    assert.equal(answers.length, count, lines)
    assert.equal(arrived.length, lines.startsWith('Expect') ? 3 : count)
    for (const [i, answer] of answers.entries())
      assert.equal(/^connection: close\r$/im.test(answer), i === count - 1, answer)
  }
  // One after the other, a connection carries any number.
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  for (let i = 1; i <= 50; i++) {
    socket.write(HELLO)
    await until(() => text.split('HTTP/1.1 200').length === i + 1)
  }
})

test('a client that takes nothing of its answer is cut off, and one that takes a little is not', async (t) => {
  let cut = 0
  const bytes = 64 * 1024 * 1024
  const handle: RequestListener = (_req, res) => {
    res.once('close', () => res.writableFinished || cut++)
    res.end(Buffer.alloc(bytes))
  }
  const options = { host: '127.0.0.1', port: 0, clock: Date.now, stallMs: 3_000 }
  const server = await openHttpServer(() => handle, options)
  t.after(() => server[Symbol.asyncDispose]())
  const [still, slow] = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')]
  t.after(() => [still, slow].forEach((socket) => socket.destroy()))
  for (const socket of [still, slow])
    socket
      .on('error', () => {})
      .pause()
      .write(HELLO)
  // Large parts, since a receiver tells its sender of free space only once there is much. All of them take longer
  // than the server waits for one.
  let taken = 0
  const reading = setInterval(() => {
    const part = slow.read(1024 * 1024) as Buffer | null
    taken += part?.length ?? 0
  }, 100)
  t.after(() => clearInterval(reading))
  await until(() => cut > 0)
  await until(() => taken > bytes / 2)
  assert.equal(cut, 1)
})

type Held = { url: string; answer: () => void }

/** Answers 200 with the path; held, only what `answerNext` names. */
async function openServer(t: TestContext, { isHeld = false } = {}) {
  const held: Held[] = []
  const arrived: string[] = []
  const handle: RequestListener = (req, res) => {
    req.resume()
    const url = req.url!
    arrived.push(url)
    const answer = () => {
      res.writeHead(200, { 'content-length': url.length }).end(url)
    }
    if (isHeld) held.push({ url, answer })
    else answer()
  }
  const handlePlain: PlainHandler = ({ url }, res) => {
    arrived.push(url!)
    const answer = () => {
      res.writeHead(200, ['Content-Length', String(url!.length)])
      res.end(url!)
    }
    if (isHeld) held.push({ url: url!, answer })
    else answer()
    return true
  }
  const options = { host: '127.0.0.1', port: 0, clock: Date.now }
  const plain = USES_SHORT_PATH ? { handlePlain } : {}
  const server = await openHttpServer(() => handle, { ...options, ...plain })
  const close = () => server[Symbol.asyncDispose]()
  t.after(close)

  async function answerNext(url: string, before = () => {}): Promise<void> {
    const isHere = (request: Held) => request.url === url
    await until(() => held.some(isHere), `a request for ${url}`)
    // Time in which the server reads the broken bytes behind it, too.
    await sleep(50)
    before()
    await sleep(20)
    const [found] = held.splice(held.findIndex(isHere), 1)
    found!.answer()
  }

  const { port, endWithAnswers } = server
  const send = (bytes: string) => exchange(port, bytes)
  return { port, send, answerNext, arrived, close, endWithAnswers }
}

/** Sends bytes as they are; resolves with all that came back once the server closes. */
async function exchange(port: number, bytes: string): Promise<string> {
  const chunks: Buffer[] = []
  const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  socket.setTimeout(20_000, () => socket.destroy(new Error('no end of the answer')))
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

function assertRefused(answer: string, status: number, code: string): void {
  assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
  const [head, body] = answer.split('\r\n\r\n')
  const id = /^x-request-id: (req_[0-9A-Z]{26})\r?$/im.exec(head!)?.[1]
  const parsed = JSON.parse(body!)
  assert.equal(parsed.error.code, code)
  assert.equal(parsed.meta.requestId, id)
  assert.match(head!, /^connection: close\r?$/im)
}

async function listen(server: Server, host: string, port = 0): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}

async function hasIpv6(): Promise<boolean> {
  const probe = createServer()
  try {
    await listen(probe, '::1')
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}
