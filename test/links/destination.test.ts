import assert from 'node:assert/strict'
import { validateHeaderValue } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../src/platform/core/errors.ts'
import { decide } from '../../src/decision/decide.ts'
import { makeEdgeLink, makeRequest } from '../support/decision-facts.ts'
import { checkDestination } from '../../src/links/link/destination.ts'
import { createShortHost } from '../../src/links/link/dependencies.ts'
import { anyText } from '../support/any-text.ts'
import { randomRuns } from '../support/long.ts'

const OWN = createShortHost({
  publicUrl: 'https://links.example.com',
  shortUrl: 'https://sho.rt',
  origin: 'https://links.example.com',
  port: 3000,
}).isOwn

const KEPT = [
  'https://example.com',
  'https://example.com/',
  'https://example.com/a?b=c&d=%20e#f',
  'https://example.com/a;b/(c)!d',
  'http://example.com:8080/?',
  'https://example.com/%zz',
  'https://example.com/?q=a@b\\c',
  'http://localhost:8080/another-server',
  'https://links.example.com:8443/another-server',
]
for (const url of KEPT)
  test(`${url} is stored and sent byte for byte`, () => {
    assert.equal(checkDestination(url, OWN), url)
  })

const NORMALIZED: [input: string, stored: string][] = [
  [' https://example.com/a ', 'https://example.com/a'],
  ['HTTPS://EXAMPLE.com/a', 'https://example.com/a'],
  ['https:example.com/a', 'https://example.com/a'],
  ['https:/example.com/a', 'https://example.com/a'],
  ['https:\\\\example.com\\a', 'https://example.com/a'],
  ['https://example.com/ü?ß=ö', 'https://example.com/%C3%BC?%C3%9F=%C3%B6'],
  ['https://аpple.com/', 'https://xn--pple-43d.com/'],
  ['https://example.com/a b', 'https://example.com/a%20b'],
]
for (const [input, stored] of NORMALIZED)
  test(`${JSON.stringify(input)} is stored as ${stored}`, () => {
    assert.equal(checkDestination(input, OWN), stored)
  })

const REFUSED = [
  '',
  'example.com',
  '//example.com',
  '/path',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'https://exa\nmple.com/',
  'https://example.com/a\tb',
  'https://example.com/\u0001',
  'https://example.com/\u0085',
  'blob:https://example.com/x',
  'file:///etc/passwd',
  'ftp://example.com/',
  'https://',
  'https://user@example.com/',
  'https://example.com@evil.example/',
  'https://@example.com/',
  'http://example.com\\@127.0.0.1:3000/x',
  'https://links.example.com/other',
  'https://LINKS.example.com:443/other',
  'http://localhost:3000/other',
  'https://links.example.com./other',
  'http://localhost.:3000/other',
  'http://127.0.0.1:3000/other',
  'http://0:3000/other',
  'http://[::1]:3000/other',
  'http://[::ffff:127.0.0.1]:3000/other',
  'http://sho.rt:3000/other',
  'http://sho.rt/other',
  `https://example.com/${'x'.repeat(8_192)}`,
]
for (const url of REFUSED)
  test(`${JSON.stringify(url.slice(0, 40))} is refused`, () => {
    assert.throws(
      () => checkDestination(url, OWN),
      (error) => error instanceof ApiError && error.code === 'VALIDATION_ERROR',
    )
  })

const piece = fc.oneof(
  fc.constantFrom('https://', 'http://', 'HTTPS:', 'javascript:', '//', '\\', '@', ':', '#', '?'),
  fc.constantFrom('example.com', 'ü.example', '[::1]', '127.0.0.1', 'a=b', '%00', '%', '..', '/'),
  fc.constantFrom('\r\nSet-Cookie: a=b', '\0', '\t', '\u2028', ' ', '\u00ad', '&', ';', '"', '<'),
  anyText({ maxLength: 8 }),
)
const urlLike = fc.oneof(
  { weight: 3, arbitrary: fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')) },
  {
    weight: 5,
    arbitrary: fc
      .array(piece, { maxLength: 6 })
      .map((parts) => `https://a.example/${parts.join('')}`),
  },
  { weight: 1, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
)

test('random texts are either refused or become one legal Location', () => {
  let accepted = 0
  fc.assert(
    fc.property(urlLike, (text) => {
      let stored: string
      try {
        stored = checkDestination(text, OWN)
      } catch (error) {
        assert.ok(error instanceof ApiError && error.status === 400)
        return
      }
      accepted++
      const location = locationOf(stored)
      validateHeaderValue('location', location)
      assert.equal(location, stored)
      assert.equal(new URL(location).href, new URL(text.trim()).href)
      // Resolved against any page it leads to the same place.
      assert.equal(new URL(location, 'https://links.example.com/a/b').href, new URL(location).href)
    }),
    { numRuns: randomRuns(100_000) },
  )
  assert.ok(accepted > randomRuns(20_000), `only ${accepted} were accepted`)
})

function locationOf(destination: string): string {
  const link = makeEdgeLink({ destination })
  const decision = decide(link, makeRequest(), 0)
  assert.equal(decision.kind, 'redirect')
  return decision.kind === 'redirect' ? decision.location : ''
}
