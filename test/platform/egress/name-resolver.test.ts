import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEgressGuard } from '../../../src/platform/egress/guard.ts'
import {
  createNameResolver,
  NameError,
  type NameResolver,
} from '../../../src/platform/egress/name-resolver.ts'
import { openDnsServer } from '../../support/dns-server.ts'

async function addressesOf(resolver: NameResolver, name: string): Promise<string[]> {
  return (await resolver.resolve(name)).map(({ address }) => address)
}

async function codeOf(resolver: NameResolver, name: string): Promise<string> {
  const error = await resolver.resolve(name).catch((caught: unknown) => caught)
  assert.ok(error instanceof NameError, String(error))
  return error.code
}

test('names answer with the addresses of both families, through aliases, and no more than 64 of one family', async (t) => {
  const dns = await openDnsServer(t)
  const resolver = createNameResolver({ dnsServers: [dns.address] })
  const many = Array.from({ length: 60 }, (_, i) => `93.184.215.${i}`)
  const thousand = Array.from({ length: 1_000 }, (_, i) => `93.184.${200 + (i >> 8)}.${i & 255}`)
  dns.set('both.test', { addresses: ['93.184.215.14', '2606:4700::1'] })
  dns.set('six.test', { addresses: ['2606:4700::1'] })
  dns.set('alias.test', { cname: ['b.test', 'c.test'], addresses: ['93.184.215.14'] })
  dns.set('many.test', { addresses: many })
  dns.set('thousand.test', { addresses: thousand })
  assert.deepEqual((await addressesOf(resolver, 'both.test')).toSorted(), [
    '2606:4700::1',
    '93.184.215.14',
  ])
  assert.deepEqual(await addressesOf(resolver, 'six.test'), ['2606:4700::1'])
  assert.deepEqual(await addressesOf(resolver, 'alias.test'), ['93.184.215.14'])
  assert.deepEqual(await addressesOf(resolver, 'many.test'), many)
  // Too long for a datagram: asked again over TCP.
  assert.equal(await codeOf(resolver, 'thousand.test'), 'EBADRESP')
})

test('a denied address is found among sixty public ones, and no more than sixteen are tried', async (t) => {
  const dns = await openDnsServer(t)
  const guard = createEgressGuard({ allowedCidrs: [], dnsServers: [dns.address] })
  const sixty = Array.from({ length: 60 }, (_, i) => `93.184.215.${i}`)
  dns.set('public.test', { addresses: sixty })
  dns.set('hidden.test', { addresses: [...sixty, '10.0.0.1'] })
  const found = await new Promise((resolve) => {
    guard.lookup('public.test', { all: true }, (_error, addresses) => resolve(addresses))
  })
  assert.equal((found as unknown[]).length, 16)
  await assert.rejects(guard.checkUrl('https://hidden.test/', { allowHttp: false }), /not allowed/)
})

test('a name without an address says so, and its error is kept for five seconds', async (t) => {
  const dns = await openDnsServer(t)
  let now = 0
  const resolver = createNameResolver({ dnsServers: [dns.address], now: () => now })
  dns.set('broken.test', { rcode: 'SERVFAIL' })
  dns.set('refused.test', { rcode: 'REFUSED' })
  dns.set('empty.test', {})
  dns.set('loop.test', { cname: ['other.test', 'loop.test'] })
  assert.equal(await codeOf(resolver, 'unknown.test'), 'ENOTFOUND')
  assert.equal(await codeOf(resolver, 'broken.test'), 'ESERVFAIL')
  assert.equal(await codeOf(resolver, 'refused.test'), 'EREFUSED')
  assert.equal(await codeOf(resolver, 'empty.test'), 'ENODATA')
  assert.equal(await codeOf(resolver, 'loop.test'), 'ENODATA')
  assert.equal(await codeOf(resolver, 'a..test'), 'EBADNAME')
  assert.equal(await codeOf(resolver, `${'a'.repeat(64)}.test`), 'EBADNAME')

  const asked = dns.questions.length
  dns.set('unknown.test', { addresses: ['93.184.215.14'] })
  now += 4_999
  assert.equal(await codeOf(resolver, 'unknown.test'), 'ENOTFOUND')
  assert.equal(dns.questions.length, asked)
  now += 1
  assert.deepEqual(await addressesOf(resolver, 'UNKNOWN.test'), ['93.184.215.14'])
})

test('an answer is kept for its time to live, at least five seconds and at most a minute', async (t) => {
  const dns = await openDnsServer(t)
  let now = 0
  const resolver = createNameResolver({ dnsServers: [dns.address], now: () => now })
  for (const [ttl, keptSeconds] of [
    [0, 5],
    [30, 30],
    [86_400, 60],
  ] as const) {
    const name = `ttl${ttl}.test`
    dns.set(name, { ttl, addresses: ['1.1.1.1'] }, { ttl, addresses: ['2.2.2.2'] })
    assert.deepEqual(await addressesOf(resolver, name), ['1.1.1.1'])
    now += keptSeconds * 1_000 - 1
    assert.deepEqual(await addressesOf(resolver, name), ['1.1.1.1'])
    now += 1
    assert.deepEqual(await addressesOf(resolver, name), ['2.2.2.2'])
  }
})

test('a hundred askers of one name ask once, and the cache is bounded', async (t) => {
  const dns = await openDnsServer(t)
  const resolver = createNameResolver({ dnsServers: [dns.address], maxCachedNames: 50 })
  dns.set('one.test', { ttl: 60, addresses: ['1.1.1.1'] })
  await Promise.all(Array.from({ length: 100 }, () => resolver.resolve('one.test')))
  assert.deepEqual(dns.questions.toSorted(), ['A one.test', 'AAAA one.test'])
  for (let i = 0; i < 200; i++) await codeOf(resolver, `unknown${i}.test`)
  assert.equal(resolver.cachedNames(), 50)
})

test('silent name servers end in ETIMEOUT, pass the check of a URL after two seconds, and delay no other name', async (t) => {
  const dns = await openDnsServer(t)
  const resolver = createNameResolver({ dnsServers: [dns.address] })
  const guard = createEgressGuard({ allowedCidrs: [], dnsServers: [dns.address] })
  dns.set('half.test', { addresses: ['1.1.1.1'], silent: 'AAAA' })
  dns.set('good.test', { addresses: ['1.1.1.1'] })
  let silentOnes = 0
  const silent = Array.from({ length: 20 }, async (_, i) => {
    dns.set(`silent${i}.test`, { silent: true })
    const code = await codeOf(resolver, `silent${i}.test`)
    silentOnes++
    return code
  })
  const check = guard.checkUrl('https://silent0.test/', { allowHttp: false })
  assert.deepEqual(await addressesOf(resolver, 'good.test'), ['1.1.1.1'])
  assert.deepEqual(await addressesOf(resolver, 'half.test'), ['1.1.1.1'])
  assert.equal(silentOnes, 0)
  await check
  assert.deepEqual([...new Set(await Promise.all(silent))], ['ETIMEOUT'])
})
