import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkOptions } from '../../src/platform/facts/link-options.ts'
import { openEdgeWorld, type Answer } from '../support/edge-world.ts'
import { makeLink } from '../support/edge-links.ts'

const IPHONE = [
  'User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
]
const ANDROID = [
  'User-Agent: Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
]
const PREVIEWER = ['User-Agent: WhatsApp/2.23.20.0']
const destinationUrl = 'https://example.com/shop?a=1'

const CALLED: Record<string, string> = { '9.9.9.9': 'DE', '8.8.8.8': 'US' }
const locate = (ip: string) => {
  const country = CALLED[ip] ?? 'unknown'
  return { country, region: 'unknown', city: 'unknown', continent: 'unknown' }
}

async function openWorld(t: Parameters<typeof openEdgeWorld>[0], edge = {}) {
  const world = await openEdgeWorld(t, { edge })
  return {
    ...world,
    make: (options: LinkOptions, over = {}) =>
      makeLink(world.sql, { destinationUrl, options, ...over }),
  }
}

/** The answers to GET and HEAD agree, and only those to GET are clicks. */
async function askBoth(
  { ask }: Pick<Awaited<ReturnType<typeof openWorld>>, 'ask'>,
  target: string,
  headers: string[],
): Promise<Answer> {
  const [get, head] = [await ask(target, headers), await ask(target, headers, 'HEAD')]
  const kept = (answer: Answer) =>
    [...answer.headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
  assert.equal(head.status, get.status)
  assert.deepEqual(kept(head), kept(get))
  assert.equal(head.body, '')
  return get
}

test('an app link is offered on a page, which is a click to the app', async (t) => {
  const world = await openWorld(t)
  const iosDeepLink = `shop://item/1?q="><script>`
  const { slug } = await world.make({ iosDeepLink }, { utmSource: 'mail', redirectType: 301 })
  const page = await askBoth(world, `/${slug}?b=2`, IPHONE)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('cache-control'), 'private, no-store')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  assert.match(
    page.headers.get('content-security-policy')!,
    /sandbox allow-top-navigation-to-custom-protocols;/,
  )
  assert.ok(page.body.includes('href="shop://item/1?q=&quot;&gt;&lt;script&gt;"'), page.body)
  assert.ok(
    page.body.includes('href="https://example.com/shop?a=1&amp;utm_source=mail&amp;b=2"'),
    page.body,
  )
  assert.doesNotMatch(page.body, /<script/)
  const clicks = world.clicks()
  assert.equal(clicks.length, 1)
  assert.equal(clicks[0]!.destination, iosDeepLink)
  assert.equal(clicks[0]!.utm[0], 'mail')
  assert.equal(world.edge.stats().answered, 1)
  const { headers } = await askBoth(world, `/${slug}`, ANDROID)
  assert.equal(headers.get('location'), `${destinationUrl}&utm_source=mail`)
})

test('a link to Google Play carries the short URL of the requested host', async (t) => {
  const world = await openWorld(t)
  const androidDeepLink = 'https://play.google.com/store/apps/details?id=a.b'
  const { slug } = await world.make({ androidDeepLink })
  const { headers } = await askBoth(world, `/${slug}`, ['Host: s.example', ...ANDROID])
  const referrer = encodeURIComponent(`deepLink=http://s.example/${slug}`)
  assert.equal(headers.get('location'), `${androidDeepLink}&referrer=${referrer}`)
  assert.deepEqual(
    world.clicks().map(({ destination }) => destination),
    [androidDeepLink],
  )
})

test('a previewer gets the card without the destination, and is not a click', async (t) => {
  const world = await openWorld(t)
  const card = {
    title: 'Tea & "cake"',
    description: '</title><script>alert(1)</script>',
    image: 'https://example.com/i.png?a=1&b=2',
  }
  const { slug } = await world.make({ card, rules: [] })
  const page = await askBoth(world, `/${slug}?x=1`, PREVIEWER)
  assert.equal(page.status, 200)
  for (const tag of [
    `<meta property="og:url" content="http://localhost/${slug}">`,
    `<link rel="canonical" href="http://localhost/${slug}">`,
    '<meta property="og:title" content="Tea &amp; &quot;cake&quot;">',
    '<meta property="og:image" content="https://example.com/i.png?a=1&amp;b=2">',
    '<meta name="twitter:card" content="summary_large_image">',
  ])
    assert.ok(page.body.includes(tag), tag)
  assert.doesNotMatch(page.body, /<script|example\.com\/shop/)
  assert.equal(page.headers.has('x-robots-tag'), false)
  assert.equal(page.headers.get('cache-control'), 'private, no-store')
  assert.equal(world.clicks().length, 0)

  const bare = await world.make({
    card: { title: null, description: null, image: null },
    noindex: true,
  })
  const plain = await world.ask(`/${bare.slug}`, PREVIEWER)
  assert.equal(plain.headers.get('x-robots-tag'), 'noindex')
  assert.ok(plain.body.includes(`<meta property="og:title" content="localhost/${bare.slug}">`))
  assert.doesNotMatch(plain.body, /description|og:image/)
  assert.equal((await world.ask(`/${slug}`, IPHONE)).status, 302)
})

test('rules use the country of the address, and the click records the chosen destination', async (t) => {
  const world = await openWorld(t, {
    locate,
    clientAddress: (_peer: string, headers: Record<string, string>) => headers['x-ip'] ?? '',
  })
  const rules = [
    {
      id: 'rul_1',
      name: 'Germany',
      enabled: true,
      conditions: { country: ['DE'], language: ['de'] },
      destinationUrl: 'https://example.de/',
    },
  ]
  const { slug } = await world.make({ rules }, { redirectType: 301 })
  const visit = async (ip: string, language: string, query = '') => {
    const { headers } = await world.ask(`/${slug}${query}`, [
      `X-Ip: ${ip}`,
      `Accept-Language: ${language}`,
    ])
    assert.equal(headers.get('cache-control'), 'private, no-store')
    return headers.get('location')
  }
  assert.equal(await visit('9.9.9.9', 'de-AT,en;q=0.5'), 'https://example.de/')
  assert.equal(await visit('9.9.9.9', 'de', '?x=1'), 'https://example.de/?x=1')
  assert.equal(await visit('9.9.9.9', 'en'), destinationUrl)
  assert.equal(await visit('8.8.8.8', 'de'), destinationUrl)
  assert.equal(await visit('127.0.0.1', 'de'), destinationUrl)
  assert.deepEqual(
    world.clicks().map(({ destination }) => destination),
    ['https://example.de/', 'https://example.de/', destinationUrl, destinationUrl, destinationUrl],
  )
})

test('an expired link sends its visitors away without a click', async (t) => {
  const world = await openWorld(t)
  const expiresAt = new Date(world.clock.now)
  const over = { expiresAt, redirectType: 308 }
  const { slug } = await world.make({ expiredUrl: 'https://example.com/over' }, over)
  const answer = await askBoth(world, `/${slug}?a=1`, IPHONE)
  assert.equal(answer.status, 302)
  assert.equal(answer.headers.get('location'), 'https://example.com/over')
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  assert.equal(world.clicks().length, 0)
  assert.equal(world.edge.stats().answered, 0)
})

test('a plus sign shows the destination and is not a click', async (t) => {
  const world = await openWorld(t)
  const destination = `https://example.com/?a="'<script>&b`
  const plain = await makeLink(world.sql, { slug: 'tea', destinationUrl: destination })
  const page = await askBoth(world, `/${plain.slug}+`, [])
  assert.equal(page.status, 200)
  assert.ok(
    page.body.includes('href="https://example.com/?a=&quot;&#39;&lt;script&gt;&amp;b"'),
    page.body,
  )
  assert.doesNotMatch(page.body, /It may lead somewhere else/)
  assert.doesNotMatch(page.body, /alphabets/)
  await makeLink(world.sql, { slug: 'imitated', destinationUrl: 'https://xn--pple-43d.com/' })
  assert.match((await world.ask('/imitated+')).body, /mixes alphabets/)
  assert.equal((await world.ask('/TEA+?x=1')).status, 200)
  const { slug } = await world.make({ iosDeepLink: 'shop://1' })
  assert.match((await world.ask(`/${slug}+`, IPHONE)).body, /It may lead somewhere else/)
  const locked = await makeLink(world.sql, { passwordHash: '$argon2id$v=19$m=1,t=1,p=1$AA$AA' })
  const paused = await makeLink(world.sql, { status: 'paused' })
  for (const target of [`/${locked.slug}+`, `/${paused.slug}+`, '/nowhere+', '/+', '/tea++'])
    assert.equal((await world.ask(target)).status, 404, target)
  assert.equal(world.clicks().length, 0)
})

test('noindex is sent with redirects and pages', async (t) => {
  const world = await openWorld(t)
  const { slug } = await world.make({ noindex: true, iosDeepLink: 'shop://1' })
  for (const agent of [IPHONE, ANDROID])
    assert.equal((await world.ask(`/${slug}`, agent)).headers.get('x-robots-tag'), 'noindex')
  const other = await world.make({ iosDeepLink: 'shop://1' })
  assert.equal((await world.ask(`/${other.slug}`, ANDROID)).headers.has('x-robots-tag'), false)
})
