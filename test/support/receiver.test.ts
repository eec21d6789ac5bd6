import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import { createAuthority } from './certificates.ts'
import { openReceiver, type Receiver, type Script } from './receiver.ts'
import * as scripts from './receiver-scripts.ts'
import { eventually } from './world.ts'

const REQUEST =
  'POST /path HTTP/1.1\r\nhost: receiver\r\nX-Case: Kept\r\ncontent-length: 2\r\n\r\n{}'
const ENOUGH_BYTES = 300_000
/** A connection that stays open for this time after the expected bytes counts as left open. */
const QUIET_MS = 50

type Reply = { bytes: Buffer; text: string; ended: 'fin' | 'reset' | 'open' }

/** Sends one request on a bare socket and listens until the other side ends, or said `expected` and fell silent. */
function talk(
  receiver: Receiver,
  expected = /^HTTP\/1\.1 200 /,
  request = REQUEST,
): Promise<Reply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let quiet: NodeJS.Timeout
    const socket = connect(receiver.port, '127.0.0.1')
    const finish = (ended: Reply['ended']) => {
      clearTimeout(quiet)
      const bytes = Buffer.concat(chunks)
      socket.destroy()
      resolve({ bytes, text: bytes.toString('latin1'), ended })
    }
    const judge = () => {
      clearTimeout(quiet)
      const bytes = Buffer.concat(chunks)
      if (bytes.length > ENOUGH_BYTES) finish('open')
      else if (expected.test(bytes.toString('latin1')))
        quiet = setTimeout(() => finish('open'), QUIET_MS)
    }
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      judge()
    })
    socket.on('end', () => finish('fin'))
    socket.on('error', () => finish('reset'))
    socket.write(request, judge)
  })
}

/** Matches nothing: the other side must end by itself. */
const NEVER = /(?!)/

const ROWS: readonly [name: string, script: Script, expected: RegExp, ended: Reply['ended']][] = [
  [
    'a plain answer',
    scripts.answer(201, { headers: { 'x-a': 'b' }, body: 'yes' }),
    /^HTTP\/1\.1 201 Scripted\r\nx-a: b\r\ncontent-length: 3\r\n\r\nyes$/,
    'open',
  ],
  ['204 without a body', scripts.answer(204), /^HTTP\/1\.1 204 Scripted\r\n\r\n$/, 'open'],
  [
    'a redirect',
    scripts.answer(302, { headers: { location: 'http://169.254.169.254/' } }),
    /^HTTP\/1\.1 302 .*location: http/s,
    'open',
  ],
  ['an answer after a while', scripts.answer(200, { delayMs: 50 }), /^HTTP\/1\.1 200 /, 'open'],
  ['the end before a byte', scripts.closeBeforeHead(), /^$/, 'fin'],
  ['a reset before a byte', scripts.closeBeforeHead({ isReset: true }), /^$/, 'reset'],
  ['the end in the body', scripts.closeMidBody(), /^HTTP\/1\.1 200 OK.*half of it$/s, 'fin'],
  ['silence', scripts.hang(), /^$/, 'open'],
  ['silence within the head', scripts.hangMidHead(), /^HTTP\/1\.1 200 OK\r\ncontent-ty$/, 'open'],
  ['silence within the body', scripts.hangMidBody(), /half of it$/, 'open'],
  ['a head in drops', scripts.dripHead(60_000), /^H$/, 'open'],
  ['a body in drops', scripts.dripBody(60_000), /\r\n\r\nd$/, 'open'],
  [
    'a body without end',
    scripts.endlessBody(),
    /^HTTP\/1\.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10000\r\ne{65536}\r\n10000\r\n/,
    'open',
  ],
  ['a header of 40 KB', scripts.hugeHeader(), /\r\nx-huge: h{40960}\r\n/, 'open'],
  ['a thousand headers', scripts.manyHeaders(), /\r\nx-0: 0\r\n.*\r\nx-999: 999\r\n/s, 'open'],
  ['a body that ends with the connection', scripts.withoutLength(), /\r\n\r\nok$/, 'fin'],
  [
    'two lengths',
    scripts.lengthAndChunked(),
    /content-length: 2\r\ntransfer-encoding: chunked/,
    'fin',
  ],
  ['HTTP/1.0', scripts.http10(), /^HTTP\/1\.0 200 OK/, 'fin'],
  ['another protocol', scripts.sshBanner(), /^SSH-2\.0-\S+\r\n$/, 'open'],
  [
    'an interim 100',
    scripts.interim(100),
    /^HTTP\/1\.1 100 Interim\r\n\r\nHTTP\/1\.1 200 /,
    'open',
  ],
  [
    'ten times 103',
    scripts.interim(103, 10),
    /^(HTTP\/1\.1 103 Interim\r\n\r\n){10}HTTP\/1\.1 200 /,
    'open',
  ],
  ['101', scripts.switchProtocols(), /^HTTP\/1\.1 101 /, 'open'],
  ['an answer and the end while idle', scripts.closeWhenIdle(20), /^HTTP\/1\.1 200 /, 'fin'],
  ['any bytes', scripts.raw('\0\xff', { staysOpen: true }), /^\0Ã¿$/, 'open'],
]

for (const [name, script, expected, ended] of ROWS) {
  test(`the receiver can do: ${name}`, async (t) => {
    const receiver = await openReceiver(t)
    receiver.on('/path', script)
    const reply = await talk(receiver, ended === 'open' ? expected : NEVER)
    assert.match(reply.text, expected)
    assert.equal(reply.ended, ended)
    await eventually(async () => assert.equal(receiver.requests.length, 1))
    await eventually(async () => assert.equal(receiver.openConnections(), 0))
  })
}

test('the receiver records what arrived, byte by byte, and counts sockets and turns', async (t) => {
  const receiver = await openReceiver(t)
  receiver.on('/path', scripts.inTurn(scripts.answer(500), scripts.answer(200)))
  const reply = await talk(receiver, /500 .*200 /s, REQUEST + REQUEST)
  assert.match(reply.text, /^HTTP\/1\.1 500 .*HTTP\/1\.1 200 /s)
  await talk(receiver, /200/, REQUEST.replace('/path', '/other?q=1'))
  const [first, second, third] = receiver.requests
  assert.equal(first!.head.toString() + first!.body.toString(), REQUEST)
  assert.equal(first!.method, 'POST')
  assert.equal(first!.headers['x-case'], 'Kept')
  assert.deepEqual([first!.turn, second!.turn, third!.turn], [1, 2, 1])
  assert.deepEqual([first!.socketId, second!.socketId, third!.socketId], [1, 1, 2])
  assert.ok(first!.arrivedAtMs <= second!.arrivedAtMs)
  assert.equal(receiver.requestsOf('/other?q=1').length, 1)
  assert.equal(receiver.connections.length, 2)
  assert.ok(receiver.connections[0]!.bytesWritten() > 0)
  assert.equal(receiver.url('/a'), `http://127.0.0.1:${receiver.port}/a`)
})

test('a request that arrives in pieces is one request', async (t) => {
  const receiver = await openReceiver(t)
  const socket = connect(receiver.port, '127.0.0.1').setNoDelay(true)
  t.after(() => socket.destroy())
  let answered = ''
  socket.on('data', (chunk) => (answered += chunk.toString()))
  for (const character of REQUEST) {
    assert.equal(answered, '')
    await new Promise((resolve) => socket.write(character, resolve))
  }
  await eventually(async () => assert.match(answered, /^HTTP\/1\.1 200 /))
  assert.equal(receiver.requests[0]!.body.toString(), '{}')
})

test('a script at the head answers while the body is still on its way, then resets', async (t) => {
  const receiver = await openReceiver(t)
  receiver.on('/path', scripts.answerUnreadThenReset())
  const body = 'b'.repeat(100_000)
  const reply = await talk(
    receiver,
    NEVER,
    REQUEST.replace('length: 2', `length: ${body.length}`) + body,
  )
  assert.match(reply.text, /^(HTTP\/1\.1 200 .*)?$/s)
  assert.equal(reply.ended, 'reset')
  assert.equal(receiver.requests[0]!.body.length, 0)
})

test('a second request on a kept connection meets a reset', async (t) => {
  const receiver = await openReceiver(t)
  receiver.on('/path', scripts.resetOnReuse())
  assert.equal((await talk(receiver)).ended, 'open')
  assert.equal((await talk(receiver, NEVER, REQUEST + REQUEST)).ended, 'reset')
})

test('the gzip bomb is small on the wire and large behind it; hostile bodies go out as they are', async (t) => {
  const receiver = await openReceiver(t)
  receiver.on('/path', scripts.gzipBomb(8 * 1_048_576))
  const { bytes } = await talk(receiver)
  const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
  assert.ok(body.length < 20_000)
  assert.equal(gunzipSync(body).length, 8 * 1_048_576)
  for (const [name, hostile] of Object.entries(scripts.HOSTILE_BODIES)) {
    receiver.on('/path', scripts.answer(200, { body: hostile }))
    const reply = await talk(receiver)
    assert.deepEqual(
      reply.bytes.subarray(reply.bytes.indexOf('\r\n\r\n') + 4),
      Buffer.from(hostile),
      name,
    )
  }
})

test('a banner comes before any request, and a silent port takes none', async (t) => {
  const banner = await openReceiver(t, { banner: '220 mail.test ESMTP\r\n' })
  assert.match((await talk(banner, /^220 .*ESMTP/, 'x')).text, /^220 /)
  const silent = await openReceiver(t, { isTlsSilent: true })
  assert.equal((await talk(silent, /^$/)).text, '')
  await eventually(async () => assert.equal(silent.connections.length, 1))
  assert.equal(silent.requests.length, 0)
  assert.match(silent.origin, /^https:/)
})

test('it speaks TLS under a certificate made on the spot, through a subordinate authority', async (t) => {
  const authority = createAuthority()
  const middle = authority.subordinate('Middle')
  const leaf = middle.issue({ names: ['receiver.test', '127.0.0.1'] })
  const receiver = await openReceiver(t, { tls: { key: leaf.key, cert: leaf.cert + middle.cert } })
  const socket = connectTls({
    port: receiver.port,
    host: '127.0.0.1',
    ca: authority.cert,
    servername: 'receiver.test',
  })
  t.after(() => socket.destroy())
  let answered = ''
  socket.on('data', (chunk) => (answered += chunk.toString()))
  await new Promise((resolve, reject) =>
    socket.once('secureConnect', resolve).once('error', reject),
  )
  assert.equal(socket.authorized, true)
  socket.write(REQUEST)
  await eventually(async () => assert.match(answered, /^HTTP\/1\.1 200 /))
})
