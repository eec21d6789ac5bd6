import assert from 'node:assert/strict'
import { validateHeaderValue } from 'node:http'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decide } from '../../src/decision/decide.ts'
import type { LinkFacts, Redirect, Request } from '../../src/decision/link.ts'
import { checkDeepLink } from '../../src/links/options/options.ts'
import type { LinkOptions } from '../../src/platform/facts/link-options.ts'
import { checkDestination } from '../../src/links/link/destination.ts'
import { makeEdgeLink, makeRequest } from '../support/decision-facts.ts'
import { anyText } from '../support/any-text.ts'
import { randomRuns } from '../support/long.ts'

const NOW = 1_795_000_000_000

function buildRedirect(destination: string, query = '', over: Partial<LinkFacts> = {}): Redirect {
  const decision = decide(makeEdgeLink({ destination, ...over }), makeRequest({ query }), NOW)
  assert.equal(decision.kind, 'redirect')
  return decision
}

function buildLocation(destination: string, query = '', utm?: LinkFacts['utm']): string {
  return buildRedirect(destination, query, utm ? { utm } : {}).location
}

test('every status has its answer', () => {
  const status = (over: Partial<LinkFacts>) => {
    const decision = decide(makeEdgeLink(over), makeRequest(), NOW)
    return decision.kind === 'page' ? `${decision.status} ${decision.page}` : decision.status
  }
  assert.equal(decide(null, makeRequest(), NOW).status, 404)
  assert.equal(status({}), 302)
  assert.equal(status({ status: 'archived' }), 302)
  assert.equal(status({ status: 'paused' }), '404 missing')
  assert.equal(status({ status: 'blocked' }), '451 blocked')
  assert.equal(status({ expiresAtMs: NOW + 1 }), 302)
  assert.equal(status({ expiresAtMs: NOW }), '410 expired')
  assert.equal(status({ expiresAtMs: NOW - 1, status: 'archived' }), '410 expired')
  assert.equal(status({ expiresAtMs: NOW - 1, status: 'paused' }), '404 missing')
  assert.equal(status({ expiresAtMs: NOW - 1, status: 'blocked' }), '451 blocked')
})

test('only permanent redirects of links that never expire are cached, for 90 seconds', () => {
  const cacheControl = (over: Partial<LinkFacts>) =>
    buildRedirect('https://e.com', '', over).cacheControl
  assert.equal(cacheControl({ redirectType: 301 }), 'private, max-age=90')
  assert.equal(cacheControl({ redirectType: 308 }), 'private, max-age=90')
  assert.equal(cacheControl({ redirectType: 302 }), 'private, no-store')
  assert.equal(cacheControl({ redirectType: 307 }), 'private, no-store')
  assert.equal(cacheControl({ redirectType: 301, expiresAtMs: NOW + 1e9 }), 'private, no-store')
})

test('without UTM and query the destination is sent byte for byte', () => {
  for (const destination of [
    'https://example.com',
    'https://example.com/?',
    'https://example.com/a?b&&c=%zz&utm_source=x#f?g=1',
    `https://example.com/"<>{}|^\`\\'`,
  ])
    assert.equal(buildLocation(destination), destination)
})

test("the link's UTM parameters replace the destination's and leave the rest as it is", () => {
  const utm = ['news letter', '', 'ü&=', '', ''] as const
  assert.equal(
    buildLocation('https://e.com', '', utm),
    'https://e.com?utm_source=news%20letter&utm_campaign=%C3%BC%26%3D',
  )
  assert.equal(
    buildLocation('https://e.com/p?a=%zz&utm_source=1&&utm%5Fsource=2&utm_medium=m#top', '', utm),
    'https://e.com/p?a=%zz&utm_source=news%20letter&&utm_medium=m&utm_campaign=%C3%BC%26%3D#top',
  )
})

test("the visitor's parameters win over both and follow in their order", () => {
  const utm = ['mail', '', '', '', ''] as const
  assert.equal(
    buildLocation('https://e.com/?a=1&b=2&a=3', 'utm_source=me&a=9&a=8&c', utm),
    'https://e.com/?b=2&utm_source=me&a=9&a=8&c',
  )
  assert.equal(buildLocation('https://e.com/?', '&&'), 'https://e.com/?')
  assert.equal(
    buildLocation('https://e.com/?x=1#y', 'z=\u00c3\u00bc#w'),
    'https://e.com/?x=1&z=%C3%BC#y',
  )
})

test('qr=1 is removed and sets the trigger; other values stay', () => {
  assert.deepEqual(
    ['qr=1', 'a=1&qr=1', 'qr=2', ''].map((query) => {
      const { location, trigger } = buildRedirect('https://e.com/', query)
      return [location, trigger]
    }),
    [
      ['https://e.com/', 'qr'],
      ['https://e.com/?a=1', 'qr'],
      ['https://e.com/?qr=2', 'link'],
      ['https://e.com/', 'link'],
    ],
  )
})

test('the recorded UTM values equal those of the Location', () => {
  assert.deepEqual(
    buildRedirect('https://e.com/?utm_term=t+t', 'utm_content=%C3%BC%0A', {
      utm: ['', 'mail', '', '', ''],
    }).utm,
    ['', 'mail', '', 't t', 'ü\n'],
  )
  assert.deepEqual(buildRedirect('https://e.com/?utm_source=%E0%A4%A').utm[0], '%E0%A4%A')
})

const PIECES = [
  'a b=1 a=%41 utm_source=x utm%5Fmedium=y qr=1 url=//evil.com = % + ? # .. :80',
  'redir_url=https://evil.com //evil.com @evil.com \\evil',
]
const piece = fc.oneof(
  fc.constantFrom('', ...PIECES.join(' ').split(' ')),
  fc.string({ maxLength: 6 }),
  anyText({ maxLength: 4 }),
)
const joined = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('&'))
const host = fc.constantFrom(
  'e.com',
  'EXAMPLE.com:8080',
  '[::1]:81',
  '127.1',
  'xn--fa-hia.de',
  'bücher.de',
)
const destination = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'https://',
        'http://',
        'HTTPS://',
        'javascript:',
        'https:',
        '//',
        ' http://',
        '',
      ),
      host,
      fc.constantFrom('', '/', '/a/../b', '/ü', '/a b', ';x', '\\x', '\r\nSet-Cookie: a=b', '\0'),
      fc.option(joined, { nil: null }),
      fc.option(piece, { nil: null }),
    )
    .map(
      ([scheme, name, path, search, hash]) =>
        `${scheme}${name}${path}${search === null ? '' : `?${search}`}${hash === null ? '' : `#${hash}`}`,
    ),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
)
const utmValue = fc.oneof(fc.constant(''), anyText({ maxLength: 5 }))
/** Queries as node:http delivers them: characters up to U+00FF without controls. */
const query = joined.map((text) =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[^!-~\u0080-\u00ff]/g, ''),
)

test('random links and queries: a 400 at creation, or one Location at the stored target', () => {
  let redirects = 0
  fc.assert(
    fc.property(
      destination,
      query,
      fc.tuple(utmValue, utmValue, utmValue, utmValue, utmValue),
      fc.boolean(),
      (input, search, utm, withUtm) => {
        let stored: string
        try {
          stored = checkDestination(input, () => false)
        } catch {
          return
        }
        redirects++
        const over = withUtm ? { utm } : {}
        const redirect = buildRedirect(stored, search, over)
        validateHeaderValue('location', redirect.location)
        assert.match(redirect.location, /^[!-~]+$/)
        const [target, sent] = [new URL(stored), new URL(redirect.location)]
        for (const part of [
          'protocol',
          'host',
          'username',
          'password',
          'pathname',
          'hash',
        ] as const)
          assert.equal(sent[part], target[part])
        if (search === '' && !(withUtm && utm.some(Boolean)))
          assert.equal(redirect.location, stored)
        const names = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']
        const visitor = new URLSearchParams(`?${search.split('#')[0]}`)
        for (const [i, name] of names.entries())
          if (withUtm && utm[i] && !visitor.has(name))
            assert.equal(sent.searchParams.get(name), utm[i].toWellFormed())
      },
    ),
    { numRuns: randomRuns(100_000) },
  )
  assert.ok(
    redirects > randomRuns(30_000),
    `only ${redirects} of the inputs were accepted at creation`,
  )
})

test('a destination that the API would refuse still gives a valid header', () => {
  fc.assert(
    fc.property(anyText(), query, utmValue, (stored, search, utm) => {
      const redirect = buildRedirect(stored, search, { utm: [utm, '', '', '', ''] })
      validateHeaderValue('location', redirect.location)
    }),
    { numRuns: 5_000 },
  )
})

const appUrl = fc
  .tuple(
    fc.constantFrom('shop:', 'shop://', 'shop://user@host:81/', 'tel:', 'SHOP:', 'a+b.c-d://'),
    joined,
    fc.option(joined, { nil: null }),
  )
  .map(([scheme, path, search]) => `${scheme}${path}${search === null ? '' : `?${search}`}`)

test('no query changes scheme, user, host or port of any destination of a link', () => {
  const os = (name: string) =>
    makeRequest({ device: { device: 'mobile', browser: 'unknown', os: name } })
  let answers = 0
  fc.assert(
    fc.property(
      fc.array(destination, { minLength: 5, maxLength: 5 }),
      fc.option(appUrl, { nil: null }),
      query,
      fc.boolean(),
      fc.tuple(utmValue, utmValue, utmValue, utmValue, utmValue),
      (inputs, app, search, forwardsQuery, utm) => {
        let stored: string[]
        let appLink: string
        try {
          stored = inputs.map((input) => checkDestination(input, () => false))
          appLink = app === null ? stored[2]! : checkDeepLink(app, () => false, 'iosDeepLink')
        } catch {
          return
        }
        const [byDefault, byRule, , android, byVariant] = stored as [
          string,
          string,
          string,
          string,
          string,
        ]
        const link = (options: LinkOptions) =>
          makeEdgeLink({
            destination: byDefault,
            utm,
            options: { ...options, ...(!forwardsQuery && { forwardQuery: false }) },
          })
        const conditions = { to: new Date(NOW + 1).toISOString() }
        const rule = { id: 'r', name: 'r', enabled: true, conditions, destinationUrl: byRule }
        const variant = { id: 'v', name: 'v', destinationUrl: byVariant, weight: 50 }
        for (const [options, wanted, visitor] of [
          [{ card: { title: null, description: null, image: null } }, byDefault, makeRequest()],
          [{ rules: [rule] }, byRule, makeRequest()],
          [{ iosDeepLink: appLink }, appLink, os('iOS')],
          [{ androidDeepLink: android }, android, os('Android')],
          [{ variants: [variant, variant] }, byVariant, makeRequest()],
        ] satisfies [LinkOptions, string, Request][]) {
          const decision = decide(link(options), { ...visitor, query: search }, NOW)
          assert.ok(decision.kind === 'redirect' || decision.kind === 'interstitial')
          answers++
          validateHeaderValue('location', decision.location)
          assertSameTarget(decision.location, wanted)
          if (decision.kind === 'interstitial') {
            assert.equal(decision.location, wanted)
            assertSameTarget(decision.fallback, byDefault)
          }
        }
      },
    ),
    { numRuns: randomRuns(20_000) },
  )
  assert.ok(answers > randomRuns(3_000), `only ${answers} of the inputs were accepted at creation`)
})

function assertSameTarget(sent: string, stored: string): void {
  if (!URL.canParse(stored)) return
  const [target, wanted] = [new URL(sent), new URL(stored)]
  for (const part of ['protocol', 'host', 'username', 'password'] as const)
    assert.equal(target[part], wanted[part])
}
