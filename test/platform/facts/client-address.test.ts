import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { OperatorError } from '../../../src/platform/core/errors.ts'
import { createClientAddress } from '../../../src/platform/facts/client-address.ts'
import { anyText } from '../../support/any-text.ts'

function forwarded(value: string | string[]) {
  return { 'x-forwarded-for': value }
}

test('without trusted proxies the peer is the client, and headers are ignored', () => {
  const address = createClientAddress([])
  assert.equal(address('203.0.113.9', forwarded('1.2.3.4')), '203.0.113.9')
  assert.equal(address('::ffff:203.0.113.9', {}), '203.0.113.9')
  assert.equal(address('2001:DB8:0:0:0:0:0:1', {}), '2001:db8::1')
  assert.equal(address('fe80::1%eth0', {}), 'fe80::1')
  assert.equal(address(undefined, {}), '')
})

test('X-Forwarded-For without TRUSTED_PROXIES is logged once, without an address', () => {
  const warnings: unknown[][] = []
  const log = { warn: (...args: unknown[]) => void warnings.push(args) }
  const address = createClientAddress([], log)
  address('203.0.113.9', {})
  assert.equal(warnings.length, 0)
  for (let i = 0; i < 3; i++) address('203.0.113.9', forwarded('1.2.3.4'))
  assert.equal(warnings.length, 1)
  assert.match(String(warnings[0]), /X-Forwarded-For and TRUSTED_PROXIES is not set/)
  assert.doesNotMatch(String(warnings[0]), /203\.0|1\.2\.3/)
  // A setting, also that of no proxy, silences the warning.
  for (const trusted of ['0', '1', '10.0.0.0/8'])
    createClientAddress([trusted], log)('203.0.113.9', forwarded('1.2.3.4'))
  assert.equal(warnings.length, 1)
})

test('with ranges the client is the right-most address outside all ranges', () => {
  const address = createClientAddress(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])
  assert.equal(address('10.1.1.1', forwarded('1.1.1.1, 2.2.2.2, 10.9.9.9')), '2.2.2.2')
  assert.equal(address('::ffff:10.1.1.1', forwarded('2.2.2.2')), '2.2.2.2')
  assert.equal(address('fd12::1', forwarded(['1.1.1.1', '2.2.2.2 , 192.0.2.1'])), '2.2.2.2')
  assert.equal(address('10.1.1.1', forwarded('[2001:db8::2]:443')), '2001:db8::2')
  assert.equal(address('10.1.1.1', forwarded('8.8.8.8:1234')), '8.8.8.8')
  assert.equal(address('10.1.1.1', forwarded('10.2.2.2')), '10.2.2.2')
  assert.equal(address('10.1.1.1', {}), '10.1.1.1')
})

test('X-Forwarded-For from a peer that is not trusted is ignored', () => {
  const address = createClientAddress(['10.0.0.0/8'])
  assert.equal(address('203.0.113.9', forwarded('10.0.0.1')), '203.0.113.9')
  assert.equal(address('192.0.2.1', forwarded('1.2.3.4, 10.0.0.1')), '192.0.2.1')
})

test('an invalid entry ends the chain at the last valid hop', () => {
  const address = createClientAddress(['10.0.0.0/8'])
  for (const junk of ['unknown', '0x7f.1', '127.1', '017700000001', '', '1.2.3.4.5', '<script>'])
    assert.equal(address('10.1.1.1', forwarded(`6.6.6.6, ${junk}, 10.2.2.2`)), '10.2.2.2')
})

test('with hops the client is that many addresses left of the peer, and no further', () => {
  const two = createClientAddress(['2'])
  assert.equal(two('203.0.113.9', forwarded('6.6.6.6, 1.1.1.1, 2.2.2.2')), '1.1.1.1')
  assert.equal(two('203.0.113.9', forwarded('1.1.1.1')), '1.1.1.1')
  assert.equal(two('203.0.113.9', {}), '203.0.113.9')
  assert.equal(createClientAddress(['0'])('203.0.113.9', forwarded('1.1.1.1')), '203.0.113.9')
})

test('ranges written as mapped addresses and single addresses count', () => {
  const address = createClientAddress(['::ffff:10.0.0.0/104', '::1'])
  assert.equal(address('10.200.0.1', forwarded('9.9.9.9')), '9.9.9.9')
  assert.equal(address('::1', forwarded('9.9.9.9')), '9.9.9.9')
  assert.equal(address('11.0.0.1', forwarded('9.9.9.9')), '11.0.0.1')
})

test('a setting that is neither hops nor ranges is refused with a message', () => {
  const bad = ['x', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0/8/8', '1.2.3.4/', '-1', '99']
  for (const entry of bad)
    assert.throws(
      () => createClientAddress([entry]),
      (error) => error instanceof OperatorError && /^TRUSTED_PROXIES .*\.$/.test(error.message),
      entry,
    )
  assert.throws(() => createClientAddress(['1', '10.0.0.0/8']), OperatorError)
})

test('no header makes it throw, and an untrusted client cannot choose the answer', () => {
  const address = createClientAddress(['10.0.0.0/8'])
  fc.assert(
    fc.property(anyText(), (value) => {
      assert.equal(address('203.0.113.9', forwarded(value)), '203.0.113.9')
      assert.equal(address('10.0.0.1', forwarded(`${value}, 5.5.5.5`)), '5.5.5.5')
      assert.equal(typeof address('10.0.0.1', forwarded(value)), 'string')
    }),
  )
})
