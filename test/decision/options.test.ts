import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, inspect, quotaOf } from '../../src/decision/decide.ts'
import type { Decision, LinkFacts, Request } from '../../src/decision/link.ts'
import type { LinkOptions } from '../../src/platform/facts/link-options.ts'
import { makeEdgeLink, makeRequest, UNKNOWN_PLACE } from '../support/decision-facts.ts'

const NOW = 1_795_000_000_000
const iso = (afterMs: number) => new Date(NOW + afterMs).toISOString()
const os = (name: string) => ({ device: 'mobile', browser: 'Safari', os: name }) as const
const inGermany = { ...UNKNOWN_PLACE, country: 'DE', continent: 'EU' }

type Part = { facts?: Partial<LinkFacts>; options?: LinkOptions; request?: Partial<Request> }

/** Everything that decides, in the order of the contract, with the answer when it does. */
const ORDER: Record<string, Part & { answer: string }> = {
  blocked: { facts: { status: 'blocked' }, answer: '451 blocked' },
  startsAt: { options: { startsAt: iso(1) }, answer: '404 pending' },
  expiresAt: { facts: { expiresAtMs: NOW }, answer: '410 expired' },
  maxClicks: {
    options: { maxClicks: 5 },
    request: { isExhausted: true },
    answer: '410 exhausted',
  },
  password: { facts: { passwordHash: '$argon2id$' }, answer: '401 password' },
  card: {
    options: { card: { title: 'T', description: null, image: null } },
    request: { kind: 'preview' },
    answer: '200 card',
  },
  rule: {
    options: { rules: [rule('rul_1', { country: ['DE'] })] },
    request: { place: inGermany },
    answer: '302 https://e.com/rul_1',
  },
  ios: {
    options: { iosDeepLink: 'https://e.com/ios' },
    request: { device: os('iOS') },
    answer: '302 https://e.com/ios',
  },
  android: {
    options: { androidDeepLink: 'shop://android' },
    request: { device: os('Android') },
    answer: '200 interstitial',
  },
  variants: {
    options: {
      variants: [
        { id: 'var_1', name: 'A', destinationUrl: 'https://e.com/variant', weight: 50 },
        { id: 'var_2', name: 'B', destinationUrl: 'https://e.com/variant', weight: 50 },
      ],
    },
    answer: '302 https://e.com/variant',
  },
  destination: { answer: '302 https://e.com/' },
}

function rule(id: string, conditions: NonNullable<LinkOptions['rules']>[number]['conditions']) {
  return { id, name: id, enabled: true, conditions, destinationUrl: `https://e.com/${id}` }
}

function decideParts(...parts: Part[]): Decision {
  const options = Object.assign({}, ...parts.map((part) => part.options))
  const facts = Object.assign({}, ...parts.map((part) => part.facts))
  const link = makeEdgeLink({
    destination: 'https://e.com/',
    options: Object.keys(options).length === 0 ? null : options,
    ...facts,
  })
  const request = makeRequest(Object.assign({}, ...parts.map((part) => part.request)))
  return decide(link, request, NOW)
}

function show(decision: Decision): string {
  if (decision.kind === 'page') return `${decision.status} ${decision.page}`
  if (decision.kind === 'redirect' || decision.kind === 'away')
    return `${decision.status} ${decision.location}`
  return `${decision.status} ${decision.kind}`
}

test('of each pair of options the earlier one decides', () => {
  const names = Object.keys(ORDER)
  for (const [i, name] of names.entries()) {
    const earlier = ORDER[name]!
    assert.equal(show(decideParts(earlier)), earlier.answer, name)
    for (const other of names.slice(i + 1)) {
      // A visitor has one system.
      if (name === 'ios' && other === 'android') continue
      assert.equal(show(decideParts(ORDER[other]!, earlier)), earlier.answer, `${name} ${other}`)
    }
  }
})

test('an option that does not decide leaves the answer to the next one', () => {
  const passive: Record<string, Part> = {
    startsAt: { options: { startsAt: iso(0) } },
    expiresAt: { facts: { expiresAtMs: NOW + 1 } },
    expiredUrl: { options: { expiredUrl: 'https://e.com/expired' } },
    maxClicks: { options: { maxClicks: 1 } },
    password: { facts: { passwordHash: '$argon2id$' }, request: { isUnlocked: () => true } },
    card: { options: { card: { title: 'T', description: null, image: null } } },
    rule: { options: { rules: [rule('rul_1', { country: ['FR'] })] } },
    disabled: {
      options: { rules: [{ ...rule('rul_1', { continent: ['EU'] }), enabled: false }] },
      request: { place: inGermany },
    },
    ios: { options: { iosDeepLink: 'https://e.com/ios' } },
    android: { options: { androidDeepLink: 'shop://android' } },
    variantsUntil: { options: { ...ORDER['variants']!.options, variantsUntil: iso(0) } },
    forwardQuery: { options: { forwardQuery: false } },
    noindex: { options: { noindex: true } },
  }
  for (const [name, part] of Object.entries(passive))
    assert.equal(show(decideParts(part)), '302 https://e.com/', name)
})

test('an ended link sends its visitors to expiredUrl with 302, as it is', () => {
  const expiredUrl = 'https://e.com/over?a=1#b'
  const over: Part = { options: { expiredUrl }, request: { query: 'a=2' } }
  const utm: Part = { facts: { utm: ['mail', '', '', '', ''], redirectType: 301 } }
  for (const name of ['expiresAt', 'maxClicks'])
    assert.equal(show(decideParts(ORDER[name]!, over, utm)), `302 ${expiredUrl}`)
})

test('only answers after the step of maxClicks need of its quota', () => {
  const link = makeEdgeLink({
    expiresAtMs: NOW + 1_000,
    passwordHash: '$argon2id$',
    options: { maxClicks: 2, startsAt: iso(0), ...ORDER['card']!.options },
  })
  const unlocked = { isUnlocked: () => true }
  const need = (over: Partial<Request>, atMs = NOW) =>
    quotaOf(link, decide(link, makeRequest(over), atMs))
  assert.equal(need({}), 'left')
  assert.equal(need(unlocked), 'one')
  assert.equal(need({ ...unlocked, kind: 'preview' }), 'left')
  assert.equal(need({}, NOW - 1), 'none')
  assert.equal(need({}, NOW + 1_000), 'none')
  assert.equal(need({ isExhausted: true }), 'none')
  const plain = makeEdgeLink()
  assert.equal(quotaOf(plain, decide(plain, makeRequest(), NOW)), 'none')
})

test('a plus sign shows the destination of links that redirect without a password or a count', () => {
  const shown = (part: Part) => {
    const inspection = inspect(makeEdgeLink({ ...part.facts, options: part.options ?? null }), NOW)
    return inspection.kind === 'page' ? inspection.status : inspection.destination
  }
  assert.equal(shown({ facts: { destination: 'https://e.com/a' } }), 'https://e.com/a')
  assert.equal(shown({ facts: { utm: ['x', '', '', '', ''] } }), 'https://example.com?utm_source=x')
  assert.equal(shown({ facts: { status: 'archived' } }), 'https://example.com')
  for (const status of ['blocked', 'paused', 'suspended'] as const)
    assert.equal(shown({ facts: { status } }), 404)
  for (const name of ['startsAt', 'expiresAt', 'maxClicks', 'password'])
    assert.equal(shown(ORDER[name]!), 404, name)
  for (const name of ['card', 'rule', 'ios', 'android', 'variants'])
    assert.equal(shown(ORDER[name]!), 'https://example.com', name)
  assert.equal(inspect(null, NOW).kind, 'page')
})

test('a permanent redirect is cached only if every visitor gets it at any time', () => {
  const cacheControl = (part: Part) => {
    const decision = decideParts({ facts: { redirectType: 308 } }, part)
    assert.equal(decision.kind, 'redirect')
    return decision.kind === 'redirect' ? decision.cacheControl : ''
  }
  for (const options of [{ forwardQuery: false }, { noindex: true }] as const)
    assert.equal(cacheControl({ options }), 'private, max-age=90')
  for (const name of ['card', 'rule', 'ios', 'android', 'variants', 'maxClicks'])
    assert.equal(cacheControl({ options: ORDER[name]!.options! }), 'private, no-store', name)
  for (const part of [
    { options: { startsAt: iso(-1) } },
    { options: { expiredUrl: 'https://e.com' } },
    { facts: { passwordHash: '$argon2id$' }, request: { isUnlocked: () => true } },
  ])
    assert.equal(cacheControl(part), 'private, no-store')
})

test('each condition of a rule compares the label of the visitor, and unknown matches none', () => {
  const visitor: Partial<Request> = {
    place: { country: 'US', region: 'US-CA', city: 'Los Angeles', continent: 'NA' },
    device: { device: 'desktop', browser: 'Firefox', os: 'Linux' },
    language: 'de',
    query: 'a=1&a=2&b=%C3%BC&qr=1',
  }
  const holds = (conditions: Parameters<typeof rule>[1], request = visitor) =>
    show(decideParts({ options: { rules: [rule('r', conditions)] }, request })).includes('/r')
  for (const conditions of [
    { country: ['DE', 'US'] },
    { region: ['US-CA'] },
    { continent: ['NA'] },
    { device: ['desktop'] },
    { os: ['Linux'] },
    { browser: ['Firefox'] },
    { language: ['de'] },
    { query: { a: '2', b: 'ü' } },
    { query: { a: null, qr: '1' } },
    { from: iso(0) },
    { to: iso(1) },
    { country: ['US'], os: ['Linux'], from: iso(-1), to: iso(1), query: { b: null } },
  ])
    assert.ok(holds(conditions), JSON.stringify(conditions))
  for (const conditions of [
    { country: ['DE'] },
    { country: ['US'], language: ['en'] },
    { query: { a: '3' } },
    { query: { a: '1', c: null } },
    { query: { __proto__x: null } },
    { from: iso(1) },
    { to: iso(0) },
  ])
    assert.ok(!holds(conditions), JSON.stringify(conditions))
  for (const name of ['country', 'region', 'continent', 'os', 'browser', 'language'])
    assert.ok(!holds({ [name]: ['unknown'] }, {}), name)
})

test('the first enabled rule that matches wins', () => {
  const rules = [
    { ...rule('rul_0', { country: ['DE'] }), enabled: false },
    rule('rul_1', { country: ['FR'] }),
    rule('rul_2', { continent: ['EU'] }),
    rule('rul_3', { country: ['DE'] }),
  ]
  const decision = decideParts({ options: { rules }, request: { place: inGermany } })
  assert.equal(show(decision), '302 https://e.com/rul_2')
  assert.equal(decision.kind === 'redirect' && decision.candidate?.route, 'rule:rul_2')
})

test('variants are drawn by their weights, and a visitor gets the same one again', () => {
  const variants = [10, 60, 30].map((weight, i) => ({
    id: `var_${i}`,
    name: `${i}`,
    destinationUrl: `https://e.com/${i}`,
    weight,
  }))
  const link = makeEdgeLink({ options: { variants } })
  const draw = (i: number) => {
    const address = `2001:db8::${(i * 7919).toString(16)}`
    const decision = decide(link, makeRequest({ address, userAgent: `Agent/${i % 7}` }), NOW)
    return decision.kind === 'redirect' ? decision.candidate!.route : ''
  }
  const counts = new Map<string, number>()
  for (let i = 0; i < 20_000; i++) {
    const route = draw(i)
    counts.set(route, (counts.get(route) ?? 0) + 1)
    if (i % 100 === 0) assert.equal(draw(i), route)
  }
  for (const { id, weight } of variants)
    assert.ok(Math.abs(counts.get(`variant:${id}`)! / 200 - weight) < 2, `${id} ${weight}`)
})

test('an app link gets a page with the destination for visitors without the app', () => {
  const decision = decideParts(
    { options: { iosDeepLink: 'shop://item/1?a=1' }, request: { device: os('iOS'), query: 'a=2' } },
    { facts: { utm: ['mail', '', '', '', ''] } },
  )
  assert.partialDeepStrictEqual(decision, {
    kind: 'interstitial',
    location: 'shop://item/1?a=1',
    fallback: 'https://e.com/?utm_source=mail&a=2',
    utm: ['mail', '', '', '', ''],
  })
})

test('a link to Google Play carries the short URL as its referrer, unless it has one', () => {
  const location = (androidDeepLink: string, query = '') =>
    show(decideParts({ options: { androidDeepLink }, request: { device: os('Android'), query } }))
  const referrer = 'referrer=deepLink%3Dhttps%3A%2F%2Fs.example%2Fdocs'
  const store = 'https://play.google.com/store/apps/details'
  assert.equal(location(`${store}?id=a.b#c`), `302 ${store}?id=a.b&${referrer}#c`)
  assert.equal(location(store, 'x=1'), `302 ${store}?${referrer}&x=1`)
  assert.equal(location(`${store}?referrer=mine`), `302 ${store}?referrer=mine`)
  for (const other of ['https://play.google.com.evil.com/store/', 'https://e.com/store/'])
    assert.equal(location(other), `302 ${other}`)
})

test('a query that is not forwarded still tells the trigger', () => {
  const decision = decideParts({ options: { forwardQuery: false }, request: { query: 'a=1&qr=1' } })
  assert.partialDeepStrictEqual(decision, { location: 'https://e.com/', trigger: 'qr' })
})
