import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { test } from 'node:test'
import { createClientAddress } from '../../src/platform/facts/client-address.ts'
import { closePostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { eventually, until } from '../support/eventually.ts'
import { openEdgeWorld } from '../support/edge-world.ts'
import { changeLink, makeLink } from '../support/edge-links.ts'

const BROWSER = [
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
  'Accept: text/html,application/xhtml+xml,*/*;q=0.8',
  'Accept-Language: de,en;q=0.5',
  'Referer: https://news.example.org/today',
]
const JSON_CLIENT = ['Accept: application/json']

test('a visit is redirected byte for byte and recorded with all its fields', async (t) => {
  const { sql, ask, clicks, clock, edge, port } = await openEdgeWorld(t)
  const destinationUrl = `https://example.com/a'b?x=%zz&y#z`
  const link = await makeLink(sql, { slug: 'Docs', destinationUrl })
  const answer = await ask('/DOCS', [...BROWSER, `Host: Short.Example:${port}`])
  assert.equal(answer.status, 302)
  assert.equal(answer.headers.get('location'), destinationUrl)
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  assert.equal(answer.headers.get('content-length'), '0')
  assert.equal(answer.head.match(/^location:/gim)?.length, 1)
  const requestId = answer.headers.get('x-request-id')!
  assert.match(requestId, /^req_[0-9A-Z]{26}$/)
  assert.deepEqual(clicks(), [
    {
      clickId: requestId.slice(4),
      atMs: clock.now,
      workspaceId: 'ws_edge',
      linkId: link.id,
      host: `short.example:${port}`,
      slug: 'Docs',
      destination: destinationUrl,
      utm: ['', '', '', '', ''],
      trigger: 'link',
      ip: '127.0.0.1',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
      referrer: 'https://news.example.org/today',
      language: 'de,en;q=0.5',
      isPrefetch: false,
      ...{ domainId: '', route: 'default', country: '' },
      ...{ isView: false, hasGpc: false, hasDnt: false },
    },
  ])
  assert.equal(edge.stats().answered, 1)
})

test('one slash at the end of a path changes nothing, and the click names the link', async (t) => {
  const { sql, ask, clicks } = await openEdgeWorld(t)
  await makeLink(sql, { slug: 'hello', destinationUrl: 'https://example.com/hello' })
  await makeLink(sql, {
    slug: 'docs/👨\u200d👩\u200d👧',
    destinationUrl: 'https://example.com/family',
  })
  const family = `/docs/${encodeURIComponent('👨\u200d👩\u200d👧')}`
  for (const [path, page] of [
    ['/hello/', 'hello'],
    ['/hello/?a=1', 'hello?a=1'],
    [family, 'family'],
    [`${family}/`, 'family'],
  ]) {
    const answer = await ask(path!)
    assert.equal(answer.status, 302, path)
    assert.equal(answer.headers.get('location'), `https://example.com/${page}`)
  }
  assert.equal((await ask('/hello//')).status, 404)
  assert.deepEqual(
    clicks().map(({ slug }) => slug),
    ['hello', 'hello', 'docs/👨\u200d👩\u200d👧', 'docs/👨\u200d👩\u200d👧'],
  )
})

test('a HEAD gets the same answer and is not a click', async (t) => {
  const { sql, ask, clicks } = await openEdgeWorld(t)
  const link = await makeLink(sql, { redirectType: 301 })
  const get = await ask(`/${link.slug}`)
  const head = await ask(`/${link.slug}`, [], 'HEAD')
  const headers = (answer: typeof get) =>
    [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
  assert.equal(head.status, 301)
  assert.deepEqual(headers(head), headers(get))
  assert.equal(head.body, '')
  assert.equal(clicks().length, 1)
})

test('pages are not clicks, and each has a form for browsers and one for programs', async (t) => {
  const { sql, ask, clicks, clock } = await openEdgeWorld(t)
  const expiresAt = new Date(clock.now)
  const links = {
    missing: '/nowhere',
    paused: `/${(await makeLink(sql, { status: 'paused' })).slug}`,
    expired: `/${(await makeLink(sql, { expiresAt })).slug}`,
    pending: `/${(await makeLink(sql, { options: { startsAt: '2100-01-01T00:00:00.000Z' } })).slug}`,
    exhausted: `/${(await makeLink(sql, { options: { maxClicks: 1 } })).slug}`,
    blocked: `/${(await makeLink(sql, { status: 'blocked' })).slug}`,
  }
  assert.equal((await ask(links.exhausted)).status, 302)
  const pages = {
    missing: [404, 'NOT_FOUND', 'Link not found'],
    // The same page, so that it does not tell that there is a link.
    paused: [404, 'NOT_FOUND', 'Link not found'],
    pending: [404, 'NOT_FOUND', 'This link is not available yet'],
    expired: [410, 'GONE', 'This link has expired'],
    exhausted: [410, 'GONE', 'This link has reached its click limit'],
    blocked: [451, 'BLOCKED', 'This link has been blocked'],
  } as const
  for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
    const [status, code, title] = pages[name]
    const page = await ask(links[name], BROWSER.with(2, 'Accept-Language: en'))
    assert.equal(page.status, status, name)
    assert.match(page.body, new RegExp(`<h1>${title}</h1>`))
    assert.doesNotMatch(page.body, /example\.com/, 'the destination')
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(page.headers.get('content-length'), String(Buffer.byteLength(page.body)))
    assert.match(page.body, /^<!doctype html>/)
    assert.ok(page.body.includes(page.headers.get('x-request-id')!))
    assert.equal(page.headers.has('location'), false)

    const answer = await ask(links[name], JSON_CLIENT)
    assert.equal(answer.status, status)
    const body = JSON.parse(answer.body)
    assert.deepEqual([body.error.code, body.error.message], [code, `${title}.`])
    assert.equal(body.error.requestId, answer.headers.get('x-request-id'))
    assert.equal(body.meta.requestId, body.error.requestId)
    assert.deepEqual(body.error.details, [])

    const head = await ask(links[name], BROWSER, 'HEAD')
    assert.deepEqual([head.status, head.body], [status, ''])
    assert.ok(head.headers.has('x-request-id'))
  }
  clock.now -= 1
  assert.equal((await ask(links.expired)).status, 302, 'one millisecond before it expires')
  assert.equal(clicks().length, 2)
})

test('pages run no script, load nothing and cannot be framed', async (t) => {
  const { ask } = await openEdgeWorld(t)
  const { headers, body } = await ask('/nowhere', [...BROWSER, 'X-Request-Id: 12345678'])
  const policy = headers.get('content-security-policy')!
  for (const rule of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    'sandbox',
  ])
    assert.ok(policy.includes(rule), rule)
  assert.doesNotMatch(policy, /unsafe|allow-/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('x-robots-tag'), 'noindex')
  assert.doesNotMatch(body, /<script|<img|<link|https?:|javascript:|onload/i)
  assert.match(body, /name="viewport"/)
})

test("a client's request id is kept when it is a plain token", async (t) => {
  const { sql, ask } = await openEdgeWorld(t)
  const { slug } = await makeLink(sql)
  const idFor = async (line: string) => (await ask(`/${slug}`, [line])).headers.get('x-request-id')
  assert.equal(await idFor('X-Request-Id: trace-1.2_abc'), 'trace-1.2_abc')
  for (const bad of ['short', 'a'.repeat(129), '<b>12345678', 'a b c d e f'])
    assert.match((await idFor(`X-Request-Id: ${bad}`))!, /^req_/)
})

test('qr, query, prefetch and long headers are recorded', async (t) => {
  const { sql, ask, clicks } = await openEdgeWorld(t)
  const { slug } = await makeLink(sql, { destinationUrl: 'https://e.com/', utmSource: 'mail' })
  const qr = await ask(`/${slug}?qr=1&utm_term=${'t'.repeat(300)}`)
  assert.equal(
    qr.headers.get('location'),
    `https://e.com/?utm_source=mail&utm_term=${'t'.repeat(300)}`,
  )
  await ask(`/${slug}`, ['Sec-Purpose: prefetch;prerender'])
  await ask(`/${slug}`, ['Purpose: prefetch'])
  await ask(`/${slug}`, ['X-Moz: prefetch'])
  await ask(`/${slug}`, [
    `User-Agent: ${'u'.repeat(600)}`,
    `Referer: ${'r'.repeat(2_100)}`,
    `Accept-Language: ${'l'.repeat(200)}`,
  ])
  const [first, ...rest] = clicks()
  assert.equal(first!.trigger, 'qr')
  assert.deepEqual(first!.utm, ['mail', '', '', 't'.repeat(255), ''])
  assert.deepEqual(
    rest.map((click) => [
      click.isPrefetch,
      click.userAgent.length,
      click.referrer.length,
      click.language.length,
    ]),
    [
      [true, 0, 0, 0],
      [true, 0, 0, 0],
      [true, 0, 0, 0],
      [false, 512, 2_048, 128],
    ],
  )
})

test('the client address comes from trusted proxies only', async (t) => {
  const believing = await openEdgeWorld(t, {
    edge: { clientAddress: createClientAddress(['127.0.0.1']) },
  })
  const { slug } = await makeLink(believing.sql)
  await believing.ask(`/${slug}`, ['X-Forwarded-For: 6.6.6.6', 'X-Forwarded-For: 198.51.100.7'])
  assert.equal(believing.clicks()[0]!.ip, '198.51.100.7')
  const strict = await openEdgeWorld(t)
  const other = await makeLink(strict.sql)
  await strict.ask(`/${other.slug}`, ['X-Forwarded-For: 6.6.6.6'])
  assert.equal(strict.clicks()[0]!.ip, '127.0.0.1')
})

test('with known hosts, others are refused before any lookup; loopback stays', async (t) => {
  const { sql, ask, resolver } = await openEdgeWorld(t, {
    origins: ['https://go.example.com', 'http://app.example.com:8080'],
  })
  const { slug } = await makeLink(sql)
  for (const host of ['go.example.com', 'GO.example.com:443', 'go.example.com.', 'app.example.com'])
    assert.equal((await ask(`/${slug}`, [`Host: ${host}`])).status, 302, host)
  for (const host of ['localhost:3000', '127.0.0.1', '127.9.9.9:80', '[::1]:3000'])
    assert.equal((await ask(`/${slug}`, [`Host: ${host}`])).status, 302, host)
  const { queries } = resolver.stats()
  for (const host of [
    'evil.com',
    'go.example.com.evil.com',
    'user@go.example.com',
    'go.example.com#',
    '',
  ])
    assert.equal((await ask('/fresh', [`Host: ${host}`])).status, 404, host)
  assert.equal(resolver.stats().queries, queries)
})

test('hostile requests get a 4xx with a request id, or the link itself', async (t) => {
  const { sql, ask, send } = await openEdgeWorld(t)
  await makeLink(sql, { slug: 'evil.com', destinationUrl: 'https://e.com/' })
  const targets: [string, number][] = [
    ['//evil.com', 404],
    ['//evil.com/%2e%2e', 404],
    ['/\\evil.com', 400],
    ['/%5Cevil.com', 400],
    ['/%2Fevil.com', 400],
    ['/evil.com%00', 400],
    ['/a%00b', 400],
    ['/%E0%A4%A', 400],
    ['/%', 400],
    ['/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/../evil.com', 404],
    ['/evil.com//', 404],
    ['/evil.com;x', 404],
    ['/.well-known/acme-challenge/x', 404],
    ['/wp-login.php', 404],
    ['/__proto__', 404],
    ['/constructor', 404],
    [`/${'a'.repeat(15_000)}`, 404],
    ['/', 404],
    ['http://evil.com/evil.com', 400],
    ['HTTP://localhost/evil.com', 400],
    ['*', 400],
  ]
  for (const [target, status] of targets) {
    const answer = await ask(target, JSON_CLIENT)
    assert.equal(answer.status, status, target)
    assert.match(answer.headers.get('x-request-id')!, /^req_/)
    assert.equal(answer.headers.has('location'), false)
  }
  const many = await ask(`/evil.com?${'a&'.repeat(6_000)}`)
  assert.equal(many.status, 302)
  assert.ok(many.headers.get('location')!.startsWith('https://e.com/?a&a'))
  const smuggled = await ask('/evil.com?url=https://evil.com&redir_url=//evil.com&_method=POST')
  assert.equal(new URL(smuggled.headers.get('location')!).host, 'e.com')

  const raw: [string, RegExp][] = [
    ['GET /evil.com HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', /^HTTP\/1.1 400/],
    ['GET /evil.com HTTP/1.1\r\nConnection: close\r\n\r\n', /^HTTP\/1.1 400/],
    ['GET /evil.com HTTP/1.0\r\n\r\n', /^HTTP\/1.1 302/],
    [`GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, /^HTTP\/1.1 431/],
    [
      'GET /evil.com HTTP/1.1\r\nHost: a\r\nConnection: close\r\nA: b\r\n c: d\r\n\r\n',
      /^HTTP\/1.1 (302|400)/,
    ],
    [
      'POST /evil.com HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n',
      /^HTTP\/1.1 400/,
    ],
    ['GET /evil.com HTTP/1.1\r\nHost: a@b\r\nConnection: close\r\n\r\n', /^HTTP\/1.1 404/],
    ['GET /evil\u0000.com HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1.1 400/],
  ]
  for (const [bytes, expected] of raw) assert.match(await send(bytes), expected, bytes.slice(0, 60))
})

test('other methods than GET and HEAD are refused with the allowed ones', async (t) => {
  const { sql, ask, clicks } = await openEdgeWorld(t)
  const { slug } = await makeLink(sql)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
    const answer = await ask(`/${slug}`, [], method)
    assert.equal(answer.status, 405, method)
    assert.equal(answer.headers.get('allow'), 'GET, HEAD')
  }
  assert.equal(clicks().length, 0)
})

test('the root is answered by the given handler', async (t) => {
  const { ask } = await openEdgeWorld(t, {
    edge: {
      onRoot: (_req, res) => {
        res.writeHead(303, { Location: '/app/', 'Content-Length': '0' })
        res.end()
      },
    },
  })
  assert.equal((await ask('/')).status, 303)
  assert.equal((await ask('/?x=1')).status, 303)
})

test('requests on one connection are answered in order, each with its click before it', async (t) => {
  const { sql, send, clicks, resolver } = await openEdgeWorld(t)
  const links = await Promise.all([makeLink(sql), makeLink(sql), makeLink(sql)])
  for (const link of links) await new Promise((done) => resolver.resolve(link.key, done))
  const wanted = [links[2]!, links[0]!, { slug: 'nowhere' }, links[1]!]
  const lines = wanted.map(({ slug }, i) => {
    const last = i === wanted.length - 1 ? 'Connection: close\r\n' : ''
    return `GET /${slug} HTTP/1.1\r\nHost: a\r\nX-Request-Id: request-${i}\r\n${last}\r\n`
  })
  const text = await send(lines.join(''))
  assert.deepEqual(text.match(/request-\d/g)?.slice(0, 2), ['request-0', 'request-1'])
  assert.deepEqual(
    [...text.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => status),
    ['302', '302', '404', '302'],
  )
  assert.deepEqual(
    clicks().map((click) => click.slug),
    [links[2]!.slug, links[0]!.slug, links[1]!.slug],
  )
})

test('a redirect is answered after its click is written', async (t) => {
  const isAnswered: boolean[] = []
  let bytesOut = () => 0
  const writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
    isAnswered.push(bytesOut() > 0)
    return fs.writeSync(...args)
  }) as typeof fs.writeSync
  const { sql, port } = await openEdgeWorld(t, { journal: { files: { ...fs, writeSync } } })
  const { slug } = await makeLink(sql)
  let received = ''
  bytesOut = () => received.length
  const response = await fetch(`http://127.0.0.1:${port}/${slug}`, { redirect: 'manual' })
  received = String(response.status)
  assert.equal(response.status, 302)
  assert.deepEqual(isAnswered, [false, false])
})

for (const policy of ['serve', 'refuse'] as const) {
  test(`on a full disk, with the policy ${policy}, redirects are ${policy}d and every click is counted`, async (t) => {
    let isFull = true
    const writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      return fs.writeSync(...args)
    }) as typeof fs.writeSync
    const { sql, ask, clicks, edge, journal, registry } = await openEdgeWorld(t, {
      journal: { onFailure: policy, files: { ...fs, writeSync }, retryMs: 1 },
    })
    const { slug } = await makeLink(sql)
    for (let i = 0; i < 5; i++) {
      const answer = await ask(`/${slug}`)
      assert.equal(answer.status, policy === 'serve' ? 302 : 503)
      assert.equal(answer.headers.has('location'), policy === 'serve')
      if (policy === 'refuse') assert.equal(answer.headers.get('retry-after'), '1')
    }
    isFull = false
    await until(() => journal.stats().unsettled === 0, 'every click is settled')
    await eventually(async () => {
      assert.equal((await ask(`/${slug}`)).status, 302)
      assert.notEqual(journal.stats().journaled, 0)
    })
    const { journaled, dropped, refused } = journal.stats()
    const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0)
    assert.equal(edge.stats().answered, journaled + lost)
    assert.equal(clicks().length, journaled)
    assert.equal((policy === 'serve' ? dropped : refused).disk_full >= 5, true)
    const metrics = await registry.metrics()
    assert.match(metrics, new RegExp(`signpost_redirects_answered_total ${journaled + lost}\\n`))
    assert.match(metrics, new RegExp(`signpost_clicks_journaled_total ${journaled}\\n`))
    assert.match(metrics, new RegExp(`dropped_total{reason="disk_full"} ${dropped.disk_full}\\n`))
  })
}

test('a change shows on the next visit within a second', async (t) => {
  const { sql, ask, resolver } = await openEdgeWorld(t)
  const link = await makeLink(sql)
  assert.equal((await ask(`/${link.slug}`)).status, 302)
  await changeLink(sql, link, { status: 'paused' })
  await until(() => resolver.peek(link.key) === undefined, 'the change is received')
  assert.equal((await ask(`/${link.slug}`)).status, 404)
})

test('without a database an unknown slug is 503 with Retry-After, never 404', async (t) => {
  const world = await openEdgeWorld(t, { budgetMs: 200 })
  const { slug } = await makeLink(world.sql)
  // Repeated, because the budget may be too short for the first query.
  await eventually(async () => assert.equal((await world.ask(`/${slug}`)).status, 302))
  await world.sql`alter table links rename to hidden`
  const answer = await world.ask('/unknown', JSON_CLIENT)
  assert.equal(answer.status, 503)
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.equal(JSON.parse(answer.body).error.code, 'UNAVAILABLE')
  assert.equal((await world.ask(`/${slug}`)).status, 302)
  await closePostgres(world.sql)
})
