import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProxyTrust } from '../../../src/platform/facts/client-address.ts'
import { placeOf, createNamedCountry } from '../../../src/platform/facts/country.ts'
import type { Place } from '../../../src/platform/facts/geo-fields.ts'

const HEADER = 'cf-ipcountry'
const trust = createProxyTrust(['10.0.0.0/8'])

test('a country is believed from a trusted proxy only', () => {
  const named = createNamedCountry(HEADER, trust)
  const headers = { [HEADER]: 'FR' }
  assert.equal(named('10.1.2.3', headers), 'FR')
  assert.equal(named('::ffff:10.1.2.3', headers), 'FR')
  for (const peer of ['203.0.113.9', '127.0.0.1', undefined]) assert.equal(named(peer, headers), '')
  assert.equal(createNamedCountry(HEADER, createProxyTrust([]))('10.1.2.3', headers), '')
  assert.equal(createNamedCountry(HEADER, createProxyTrust(['0']))('10.1.2.3', headers), '')
  assert.equal(createNamedCountry(HEADER, createProxyTrust(['1']))('203.0.113.9', headers), 'FR')
  assert.equal(createNamedCountry(null, trust)('10.1.2.3', headers), '')
})

test('a header counts if it is one code of two letters, and codes of no country are unknown', () => {
  const named = createNamedCountry(HEADER, trust)
  for (const [value, expected] of [
    ['DE', 'DE'],
    ['de', 'DE'],
    ['XX', 'XX'],
    ['T1', 'XX'],
    ['EU', 'XX'],
    ['ZZ', 'XX'],
    [undefined, ''],
    ['', ''],
    ['D', ''],
    ['DEU', ''],
    ['DE, FR', ''],
    ['1D', ''],
    ['Ü!', ''],
    ['ß', ''],
    ['\0\0', ''],
    [['DE', 'FR'], ''],
  ] as const)
    assert.equal(named('10.1.2.3', { [HEADER]: value as string }), expected, String(value))
})

test('the named country is preferred to the database, whose region and city need the same one', () => {
  const berlin: Place = { country: 'DE', region: 'DE-BE', city: 'Berlin', continent: 'EU' }
  const unknown = { country: 'unknown', region: 'unknown', city: 'unknown', continent: 'unknown' }
  assert.deepEqual(placeOf('', berlin), berlin)
  assert.deepEqual(placeOf('DE', berlin), berlin)
  assert.deepEqual(placeOf('JP', berlin), { ...unknown, country: 'JP', continent: 'AS' })
  assert.deepEqual(placeOf('JP', unknown), { ...unknown, country: 'JP', continent: 'AS' })
  assert.deepEqual(placeOf('XX', berlin), unknown)
})
