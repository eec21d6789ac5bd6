import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from '../../../src/platform/facts/ip-address.ts'

test('the network of an IPv4 address is itself, that of an IPv6 address is its /64', () => {
  assert.equal(networkOf('203.0.113.1'), '203.0.113.1')
  assert.equal(networkOf('::ffff:203.0.113.1'), '203.0.113.1')
  assert.equal(networkOf('2001:db8:0:1:ffff::9'), '2001:db8:0:1::/64')
  assert.equal(networkOf('2001:DB8:0:1::'), networkOf('2001:db8:0:1:ffff:ffff:ffff:ffff'))
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'))
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
})

test('a text that is not an address is returned unchanged', () => {
  for (const text of ['', 'unknown', 'a:b', '203.0.113']) assert.equal(networkOf(text), text)
})
