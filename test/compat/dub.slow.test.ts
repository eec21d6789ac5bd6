import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Dub } from 'dub'
import { eventually, openWorld, type Member, type World } from '../support/world.ts'

async function open(t: TestContext) {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  const connect = (token: string) => new Dub({ token, serverURL: `${world.origin}/compat/dub` })
  const dub = connect(owner.apiKey)
  return { world, owner, dub, connect, host: new URL(world.origin).host }
}

/** The class, status and code of what a call is refused with. */
async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => assert.fail('it was answered'),
    (refused: unknown) => refused as Error & { statusCode: number; error?: { code: string } },
  )
  return [error.constructor.name, error.statusCode, error.error?.code]
}

/** A key of the owner's with these scopes. */
async function keyWith(world: World, owner: Member, ...scopes: string[]): Promise<string> {
  const session = await world.session(owner)
  return (await session.post('/api-keys', { name: 'Key', scopes })).body.data.key
}

test('links: made, read, changed, counted and deleted, one by one', async (t) => {
  const { dub, host } = await open(t)
  const made = await dub.links.create({
    url: 'https://example.com/spring',
    key: 'spring',
    externalId: 'order-1',
    tagNames: ['sale', 'mail'],
    comments: 'For the newsletter',
    tenantId: 'tenant-7',
    title: 'Spring',
    description: 'Half price',
    image: 'https://example.com/spring.png',
    proxy: true,
    ios: 'https://example.com/ios',
    geo: {
      DE: 'https://example.com/de',
      AT: 'https://example.com/de',
      FR: 'https://example.com/fr',
    },
    expiresAt: '2099-01-01T00:00:00.000Z',
    expiredUrl: 'https://example.com/over',
    password: 'quiet harbour',
    trackConversion: true,
    utmSource: 'news',
    testVariants: [
      { url: 'https://example.com/a', percentage: 40 },
      { url: 'https://example.com/b', percentage: 60 },
    ],
    testStartedAt: '2026-01-01T00:00:00.000Z',
    testCompletedAt: '2098-01-01T00:00:00.000Z',
  })
  const { id, createdAt, updatedAt, userId, workspaceId, projectId, qrCode, ...shown } = made
  assert.match(id, /^lnk_/)
  assert.match(userId!, /^usr_/)
  assert.equal(workspaceId, projectId)
  assert.equal(updatedAt, createdAt)
  const shortLink = `http://${host}/spring`
  assert.match(qrCode, /\/compat\/dub\/qr\?url=/)
  assert.deepEqual(shown, {
    domain: host,
    key: 'spring',
    shortLink,
    url: 'https://example.com/spring',
    externalId: 'order-1',
    tenantId: 'tenant-7',
    comments: 'For the newsletter',
    title: 'Spring',
    description: 'Half price',
    image: 'https://example.com/spring.png',
    proxy: true,
    video: null,
    ios: 'https://example.com/ios',
    android: null,
    geo: {
      DE: 'https://example.com/de',
      AT: 'https://example.com/de',
      FR: 'https://example.com/fr',
    },
    expiresAt: '2099-01-01T00:00:00.000Z',
    expiredUrl: 'https://example.com/over',
    password: '********',
    trackConversion: true,
    utmSource: 'news',
    utmMedium: null,
    utmCampaign: null,
    utmTerm: null,
    utmContent: null,
    testVariants: [
      { url: 'https://example.com/a', percentage: 40 },
      { url: 'https://example.com/b', percentage: 60 },
    ],
    testStartedAt: null,
    testCompletedAt: '2098-01-01T00:00:00.000Z',
    tags: ['sale', 'mail'].map((name) => ({ id: name, name, color: 'gray' })),
    tagId: 'sale',
    folderId: null,
    programId: null,
    partnerId: null,
    archived: false,
    disabledAt: null,
    rewrite: false,
    doIndex: true,
    publicStats: false,
    webhookIds: [],
    clicks: 0,
    leads: 0,
    conversions: 0,
    sales: 0,
    saleAmount: 0,
    lastClicked: null,
  })

  for (const named of [{ linkId: id }, { linkId: 'ext_order-1' }, { externalId: 'ext_order-1' }])
    assert.equal((await dub.links.get(named)).id, id)
  assert.equal((await dub.links.get({ domain: host, key: 'spring' })).id, id)

  const changed = await dub.links.update('ext_order-1', {
    comments: null,
    title: 'Summer',
    geo: { FR: 'https://example.com/fr2' },
    archived: true,
    doIndex: false,
    key: 'summer',
    tagIds: 'sale',
  })
  assert.deepEqual(
    [changed.id, changed.key, changed.title, changed.description, changed.comments],
    [id, 'summer', 'Summer', 'Half price', null],
  )
  assert.deepEqual(
    [changed.archived, changed.doIndex, changed.tenantId, changed.geo, changed.tags!.length],
    [true, false, 'tenant-7', { FR: 'https://example.com/fr2' }, 1],
  )
  const shownAgain = await dub.links.update(id, {
    archived: false,
    proxy: false,
    geo: null,
    testVariants: null,
  })
  assert.deepEqual(
    [shownAgain.archived, shownAgain.proxy, shownAgain.geo, shownAgain.testVariants],
    [false, false, null, null],
  )

  const bare = await dub.links.create({ url: 'https://example.com/bare' })
  assert.match(bare.key, /^[2-9a-z]{7}$/)
  assert.equal(bare.title, 'https://example.com/bare')
  const upserted = await dub.links.upsert({ url: 'https://example.com/bare', tagNames: 'mail' })
  assert.equal(upserted.id, bare.id)
  assert.notEqual((await dub.links.upsert({ url: 'https://example.com/new' })).id, bare.id)

  const { result } = await dub.links.list({ tagNames: ['mail'] })
  assert.deepEqual(
    result.map((link) => link.id),
    [bare.id],
  )
  const pages: string[] = []
  for await (const page of await dub.links.list({ page: 1, pageSize: 2 }))
    pages.push(...page.result.map((link) => link.id))
  assert.equal(new Set(pages).size, 3)
  assert.equal(await dub.links.count(), 3)
  assert.equal(await dub.links.count({ search: 'bare' }), 1)

  assert.deepEqual(await dub.links.delete('ext_order-1'), { id })
  assert.equal(await dub.links.count(), 2)
})

test('links in bulk: each fails alone, and the answers are links', async (t) => {
  const { dub } = await open(t)
  const made = await dub.links.createMany([
    { url: 'https://example.com/1', key: 'one', externalId: 'own-1' },
    { url: 'javascript:alert(1)', key: 'two' },
    { url: 'https://example.com/3', key: 'one' },
    { url: 'https://example.com/4' },
  ])
  const outcomes = made.map((row) => ('code' in row ? row.code : row.url))
  assert.deepEqual(outcomes, [
    'https://example.com/1',
    'unprocessable_entity',
    'conflict',
    'https://example.com/4',
  ])
  const ids = made.flatMap((row) => ('id' in row ? [row.id] : []))
  const changed = await dub.links.updateMany({
    linkIds: ids,
    data: { archived: true, utmTerm: 'x' },
  })
  assert.deepEqual(
    changed.map((link) => [link.id, link.archived, link.utmTerm]),
    ids.map((id) => [id, true, 'x']),
  )
  const own = await dub.links.updateMany({
    externalIds: ['own-1'],
    data: { url: 'https://example.com/5' },
  })
  assert.deepEqual(
    own.map(({ id, url }) => [id, url]),
    [[ids[0], 'https://example.com/5']],
  )
  assert.deepEqual(await refusalOf(dub.links.updateMany({ linkIds: ['lnk_0'], data: {} })), [
    'NotFound',
    404,
    'not_found',
  ])
  assert.deepEqual(await dub.links.deleteMany({ linkIds: ['ext_own-1', ids[1]!] }), {
    deletedCount: 2,
  })
  const many = Array.from({ length: 101 }, (_, i) => ({ url: `https://example.com/${i}` }))
  assert.deepEqual(await refusalOf(dub.links.createMany(many)), [
    'UnprocessableEntity',
    422,
    'unprocessable_entity',
  ])
  assert.equal((await dub.links.createMany(many.slice(1))).length, 100)
})

test('tags, folders and domains', async (t) => {
  const { dub } = await open(t)
  assert.deepEqual(await dub.tags.create({ name: 'spring sale', color: 'red' }), {
    id: 'spring sale',
    name: 'spring sale',
    color: 'gray',
  })
  await dub.links.create({ url: 'https://example.com/', tagNames: 'spring sale' })
  assert.deepEqual(await refusalOf(dub.tags.create({ name: 'spring sale' })), [
    'Conflict',
    409,
    'conflict',
  ])
  assert.equal((await dub.tags.update('spring sale', { name: 'früh/jahr' })).name, 'früh/jahr')
  assert.deepEqual(
    (await dub.tags.list()).map(({ name }) => name),
    ['früh/jahr'],
  )
  assert.deepEqual(await dub.tags.delete('früh/jahr'), { id: 'früh/jahr' })
  assert.deepEqual(await dub.tags.list({ search: 'f' }), [])

  const folder = await dub.folders.create({ name: 'Spring' })
  assert.match(folder.id, /^fld_/)
  await dub.links.create({ url: 'https://example.com/', folderId: folder.id })
  assert.equal(await dub.links.count({ folderId: folder.id }), 1)
  assert.equal((await dub.folders.update(folder.id, { name: 'Summer' })).name, 'Summer')
  assert.deepEqual(
    (await dub.folders.list({ search: 'summ' })).map(({ id }) => id),
    [folder.id],
  )
  assert.deepEqual(await dub.folders.delete(folder.id), { id: folder.id })

  const domain = await dub.domains.create({
    slug: 'go.example.com',
    notFoundUrl: 'https://example.com/404',
    appleAppSiteAssociation: '{"applinks":{"details":[]}}',
  })
  assert.deepEqual([domain.slug, domain.verified, domain.primary], ['go.example.com', false, false])
  assert.equal(domain.appleAppSiteAssociation, '{"applinks":{"details":[]}}')
  const updated = await dub.domains.update('go.example.com', {
    expiredUrl: 'https://example.com/over',
  })
  assert.equal(updated.expiredUrl, 'https://example.com/over')
  const { result } = await dub.domains.list()
  assert.deepEqual(
    result.map(({ id }) => id),
    [domain.id],
  )
  await dub.links.create({ url: 'https://example.com/', domain: 'go.example.com', key: 'docs' })
  assert.deepEqual(await refusalOf(dub.domains.delete('go.example.com')), [
    'Conflict',
    409,
    'conflict',
  ])
  const link = await dub.links.get({ domain: 'go.example.com', key: 'docs' })
  await dub.links.delete(link.id)
  assert.deepEqual(await dub.domains.delete('go.example.com'), { slug: 'go.example.com' })
})

test('analytics, events and conversions of a click', async (t) => {
  const { dub } = await open(t)
  const link = await dub.links.create({
    url: 'https://example.com/spring?utm_source=news',
    key: 'spring',
    trackConversion: true,
    externalId: 'own-1',
    tagNames: 'sale',
  })
  const visit = await fetch(`${link.shortLink}?qr=1`, {
    redirect: 'manual',
    headers: { referer: 'https://news.example.com/', 'accept-language': 'de' },
  })
  const clickId = new URL(visit.headers.get('location')!).searchParams.get('sp_id')!
  const customer = { customerExternalId: 'customer-7', customerName: 'Ada' }
  const lead = await dub.track.lead({ clickId, eventName: 'Sign up', ...customer })
  assert.deepEqual(
    [lead.click.id.slice(0, 26), lead.customer.externalId, lead.customer.name],
    [clickId.slice(0, 26), 'customer-7', 'Ada'],
  )
  const sale = await dub.track.sale({
    amount: 4900,
    customerExternalId: 'customer-7',
    invoiceId: 'i-1',
  })
  assert.deepEqual(
    [sale.eventName, sale.customer?.id, sale.sale],
    [
      'Purchase',
      'customer-7',
      {
        amount: 4900,
        currency: 'usd',
        paymentProcessor: 'custom',
        invoiceId: 'i-1',
        metadata: null,
      },
    ],
  )

  await eventually(async () => {
    const counted = await dub.analytics.retrieve({ event: 'composite', linkId: link.id })
    assert.deepEqual(counted, { clicks: 1, leads: 1, sales: 1, saleAmount: 4900 })
  }, 20_000)
  const retrieve = (query: Parameters<typeof dub.analytics.retrieve>[0]) =>
    dub.analytics.retrieve(query) as Promise<unknown> as Promise<{ clicks: number }>
  for (const filter of [
    { linkId: link.id },
    { linkId: 'ext_own-1' },
    { externalId: 'ext_own-1' },
    { domain: link.domain, key: 'spring' },
    { domain: link.domain },
    { tagIds: 'sale' },
    { qr: true },
    { url: 'https://example.com/spring?utm_source=news' },
  ])
    assert.equal((await retrieve({ interval: '7d', ...filter })).clicks, 1, JSON.stringify(filter))
  await dub.domains.create({ slug: 'go.example.com' })
  const others = await dub.links.create({ url: 'https://example.com/', key: 'other' })
  for (const filter of [
    { qr: false },
    { linkId: others.id },
    { tagIds: 'mail' },
    { domain: 'go.example.com' },
    { utmCampaign: 'none' },
  ])
    assert.equal((await retrieve(filter)).clicks, 0, JSON.stringify(filter))
  type Row = { clicks: number; id: string; shortLink: string; url: string }
  const rows = async (groupBy: 'countries') =>
    (await retrieve({ groupBy, interval: '30d' })) as unknown as Row[]
  for (const groupBy of [
    ...['countries', 'regions', 'cities', 'devices', 'browsers', 'os', 'trigger', 'triggers'],
    ...['referers', 'top_urls', 'top_links'],
  ])
    assert.equal((await rows(groupBy as 'countries'))[0]?.clicks, 1, groupBy)
  assert.deepEqual(await rows('continents' as 'countries'), [])
  assert.ok((await rows('timeseries' as 'countries')).length >= 30)
  const [top] = await rows('top_links' as 'countries')
  assert.deepEqual([top?.id, top?.shortLink, top?.url], [link.id, link.shortLink, link.url])

  const [event, ...rest] = await dub.events.list({ linkId: link.id, interval: '7d' })
  assert.equal(rest.length, 0)
  assert.ok(event?.event === 'click')
  assert.deepEqual(
    [event.click.qr, event.click.referer, event.link.id, event.link.key],
    [true, 'news.example.com', link.id, 'spring'],
  )
  assert.equal((await refusalOf(dub.events.list({ event: 'sales' })))[1], 422)
  await dub.links.delete(link.id)
  assert.deepEqual(await rows('top_links' as 'countries'), [])
})

test('QR codes and tags of pages', async (t) => {
  const { dub, world, owner } = await open(t)
  const { shortLink } = await dub.links.create({ url: 'https://example.com/', key: 'früh/jahr' })
  const code = await dub.qrCodes.get({ url: shortLink, size: 300, level: 'H', fgColor: '#112233' })
  assert.match(code, /^.PNG/)
  assert.equal((await refusalOf(dub.qrCodes.get({ url: `${world.origin}/other` })))[1], 404)
  const response = await fetch(
    `${world.origin}/compat/dub/metatags?url=${encodeURIComponent('https://unknown.invalid/a')}`,
    { headers: { authorization: `Bearer ${owner.apiKey}` } },
  )
  assert.deepEqual(await response.json(), {
    title: 'unknown.invalid/a',
    description: null,
    image: null,
  })
})

test('every refusal is one that the client knows', async (t) => {
  const { dub, world, owner, connect, host } = await open(t)
  const url = 'https://example.com/'
  await dub.links.create({ url, key: 'taken' })
  const other = await world.member()
  const foreign = await connect(other.apiKey).links.create({ url, key: 'foreign' })
  const reader = connect(await keyWith(world, owner, 'links:read'))
  const invalid = ['UnprocessableEntity', 422, 'unprocessable_entity']
  const forbidden = ['Forbidden', 403, 'forbidden']
  const missing = ['NotFound', 404, 'not_found']
  for (const [call, expected] of [
    [() => connect('sp_wrong').links.list(), ['Unauthorized', 401, 'unauthorized']],
    [() => reader.links.create({ url }), forbidden],
    [() => reader.analytics.retrieve({}), forbidden],
    [() => dub.links.get({ linkId: foreign.id }), forbidden],
    [() => dub.links.update(foreign.id, { url }), forbidden],
    [() => dub.links.delete(foreign.id), forbidden],
    [() => dub.links.deleteMany({ linkIds: [foreign.id] }), forbidden],
    [() => dub.analytics.retrieve({ linkId: foreign.id }), forbidden],
    [() => dub.links.get({ domain: host, key: 'foreign' }), missing],
    [() => dub.links.get({ linkId: 'lnk_unknown' }), missing],
    [() => dub.links.update('..', { url }), missing],
    [() => dub.links.delete('ext_unknown'), missing],
    [() => dub.domains.update('go.example.org', {}), missing],
    [() => dub.links.create({ url, key: 'taken' }), ['Conflict', 409, 'conflict']],
    [() => dub.links.create({ url: 'not a url' }), invalid],
    [() => dub.links.create({ url, rewrite: true }), invalid],
    [() => dub.links.create({ url, webhookIds: ['wh_1'] }), invalid],
    [() => dub.links.list({ tenantId: 'tenant-7' }), invalid],
    [() => dub.links.list({ startingAfter: foreign.id }), invalid],
    [() => dub.analytics.retrieve({ partnerId: 'pn_1' }), invalid],
    [() => dub.domains.register({ domain: 'example.link' }), missing],
    [() => dub.customers.list(), missing],
  ] as const)
    assert.deepEqual(await refusalOf(call()), expected)
  const refused = (await dub.links
    .create({ url: 'ftp://example.com' })
    .catch((error) => error)) as Error
  assert.match(refused.message, /^url must /)

  const keyless = await fetch(`${world.origin}/compat/dub/links`)
  assert.equal(keyless.status, 401)
  const malformed = await fetch(`${world.origin}/compat/dub/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
    body: '{',
  })
  const body = (await malformed.json()) as { error: { code: string; doc_url: string } }
  assert.deepEqual([malformed.status, body.error.code], [400, 'bad_request'])
  assert.match(body.error.doc_url, /#bad-request$/)
})

test('every field that is wrong is named', async (t) => {
  const { world, owner } = await open(t)
  const url = 'https://example.com/'
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${world.origin}/compat/dub/${path}`, {
      method,
      headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    assert.deepEqual([response.status, error.code], [422, 'unprocessable_entity'])
    return error.message
  }
  for (const [fields, message] of [
    [{ url: 5 }, /^url must be text/],
    [{ url, title: {} }, /^title must be text/],
    [{ url, key: 7 }, /^key must be text/],
    [{ url, tagNames: { a: 1 } }, /^tagNames must be text/],
    [{ url, tagIds: [1] }, /^tagIds must be text/],
    [{ url, archived: 'yes' }, /^archived must be true or false/],
    [{ url, proxy: 1 }, /^proxy must be true or false/],
    [{ url, comments: ['a'] }, /^comments must be text/],
    [{ url, trackConversion: 'true' }, /^trackConversion must be true or false/],
    [{ url, geo: [] }, /^geo must be an object/],
    [{ url, geo: { DE: 'javascript:1' } }, /^geo\.0/],
    [{ url, testVariants: 'x' }, /^testVariants must be a list/],
    [{ url, testVariants: [1] }, /^A variant must be an object/],
    [{ url, testStartedAt: '2099-01-01T00:00:00Z' }, /^testStartedAt must not be in the future/],
    [{ url, expiresAt: 'tomorrow' }, /^expiresAt must be a time/],
    [[], /^The body must be an object/],
    [null, /^The body must be an object/],
  ] as const)
    assert.match(await send('POST', 'links', fields), message)
  assert.match(await send('POST', 'links/bulk', {}), /^The body must be a list/)
  assert.match(await send('POST', 'links/bulk', [[]]), /^The body must be an object/)
  assert.match(await send('PATCH', 'links/bulk', { linkIds: [], data: {} }), /^Send 1 to 100/)
  assert.match(await send('PATCH', 'links/bulk', { linkIds: ['a'] }), /^data must be an object/)
  assert.match(await send('DELETE', 'links/bulk'), /^Send 1 to 100/)
  assert.match(await send('POST', 'tags', { name: 'a,b' }), /^name must have 1 to 50/)
  assert.match(
    await send('POST', 'domains', { slug: 'x.example.com', assetLinks: '{' }),
    /^assetLinks must be JSON/,
  )
  for (const query of [
    'page=x',
    'page=-1',
    'page=1e300',
    'pageSize=0',
    'pageSize=101',
    'tenantId=a',
  ])
    assert.match(await send('GET', `links?${query}`), /must|supported|at most/)
  assert.match(await send('GET', 'links/info'), /^Send linkId/)
  assert.match(await send('GET', 'analytics?groupBy=constructor'), /^groupBy must/)
  assert.match(await send('GET', 'qr?url=none'), /^url must/)
})

test('too many requests say when to come again', async (t) => {
  const world = await openWorld(t, { config: { rateLimitApi: 5 } })
  const { apiKey } = await world.member()
  const dub = new Dub({ token: apiKey, serverURL: `${world.origin}/compat/dub` })
  const refusals: unknown[] = []
  for (let i = 0; i < 8; i++)
    await dub.links.count().catch((error: { error: { code: string }; headers: Headers }) => {
      refusals.push(error.error.code)
      assert.ok(Number(error.headers.get('retry-after')) >= 1)
    })
  assert.ok(refusals.length >= 1)
  assert.ok(refusals.every((code) => code === 'rate_limit_exceeded'))
})
