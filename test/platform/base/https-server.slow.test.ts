import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { connect, createSecureContext } from 'node:tls'
import { openHttpServer } from '../../../src/platform/http/http-server.ts'
import { createSecrets } from '../../../src/platform/core/secrets.ts'
import { readFirstMessage } from '../../../src/domains/tls/validations.ts'
import { currentTicketKeys } from '../../../src/domains/tls/open.ts'
import { selfSigned } from '../../support/certificates.ts'

const HOST = 'go.example.com'
const HEAD = `Host: ${HOST}\r\n`
const REQUEST_TIMEOUT_MS = 2_000
const FIRST_MESSAGE_TIMEOUT_MS = 500

/** An https server as the program opens it; `isRead`: it reads the first message of each connection before TLS. */
async function openServer(t: TestContext, isRead: boolean) {
  const context = createSecureContext(selfSigned([HOST]))
  const server = await openHttpServer(() => answer, {
    host: '127.0.0.1',
    port: 0,
    clock: Date.now,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    certificateOf: (name, done) => done(null, name === HOST ? context : undefined),
    ...(isRead && {
      beforeTls: (socket, proceed) =>
        readFirstMessage(socket, () => proceed(), FIRST_MESSAGE_TIMEOUT_MS),
    }),
  })
  t.after(() => server[Symbol.asyncDispose]())
  const { port } = server
  return {
    server,
    port,
    /** All that the server sends over one connection until it closes it. */
    exchange: (bytes: string) =>
      readAll(
        connect(
          { host: '127.0.0.1', port, servername: HOST, rejectUnauthorized: false },
          function (this: Socket) {
            this.write(bytes)
          },
        ),
      ),
  }
}

/** Answers once the body of a POST is here. */
function answer(req: IncomingMessage, res: ServerResponse): void {
  if (req.method === 'POST') req.on('end', () => res.end('done')).resume()
  else res.end('done')
}

/** @throws when the server does not close the connection */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  let isClosedByServer = true
  socket.on('data', (chunk) => (text += String(chunk))).on('error', () => {})
  const timer = setTimeout(() => {
    isClosedByServer = false
    socket.destroy()
  }, 30_000)
  await once(socket, 'close')
  clearTimeout(timer)
  assert.ok(isClosedByServer, 'the server leaves the connection open')
  return text
}

/** The first message of Node's own client. */
async function readOwnFirstMessage(t: TestContext): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ host: '127.0.0.1', port, servername: HOST }).on('error', () => {})
  t.after(() => {
    client.destroy()
    server.close()
  })
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes
}

for (const isRead of [false, true]) {
  const over = isRead ? 'over TLS whose first message is read' : 'over TLS'

  test(`${over}, requests are refused as without it`, async (t) => {
    const { exchange } = await openServer(t, isRead)
    const long = `GET / HTTP/1.1\r\n${HEAD}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`
    assert.match(await exchange(long), /^HTTP\/1\.1 431 [^]*"HEADERS_TOO_LARGE"/)
    assert.match(await exchange('nonsense\r\n\r\n'), /^HTTP\/1\.1 400 [^]*"VALIDATION_ERROR"/)
    assert.match(await exchange('GET / HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 [^]*"VALIDATION_ERROR"/)
    assert.match(await exchange(`CONNECT a:1 HTTP/1.1\r\n${HEAD}\r\n`), /^HTTP\/1\.1 405 /)
    const good = `GET / HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`
    assert.match(await exchange(good), /^HTTP\/1\.1 200 [^]*done$/)
  })

  test(`${over}, headers and bodies that do not end are refused in time`, async (t) => {
    const { exchange } = await openServer(t, isRead)
    const [headers, body] = await Promise.all([
      exchange(`GET / HTTP/1.1\r\n${HEAD}X-Slow: `),
      exchange(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 9\r\n\r\nx`),
    ])
    assert.match(headers, /^HTTP\/1\.1 408 [^]*"REQUEST_TIMEOUT"/)
    assert.match(body, /^HTTP\/1\.1 408 [^]*"REQUEST_TIMEOUT"/)
  })

  test(`${over}, a handshake that does not end is cut off`, async (t) => {
    const { port } = await openServer(t, isRead)
    const silent = connectTcp(port, '127.0.0.1')
    const partial = connectTcp(port, '127.0.0.1')
    partial.write(Buffer.of(22, 3, 1, 2))
    // A whole first message, and then nothing.
    const half = connectTcp(port, '127.0.0.1')
    half.write(await readOwnFirstMessage(t))
    const [first, second] = await Promise.all([silent, partial, half].map(readAll))
    assert.deepEqual([first, second], ['', ''])
  })

  test(`${over}, the end of the server does not wait for idle connections`, async (t) => {
    const { server, port } = await openServer(t, isRead)
    const idle = connect({ host: '127.0.0.1', port, servername: HOST, rejectUnauthorized: false })
    idle.write(`GET / HTTP/1.1\r\n${HEAD}\r\n`)
    await once(idle, 'data')
    const closed = once(idle, 'close')
    await server[Symbol.asyncDispose]()
    await closed
  })
}

/** Visits a server once. @returns the session that it gave, and whether it resumed the given one */
async function visit(port: number, session?: Buffer) {
  const socket = connect({
    ...{ host: '127.0.0.1', port, servername: HOST, rejectUnauthorized: false },
    ...(session && { session }),
  })
  let [isResumed, given] = [false, session]
  socket.once('secureConnect', () => (isResumed = socket.isSessionReused()))
  socket.on('session', (ticket: Buffer) => (given = ticket)).resume()
  socket.write(`GET / HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`)
  await once(socket, 'close')
  return { isResumed, session: given }
}

test('a visitor resumes a session on every server of an installation, and on no other', async (t) => {
  const context = createSecureContext(selfSigned([HOST]))
  const open = async (secretKey: string) => {
    const secrets = createSecrets(secretKey)
    const server = await openHttpServer(() => answer, {
      host: '127.0.0.1',
      port: 0,
      clock: Date.now,
      certificateOf: (_name, done) => done(null, context),
      ticketKeys: () => currentTicketKeys(secrets, () => 1_800_000_000_000),
    })
    t.after(() => server[Symbol.asyncDispose]())
    return server.port
  }
  const own = 'the secret key of one installation'
  const [first, second] = [await open(own), await open(own)]
  const other = await open('the secret key of another installation')
  const { session, isResumed } = await visit(first)
  assert.ok(session && !isResumed)
  for (const port of [first, second]) assert.equal((await visit(port, session)).isResumed, true)
  assert.equal((await visit(other, session)).isResumed, false)
})
