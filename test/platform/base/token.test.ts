import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashToken, newToken } from '../../../src/platform/core/secrets.ts'

test('a token has 256 random bits, and its hash is found again from the token', () => {
  const [one, other] = [newToken(), newToken()]
  assert.match(one.token, /^[A-Za-z0-9_-]{43}$/)
  assert.notEqual(one.token, other.token)
  assert.ok(hashToken(one.token).equals(one.hash))
  assert.equal(hashToken('abc').toString('hex').slice(0, 16), 'ba7816bf8f01cfea')
})
