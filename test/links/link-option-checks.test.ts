import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/platform/core/errors.ts'
import type { LinkOptions } from '../../src/platform/facts/link-options.ts'
import type { OptionInputs } from '../../src/links/options/option-shapes.ts'
import { checkOptions } from '../../src/links/options/options.ts'

const NOW_MS = Date.parse('2026-05-01T00:00:00.000Z')
const URL_A = 'https://example.com/a'
const isOwn = (url: URL) => url.hostname === 'sho.rt'
const OWN = 'https://sho.rt/other'

function check(input: OptionInputs, before: LinkOptions | null = null) {
  return checkOptions(input, before, {
    isOwn,
    toMediaUrl: (id: string) => `https://go.example.com/media-public/${id}`,
    nowMs: NOW_MS,
  })
}

/** Path of the first problem of the options. */
function problemOf(input: unknown): string {
  try {
    check(input as OptionInputs)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 'VALIDATION_ERROR')
    const [{ path, message }] = error.details as [{ path: string; message: string }]
    assert.ok(message.includes(path), message)
    return path
  }
  return 'accepted'
}

const rule = (change: object) => [
  { conditions: { country: ['DE'] }, destinationUrl: URL_A, ...change },
]
const when = (conditions: object) => ({ rules: rule({ conditions }) })
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

const BAD: [path: string, input: unknown][] = [
  ['expiredUrl', { expiredUrl: 'javascript:alert(1)' }],
  ['expiredUrl', { expiredUrl: OWN }],
  ['expiredUrl', { expiredUrl: 'https://user:pw@example.com/' }],
  ['startsAt', { startsAt: '2016-12-31T23:59:60Z' }],
  ['variantsUntil', { variantsUntil: '2016-12-31T23:59:60Z' }],
  ...['javascript', 'data', 'vbscript', 'blob', 'file', 'about', 'intent'].map(
    (scheme) => ['iosDeepLink', { iosDeepLink: `${scheme}:x` }] as [string, unknown],
  ),
  ['androidDeepLink', { androidDeepLink: 'intent://scan/#Intent;scheme=zxing;end' }],
  ['androidDeepLink', { androidDeepLink: 'JavaScript:alert(1)' }],
  ['androidDeepLink', { androidDeepLink: 'java\nscript:alert(1)' }],
  ['androidDeepLink', { androidDeepLink: '\u0001javascript:alert(1)' }],
  ['androidDeepLink', { androidDeepLink: 'App://page' }],
  ['androidDeepLink', { androidDeepLink: 'app://pa\u0000ge' }],
  ['androidDeepLink', { androidDeepLink: 'page' }],
  ['androidDeepLink', { androidDeepLink: OWN }],
  ['rules.0.destinationUrl', { rules: rule({ destinationUrl: 'javascript:alert(1)' }) }],
  ['rules.0.destinationUrl', { rules: rule({ destinationUrl: OWN }) }],
  ['rules.0.destinationUrl', { rules: rule({ destinationUrl: 'app://page' }) }],
  [
    'rules.2.destinationUrl',
    { rules: [...rule({}), ...rule({}), ...rule({ destinationUrl: 'data:text/html,x' })] },
  ],
  ['rules.0.conditions', when({})],
  ['rules.0.conditions', when({ country: undefined, query: null })],
  ['rules.0.conditions.countries', when({ country: ['DE'], countries: ['AT'] })],
  ['rules.0.conditions.country.1', when({ country: ['DE', 'XX'] })],
  ['rules.0.conditions.country.0', when({ country: ['unknown'] })],
  ['rules.0.conditions.region.0', when({ region: ['California'] })],
  ['rules.0.conditions.region.0', when({ region: ['XX-CA'] })],
  ['rules.0.conditions.continent.0', when({ continent: ['EUROPE'] })],
  ['rules.0.conditions.device.0', when({ device: ['phone'] })],
  ['rules.0.conditions.os.0', when({ os: ['OS/2000'] })],
  ['rules.0.conditions.browser.0', when({ browser: ['unknown'] })],
  ['rules.0.conditions.language.0', when({ language: ['pt-BR'] })],
  ['rules.0.conditions.query', when({ query: {} })],
  ['rules.0.conditions.query', when({ query: { a: 'b\nc' } })],
  [
    'rules.0.conditions.query',
    when({ query: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`p${i}`, null])) }),
  ],
  [
    'rules.0.conditions.from',
    when({ from: '2026-02-01T00:00:00Z', to: '2026-02-01T01:00:00+01:00' }),
  ],
  ['rules.0.conditions.to', when({ to: '2016-12-31T23:59:60Z' })],
  ['rules.0.id', { rules: rule({ id: 'mine' }) }],
  ['rules.0.id', { rules: rule({ id: `var_${ULID}` }) }],
  ['rules.1.id', { rules: [...rule({ id: `rul_${ULID}` }), ...rule({ id: `rul_${ULID}` })] }],
  ['rules.0.name', { rules: rule({ name: 'bell\u0007' }) }],
  ['variants', { variants: [{ destinationUrl: URL_A, weight: 100 }] }],
  [
    'variants',
    {
      variants: [
        { destinationUrl: URL_A, weight: 50 },
        { destinationUrl: URL_A, weight: 49 },
      ],
    },
  ],
  [
    'variants.1.destinationUrl',
    {
      variants: [
        { destinationUrl: URL_A, weight: 50 },
        { destinationUrl: OWN, weight: 50 },
      ],
    },
  ],
  ['card', { card: {} }],
  ['card', { card: { title: ' ' } }],
  ['card.image', { card: { image: 'http://example.com/a.png' } }],
  ['card.title', { card: { title: 'bell\u0007' } }],
]
for (const [path, input] of BAD)
  test(`${JSON.stringify(input).slice(0, 90)} is refused with the path ${path}`, () => {
    assert.equal(problemOf(input), path)
  })

test('labels are stored as the analytics write them, each once', () => {
  const conditions = {
    country: ['de', 'DE'],
    region: ['us-ca', 'FR-Île-de-France'],
    continent: ['eu'],
    device: ['Mobile'],
    os: ['macos', 'IOS'],
    browser: ['samsung internet', 'go'],
    language: ['DE', 'iw'],
    query: { source: null },
    from: '2026-02-01T01:00:00+01:00',
  }
  assert.deepEqual(check(when(conditions))?.rules?.[0]?.conditions, {
    country: ['DE'],
    region: ['US-CA', 'FR-Île-de-France'],
    continent: ['EU'],
    device: ['mobile'],
    os: ['macOS', 'iOS'],
    browser: ['Samsung Internet', 'Go'],
    language: ['de', 'he'],
    query: { source: null },
    from: '2026-02-01T00:00:00.000Z',
  })
})

test('a rule and a variant get an id, and keep one that is sent back', () => {
  const half = { destinationUrl: URL_A, weight: 50 }
  const first = check({ rules: rule({}), variants: [half, half] } as OptionInputs)!
  assert.match(first.rules![0]!.id, /^rul_/)
  assert.match(first.variants![0]!.id, /^var_/)
  assert.deepEqual(check(first as OptionInputs), first)
})

test('options that all have their defaults are stored as null', () => {
  const defaults = {
    ...{ startsAt: null, expiredUrl: null, maxClicks: null, iosDeepLink: null },
    ...{ androidDeepLink: null, rules: [], variants: [], variantsUntil: null },
    ...{ forwardQuery: true, noindex: false, card: null },
  }
  assert.equal(check(defaults), null)
  assert.equal(check(defaults, { noindex: true, maxClicks: 3 }), null)
  assert.equal(check({}), undefined)
})

test('the options of a link together have a limit', () => {
  const long = `https://example.com/${'x'.repeat(4_000)}`
  const rules = Array.from({ length: 9 }, () => rule({ destinationUrl: long })[0])
  assert.equal(problemOf({ rules, noindex: true }), 'rules')
  assert.equal(problemOf({ rules: rules.slice(2), noindex: true }), 'accepted')
})

for (const url of ['exampleapp://page?a=1', 'market://details?id=com.example', 'tel:+4930123456'])
  test(`the deep link ${url} is stored byte for byte`, () => {
    assert.equal(check({ iosDeepLink: url })?.iosDeepLink, url)
  })

test('a deep link is stored in visible ASCII', () => {
  assert.equal(check({ iosDeepLink: ' app://ü/a b ' })?.iosDeepLink?.includes(' '), false)
  assert.match(check({ iosDeepLink: 'app:a "b' })!.iosDeepLink!, /^[!-~]+$/)
})
