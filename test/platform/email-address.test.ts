import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseAddress } from '../../src/platform/resources/field-checks.ts'
import { anyText } from '../support/any-text.ts'
import { randomRuns } from '../support/long.ts'

test('what has one key is one mailbox', () => {
  const keyOf = (text: string) => parseAddress(text)?.emailKey
  assert.equal(keyOf(' Owner@Example.COM '), 'owner@example.com')
  // The Kelvin sign equals K: mail goes to the plain letter.
  assert.deepEqual(parseAddress('\u212Aate@example.com'), {
    email: 'Kate@example.com',
    emailKey: 'kate@example.com',
  })
  assert.equal(keyOf('u\u0308@example.com'), keyOf('\u00FC@example.com'))
  // Each is a mailbox of its own.
  const others = ['ı', 'İ', 'i', 'ß', 'ss', 'ａ', 'a', 'а', 'a+b', 'a.b', 'ab', 'ſ', 's']
  assert.equal(new Set(others.map((name) => keyOf(`${name}@example.com`))).size, others.length)
  assert.notEqual(keyOf('a@example.com.'), keyOf('a@example.com'))
})

test('no text beyond ASCII is compared as ASCII unless it is mailed as ASCII', () => {
  fc.assert(
    fc.property(anyText({ minLength: 1, maxLength: 8 }), (local) => {
      const address = parseAddress(`${local}@example.com`)
      if (!address) return
      const isAscii = (text: string) => /^[\x21-\x7e]+$/.test(text)
      assert.equal(isAscii(address.email), isAscii(address.emailKey))
      assert.deepEqual(parseAddress(address.email), address)
    }),
    { numRuns: randomRuns(20_000) },
  )
})

test('several addresses, and text that would begin a header, are invalid', () => {
  for (const text of [
    '',
    'a',
    'a＠example.com',
    'a@b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com,b@example.com',
    '"a"@example.com',
    'a@exam\u202Eple.com',
    'a\u00AD@example.com',
    'a\u00A0@example.com',
    '\uD800@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(254)}`,
  ])
    assert.equal(parseAddress(text), null, text)
})
