import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { TlsOptions } from 'node:tls'
import { createEgressGuard } from '../../../src/platform/egress/guard.ts'
import { createEgressAgent } from '../../../src/platform/egress/agent.ts'
import { createAttempt, type AttemptResult } from '../../../src/webhooks/delivery/attempt.ts'
import { createAuthority, selfSigned } from '../../support/certificates.ts'
import { openDnsServer, type DnsAnswer } from '../../support/dns-server.ts'
import { openReceiver, type Script } from '../../support/receiver.ts'
import * as scripts from '../../support/receiver-scripts.ts'
import { eventually } from '../../support/world.ts'
import { IS_LONG } from '../../support/long.ts'

/** Timeouts that no slow machine exceeds; only receivers that hang in the body wait for theirs. */
const PATIENT = { headMs: 60_000, wholeMs: 120_000, bodyMs: 4_000 }
/** For what never answers: the machine has time to connect and to send the request. */
const SHORT_HEAD = { ...PATIENT, headMs: 2_000 }
/** For what never comes to the request. */
const SHORT_WHOLE = { ...PATIENT, wholeMs: 1_200 }
/** A hundredth to a twentieth of the real ones. */
const SHORT = { headMs: 400, wholeMs: 1_200, bodyMs: 150 }
const HEADERS = { 'content-type': 'application/json', 'accept-encoding': 'identity' }
const AUTHORITY = createAuthority()
const GOOD = AUTHORITY.issue({ names: ['receiver.test'] })

/** Attempts at 127.0.0.1 and at names that the test's own name server knows. */
async function openSender(
  t: TestContext,
  { allowedCidrs = ['127.0.0.1'], deadlines = PATIENT, allowHttp = true } = {},
) {
  const dns = await openDnsServer(t)
  dns.set('receiver.test', { addresses: ['127.0.0.1'] })
  const now = { ms: 0 }
  const guard = createEgressGuard({
    allowedCidrs,
    dnsServers: [dns.address],
    now: () => performance.now() + now.ms,
  })
  const dispatcher = createEgressAgent(guard, { ca: AUTHORITY.cert })
  t.after(() => dispatcher.destroy())
  const attempt = createAttempt({ dispatcher, allowHttp }, deadlines)
  const send = (
    url: string,
    { body = '{"a":1}', mayStart = () => true }: { body?: string; mayStart?: () => boolean } = {},
  ) => attempt({ url, headers: HEADERS, body }, mayStart)
  return { dns, send, advance: (ms: number) => (now.ms += ms) }
}

type Expected = { status: number; body?: RegExp } | { error: string }

function check(attempted: AttemptResult, expected: Expected): void {
  if ('error' in expected) {
    assert.deepEqual([attempted.responseStatus, attempted.error], [null, expected.error])
    assert.deepEqual([attempted.responseBody, attempted.responseHeaders], [null, null])
    return
  }
  assert.deepEqual([attempted.responseStatus, attempted.error], [expected.status, null])
  assert.match(attempted.responseBody!, expected.body ?? /^/)
  assert.equal(typeof JSON.parse(attempted.responseHeaders!), 'object')
}

const ROWS: readonly [what: string, script: Script, expected: Expected][] = [
  ['closes before the head', scripts.closeBeforeHead(), { error: 'connection_reset' }],
  [
    'resets before the head',
    scripts.closeBeforeHead({ isReset: true }),
    { error: 'connection_reset' },
  ],
  ['closes within the body', scripts.closeMidBody(), { status: 200, body: /^half of it$/ }],
  ['resets within the body', scripts.closeMidBody({ isReset: true }), { status: 200 }],
  ['hangs after the request', scripts.hang(), { error: 'timeout' }],
  ['hangs within the head', scripts.hangMidHead(), { error: 'timeout' }],
  ['hangs within the body', scripts.hangMidBody(), { status: 200, body: /^half of it$/ }],
  ['drips its head', scripts.dripHead(5), { error: 'timeout' }],
  ['drips its body', scripts.dripBody(5), { status: 200, body: /^d+$/ }],
  ['never ends its body', scripts.endlessBody(), { status: 200, body: /^e{4000}$/ }],
  ['sends a gzip bomb', scripts.gzipBomb(8 * 1_048_576), { status: 200 }],
  ['sends a header of 40 KB', scripts.hugeHeader(), { error: 'invalid_response' }],
  ['sends 1,000 headers', scripts.manyHeaders(), { status: 200 }],
  ['tells no length', scripts.withoutLength(), { status: 200, body: /^ok$/ }],
  ['speaks HTTP/1.0', scripts.http10(), { status: 200, body: /^ok$/ }],
  ['speaks SSH', scripts.sshBanner(), { error: 'invalid_response' }],
  ['sends 100 unasked', scripts.interim(100), { status: 200, body: /^ok$/ }],
  ['sends three 100s unasked', scripts.interim(100, 3), { status: 200, body: /^ok$/ }],
  ['sends 102', scripts.interim(102), { status: 200, body: /^ok$/ }],
  ['sends ten 103s', scripts.interim(103, 10), { status: 200, body: /^ok$/ }],
  ['switches protocols', scripts.switchProtocols(), { error: 'invalid_response' }],
  ['answers without reading, then resets', scripts.answerUnreadThenReset(), { status: 200 }],
  ['answers too late', scripts.answer(200, { delayMs: 3_000 }), { error: 'timeout' }],
  [
    'sends a status of no class',
    scripts.raw('HTTP/1.1 600 What\r\ncontent-length: 0\r\n\r\n'),
    { status: 600 },
  ],
  [
    'sends bytes of no protocol',
    scripts.raw(Buffer.alloc(512, 0xff)),
    { error: 'invalid_response' },
  ],
  ...[200, 204, 205, 299, 300, 301, 304, 307, 400, 401, 404, 410, 429, 500, 503].map(
    (status): [string, Script, Expected] => [
      `answers ${status}`,
      scripts.answer(status, { headers: { location: '/elsewhere', 'retry-after': '1' } }),
      { status },
    ],
  ),
]

for (const tls of [undefined, GOOD]) {
  test(`a receiver that misbehaves is one outcome with its reason, ${tls ? 'over TLS' : 'in the clear'}`, async (t) => {
    const [patient, short] = [
      await openSender(t),
      await openSender(t, { deadlines: SHORT_HEAD }),
    ] as const
    const receiver = await openReceiver(t, { host: 'receiver.test', ...(tls ? { tls } : {}) })
    // Independent of each other, so all at once: each has a path, and none gets a second request.
    await Promise.all(
      ROWS.map(([what, script, expected], i) =>
        t.test(what, async () => {
          receiver.on(`/${i}`, script)
          const { send } = 'error' in expected && expected.error === 'timeout' ? short : patient
          const attempted = await send(receiver.url(`/${i}`))
          check(attempted, expected)
          assert.equal(receiver.requestsOf(`/${i}`).length, 1)
          assert.ok(attempted.durationMs < 20_000, 'not the first deadline that passed')
        }),
      ),
    )
    assert.equal(receiver.requestsOf('/elsewhere').length, 0)
  })
}

test('an answer after three quarters of the time is one', async (t) => {
  const { send } = await openSender(t, { deadlines: SHORT_HEAD })
  const receiver = await openReceiver(t)
  receiver.on('/', scripts.answer(200, { delayMs: 1_500 }))
  // A machine that pauses in the last quarter is asked again.
  await eventually(async () => check(await send(receiver.url('/')), { status: 200 }))
})

test('both lengths at once are either an answer or none, never two', async (t) => {
  const { send } = await openSender(t)
  const receiver = await openReceiver(t)
  receiver.on('/', scripts.lengthAndChunked())
  const { responseStatus, error } = await send(receiver.url('/'))
  assert.ok(responseStatus === 200 || error === 'invalid_response', `${responseStatus} ${error}`)
})

for (const [name, bytes] of Object.entries(scripts.HOSTILE_BODIES)) {
  test(`a body of ${name} becomes text of at most 4,000 characters that PostgreSQL holds`, async (t) => {
    const { send } = await openSender(t)
    const receiver = await openReceiver(t)
    receiver.on('/', scripts.answer(500, { body: bytes, headers: { 'x-odd': 'a\xff\x80b' } }))
    const { responseBody, responseHeaders } = await send(receiver.url('/'))
    for (const text of [responseBody!, responseHeaders!]) {
      assert.ok(text.isWellFormed())
      assert.ok(!text.includes('\0'))
    }
    assert.ok(Array.from(responseBody!).length <= 4_000)
    if (name === 'pairAtTheCut') assert.equal(responseBody, `${'a'.repeat(3_999)}🚀`)
  })
}

test('headers are kept up to 64 of 1,024 characters, cookies not at all', async (t) => {
  const { send } = await openSender(t)
  const receiver = await openReceiver(t)
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x-${i}`, `${i}`]))
  receiver.on(
    '/',
    scripts.answer(200, {
      headers: { 'set-cookie': 'sid=1', 'x-long': 'l'.repeat(5_000), ...many },
    }),
  )
  const kept = JSON.parse((await send(receiver.url('/'))).responseHeaders!) as Record<
    string,
    string
  >
  assert.equal(Object.keys(kept).length, 64)
  assert.equal(kept['x-long']!.length, 1_024)
  assert.equal(kept['set-cookie'], undefined)
})

test('a connection that the server closed while it was idle costs nothing', async (t) => {
  const { send } = await openSender(t)
  const receiver = await openReceiver(t)
  receiver.on('/', scripts.closeWhenIdle(5))
  for (let i = 0; i < 10; i++) {
    check(await send(receiver.url('/')), { status: 200 })
    await eventually(async () => assert.equal(receiver.openConnections(), 0))
  }
  assert.equal(receiver.requests.length, 10)
})

test('a request that may have been read is not sent twice in one attempt', async (t) => {
  const { send } = await openSender(t)
  const receiver = await openReceiver(t)
  receiver.on('/', scripts.resetOnReuse())
  check(await send(receiver.url('/')), { status: 200 })
  await new Promise((resolve) => setImmediate(resolve))
  check(await send(receiver.url('/')), { error: 'connection_reset' })
  assert.deepEqual(
    receiver.requests.map(({ turn }) => turn),
    [1, 2],
  )
})

test('connections are kept, and an answer that is not read to its end takes its connection with it', async (t) => {
  const { send } = await openSender(t)
  const receiver = await openReceiver(t, { tls: GOOD, host: 'receiver.test' })
  receiver.on('/endless', scripts.endlessBody())
  for (let i = 0; i < 5; i++) {
    check(await send(receiver.url('/')), { status: 200 })
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(receiver.connections.length, 1)
  await send(receiver.url('/endless'))
  await eventually(async () => assert.equal(receiver.openConnections(), 0))
  assert.ok(receiver.connections[0]!.bytesWritten() < 16 * 1_048_576)
})

test('a request that may not be sent any more is not, though its connection comes', async (t) => {
  const { send } = await openSender(t)
  const receiver = await openReceiver(t)
  const attempted = await send(receiver.url('/'), { mayStart: () => false })
  assert.equal(attempted.error, 'not_sent')
  assert.equal(receiver.requests.length, 0)
})

test('a megabyte goes over the wire unchanged', async (t) => {
  const { send } = await openSender(t)
  const receiver = await openReceiver(t)
  const body = JSON.stringify({ text: 'ü\u2028🚀'.repeat(100_000) })
  check(await send(receiver.url('/'), { body }), { status: 200 })
  assert.equal(receiver.requests[0]!.body.toString(), body)
})

const TLS_ROWS: readonly [what: string, tls: () => TlsOptions][] = [
  [
    'expired',
    () => AUTHORITY.issue({ names: ['receiver.test'], notAfter: new Date(Date.now() - 60_000) }),
  ],
  ['self-signed', () => selfSigned(['receiver.test'])],
  ["another host's", () => AUTHORITY.issue({ names: ['other.test'] })],
  [
    'without its intermediate',
    () => AUTHORITY.subordinate('Middle').issue({ names: ['receiver.test'] }),
  ],
]

for (const [what, tls] of TLS_ROWS) {
  test(`nothing is sent to a receiver whose certificate is ${what}`, async (t) => {
    const { send } = await openSender(t)
    const receiver = await openReceiver(t, { tls: tls(), host: 'receiver.test' })
    check(await send(receiver.url('/')), { error: 'tls_error' })
    assert.equal(receiver.requests.length, 0)
  })
}

test('a handshake that never ends is a timeout of the whole attempt', async (t) => {
  const { send } = await openSender(t, { deadlines: SHORT_WHOLE })
  const receiver = await openReceiver(t, { isTlsSilent: true, host: 'receiver.test' })
  check(await send(receiver.url('/')), { error: 'timeout' })
  await eventually(async () => assert.equal(receiver.openConnections(), 0))
})

const DNS_ROWS: readonly [what: string, answer: DnsAnswer, expected: Expected][] = [
  ['does not exist', { rcode: 'NXDOMAIN' }, { error: 'dns_error' }],
  ['has a broken server', { rcode: 'SERVFAIL' }, { error: 'dns_error' }],
  ['has no address', { addresses: [] }, { error: 'dns_error' }],
  [
    'has sixty addresses',
    { addresses: Array.from({ length: 60 }, (_, i) => `127.0.0.${i + 1}`) },
    { error: 'connection_refused' },
  ],
  ['has a private address', { addresses: ['10.1.2.3'] }, { error: 'connection_refused' }],
  [
    'has a private address beside a good one',
    { addresses: ['127.0.0.1', '192.168.1.1'] },
    { error: 'connection_refused' },
  ],
  ['has the metadata address', { addresses: ['169.254.169.254'] }, { error: 'connection_refused' }],
  [
    'has a mapped private address',
    { addresses: ['::ffff:10.0.0.1'] },
    { error: 'connection_refused' },
  ],
  [
    'goes through an alias',
    { addresses: ['127.0.0.1'], cname: ['alias.example.org'] },
    { status: 200 },
  ],
]

test('a name that has a silent server is a timeout, and holds back no other', async (t) => {
  const { dns, send } = await openSender(t)
  const short = await openSender(t, { deadlines: SHORT_WHOLE })
  const receiver = await openReceiver(t)
  short.dns.set('silent.example.org', { silent: true })
  const silentUrl = `http://silent.example.org:${receiver.port}/`
  check(await short.send(silentUrl), { error: 'timeout' })
  let serial = 0
  // Again where the machine paused until the silence was over.
  await eventually(async () => {
    const [silent, other] = [`silent-${++serial}.example.org`, `other-${serial}.example.org`]
    dns.set(silent, { silent: true })
    dns.set(other, { addresses: ['127.0.0.1'] })
    let isPending = true
    const waiting = send(`http://${silent}:${receiver.port}/silent`).then(() => (isPending = false))
    await eventually(async () => assert.ok(dns.questions.includes(`A ${silent}`)))
    check(await send(`http://${other}:${receiver.port}/other`), { status: 200 })
    const wasPending = isPending
    await waiting
    assert.ok(wasPending, 'the silent one was over before the other')
  })
  assert.equal(receiver.requestsOf('/silent').length, 0)
})

test('names are looked up, judged, and each is one outcome', async (t) => {
  const { dns, send } = await openSender(t)
  const receiver = await openReceiver(t)
  await Promise.all(
    DNS_ROWS.map(([what, answer, expected], i) =>
      t.test(`a name that ${what}`, async () => {
        dns.set(`name-${i}.example.org`, answer)
        const host = `name-${i}.example.org`
        check(await send(`http://${host}:${receiver.port}/${i}`), expected)
        assert.equal(receiver.requestsOf(`/${i}`).length, 'error' in expected ? 0 : 1)
      }),
    ),
  )
})

test('addresses are refused in every spelling, and read like a closed port', async (t) => {
  const { send } = await openSender(t, { allowedCidrs: [] })
  const receiver = await openReceiver(t)
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '１２７.0.0.1',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '127.0.0.1.',
    'localhost',
    'a.localhost',
    'localhost.',
    'metadata.google.internal',
    'good@127.0.0.1',
  ]
  for (const host of hosts)
    check(await send(`http://${host}:${receiver.port}/`), { error: 'connection_refused' })
  assert.equal(receiver.connections.length, 0)
})

test('a name that was public and is private now is refused at the next connection', async (t) => {
  const { dns, send, advance } = await openSender(t)
  const receiver = await openReceiver(t)
  dns.set('rebound.example.org', { addresses: ['127.0.0.1'], ttl: 0 })
  receiver.on('/', scripts.raw('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'))
  const url = `http://rebound.example.org:${receiver.port}/`
  check(await send(url), { status: 200 })
  await eventually(async () => assert.equal(receiver.openConnections(), 0))
  dns.set('rebound.example.org', { addresses: ['10.0.0.1'], ttl: 0 })
  advance(120_000)
  check(await send(url), { error: 'connection_refused' })
  assert.equal(receiver.requests.length, 1)
})

test('a stored URL in the clear is not called once that is not allowed', async (t) => {
  const { send } = await openSender(t, { allowHttp: false })
  const receiver = await openReceiver(t)
  check(await send(receiver.url('/')), { error: 'connection_refused' })
  assert.equal(receiver.connections.length, 0)
})

test('two hundred hostile receivers at once leave memory where it was', async (t) => {
  const { send } = await openSender(t, { deadlines: SHORT })
  const receiver = await openReceiver(t)
  const hostile = [
    scripts.endlessBody(),
    scripts.gzipBomb(16 * 1_048_576),
    scripts.dripBody(1),
    scripts.hugeHeader(15_000),
    scripts.hang(),
  ]
  hostile.forEach((script, i) => receiver.on(`/${i}`, script))
  const urlOf = (i: number) => receiver.url(`/${i % hostile.length}`)
  await Promise.all(Array.from({ length: 20 }, (_, i) => send(urlOf(i))))
  const before = process.memoryUsage()
  const attempts = await Promise.all(Array.from({ length: 200 }, (_, i) => send(urlOf(i))))
  const after = process.memoryUsage()
  assert.ok(attempts.every(({ responseBody }) => (responseBody?.length ?? 0) <= 4_000))
  // The receiver is in this process too; unbounded reading would take gigabytes.
  assert.ok(after.rss - before.rss < 300 * 1_048_576, `${(after.rss - before.rss) / 1_048_576} MB`)
})

test('an answer after 9.5 s is one, and after 10.5 s none', { skip: !IS_LONG }, async (t) => {
  const { send } = await openSender(t, {
    deadlines: { headMs: 10_000, wholeMs: 15_000, bodyMs: 2_000 },
  })
  const receiver = await openReceiver(t)
  receiver.on('/soon', scripts.answer(200, { delayMs: 9_500 }))
  receiver.on('/late', scripts.answer(200, { delayMs: 10_500 }))
  const [soon, late] = await Promise.all([send(receiver.url('/soon')), send(receiver.url('/late'))])
  check(soon, { status: 200 })
  assert.ok(soon.durationMs >= 9_400 && soon.durationMs < 10_200)
  check(late, { error: 'timeout' })
  assert.ok(late.durationMs >= 9_900 && late.durationMs < 10_500)
})
