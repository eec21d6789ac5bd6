import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { createServer, isIPv6, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import {
  createEgressGuard,
  EgressBlockedError,
  type EgressGuard,
} from '../../../src/platform/egress/guard.ts'
import { createEgressAgent } from '../../../src/platform/egress/agent.ts'
import { openDnsServer } from '../../support/dns-server.ts'
import { DENIED_ADDRESSES, DENIED_HOSTS, PUBLIC_ADDRESSES } from './vectors.ts'

const PUBLIC_V4 = '93.184.215.14'
const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c'
const EVERYTHING = ['0.0.0.0/0', '::/0']
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:42::42',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
  '::ffff:169.254.169.254',
  '::a9fe:a9fe',
  '::ffff:0:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1:a9fe:a9:fe00::',
  '2002:a9fe:a9fe::1',
  '2001:0:a9fe:a9fe::1',
  '2001:0:1:1:0:0:5601:5601',
]

/** Listens on both loopback addresses and counts who comes. */
async function openListener(t: TestContext): Promise<{ port: number; arrivals(): number }> {
  let arrivals = 0
  const hosts = ['127.0.0.1', '::1']
  let port = 0
  for (const host of hosts) {
    const server = createServer((socket) => {
      arrivals++
      socket.on('error', () => socket.destroy())
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'),
      )
    })
    await new Promise<void>((resolve) => server.listen(port, host, resolve))
    port = (server.address() as AddressInfo).port
    t.after(() => server.close())
  }
  return { port, arrivals: () => arrivals }
}

/** Makes one request through a fresh agent; its status, or the error. */
async function dial(t: TestContext, guard: EgressGuard, url: string): Promise<number | Error> {
  const agent = createEgressAgent(guard)
  t.after(() => agent.destroy())
  const { origin, pathname } = new URL(url)
  try {
    const answer = await agent.request({ origin, path: pathname, method: 'GET' })
    await answer.body.dump()
    return answer.statusCode
  } catch (error) {
    return error as Error
  }
}

function lookUp(guard: EgressGuard, name: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    guard.lookup(name, { all: true }, (error, found) =>
      error === null ? resolve(found as LookupAddress[]) : reject(error),
    )
  })
}

function inUrl(address: string): string {
  return isIPv6(address) ? `[${address}]` : address
}

const isBlocked = (error: unknown) =>
  error instanceof EgressBlockedError &&
  /not on the public internet|never called/.test(error.message)
/** The sentence for what no setting opens names none. */
const isNeverCalled = (error: unknown) =>
  error instanceof EgressBlockedError &&
  /never called, and no setting/.test(error.message) &&
  !/EGRESS_ALLOWED_CIDRS/.test(error.message)
const namesTheSetting = (error: unknown) =>
  error instanceof EgressBlockedError && /EGRESS_ALLOWED_CIDRS/.test(error.message)

test('a literal address that is not public is refused when stored and when dialled, in every spelling', async (t) => {
  const guard = createEgressGuard({ allowedCidrs: [] })
  const listener = await openListener(t)
  const hosts = [...DENIED_HOSTS, ...DENIED_ADDRESSES.map(inUrl)]
  assert.ok(hosts.length >= 60)
  for (const host of hosts) {
    await assert.rejects(
      guard.checkUrl(`https://${host}/hook`, { allowHttp: false }),
      isBlocked,
      host,
    )
    for (const scheme of ['http', 'https'])
      assert.ok(isBlocked(await dial(t, guard, `${scheme}://${host}:${listener.port}/`)), host)
  }
  for (const address of DENIED_ADDRESSES) {
    assert.throws(() => guard.checkHost(address), isBlocked, address)
    assert.equal(guard.isAllowedAddress(address), false, address)
  }
  assert.equal(listener.arrivals(), 0)
})

test('public addresses beside each denied range stay open', () => {
  const guard = createEgressGuard({ allowedCidrs: [] })
  for (const address of PUBLIC_ADDRESSES) {
    guard.checkHost(inUrl(address))
    assert.equal(guard.isAllowedAddress(address), true, address)
  }
})

test('a name whose answer is not public is refused: alone, mixed with a public one, or later', async (t) => {
  const dns = await openDnsServer(t)
  const listener = await openListener(t)
  let now = 0
  const guard = createEgressGuard({ allowedCidrs: [], dnsServers: [dns.address], now: () => now })
  for (const [i, address] of DENIED_ADDRESSES.entries()) {
    const others = [PUBLIC_V4, PUBLIC_V6]
    dns.set(`alone${i}.test`, { addresses: [address] })
    dns.set(`mixed${i}.test`, { addresses: [others[0]!, address, others[1]!] })
    dns.set(`later${i}.test`, { addresses: others }, { addresses: [address] })
    for (const name of [`alone${i}.test`, `mixed${i}.test`]) {
      await assert.rejects(
        guard.checkUrl(`https://${name}/`, { allowHttp: false }),
        isBlocked,
        address,
      )
      const outcome = await dial(t, guard, `http://${name}:${listener.port}/`)
      assert.ok(isBlocked(outcome), `${name} ${address} ${String(outcome)}`)
    }
    await guard.checkUrl(`https://later${i}.test/`, { allowHttp: false })
    now += 60_001
    const outcome = await dial(t, guard, `http://later${i}.test:${listener.port}/`)
    assert.ok(isBlocked(outcome), `later ${address} ${String(outcome)}`)
  }
  assert.equal(listener.arrivals(), 0)
})

test('what is connected to is what was judged: one question per connection, and a new one after the pool is empty', async (t) => {
  const dns = await openDnsServer(t)
  const listener = await openListener(t)
  let now = 0
  const guard = createEgressGuard({
    allowedCidrs: ['127.0.0.1'],
    dnsServers: [dns.address],
    now: () => now,
  })
  dns.set('turn.test', { addresses: ['127.0.0.1'] }, { addresses: ['::1'] })
  const agent = createEgressAgent(guard)
  t.after(() => agent.destroy())
  const ask = () =>
    agent.request({ origin: `http://turn.test:${listener.port}`, path: '/', method: 'GET' })
  const first = await ask()
  assert.equal(await first.body.text(), 'ok')
  assert.deepEqual(dns.questions.toSorted(), ['A turn.test', 'AAAA turn.test'])
  now += 60_001
  await assert.rejects(ask(), isBlocked)
  assert.equal(listener.arrivals(), 1)
})

test('the peer is judged again after connecting, for every answer of the resolver', async (t) => {
  const listener = await openListener(t)
  const guard = createEgressGuard({ allowedCidrs: ['10.0.0.0/8'] })
  const lying: EgressGuard = {
    ...guard,
    lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  }
  const outcome = await dial(t, lying, `http://lying.test:${listener.port}/`)
  assert.ok(outcome instanceof EgressBlockedError)
  assert.equal(listener.arrivals(), 1)
})

test('EGRESS_ALLOWED_CIDRS opens what it names and nothing beside it', async (t) => {
  const dns = await openDnsServer(t)
  const listener = await openListener(t)
  dns.set('four.test', { addresses: ['127.0.0.1'] })
  dns.set('six.test', { addresses: ['::1'] })
  dns.set('both.test', { addresses: ['127.0.0.1', '::1'] })
  dns.set('db.internal', { addresses: ['127.0.0.1'] })
  const guard = createEgressGuard({ allowedCidrs: ['127.0.0.0/8'], dnsServers: [dns.address] })
  for (const host of [
    '127.0.0.1',
    '0x7f.1',
    '[::ffff:7f00:1]',
    'four.test',
    'localhost',
    'db.internal',
  ])
    assert.equal(await dial(t, guard, `http://${host}:${listener.port}/`), 200, host)
  for (const host of [
    '10.0.0.1',
    '[::1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    'six.test',
    'both.test',
  ])
    assert.ok(isBlocked(await dial(t, guard, `http://${host}:${listener.port}/`)), host)
  const six = createEgressGuard({ allowedCidrs: ['::1/128'], dnsServers: [dns.address] })
  for (const host of ['[::1]', 'six.test', 'localhost'])
    assert.equal(await dial(t, six, `http://${host}:${listener.port}/`), 200, host)
  const mapped = createEgressGuard({ allowedCidrs: ['::ffff:127.0.0.0/104'] })
  assert.equal(mapped.isAllowedAddress('127.0.0.1'), true)
})

test('metadata addresses and names stay closed when everything is opened', async (t) => {
  const dns = await openDnsServer(t)
  const guard = createEgressGuard({ allowedCidrs: EVERYTHING, dnsServers: [dns.address] })
  assert.equal(guard.isAllowedAddress('::1'), true)
  assert.equal(guard.isAllowedAddress('64:ff9b::10.0.0.1'), true)
  for (const [i, address] of METADATA.entries()) {
    dns.set(`metadata${i}.test`, { addresses: [address] })
    dns.set(`mixed${i}.test`, { addresses: ['10.0.0.1', address, '::1'] })
    await assert.rejects(
      guard.checkUrl(`https://${inUrl(address)}/`, { allowHttp: false }),
      isNeverCalled,
      address,
    )
    for (const name of [`metadata${i}.test`, `mixed${i}.test`])
      await assert.rejects(lookUp(guard, name), isNeverCalled, address)
  }
  for (const name of ['metadata.google.internal', 'metadata', 'instance-data.ec2.internal.'])
    assert.throws(() => guard.checkHost(name), isNeverCalled, name)
})

test('a refusal names the setting where it opens the address, and only there', async (t) => {
  const dns = await openDnsServer(t)
  dns.set('private.test', { addresses: [PUBLIC_V4, '10.0.0.1'] })
  dns.set('metadata.test', { addresses: ['10.0.0.1', '169.254.169.254'] })
  const guard = createEgressGuard({ allowedCidrs: [], dnsServers: [dns.address] })
  const openable = ['10.0.0.1', '127.0.0.1', '::1', 'fd00::1', '64:ff9b::10.0.0.1']
  for (const host of [...openable, 'localhost', 'db.internal'])
    assert.throws(() => guard.checkHost(host), namesTheSetting, host)
  for (const host of [...METADATA, 'fe80::1%eth0', 'metadata.google.internal'])
    assert.throws(() => guard.checkHost(host), isNeverCalled, host)
  await assert.rejects(lookUp(guard, 'private.test'), namesTheSetting)
  await assert.rejects(lookUp(guard, 'metadata.test'), isNeverCalled)
  await assert.rejects(lookUp(guard, 'localhost'), namesTheSetting)
})

test('a translated IPv6 address is open only with the IPv4 address it leads to', () => {
  const guard = createEgressGuard({ allowedCidrs: ['64:ff9b::/96'] })
  assert.equal(guard.isAllowedAddress('64:ff9b::8.8.8.8'), true)
  assert.equal(guard.isAllowedAddress('64:ff9b::10.0.0.1'), false)
})

const REFUSED_URLS: readonly [url: string, because: string][] = [
  ['', 'malformed'],
  ['example.com', 'malformed'],
  ['https://', 'malformed'],
  ['https://[fe80::1%25eth0]/', 'malformed'],
  ['https://256.256.256.256/', 'malformed'],
  ['https://exa mple.com/', 'malformed'],
  ['https://exa\nmple.com/', 'malformed'],
  ['https://example.com/a\tb', 'malformed'],
  ['https://example.com/\u0001', 'malformed'],
  ['http://example.com/', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['gopher://example.com/', 'scheme'],
  ['data:,x', 'scheme'],
  ['https://user@example.com/', 'credentials'],
  ['https://user:password@example.com/', 'credentials'],
  ['https://example.com@127.0.0.1/', 'credentials'],
  ['https://example.com:22/', 'port'],
  ['https://example.com:25/', 'port'],
  ['https://example.com:0/', 'port'],
  ['https://example.com:6667/', 'port'],
]

for (const [url, because] of REFUSED_URLS) {
  test(`${url === '' ? 'an empty text' : url} is refused as a URL to call`, async () => {
    const guard = createEgressGuard({ allowedCidrs: [] })
    await assert.rejects(
      guard.checkUrl(url, { allowHttp: false }),
      (error) =>
        error instanceof EgressBlockedError &&
        error.because === because &&
        /^[A-Z].*\.$/.test(error.message),
    )
  })
}

test('port 0 is refused with a sentence of its own', async () => {
  const guard = createEgressGuard({ allowedCidrs: [] })
  await assert.rejects(guard.checkUrl('https://example.com:0/', { allowHttp: false }), {
    message: 'Port 0 cannot be called.',
  })
})

test('http:// passes when it is allowed, and any port that is not of another protocol', async (t) => {
  const dns = await openDnsServer(t)
  dns.set('public.test', { addresses: [PUBLIC_V4, PUBLIC_V6] })
  const guard = createEgressGuard({ allowedCidrs: [], dnsServers: [dns.address] })
  await guard.checkUrl('http://public.test/', { allowHttp: true })
  await guard.checkUrl('https://public.test:8443/', { allowHttp: false })
  await guard.checkUrl('https://public.test.:3000/', { allowHttp: false })
  await assert.rejects(
    guard.checkUrl('ftp://public.test/', { allowHttp: true }),
    EgressBlockedError,
  )
})

test('a port of another protocol is refused at the dial too', async (t) => {
  const guard = createEgressGuard({ allowedCidrs: ['127.0.0.1'] })
  const outcome = await dial(t, guard, 'http://127.0.0.1:25/')
  assert.ok(outcome instanceof EgressBlockedError && outcome.because === 'port')
})
