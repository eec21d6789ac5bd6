import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { openHttpServer } from '../../../src/platform/http/http-server.ts'
import type { ResponseHead } from '../../../src/platform/http/plain-connection.ts'
import type { RequestHead } from '../../../src/platform/http/plain-request.ts'
import { IS_LONG } from '../../support/long.ts'

const CASES = IS_LONG ? 200_000 : 20_000
const PARALLEL = 16
/** A server that waits for more bytes answers nothing for this long. */
const SILENCE_MS = 600
/** Between the parts of a request. */
const PART_MS = 40
/** A reset may overtake an answer, on either side. */
const TRIES = 4
const HEAD = 'Host: localhost\r\nUser-Agent: Mozilla/5.0\r\nAccept: */*\r\n'
const PLAIN = `GET /plain?a=1 HTTP/1.1\r\n${HEAD}\r\n`
const LAST = 'GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

test('a generated request has the same answer from both paths, however it is sent', async (t) => {
  const servers = await openBoth(t)
  let next = 0
  const work = async () => {
    while (next < CASES) {
      const seed = next++
      await assertSame(servers, generate(seed), `seed ${seed}`)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  assert.ok(servers.plainRequests() > CASES / 100, `${servers.plainRequests()} on the short path`)
})

test('a request that is split at any byte is one request', async (t) => {
  const servers = await openBoth(t)
  const sent = PLAIN + LAST
  for (let at = 1; at < sent.length; at++)
    await assertSame(servers, { chunks: [sent.slice(0, at), sent.slice(at)], ends: false }, at)
})

type Case = { chunks: string[]; ends: boolean }
type Servers = Awaited<ReturnType<typeof openBoth>>

async function openBoth(t: TestContext) {
  let plainRequests = 0
  const answer = (req: RequestHead, res: ResponseHead) => {
    // Names and values as the redirect sees them, so that a different reading is a different answer.
    const body = JSON.stringify([req.method, req.url, Object.entries(req.headers).toSorted()])
    const headers = ['Content-Type', 'application/json', 'Content-Length', String(body.length)]
    const send = () => {
      res.writeHead(200, headers)
      res.end(body, 'latin1')
    }
    // As a click that waits for its journal.
    if (req.url!.startsWith('/later')) setTimeout(send, 2)
    else send()
  }
  const options = { host: '127.0.0.1', port: 0, clock: Date.now }
  const handle = (req: IncomingMessage, res: ServerResponse) => answer(req.resume(), res)
  const handlePlain = (req: RequestHead, res: ResponseHead) => {
    if (req.url!.startsWith('/node')) return false
    plainRequests++
    answer(req, res)
    return true
  }
  const byNode = await openHttpServer(() => handle, options)
  const short = await openHttpServer(() => handle, { ...options, handlePlain })
  t.after(() => Promise.all([byNode, short].map((server) => server[Symbol.asyncDispose]())))
  return { byNode: byNode.port, short: short.port, plainRequests: () => plainRequests }
}

async function assertSame({ byNode, short }: Servers, sent: Case, name: string | number) {
  for (let i = 1; ; i++) {
    const [expected, actual] = await Promise.all([exchange(byNode, sent), exchange(short, sent)])
    if (expected === actual) return
    if (i === TRIES)
      assert.equal(actual, expected, `${name}: ${JSON.stringify(sent).slice(0, 2_000)}`)
  }
}

/** All that comes back, without what differs between two requests; then the server closes or waits. */
function exchange(port: number, { chunks, ends }: Case): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    let isOver = false
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const finish = (how: string) => {
      if (isOver) return
      isOver = true
      clearTimeout(silence)
      socket.destroy()
      resolve(`${normalize(text)}[${how}]`)
    }
    const silence = setTimeout(() => finish('waits'), SILENCE_MS)
    socket
      .on('data', (chunk) => {
        text += chunk.toString('latin1')
        silence.refresh()
      })
      .on('error', () => finish('closed'))
      .on('close', () => finish('closed'))
    const send = async () => {
      for (const chunk of chunks) {
        if (isOver) return
        socket.write(chunk, 'latin1')
        // For the answer, so that parts arrive apart.
        if (chunks.length > 1) await dataOrPause(socket)
      }
      if (ends) socket.end()
    }
    socket.once('connect', () => void send())
  })
}

function dataOrPause(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('data', () => resolve())
    setTimeout(resolve, PART_MS)
  })
}

function normalize(text: string): string {
  return text.replaceAll(/^date: .*\r\n/gim, '').replaceAll(/req_[0-9A-Z]{26}/g, 'req_')
}

/** One to three requests, some of them broken, in one or several parts. */
function generate(seed: number): Case {
  const random = createRandom(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const request = () => {
    // Half of them are plain, but for a repeated field.
    const isOdd = random() < 0.5
    const any = <T>(usual: readonly T[], odd: readonly T[]) => pick(isOdd ? odd : usual)
    const start = [
      any(METHODS, ODD_METHODS),
      any(TARGETS, ODD_TARGETS),
      any(['HTTP/1.1'], VERSIONS),
    ]
    const lines = [start.join(' '), any(['Host: localhost'], HOSTS)]
    for (let i = Math.floor(random() * 4); i > 0; i--) lines.push(any(FIELDS, ODD_FIELDS))
    return `${lines.join('\r\n')}\r\n\r\n`
  }
  const mutate = (text: string) => {
    const at = Math.floor(random() * text.length)
    const isReplaced = random() < 0.5
    return text.slice(0, at) + pick(PIECES) + text.slice(isReplaced ? at + 1 : at)
  }
  const requests = Array.from({ length: 1 + Math.floor(random() * 3) }, request)
  for (let i = random() < 0.5 ? 0 : Math.ceil(random() * 3); i > 0; i--) {
    const at = Math.floor(random() * requests.length)
    requests[at] = mutate(requests[at]!)
  }
  requests.push(LAST)
  const kind = random()
  // One after the other, as most clients send them.
  if (kind < 0.5) return { chunks: requests, ends: false }
  const text = requests.join('')
  if (kind < 0.7) return { chunks: [text], ends: random() < 0.1 }
  const cuts = [random(), random()].map((share) => Math.floor(share * text.length))
  const [first = 0, second = 0] = cuts.toSorted((a, b) => a - b)
  const chunks = [text.slice(0, first), text.slice(first, second), text.slice(second)]
  return { chunks: chunks.filter((chunk) => chunk !== ''), ends: false }
}

const METHODS = ['GET', 'GET', 'HEAD']
const ODD_METHODS = ['GET', 'GET', 'POST', 'get', 'OPTIONS', 'PRI', 'G\u00e9T']
const TARGETS = [
  '/plain',
  '/plain?x=%20&y',
  '/later',
  '/later?x=1',
  '/node',
  '/',
  '/a/b/c',
  '//double',
]
const ODD_TARGETS = [
  ...['/plain', 'http://other/path', '*', '/\u00e4', '/with"quotes', '/tab\there', '/x#fragment'],
  ...[`/${'l'.repeat(9_000)}`, `/${'l'.repeat(17_000)}`, 'relative', '/nul\0', '/back\\slash', ''],
]
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/1.2', '']
const HOSTS = ['Host: localhost', 'Host: localhost', 'host: a:80', 'Host:', 'X: 1']
const FIELDS = [
  ...['User-Agent: Mozilla/5.0 (X11; Linux)', 'Accept: */*', 'accept-language: de', 'Cookie: a=b'],
  ...['Connection: keep-alive', 'X-Request-Id: client-0001', 'Set-Cookie: a', 'constructor: 2'],
]
const ODD_FIELDS = [
  ...['User-Agent: again', 'Host: second', 'Connection: close', 'Connection: Keep-Alive'],
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 5', 'Content-Length: 0'],
  ...['Content-Length: 5, 5', 'Content-Length: -1', 'Transfer-Encoding: chunked', 'TE: trailers'],
  ...['Transfer-Encoding: identity', 'Expect: 100-continue', 'Expect: foo', 'Empty:'],
  ...['Authorization: Basic YTpi', 'Space : 1', 'Tab:\tvalue', 'Wide:  value  ', ' folded'],
  ...['__proto__: 1', 'No colon', 'Umlaut: \u00e4', 'Nul: \0', 'Bare: a\rb', 'Lf: a\nb'],
  ...['Keep-Alive: timeout=5', 'Proxy-Connection: close', `Long: ${'v'.repeat(8_000)}`],
]
const PIECES = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\n\n',
    '\0',
    '\t',
    ' ',
    ':',
    '\u00ff',
    ',',
    '/',
    '?',
    '%',
    'x',
  ],
  ...[
    'Content-Length: 3\r\n',
    'Transfer-Encoding: chunked\r\n',
    '0\r\n\r\n',
    '5\r\nhello\r\n',
    '\r\n x',
  ],
]

/** Mulberry32: a short generator whose cases can be named by a seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
