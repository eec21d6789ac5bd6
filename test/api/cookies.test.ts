import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCookies, toSetCookie } from '../../src/api/requests/browser.ts'

const HTTPS = 'https://links.example.com'

test('a cookie of one path has a prefix that no other cookie is taken for', () => {
  const ofPath = { name: 'proof', value: 'a', path: '/v1/one' }
  assert.equal(
    toSetCookie(ofPath, HTTPS),
    '__Secure-proof=a; Path=/v1/one; HttpOnly; SameSite=Lax; Secure',
  )
  assert.equal(
    toSetCookie(ofPath, 'http://localhost'),
    'proof=a; Path=/v1/one; HttpOnly; SameSite=Lax',
  )
  assert.match(toSetCookie({ name: 'session', value: 'a' }, HTTPS), /^__Host-session=a; Path=\/;/)
  const sent = '__Secure-session=planted; __Host-session=own; session=plain; __Secure-proof=a'
  assert.deepEqual(readCookies(sent, HTTPS), {
    '__Secure-session': 'planted',
    session: 'own',
    '__Secure-proof': 'a',
  })
})
