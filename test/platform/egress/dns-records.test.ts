import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDnsRecords } from '../../../src/platform/egress/dns-records.ts'
import { openDnsServer } from '../../support/dns-server.ts'

test('texts arrive with their strings joined, many of them, and through aliases', async (t) => {
  const dns = await openDnsServer(t)
  const records = createDnsRecords([dns.address])
  dns.set('split.test', { texts: [['signpost-', 'verify=', 'a'.repeat(200)], 'other'] })
  // More than a datagram holds: asked again over TCP.
  const many = Array.from({ length: 200 }, (_, i) => `record number ${i}`)
  dns.set('many.test', { texts: many })
  dns.set('alias.test', { cname: ['real.test'], texts: ['there'] })
  assert.deepEqual(await records.readTexts('split.test'), {
    outcome: 'found',
    values: [`signpost-verify=${'a'.repeat(200)}`, 'other'],
  })
  assert.deepEqual((await records.readTexts('many.test')).values, many)
  assert.equal(dns.questions.filter((question) => question === 'TXT many.test').length, 2)
  assert.deepEqual((await records.readTexts('alias.test')).values, ['there'])
})

test('aliases and addresses of both families are read', async (t) => {
  const dns = await openDnsServer(t)
  const records = createDnsRecords([dns.address])
  const addresses = ['93.184.215.14', '2606:4700::1']
  dns.set('go.test', { cname: ['links.test'], addresses })
  dns.set('four.test', { addresses: ['93.184.215.14'] })
  assert.deepEqual(await records.readAliases('go.test'), {
    outcome: 'found',
    values: ['links.test'],
  })
  assert.deepEqual(await records.readAddresses('go.test'), { outcome: 'found', values: addresses })
  assert.deepEqual((await records.readAddresses('four.test')).values, ['93.184.215.14'])
})

test('a name that does not exist, one without such a record, and name servers that fail are told apart', async (t) => {
  const dns = await openDnsServer(t)
  const records = createDnsRecords([dns.address])
  dns.set('empty.test', {})
  dns.set('broken.test', { rcode: 'SERVFAIL' })
  dns.set('refused.test', { rcode: 'REFUSED' })
  dns.set('silent.test', { silent: true })
  dns.set('late.test', { texts: ['late'], delayMs: 300 })
  const outcomes = async (name: string) => {
    const { readTexts, readAliases, readAddresses } = records
    const answers = [readTexts, readAliases, readAddresses].map((read) => read(name))
    return (await Promise.all(answers)).map(({ outcome }) => outcome)
  }
  const three = (outcome: string) => [outcome, outcome, outcome]
  assert.deepEqual(await outcomes('unknown.test'), three('no_name'))
  assert.deepEqual(await outcomes('empty.test'), three('no_record'))
  assert.deepEqual(await outcomes('broken.test'), three('unavailable'))
  assert.deepEqual(await outcomes('refused.test'), three('unavailable'))
  assert.deepEqual(await outcomes('silent.test'), three('unavailable'))
  assert.deepEqual((await records.readTexts('late.test')).values, ['late'])
  assert.equal((await records.readTexts('a..test')).outcome, 'no_name')
})
