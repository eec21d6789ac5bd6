import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test, type TestContext } from 'node:test'
import { announceDomain } from '../../src/links/link/addresses.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import { addDomain } from '../support/fixtures.ts'
import { eventually, openWorld, type Member, type World } from '../support/world.ts'

const DESTINATION = 'https://example.com/'

type NewDomain = Omit<Parameters<typeof addDomain>[1], 'workspaceId'>

async function openDomains(t: TestContext) {
  const world = await openWorld(t)
  const owner = await world.member()
  const addTo = ({ workspaceId }: Member, given: NewDomain) =>
    addDomain(world.sql, { ...given, workspaceId })
  const add = (hostname: string, given: Partial<NewDomain> = {}) =>
    addTo(owner, { hostname, ...given })
  const create = async (fields: object) => {
    const { status, body } = await owner.post('/links', {
      name: 'A link',
      destinationUrl: DESTINATION,
      ...fields,
    })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }
  return { ...world, owner, add, addTo, create, shared: new URL(world.origin).host }
}

function firstDetail(body: { error: { details: { path: string; code: string }[] } }) {
  const { path, code } = body.error.details[0]!
  return [path, code]
}

async function addressesOf({ sql }: Pick<World, 'sql'>, linkId: string) {
  const rows = await sql<{ domainId: string; slugKey: string }[]>`
    select domain_id, slug_key from link_addresses where link_id = ${linkId} order by slug_key`
  return rows.map(({ domainId, slugKey }) => `${domainId}/${slugKey}`)
}

test('a link is on the domain that its request names, by id or host', async (t) => {
  const { add, create, shared } = await openDomains(t)
  const id = await add('go.example.com')
  for (const named of [
    { domainId: id },
    { domain: ' GO.example.com ' },
    { domainId: id, domain: 'go.example.com' },
  ]) {
    const link = await create({ ...named, slug: null })
    assert.equal(link.domainId, id)
    assert.equal(link.domain, 'go.example.com')
    assert.equal(link.shortUrl, `http://go.example.com/${link.slug}`)
  }
  for (const named of [
    {},
    { domainId: null },
    { domain: shared },
    { domainId: null, domain: shared },
  ]) {
    const link = await create(named)
    assert.deepEqual([link.domainId, link.domain], [null, shared])
  }
})

test('a link without a domain is on the default one of the workspace, also in bulk', async (t) => {
  const { owner, add, sql, create, shared } = await openDomains(t)
  assert.equal((await create({})).domainId, null)
  const id = await add('go.example.com', { isDefault: true })
  assert.equal((await create({})).domainId, id)
  assert.equal((await create({ domainId: null })).domainId, id)
  assert.equal((await create({ domain: shared })).domainId, null)
  const links = [{ name: 'A', destinationUrl: DESTINATION, slug: 'v1' }]
  const bulk = await owner.post('/links/bulk', { links })
  assert.equal(bulk.body.data[0].shortUrl, 'http://go.example.com/v1')
  await sql`update domains set is_default = false where id = ${id}`
  assert.equal((await create({})).domainId, null)
})

test('a domain of another workspace is forbidden, and an unknown one invalid', async (t) => {
  const { owner, member, add, addTo, create } = await openDomains(t)
  const other = await member()
  const foreign = await addTo(other, { hostname: 'go.example.org' })
  const own = await add('go.example.com')
  const link = await create({})
  const body = { name: 'A', destinationUrl: DESTINATION }
  const unknown = 'dom_01ARZ3NDEKTSV4RRFFQ69G5FAV'
  for (const call of [
    (fields: object) => owner.post('/links', { ...body, ...fields }),
    (fields: object) => owner.patch(`/links/${link.id}`, fields),
    (fields: object) => owner.send('PUT', '/links/upsert', { ...body, ...fields }),
    (fields: object) => owner.post('/links/explain', { ...body, ...fields }),
  ]) {
    const refused = await call({ domainId: foreign })
    assert.deepEqual([refused.status, ...firstDetail(refused.body)], [403, 'domainId', 'foreign'])
    const missing = await call({ domainId: unknown })
    assert.deepEqual([missing.status, ...firstDetail(missing.body)], [400, 'domainId', 'unknown'])
    const hidden = await call({ domain: 'go.example.org' })
    assert.deepEqual([hidden.status, ...firstDetail(hidden.body)], [400, 'domain', 'unknown'])
    const different = await call({ domainId: own, domain: 'go.example.org' })
    assert.equal(different.status, 400)
  }
  const bulk = await owner.post('/links/bulk', { links: [{ ...body, domainId: foreign }, body] })
  assert.deepEqual(
    bulk.body.data.map(({ status }: { status: string }) => status),
    ['failed', 'created'],
  )
  assert.equal(bulk.body.data[0].error.details[0].path, 'links.0.domainId')
  for (const path of ['/links', '/links/count', '/links/export.csv', '/analytics/overview'])
    assert.equal((await owner.get(`${path}?domainId=${foreign}`)).status, 403, path)
  assert.equal((await owner.get(`/links?domainId=${unknown}`)).body.meta.total, 0)
  assert.equal((await owner.get(`/links/check?slug=a&domainId=${foreign}`)).status, 403)
  assert.equal((await owner.get(`/links/check?slug=a&domainId=${unknown}`)).status, 400)
})

test('each domain has its own slugs, and reserves only the names of files', async (t) => {
  const { owner, add, create } = await openDomains(t)
  const first = await add('go.example.com')
  const second = await add('to.example.com', { caseSensitive: true })
  for (const domainId of [null, first, second]) await create({ domainId, slug: 'Docs' })
  await create({ domainId: second, slug: 'docs', aliases: ['DOCS'] })
  for (const domainId of [null, first])
    assert.equal(
      (
        await owner.post('/links', {
          name: 'A',
          destinationUrl: DESTINATION,
          domainId,
          slug: 'docs',
        })
      ).status,
      409,
    )
  await create({ domainId: first, slug: 'v1' })
  const file = { name: 'A', destinationUrl: DESTINATION, domainId: first, slug: 'robots.txt' }
  assert.equal((await owner.post('/links', file)).status, 400)
  const check = async (query: string) => (await owner.get(`/links/check?${query}`)).body.data.reason
  assert.equal(await check('slug=v1'), 'reserved')
  assert.equal(await check(`slug=v1&domainId=${first}`), 'taken')
  assert.equal(await check('slug=auth&domain=go.example.com'), null)
  assert.equal(await check('slug=dOCS&domain=to.example.com'), null)
  assert.equal(await check('slug=DOCS&domain=to.example.com'), 'taken')
})

test('a link moves to another domain with its aliases, and its old addresses are freed', async (t) => {
  const world = await openDomains(t)
  const { owner, add, create, sql } = world
  const id = await add('go.example.com', { caseSensitive: true })
  const link = await create({ slug: 'Sale', aliases: ['Spring'] })
  const moved = await owner.patch(`/links/${link.id}`, { domainId: id })
  assert.equal(moved.status, 200)
  assert.equal(moved.body.data.shortUrl, 'http://go.example.com/Sale')
  assert.deepEqual(moved.body.data.aliases, ['Spring'])
  assert.deepEqual(await addressesOf(world, link.id), [`${id}/Sale`, `${id}/Spring`])
  const freed = await sql`
    select from link_addresses where domain_id = '' and link_id is null and free_at is not null
      and slug_key in ('sale', 'spring')`
  assert.equal(freed.length, 2)
  const back = await owner.patch(`/links/${link.id}`, { domainId: null })
  assert.equal(back.body.data.domainId, null)
  assert.deepEqual(await addressesOf(world, link.id), ['/sale', '/spring'])
  const same = await owner.patch(`/links/${link.id}`, { domainId: null, domain: link.domain })
  assert.equal(same.body.data.updatedAt, back.body.data.updatedAt)
})

test('a link does not move to a host where its slug is taken or reserved', async (t) => {
  const { owner, add, create } = await openDomains(t)
  const id = await add('go.example.com')
  const taken = await create({ slug: 'sale' })
  const link = await create({ slug: 'sale', domainId: id })
  const conflict = await owner.patch(`/links/${link.id}`, { domainId: null })
  assert.deepEqual([conflict.status, ...firstDetail(conflict.body)], [409, 'slug', 'taken'])
  const reserved = await create({ slug: 'v1', domainId: id })
  const refused = await owner.patch(`/links/${reserved.id}`, { domainId: null })
  assert.deepEqual([refused.status, ...firstDetail(refused.body)], [400, 'slug', 'invalid_slug'])
  const renamed = await owner.patch(`/links/${reserved.id}`, { domainId: null, slug: 'v1-docs' })
  assert.equal(renamed.status, 200)
  const ids = [taken.id, link.id]
  const bulk = await owner.patch('/links/bulk', { ids: [link.id], data: { domainId: null } })
  assert.equal(bulk.body.data[0].status, 'failed')
  const both = await owner.patch('/links/bulk', { ids, data: { domainId: id } })
  assert.deepEqual(
    both.body.data.map(({ status }: { status: string }) => status),
    ['failed', 'unchanged'],
  )
})

test('a rollback, an undo and a restored link return to their domains', async (t) => {
  const { owner, add, create, sql } = await openDomains(t)
  const id = await add('go.example.com')
  const link = await create({ slug: 'sale', domainId: id })
  const history = async () => (await owner.get(`/links/${link.id}/history`)).body.data
  await owner.patch(`/links/${link.id}`, { domainId: null })
  const first = (await history()).at(-1)
  const back = await owner.post(`/links/${link.id}/rollback`, { historyId: first.id })
  assert.equal(back.body.data.domainId, id)
  const bulk = await owner.patch('/links/bulk', { ids: [link.id], data: { domainId: null } })
  assert.equal(bulk.body.data[0].shortUrl.endsWith('go.example.com/sale'), false)
  const undone = await owner.post('/links/bulk/undo', { undoId: bulk.body.meta.undoId })
  assert.equal(undone.body.data[0].shortUrl, 'http://go.example.com/sale')
  await owner.delete(`/links/${link.id}`)
  // The rule of the domain changes while the link is deleted.
  await sql`update domains set case_sensitive = true where id = ${id}`
  await create({ slug: 'SALE', domainId: id })
  const restored = await owner.post(`/links/${link.id}/restore`)
  assert.deepEqual([restored.status, restored.body.data.domainId], [200, id])
  await owner.delete(`/links/${link.id}`)
  await sql`delete from link_addresses where domain_id = ${id}`
  await sql`delete from links where domain_id = ${id}`
  await sql`delete from domains where id = ${id}`
  const gone = await owner.post(`/links/${link.id}/restore`)
  assert.deepEqual([gone.status, ...firstDetail(gone.body)], [409, 'domainId', 'gone'])
})

test('an upsert finds a link by the slug of its domain, and moves none without being told', async (t) => {
  const { owner, add, shared: sharedHost } = await openDomains(t)
  const id = await add('go.example.com', { isDefault: true })
  const put = async (fields: object) => {
    const body = { name: 'A', destinationUrl: DESTINATION, slug: 'sale', ...fields }
    const { body: answer } = await owner.send('PUT', '/links/upsert', body)
    return [answer.meta.created, answer.data.domainId, answer.data.id] as const
  }
  const [isCreated, domainId, first] = await put({})
  assert.deepEqual([isCreated, domainId], [true, id])
  assert.deepEqual(await put({ domainId: null, name: 'B' }), [false, id, first])
  const [isOther, shared] = await put({ domain: sharedHost })
  assert.deepEqual([isOther, shared], [true, null])
})

test('filters, counts, exports, searches and codes follow the domain', async (t) => {
  const { owner, add, create, shared } = await openDomains(t)
  const id = await add('go.example.com')
  const link = await create({ slug: 'sale', domainId: id })
  await create({ slug: 'other' })
  for (const query of [`domainId=${id}`, 'domain=GO.example.com']) {
    const { body } = await owner.get(`/links?${query}`)
    assert.deepEqual([body.meta.total, body.data[0].id], [1, link.id])
    assert.equal((await owner.get(`/links/count?${query}`)).body.data.total, 1)
  }
  assert.equal((await owner.get(`/links?domain=${shared}`)).body.data[0].slug, 'other')
  assert.equal((await owner.get('/links?domain=none.example.com')).body.meta.total, 0)
  const groups = (await owner.get('/links/count?groupBy=domainId')).body.data.groups
  assert.equal(groups.find(({ key }: { key: string | null }) => key === id).count, 1)
  for (const term of ['http://go.example.com/sale', 'go.example.com/SALE?x=1', 'sale'])
    assert.equal(
      (await owner.get(`/search?q=${encodeURIComponent(term)}`)).body.data.links[0]?.shortUrl,
      'http://go.example.com/sale',
      term,
    )
  const described = { name: 'A', destinationUrl: DESTINATION, domainId: id }
  assert.equal((await owner.post('/links/explain', described)).body.data.outcome, 'redirect')
})

test('a destination on a served domain of the workspace is refused as a loop', async (t) => {
  const { owner, add, sql, create } = await openDomains(t)
  const id = await add('go.example.com')
  const body = { name: 'A', destinationUrl: 'https://go.example.com/x' }
  const refused = await owner.post('/links', body)
  assert.deepEqual(
    [refused.status, ...firstDetail(refused.body)],
    [400, 'destinationUrl', 'invalid_url'],
  )
  const link = await create({})
  const expiring = await owner.patch(`/links/${link.id}`, { expiredUrl: 'http://GO.example.com./' })
  assert.deepEqual([expiring.status, firstDetail(expiring.body)[0]], [400, 'expiredUrl'])
  await sql`update domains set status = 'pending' where id = ${id}`
  assert.equal((await owner.post('/links', body)).status, 201)
})

test('a link on an unverified domain redirects once the domain is verified', async (t) => {
  const { sql, origin, add, create } = await openDomains(t)
  const id = await add('localhost', { status: 'pending' })
  const link = await create({ domainId: id, slug: 'first' })
  const visit = async () => (await fetch(`${origin}/${link.slug}`, { redirect: 'manual' })).status
  assert.equal(await visit(), 404)
  await inTransaction(sql, async (tx) => {
    await tx`update domains set status = 'verified', hostname = 'localhost' where id = ${id}`
    await announceDomain(tx, id)
  })
  await eventually(async () => assert.equal(await visit(), 302))
})

test('while a domain changes its case rule, new links wait for it', async (t) => {
  const world = await openDomains(t)
  const { owner, add, sql } = world
  const id = await add('go.example.com')
  let made: ReturnType<typeof owner.post> | undefined
  await inTransaction(sql, async (tx) => {
    await tx`select from domains where id = ${id} for update`
    made = owner.post('/links', {
      name: 'A',
      destinationUrl: DESTINATION,
      domainId: id,
      slug: 'Sale',
    })
    await eventually(async () => {
      const waiting = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      assert.ok(waiting.length > 0)
    })
    await tx`update domains set case_sensitive = true where id = ${id}`
  })
  const { body } = await made!
  assert.deepEqual(await addressesOf(world, body.data.id), [`${id}/Sale`])
})

test('the analytics of a domain count its clicks alone, and a breakdown names its host', async (t) => {
  const { owner, origin, sql, add, create, member } = await openDomains(t)
  const id = await add('go.example.com')
  const link = await create({ domainId: id, slug: 'first' })
  await inTransaction(sql, (tx) => announceDomain(tx, id))
  const visit = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = get(
        `${origin}/${link.slug}`,
        { headers: { host: 'go.example.com' } },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        },
      )
      sent.on('error', reject)
    })
  await eventually(async () => assert.equal(await visit(), 302))
  const { body } = await eventually(async () => {
    const answer = await owner.get(`/analytics/domains/${id}`)
    assert.equal(answer.body.data.totalClicks, 1)
    return answer
  })
  assert.equal(body.data.links, 1)
  const rows = (await owner.get('/analytics/breakdowns/domain')).body.data
  assert.deepEqual([rows[0].label, rows[0].hostname], [id, 'go.example.com'])
  const values = async (q: string) => (await owner.get(`/analytics/values/domain?q=${q}`)).body.data
  assert.deepEqual(await values('GO.EX'), [{ value: id, clicks: 1, hostname: 'go.example.com' }])
  assert.deepEqual(await values('other'), [])
  const other = await add('to.example.com')
  assert.equal((await owner.get(`/analytics/domains/${other}`)).body.data.totalClicks, 0)
  assert.equal((await (await member()).get(`/analytics/domains/${id}`)).status, 403)
  const events = (await owner.get('/analytics/events')).body.data
  assert.equal(events[0].link.shortUrl, 'http://go.example.com/first')
})

test('the list finds links by slug, destination and ids, as their domain compares slugs', async (t) => {
  const { owner, addTo, add, create, member } = await openDomains(t)
  const exact = await add('exact.example.com', { caseSensitive: true })
  const shared = await create({
    slug: 'Docs',
    aliases: ['Help'],
    destinationUrl: 'https://a.example/',
  })
  const upper = await create({ slug: 'Docs', domainId: exact })
  const lower = await create({ slug: 'docs', domainId: exact })
  const find = async (query: string) => {
    const { status, body } = await owner.get(`/links?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.map((link: { id: string }) => link.id).toSorted()
  }
  assert.deepEqual(await find('slug=Docs'), [shared.id, upper.id].toSorted())
  assert.deepEqual(await find('slug=docs'), [shared.id, lower.id].toSorted())
  assert.deepEqual(await find('slug=DOCS&domain=exact.example.com'), [])
  assert.deepEqual(await find('slug=hELP'), [shared.id])
  assert.deepEqual(await find('slug=doc'), [])
  assert.deepEqual(await find(`destinationUrl=${encodeURIComponent('https://a.example/')}`), [
    shared.id,
  ])
  assert.deepEqual(
    await find(`ids=${lower.id},lnk_unknown,${shared.id}`),
    [shared.id, lower.id].toSorted(),
  )
  const other = await member()
  await addTo(other, { hostname: 'go.example.org' })
  const { body: foreign } = await other.post('/links', {
    name: 'x',
    destinationUrl: DESTINATION,
    slug: 'secret',
  })
  const refused = await owner.get(`/links?ids=${shared.id},${foreign.data.id}`)
  assert.deepEqual([refused.status, ...firstDetail(refused.body)], [403, 'ids', 'foreign'])
  assert.deepEqual(await find('slug=secret'), [])
  const many = Array.from({ length: 101 }, (_, i) => `lnk_${i}`).join(',')
  assert.equal((await owner.get(`/links?ids=${many}`)).status, 400)
})
