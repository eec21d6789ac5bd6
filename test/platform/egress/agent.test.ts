import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import type { TlsOptions } from 'node:tls'
import { createEgressGuard } from '../../../src/platform/egress/guard.ts'
import { createEgressAgent } from '../../../src/platform/egress/agent.ts'
import { toPublicReason, type PublicReason } from '../../../src/platform/egress/public-reason.ts'
import { createAuthority, selfSigned } from '../../support/certificates.ts'
import { openDnsServer } from '../../support/dns-server.ts'
import { openReceiver, type Script } from '../../support/receiver.ts'
import * as scripts from '../../support/receiver-scripts.ts'
import { eventually } from '../../support/world.ts'

type Reply = { status: number; headers: Record<string, unknown>; body: string }

const AUTHORITY = createAuthority()
const GOOD = AUTHORITY.issue({ names: ['receiver.test'] })

/** An agent that may call 127.0.0.1, finds receiver.test there and trusts the authority of this file. */
async function openClient(t: TestContext) {
  const dns = await openDnsServer(t)
  dns.set('receiver.test', { addresses: ['127.0.0.1'] })
  const guard = createEgressGuard({ allowedCidrs: ['127.0.0.1'], dnsServers: [dns.address] })
  const agent = createEgressAgent(guard, { ca: AUTHORITY.cert })
  t.after(() => agent.destroy())

  async function send(url: string, timeoutMs = 30_000): Promise<Reply> {
    const { origin, pathname } = new URL(url)
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await agent.request({
      origin,
      path: pathname,
      method: 'POST',
      body: '{}',
      signal,
    })
    return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() }
  }

  async function reasonOf(url: string, timeoutMs?: number): Promise<PublicReason | Reply> {
    return send(url, timeoutMs).catch(toPublicReason)
  }

  return { dns, agent, send, reasonOf }
}

test('redirects are not followed, bodies not inflated, and the connection is kept', async (t) => {
  const { send } = await openClient(t)
  const receiver = await openReceiver(t, { tls: GOOD, host: 'receiver.test' })
  receiver.on('/moved', scripts.answer(307, { headers: { location: receiver.url('/target') } }))
  receiver.on('/bomb', scripts.gzipBomb(8 * 1_048_576))
  const moved = await send(receiver.url('/moved'))
  assert.equal(moved.status, 307)
  assert.equal(moved.headers['location'], receiver.url('/target'))
  // A socket is free a turn after its body has ended.
  await new Promise((resolve) => setImmediate(resolve))
  const bomb = await send(receiver.url('/bomb'))
  assert.ok(bomb.body.length < 20_000)
  assert.deepEqual(
    receiver.requests.map(({ path, turn }) => [path, turn]),
    [
      ['/moved', 1],
      ['/bomb', 2],
    ],
  )
  assert.equal(receiver.requests[0]!.headers['host'], `receiver.test:${receiver.port}`)
})

const TLS_ROWS: readonly [what: string, options: () => TlsOptions, reason: PublicReason][] = [
  [
    'an expired certificate',
    () => AUTHORITY.issue({ names: ['receiver.test'], notAfter: new Date(Date.now() - 60_000) }),
    'tls_error',
  ],
  [
    'a certificate of the future',
    () =>
      AUTHORITY.issue({ names: ['receiver.test'], notBefore: new Date(Date.now() + 3_600_000) }),
    'tls_error',
  ],
  ['a self-signed certificate', () => selfSigned(['receiver.test']), 'tls_error'],
  ['a certificate of another host', () => AUTHORITY.issue({ names: ['other.test'] }), 'tls_error'],
  [
    'a certificate of an unknown authority',
    () => createAuthority('Unknown').issue({ names: ['receiver.test'] }),
    'tls_error',
  ],
  [
    'a chain without its intermediate',
    () => AUTHORITY.subordinate('Middle').issue({ names: ['receiver.test'] }),
    'tls_error',
  ],
  [
    'TLS 1.0',
    () => ({ ...GOOD, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    'tls_error',
  ],
  [
    'TLS 1.1',
    () => ({
      ...GOOD,
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
    'tls_error',
  ],
  [
    'a demand for a client certificate',
    () => ({ ...GOOD, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
    'tls_error',
  ],
]

for (const [what, options, reason] of TLS_ROWS) {
  test(`${what} fails as ${reason}, and no request is read`, async (t) => {
    const { reasonOf } = await openClient(t)
    const receiver = await openReceiver(t, { tls: options(), host: 'receiver.test' })
    assert.equal(await reasonOf(receiver.url('/')), reason)
    assert.equal(receiver.requests.length, 0)
  })
}

test('a demand for a client certificate that comes after the handshake fails, and no request is read', async (t) => {
  const { reasonOf } = await openClient(t)
  const tls = {
    ...GOOD,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
  } as const
  const receiver = await openReceiver(t, { tls, host: 'receiver.test' })
  // The alert and the end of the connection arrive together: either may be read first.
  assert.match(
    JSON.stringify(await reasonOf(receiver.url('/'))),
    /^"(tls_error|connection_reset)"$/,
  )
  assert.equal(receiver.requests.length, 0)
})

test('TLS 1.2, a chain with its intermediate and a server that needs SNI are good', async (t) => {
  const { send } = await openClient(t)
  const middle = AUTHORITY.subordinate('Middle')
  const leaf = middle.issue({ names: ['receiver.test'] })
  const { createSecureContext } = await import('node:tls')
  const good: TlsOptions[] = [
    { ...GOOD, maxVersion: 'TLSv1.2' },
    { key: leaf.key, cert: leaf.cert + middle.cert },
    {
      SNICallback: (name, done) =>
        name === 'receiver.test'
          ? done(null, createSecureContext(GOOD))
          : done(new Error('unknown')),
    },
  ]
  for (const tls of good) {
    const receiver = await openReceiver(t, { tls, host: 'receiver.test' })
    assert.equal((await send(receiver.url('/'))).status, 200)
  }
})

test('certificates are checked though the environment says otherwise', async (t) => {
  const { reasonOf } = await openClient(t)
  const receiver = await openReceiver(t, {
    tls: selfSigned(['receiver.test']),
    host: 'receiver.test',
  })
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
  assert.equal(await reasonOf(receiver.url('/')), 'tls_error')
})

test('proxies of the environment are not asked', async (t) => {
  const { send } = await openClient(t)
  const proxy = await openReceiver(t)
  const receiver = await openReceiver(t)
  for (const name of [
    'HTTP_PROXY',
    'http_proxy',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'NODE_USE_ENV_PROXY',
  ]) {
    process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.origin
    t.after(() => delete process.env[name])
  }
  assert.equal((await send(receiver.url('/'))).status, 200)
  assert.equal(proxy.connections.length, 0)
})

const REASON_ROWS: readonly [what: string, script: Script, reason: PublicReason][] = [
  ['closing before the head', scripts.closeBeforeHead(), 'connection_reset'],
  ['a reset before the head', scripts.closeBeforeHead({ isReset: true }), 'connection_reset'],
  ['silence', scripts.hang(), 'timeout'],
  ['silence within the head', scripts.hangMidHead(), 'timeout'],
  ['a head in drops', scripts.dripHead(20), 'timeout'],
  ['a header of 40 KB', scripts.hugeHeader(), 'invalid_response'],
  ['another protocol', scripts.sshBanner(), 'invalid_response'],
]

for (const [what, script, reason] of REASON_ROWS) {
  test(`${what} reads ${reason} in the log`, async (t) => {
    const { reasonOf } = await openClient(t)
    const receiver = await openReceiver(t)
    receiver.on('/', script)
    assert.equal(await reasonOf(receiver.url('/'), reason === 'timeout' ? 300 : 30_000), reason)
  })
}

test('a blocked address reads like a closed port, and a name without address like one', async (t) => {
  const { dns, reasonOf } = await openClient(t)
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  dns.set('inside.test', { addresses: ['10.0.0.1'] })
  dns.set('broken.test', { rcode: 'SERVFAIL' })
  assert.equal(await reasonOf(`https://127.0.0.1:${port}/`), 'connection_refused')
  assert.equal(await reasonOf(`https://receiver.test:${port}/`), 'connection_refused')
  assert.equal(await reasonOf('https://10.0.0.1/'), 'connection_refused')
  assert.equal(await reasonOf('https://169.254.169.254/'), 'connection_refused')
  assert.equal(await reasonOf('https://inside.test/'), 'connection_refused')
  assert.equal(await reasonOf('https://unknown.test/'), 'dns_error')
  assert.equal(await reasonOf('https://broken.test/'), 'dns_error')
  assert.equal(toPublicReason('thrown text'), 'network_error')
})

test('a silent handshake and a silent name server end by themselves', async (t) => {
  const { dns, reasonOf } = await openClient(t)
  const receiver = await openReceiver(t, { isTlsSilent: true, host: 'receiver.test' })
  let serial = 0
  // The name server is given up after four seconds, a connection after five: a pause takes both.
  const silentName = async () => {
    const name = `silent${++serial}.test`
    dns.set(name, { silent: true })
    assert.equal(await reasonOf(`https://${name}/`), 'dns_error')
  }
  const [handshake] = await Promise.all([reasonOf(receiver.url('/')), eventually(silentName)])
  assert.equal(handshake, 'timeout')
  await eventually(async () => assert.equal(receiver.openConnections(), 0))
})

test('an origin is forgotten with its last socket', async (t) => {
  const { agent, dns, send } = await openClient(t)
  const receiver = await openReceiver(t)
  for (let i = 0; i < 100; i++) {
    dns.set(`host${i}.test`, { addresses: ['127.0.0.1'] })
    await send(`http://host${i}.test:${receiver.port}/`)
  }
  assert.equal(Object.keys(agent.stats).length, 100)
  await receiver.close()
  await eventually(async () => assert.equal(Object.keys(agent.stats).length, 0))
})
