import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sdk from '@shlinkio/shlink-js-sdk'
import * as contract from '@shlinkio/shlink-js-sdk/api-contract'
import * as fetching from '@shlinkio/shlink-js-sdk/fetch'
import { openStage } from '../support/stage.ts'
import { eventually, openWorld } from '../support/world.ts'

// The declarations of the SDK are for bundlers: TypeScript finds none of its exports.
// eslint-disable-next-line typescript/no-explicit-any
const { ShlinkApiClient, ErrorType, FetchHttpClient } = { ...sdk, ...contract, ...fetching } as any

type ProblemDetailsError = { type: string; status: number } & Record<string, unknown>

/** What the client throws: the problem of the server. */
async function problem(asking: Promise<unknown>): Promise<ProblemDetailsError> {
  return asking.then(
    () => assert.fail('the server refused nothing'),
    (error: unknown) => error as ProblemDetailsError,
  )
}

function openClient(baseUrl: string, apiKey: string) {
  return new ShlinkApiClient(new FetchHttpClient(), { baseUrl, apiKey })
}

test('short URLs: every method of the SDK', async (t) => {
  const world = await openWorld(t)
  const { apiKey } = await world.member()
  const client = openClient(world.origin, apiKey)
  const longUrl = 'https://example.com/docs?a=1'
  const made = await client.createShortUrl({
    longUrl,
    customSlug: 'docs',
    title: 'Docs',
    tags: ['b', 'a'],
    validSince: '2026-01-01T02:00:00+02:00',
    validUntil: '2036-01-01T00:00:00Z',
    maxVisits: 10,
  })
  assert.deepEqual(made, {
    shortCode: 'docs',
    shortUrl: made.shortUrl,
    longUrl,
    dateCreated: made.dateCreated,
    visitsSummary: { total: 0, nonBots: 0, bots: 0 },
    tags: made.tags,
    meta: {
      validSince: '2026-01-01T00:00:00+00:00',
      validUntil: '2036-01-01T00:00:00+00:00',
      maxVisits: 10,
    },
    domain: null,
    title: 'Docs',
    crawlable: true,
    forwardQuery: made.forwardQuery,
    hasRedirectRules: false,
  })
  assert.equal(new URL(made.shortUrl).pathname, '/docs')
  assert.match(made.dateCreated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  assert.deepEqual(await client.getShortUrl({ shortCode: 'docs' }), made)

  const plain = await client.createShortUrl({ longUrl: 'https://example.com/plain' })
  assert.equal(plain.title, null)
  const found = await client.createShortUrl({ longUrl: plain.longUrl, findIfExists: true })
  assert.equal(found.shortCode, plain.shortCode)
  const same = await client.createShortUrl({
    longUrl,
    customSlug: 'docs',
    title: 'Docs',
    tags: ['a', 'b'],
    maxVisits: 10,
    findIfExists: true,
  })
  assert.equal(same.shortCode, 'docs')
  const other = { longUrl, tags: ['c'], findIfExists: true }
  assert.notEqual((await client.createShortUrl(other)).shortCode, 'docs')

  const listed = await client.listShortUrls({
    orderBy: { field: 'shortCode', dir: 'ASC' },
    tags: ['a'],
    searchTerm: 'docs',
    itemsPerPage: 5,
    excludeMaxVisitsReached: true,
    excludePastValidUntil: true,
    domain: 'DEFAULT',
    startDate: '2020-01-01',
    endDate: '2100-01-01T00:00:00+01:00',
  })
  assert.deepEqual(
    listed.data.map(({ shortCode }: { shortCode: string }) => shortCode),
    ['docs'],
  )
  for (const [tagsMode, tags, count] of [
    ['all', ['a', 'b'], 1],
    ['all', ['a', 'c'], 0],
    ['any', ['a', 'c'], 2],
  ] as const)
    assert.equal((await client.listShortUrls({ tags, tagsMode })).data.length, count, tagsMode)
  assert.deepEqual(listed.pagination, {
    currentPage: 1,
    pagesCount: 1,
    itemsPerPage: 5,
    itemsInCurrentPage: 1,
    totalItems: 1,
  })
  const second = await client.listShortUrls({ page: '2', itemsPerPage: 2 })
  assert.deepEqual([second.data.length, second.pagination.pagesCount], [1, 2])

  const edited = await client.updateShortUrl(
    { shortCode: 'docs' },
    {
      longUrl: 'https://example.com/new',
      title: null,
      tags: [],
      validUntil: null,
      crawlable: false,
    },
  )
  assert.deepEqual(
    [edited.longUrl, edited.title, edited.tags, edited.meta.validUntil, edited.crawlable],
    ['https://example.com/new', null, [], null, false],
  )
  assert.equal(edited.meta.maxVisits, 10)
  await client.deleteShortUrl({ shortCode: 'docs' })
  const gone = await problem(client.getShortUrl({ shortCode: 'docs' }))
  assert.deepEqual(gone, {
    type: ErrorType.INVALID_SHORTCODE,
    title: 'Short URL not found',
    detail: 'No URL found with short code "docs"',
    status: 404,
    shortCode: 'docs',
  })
})

type Rule = { priority: number; conditions: { matchValue: string }[] }

test('redirect rules go both ways, and those that Shlink does not have stay', async (t) => {
  const world = await openWorld(t)
  const { apiKey, post, get } = await world.member()
  const link = (
    await post('/links', {
      name: 'Rules',
      destinationUrl: 'https://example.com/',
      slug: 'rules',
      rules: [
        { conditions: { continent: ['EU'] }, destinationUrl: 'https://example.com/eu' },
        { conditions: { country: ['DE', 'AT'] }, destinationUrl: 'https://example.com/de' },
      ],
    })
  ).body.data
  const client = openClient(world.origin, apiKey)
  const shortCode = 'rules'
  const before = await client.getShortUrlRedirectRules({ shortCode })
  assert.deepEqual(
    before.redirectRules.map((rule: Rule) => [rule.priority, rule.conditions[0]!.matchValue]),
    [
      [1, 'DE'],
      [2, 'AT'],
    ],
  )
  const redirectRules = [
    {
      longUrl: 'https://example.com/ios',
      conditions: [
        { type: 'device', matchKey: null, matchValue: 'ios' },
        { type: 'language', matchKey: null, matchValue: 'de' },
        { type: 'query-param', matchKey: 'a', matchValue: '1' },
        { type: 'any-value-query-param', matchKey: 'b', matchValue: null },
        { type: 'valueless-query-param', matchKey: 'c', matchValue: null },
      ],
    },
    {
      longUrl: 'https://example.com/soon',
      conditions: [
        { type: 'device', matchKey: null, matchValue: 'desktop' },
        { type: 'browser', matchKey: null, matchValue: 'firefox' },
        { type: 'geolocation-country-code', matchKey: null, matchValue: 'FR' },
        { type: 'after-date', matchKey: null, matchValue: '2026-01-01T00:00:00+00:00' },
        { type: 'before-date', matchKey: null, matchValue: '2036-01-01T00:00:00+00:00' },
      ],
    },
  ] as const
  const set = await client.setShortUrlRedirectRules(
    { shortCode },
    { redirectRules: redirectRules.map((rule) => ({ ...rule, conditions: [...rule.conditions] })) },
  )
  const sorted = (rules: readonly { longUrl: string; conditions: readonly object[] }[]) =>
    rules.map(({ longUrl, conditions }) => [
      longUrl,
      conditions.map((condition) => JSON.stringify(condition)).toSorted(),
    ])
  assert.equal(set.defaultLongUrl, 'https://example.com/')
  assert.deepEqual(sorted(set.redirectRules), sorted(redirectRules))
  assert.equal((await client.getShortUrl({ shortCode })).hasRedirectRules, true)
  const { rules } = (await get(`/links/${link.id}`)).body.data
  assert.deepEqual(rules[2].conditions, { continent: ['EU'] })

  for (const condition of [
    { type: 'ip-address', matchKey: null, matchValue: '192.0.2.1' },
    { type: 'device', matchKey: null, matchValue: 'toString' },
    { type: 'before-date', matchKey: null, matchValue: 'soon' },
  ] as const) {
    const refused = await problem(
      client.setShortUrlRedirectRules(
        { shortCode },
        { redirectRules: [{ longUrl: 'https://example.com/', conditions: [condition] }] },
      ),
    )
    assert.deepEqual(
      [refused.type, refused['invalidElements']],
      [ErrorType.INVALID_ARGUMENT, ['redirectRules']],
    )
  }
})

test('visits, tags, domains, health and mercure: every method of the SDK', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const { apiKey, post } = await world.member()
  const client = openClient(world.origin, apiKey)
  const { shortUrl, shortCode } = await client.createShortUrl({
    longUrl: 'https://example.com/',
    tags: ['news', 'old'],
  })
  const browser = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
    referer: 'https://news.example/page',
  }
  const crawler = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }
  for (const headers of [browser, crawler]) await fetch(shortUrl, { headers, redirect: 'manual' })
  const visits = await eventually(async () => {
    const list = await client.getShortUrlVisits({ shortCode })
    assert.equal(list.data.length, 2)
    return list
  })
  const human = visits.data.find((visit: { potentialBot: boolean }) => !visit.potentialBot)
  assert.deepEqual(
    [human.referer, human.userAgent, human.visitedUrl, human.redirectUrl],
    ['news.example', 'Firefox Linux', shortUrl, 'https://example.com/'],
  )
  const options = { excludeBots: true, itemsPerPage: 1, startDate: '2026-01-01' }
  for (const [i, list] of [
    await client.getShortUrlVisits({ shortCode }, options),
    await client.getTagVisits('news', { ...options, domain: 'DEFAULT' }),
    await client.getDomainVisits('DEFAULT', options),
    await client.getDomainVisits(new URL(world.origin).host, options),
    await client.getNonOrphanVisits({ excludeBots: true, endDate: '2099-01-01' }),
  ].entries())
    assert.deepEqual([i, list.data.length, list.pagination.totalItems], [i, 1, 1])
  const overview = await client.getVisitsOverview()
  assert.deepEqual(overview.orphanVisits, { total: 0, nonBots: 0, bots: 0 })
  assert.equal(overview.nonOrphanVisits.nonBots, 1)
  assert.deepEqual((await client.getOrphanVisits({ type: 'base_url' })).data, [])
  assert.deepEqual(await client.deleteOrphanVisits(), { deletedVisits: 0 })
  assert.equal((await problem(client.deleteShortUrlVisits({ shortCode }))).status, 501)

  assert.deepEqual((await client.listTags()).data, ['news', 'old'])
  await eventually(async () => {
    const { data } = await client.tagsStats()
    assert.deepEqual(data[0], {
      tag: 'news',
      shortUrlsCount: 1,
      visitsSummary: { total: 1, nonBots: 1, bots: 0 },
    })
  })
  const conflict = await problem(client.editTag({ oldName: 'old', newName: 'news' }))
  assert.deepEqual([conflict.type, conflict.status], [ErrorType.TAG_CONFLICT, 409])
  await client.editTag({ oldName: 'old', newName: 'new' })
  const missing = await problem(client.editTag({ oldName: 'old', newName: 'newer' }))
  assert.deepEqual([missing.type, missing['tag']], [ErrorType.TAG_NOT_FOUND, 'old'])
  await client.deleteTags(['news', 'unknown'])
  assert.deepEqual((await client.listTags()).data, ['new'])

  const hostname = 'go.example.com'
  await post('/domains', { hostname })
  const domains = await client.listDomains()
  assert.deepEqual(
    domains.data.map((each: { domain: string; isDefault: boolean }) => [
      each.domain,
      each.isDefault,
    ]),
    [
      [new URL(world.origin).host, true],
      [hostname, false],
    ],
  )
  const redirects = { baseUrlRedirect: 'https://example.com/', regular404Redirect: null }
  assert.deepEqual(await client.editDomainRedirects({ domain: hostname, ...redirects }), {
    ...redirects,
    invalidShortUrlRedirect: null,
  })
  const branded = await client.createShortUrl({
    longUrl: 'https://example.com/b',
    customSlug: 'b',
    domain: hostname,
  })
  assert.equal(branded.domain, hostname)
  const identifier = { shortCode: 'b', domain: hostname }
  assert.equal((await client.getShortUrl(identifier)).longUrl, 'https://example.com/b')
  const unknown = await problem(client.getDomainVisits('other.example.com'))
  assert.deepEqual([unknown.type, unknown.status], [ErrorType.DOMAIN_NOT_FOUND, 404])

  assert.equal((await client.health()).status, 'pass')
  assert.equal((await fetch(`${world.origin}/rest/health`)).status, 200)
  const mercure = await problem(client.mercureInfo())
  assert.deepEqual([mercure.type, mercure.status], [ErrorType.MERCURE_NOT_CONFIGURED, 501])
})

test('errors have the types that the SDK knows, and a key reaches its own workspace', async (t) => {
  const world = await openWorld(t, { config: { rateLimitApi: 30 } })
  const stage = await openStage(world)
  const stranger = openClient(world.origin, (await world.member()).apiKey)
  const owner = openClient(world.origin, stage.cast.owner.apiKey)
  const shortCode = 'mine'
  await owner.createShortUrl({
    longUrl: 'https://example.com/',
    customSlug: shortCode,
    tags: ['t'],
  })

  const wrong = await problem(openClient(world.origin, 'wrong').listShortUrls())
  assert.deepEqual([wrong.type, wrong.status], [ErrorType.INVALID_API_KEY, 401])
  const none = await fetch(`${world.origin}/rest/v3/short-urls`)
  assert.equal(none.headers.get('content-type'), 'application/problem+json')
  const missing = (await none.json()) as ProblemDetailsError
  assert.deepEqual([missing.type, missing.status], [ErrorType.INVALID_AUTHORIZATION, 401])
  const bearer = { authorization: `Bearer ${stage.cast.owner.apiKey}` }
  assert.equal((await fetch(`${world.origin}/rest/v3/tags`, { headers: bearer })).status, 401)

  const viewer = openClient(world.origin, stage.cast.viewer.apiKey)
  const readOnly = openClient(world.origin, await stage.keyWith('links:read'))
  for (const client of [viewer, readOnly]) {
    const data = { longUrl: 'https://example.com/x' }
    assert.equal((await problem(client.createShortUrl(data))).status, 403)
    assert.equal((await problem(client.deleteShortUrl({ shortCode }))).status, 403)
    assert.equal((await client.getShortUrl({ shortCode })).shortCode, shortCode)
  }
  assert.equal((await problem(readOnly.getShortUrlVisits({ shortCode }))).status, 403)
  assert.equal((await problem(readOnly.getOrphanVisits())).status, 403)

  for (const asking of [
    () => stranger.getShortUrl({ shortCode }),
    () => stranger.updateShortUrl({ shortCode }, { title: 'x' }),
    () => stranger.deleteShortUrl({ shortCode }),
    () => stranger.getShortUrlVisits({ shortCode }),
    () => stranger.getShortUrlRedirectRules({ shortCode }),
    () => stranger.setShortUrlRedirectRules({ shortCode }, { redirectRules: [] }),
  ])
    assert.equal((await problem(asking())).type, ErrorType.INVALID_SHORTCODE)
  assert.deepEqual((await stranger.listTags()).data, [])

  const taken = { longUrl: 'https://example.com/', customSlug: shortCode }
  for (const client of [owner, stranger]) {
    const refused = await problem(client.createShortUrl(taken))
    assert.deepEqual(
      [refused.type, refused.status, refused['customSlug']],
      [ErrorType.INVALID_SLUG, 400, shortCode],
    )
  }
  for (const [data, element] of [
    [{ longUrl: 'javascript:alert(1)' }, 'longUrl'],
    [{ longUrl: 7 }, 'longUrl'],
    [{ longUrl: 'https://example.com/', validSince: 'soon' }, 'validSince'],
    [{ longUrl: 'https://example.com/', maxVisits: 'many' }, 'maxVisits'],
    [{ longUrl: 'https://example.com/', customSlug: 'api/x' }, 'customSlug'],
    [{ longUrl: 'https://example.com/', domain: 'unknown.example.com' }, 'domain'],
  ] as const) {
    const refused = await problem(owner.createShortUrl(data as never))
    assert.deepEqual(
      [refused.type, refused.status, refused['invalidElements']],
      [ErrorType.INVALID_ARGUMENT, 400, [element]],
      JSON.stringify(data),
    )
  }
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { 'x-api-key': stage.cast.admin.apiKey, 'content-type': 'application/json' }
    const response = await fetch(`${world.origin}/rest/v3${path}`, { ...init, headers })
    return (await response.json()) as ProblemDetailsError
  }
  assert.equal((await send('/nothing')).type, ErrorType.NOT_FOUND)
  assert.equal((await send('/tags', { method: 'PATCH', body: '{}' })).type, ErrorType.NOT_FOUND)
  assert.match((await send('/short-urls', { method: 'POST', body: '{' })).type, /malformed/)
  const large = await send('/short-urls', { method: 'POST', body: 'x'.repeat(300 * 1024) })
  assert.equal(large.status, 413)
  for (const query of [
    'page=0',
    'page=x',
    'itemsPerPage=-2',
    'orderBy=longUrl-ASC',
    'excludeTags[]=a',
  ])
    assert.equal((await send(`/short-urls?${query}`)).status, 400, query)
  for (const path of ['..%2Fapi-keys', '%2e%2e', '.'])
    assert.equal((await send(`/short-urls/${path}`)).status, 404, path)

  let limited: ProblemDetailsError | undefined
  for (let i = 0; i < 40 && limited?.status !== 429; i++)
    limited = await problem(stranger.getShortUrl({ shortCode }))
  assert.equal(limited!.status, 429)
})
