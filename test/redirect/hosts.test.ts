import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hosts } from '../../src/redirect/hosts/hosts.ts'
import { announceDomain, announceLinks } from '../../src/links/link/addresses.ts'
import { inTransaction, type Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { freshPostgres } from '../support/engines.ts'
import type { EdgeDeps } from '../../src/redirect/edge.ts'
import { eventually } from '../support/eventually.ts'
import { addDomain, addWorkspace } from '../support/fixtures.ts'
import { asSystem } from '../support/privileges.ts'
import { openEdgeWorld, type EdgeWorld } from '../support/edge-world.ts'
import { makeLink } from '../support/edge-links.ts'
import { openProxy } from '../support/database-proxy.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

const HOST = 'go.example.com'
const TOKEN = '0123456789abcdef0123456789abcdef'

type NewDomain = Omit<Parameters<typeof addDomain>[1], 'workspaceId' | 'hostname'> & {
  workspaceId?: string
  hostname?: string
}

/** Adds a domain as the service does, and waits until the edge serves it. */
async function openDomain({ sql, ask }: EdgeWorld, given: NewDomain = {}): Promise<string> {
  const { workspaceId = 'ws_edge', hostname = HOST } = given
  await addWorkspace(sql, { id: workspaceId })
  const id = await addDomain(sql, { ...given, workspaceId, hostname })
  const marker = await makeLink(sql, { workspaceId, domainId: id })
  await announce(sql, id)
  await eventually(async () => {
    assert.equal((await ask(`/${marker.slug}`, [`Host: ${hostname}`])).status, 302)
  })
  return id
}

async function announce(sql: Sql, domainId: string): Promise<void> {
  await inTransaction(sql, (tx) => announceDomain(tx, domainId))
}

async function changeDomain(sql: Sql, id: string, columns: Record<string, unknown>) {
  await inTransaction(sql, async (tx) => {
    await tx`update domains set ${tx({ ...columns, updatedAt: new Date() })} where id = ${id}`
    await announceDomain(tx, id)
  })
}

test('workspaces have the same slug on their own hosts, and on the shared one', async (t) => {
  const world = await openEdgeWorld(t)
  const { sql, ask } = world
  const first = await openDomain(world)
  const second = await openDomain(world, { workspaceId: 'ws_other', hostname: 'x.example.org' })
  await makeLink(sql, { slug: 'docs', destinationUrl: 'https://shared.test/' })
  await makeLink(sql, { slug: 'docs', domainId: first, destinationUrl: 'https://first.test/' })
  const other = { workspaceId: 'ws_other', domainId: second }
  await makeLink(sql, { ...other, slug: 'docs', destinationUrl: 'https://second.test/' })
  await makeLink(sql, { ...other, slug: 'only', destinationUrl: 'https://second.test/only' })
  const locations = {
    localhost: 'https://shared.test/',
    [HOST]: 'https://first.test/',
    'GO.example.com:8443': 'https://first.test/',
    'go.example.com.': 'https://first.test/',
    'x.example.org': 'https://second.test/',
    'unknown.example.net': 'https://shared.test/',
  }
  for (const [host, location] of Object.entries(locations))
    assert.equal((await ask('/docs', [`Host: ${host}`])).headers.get('location'), location, host)
  assert.equal((await ask('/only', [`Host: ${HOST}`])).status, 404)
  assert.equal((await ask('/only')).status, 404)
  const clicks = world.clicks().filter(({ slug }) => slug === 'docs')
  const domains = clicks.map(({ host, domainId }) => [host, domainId])
  assert.deepEqual(domains, [
    ['localhost', ''],
    [HOST, first],
    ['go.example.com:8443', first],
    ['go.example.com.', first],
    ['x.example.org', second],
    ['unknown.example.net', ''],
  ])
})

test('a domain resolves while it is verified, and for 72 hours after its records are gone', async (t) => {
  const world = await openEdgeWorld(t, { origins: ['https://s.example'] })
  const { sql, ask, clock } = world
  const id = await openDomain(world)
  const { slug } = await makeLink(sql, { domainId: id })
  const visit = async () => (await ask(`/${slug}`, [`Host: ${HOST}`])).status
  assert.equal(await visit(), 302)
  const misconfiguredSince = new Date(clock.now - 71 * HOUR_MS)
  await changeDomain(sql, id, { status: 'misconfigured', misconfiguredSince })
  world.resolver.change(`${id}\n${slug}`)
  assert.equal(await visit(), 302)
  await eventually(async () => {
    clock.now += 2 * HOUR_MS
    const status = await visit()
    clock.now -= 2 * HOUR_MS
    assert.equal(status, 404)
  })
  await changeDomain(sql, id, { status: 'verified', misconfiguredSince: null })
  await eventually(async () => {
    clock.now += 2 * HOUR_MS
    const status = await visit()
    clock.now -= 2 * HOUR_MS
    assert.equal(status, 302)
  })
  await changeDomain(sql, id, { status: 'failed' })
  await eventually(async () => assert.equal(await visit(), 404))
})

test('a host that is claimed and not verified is no domain, and never answers with a proof', async (t) => {
  for (const origins of [[], ['https://s.example']]) {
    const { sql, ask } = await openEdgeWorld(t, { origins })
    await addWorkspace(sql, { id: 'ws_edge' })
    const claim = { workspaceId: 'ws_edge', hostname: HOST, token: TOKEN }
    await addDomain(sql, { ...claim, status: 'pending' })
    const { status, body } = await ask(`/.well-known/signpost-verify/${TOKEN}`, [`Host: ${HOST}`])
    assert.equal(status, 404)
    assert.ok(!body.includes(TOKEN))
  }
})

test('a flood of questions for files of apps costs few queries', async (t) => {
  const world = await openEdgeWorld(t)
  const { ask, wellKnown } = world
  await openDomain(world, {})
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => ask('/.well-known/assetlinks.json', [`Host: ${HOST}`])),
  )
  assert.ok(answers.every(({ status }) => status === 404))
  const { queries } = wellKnown.stats()
  assert.ok(queries > 0 && queries <= answers.length / 2, `${queries} queries`)
})

test('a domain that tells capitals from small letters has a link for each spelling', async (t) => {
  const world = await openEdgeWorld(t)
  const { sql, ask } = world
  const id = await openDomain(world, { caseSensitive: true })
  const make = (slug: string) =>
    makeLink(sql, { slug, domainId: id, destinationUrl: `https://a.test/${slug}` }, false, true)
  await make('Docs')
  await make('docs')
  for (const slug of ['Docs', 'docs']) {
    const { headers } = await ask(`/${slug}`, [`Host: ${HOST}`])
    assert.equal(headers.get('location'), `https://a.test/${slug}`)
  }
  assert.equal((await ask('/DOCS', [`Host: ${HOST}`])).status, 404)
  assert.match((await ask('/Docs+', [`Host: ${HOST}`])).body, /a\.test\/Docs/)
})

test('after a change of the case rule no old answer is served', async (t) => {
  const world = await openEdgeWorld(t)
  const { sql, ask } = world
  const id = await openDomain(world)
  await makeLink(sql, { slug: 'Docs', domainId: id })
  const visit = async (path: string) => (await ask(path, [`Host: ${HOST}`])).status
  assert.equal(await visit('/docs'), 302)
  assert.equal(await visit('/DOCS'), 302)
  assert.equal(await visit('/absent'), 404)
  await inTransaction(sql, async (tx) => {
    await tx`update domains set case_sensitive = true, updated_at = now() where id = ${id}`
    await tx`update links set slug_key = slug where domain_id = ${id}`
    await tx`update link_addresses set slug_key = slug where domain_id = ${id}`
    await announceDomain(tx, id)
  })
  await eventually(async () => assert.equal(await visit('/docs'), 404))
  assert.equal(await visit('/DOCS'), 404)
  assert.equal(await visit('/Docs'), 302)
  // A change of a link is found under the new key of the domain.
  await inTransaction(sql, async (tx) => {
    await tx`update links set status = 'paused' where domain_id = ${id} and slug = 'Docs'`
    await announceLinks(tx, [`${id}\nDocs`])
  })
  await eventually(async () => assert.equal(await visit('/Docs'), 404))
})

test('the paths of the program are slugs of a domain; files are not', async (t) => {
  const world = await openEdgeWorld(t)
  const { sql, ask } = world
  const apple = { applinks: { details: [] } }
  const id = await openDomain(world, {
    appleAppSiteAssociation: apple,
    notFoundUrl: 'https://example.com/missing',
  })
  for (const slug of ['v1', 'auth', 'health', 'metrics', 'app/x']) {
    await makeLink(sql, { slug, domainId: id, destinationUrl: `https://a.test/${slug}` })
    const { headers } = await ask(`/${slug}`, [`Host: ${HOST}`])
    assert.equal(headers.get('location'), `https://a.test/${slug}`)
  }
  for (const path of ['/.well-known/apple-app-site-association', '/apple-app-site-association']) {
    const { status, headers, body } = await ask(path, [`Host: ${HOST}`])
    assert.deepEqual([status, JSON.parse(body)], [200, apple])
    assert.equal(headers.get('content-type'), 'application/json')
    assert.equal((await ask(path)).status, 404, 'the shared host')
  }
  for (const file of [
    '.well-known/assetlinks.json',
    '.well-known/other',
    'robots.txt',
    'favicon.ico',
  ])
    assert.equal((await ask(`/${file}`, [`Host: ${HOST}`])).status, 404, file)
  assert.equal((await ask('/v1/links', [`Host: ${HOST}`])).status, 302)
})

test('a domain has its own answers for its root, for what is missing and for what has expired', async (t) => {
  const onRoot: EdgeDeps['onRoot'] = (_req, res) => {
    res.writeHead(200, { 'Content-Length': '4' })
    res.end('root')
  }
  const world = await openEdgeWorld(t, { edge: { onRoot } })
  const { sql, ask, clock } = world
  const plain = await openDomain(world, { hostname: 'plain.example.com' })
  const id = await openDomain(world, {
    rootRedirectUrl: 'https://example.com/',
    notFoundUrl: 'https://example.com/wäre?a=1',
    expiredUrl: 'https://example.com/over',
  })
  const expiresAt = new Date(clock.now - 1_000)
  const options = { expiredUrl: 'https://example.com/own' }
  for (const domainId of [id, plain]) {
    await makeLink(sql, { slug: 'over', domainId, expiresAt })
    await makeLink(sql, { slug: 'own', domainId, expiresAt, options })
    await makeLink(sql, { slug: 'last', domainId, options: { maxClicks: 1 } })
    await makeLink(sql, { slug: 'paused', domainId, status: 'paused' })
  }
  const visit = async (path: string, host: string) => {
    const { status, headers } = await ask(path, [`Host: ${host}`])
    return [status, headers.get('location')]
  }
  const missing = 'https://example.com/w%C3%A4re?a=1'
  assert.deepEqual(await visit('/', HOST), [302, 'https://example.com/'])
  assert.deepEqual(await visit('/', 'plain.example.com'), [404, undefined])
  assert.deepEqual(await visit('/', 'localhost'), [200, undefined])
  for (const path of ['/absent', '/paused', '/_', '/absent+'])
    assert.deepEqual(await visit(path, HOST), [302, missing], path)
  assert.deepEqual(await visit('/absent', 'plain.example.com'), [404, undefined])
  assert.deepEqual(await visit('/over', HOST), [302, 'https://example.com/over'])
  assert.deepEqual(await visit('/over', 'plain.example.com'), [410, undefined])
  assert.deepEqual(await visit('/own', HOST), [302, 'https://example.com/own'])
  await visit('/last', HOST)
  assert.deepEqual(await visit('/last', HOST), [302, 'https://example.com/over'])
  assert.equal(world.clicks().filter(({ slug }) => slug === 'over').length, 0)
})

test('domains stay in memory while the database is away, and are read again after it', async (t) => {
  const { postgresUrl, sql } = await freshPostgres(t)
  const proxy = await openProxy(t, postgresUrl)
  const world = await openEdgeWorld(t, { database: { postgresUrl: proxy.url, sql }, budgetMs: 250 })
  const { ask } = world
  const id = await openDomain(world)
  const known = await makeLink(sql, { domainId: id })
  const visit = async (path: string) => (await ask(path, [`Host: ${HOST}`])).status
  await eventually(async () => assert.equal(await visit(`/${known.slug}`), 302))
  proxy.cut()
  assert.equal(await visit(`/${known.slug}`), 302)
  await eventually(async () => assert.equal(world.resolver.stats().isConnected, false))
  assert.equal(await visit(`/${known.slug}`), 302)
  assert.equal(await visit('/fresh'), 503)
  // Changed while no edge could hear of it, and not announced.
  await sql`update domains set status = 'failed', updated_at = now() where id = ${id}`
  await sql`delete from link_changes`
  proxy.restore()
  await eventually(async () => assert.equal(await visit(`/${known.slug}`), 404))
})

test('while changes are not read, domains and links are served as they were', async (t) => {
  const { postgresUrl, sql } = await freshPostgres(t)
  const proxy = await openProxy(t, postgresUrl)
  const world = await openEdgeWorld(t, { database: { postgresUrl: proxy.url, sql } })
  const id = await openDomain(world)
  const { slug } = await makeLink(sql, { domainId: id })
  const visit = async () => (await world.ask(`/${slug}`, [`Host: ${HOST}`])).status
  assert.equal(await visit(), 302)
  proxy.hold()
  await changeDomain(sql, id, { status: 'failed' })
  assert.equal(await visit(), 302)
  proxy.release()
  await eventually(async () => assert.equal(await visit(), 404))
})

test('ten thousand domains are read by one query, and one of them by its id', async (t) => {
  const { sql } = await freshPostgres(t)
  await addWorkspace(sql, { id: 'ws_edge' })
  await sql`
    insert into domains (id, workspace_id, hostname, token, status, next_check_at, created_at, updated_at)
    select 'dom_' || i, 'ws_edge', 'h' || i || '.example.com', i, 'verified', now(), now(), now()
    from generate_series(1, 10000) i`
  const hosts = new Hosts([], Date.now)
  await hosts.load(asSystem(sql))
  assert.equal(hosts.size, 10_000)
  const [known, other] = [hosts.find('h1.example.com')!, hosts.find('h2.example.com')!]
  await sql`update domains set hostname = 'renamed.example.com' where id = 'dom_1'`
  await hosts.reload(asSystem(sql), ['dom_1', 'dom_absent'])
  assert.equal(hosts.find('h1.example.com')?.domainId, '')
  assert.equal(hosts.find('renamed.example.com')?.domainId, 'dom_1')
  assert.notEqual(hosts.find('renamed.example.com')?.key, known.key)
  assert.equal(hosts.keyOf('dom_1'), hosts.find('renamed.example.com')?.key)
  // Links of a domain that has not changed stay in memory.
  await hosts.load(asSystem(sql))
  assert.equal(hosts.find('h2.example.com')?.key, other.key)
  await sql`update domains set updated_at = updated_at + interval '1 second' where id = 'dom_2'`
  await hosts.load(asSystem(sql))
  assert.notEqual(hosts.find('h2.example.com')?.key, other.key)
})

test('pages lead to the form for a report, with the address filled in', async (t) => {
  const world = await openEdgeWorld(t, { origins: ['http://short.example'] })
  const { sql, ask, clock } = world
  const domainId = await openDomain(world, { hostname: 'brand.example' })
  await makeLink(sql, { slug: 'open', domainId })
  const { slug: open } = await makeLink(sql)
  const { slug: locked } = await makeLink(sql, { passwordHash: 'x' })
  const { slug: app } = await makeLink(sql, { options: { iosDeepLink: 'shop://1' } })
  const { slug: over } = await makeLink(sql, { expiresAt: new Date(clock.now) })
  const { slug: blocked } = await makeLink(sql, { status: 'blocked' })
  const IPHONE =
    'User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605.1.15'
  const reportAt = async (host: string, path: string) => {
    const { body } = await ask(path, ['Accept: text/html', IPHONE, `Host: ${host}`])
    return /<a href="([^"]*)">Report abuse<\/a>/.exec(body)?.[1]
  }
  for (const path of [`/${open}+`, `/${locked}`, `/${app}`, `/${over}`, '/nowhere'])
    assert.equal(
      await reportAt('short.example', path),
      `/report-abuse?url=${encodeURIComponent(`http://short.example${path.replace('+', '')}`)}`,
      path,
    )
  // Reports are taken by the shared host.
  await eventually(async () =>
    assert.equal(
      await reportAt('brand.example', '/open+'),
      'http://localhost/report-abuse?url=http%3A%2F%2Fbrand.example%2Fopen',
    ),
  )
  const proof = '/.well-known/signpost-verify/0123456789abcdef0123456789abcdef'
  for (const path of [proof, '/%22%27%3E%3Cb%3E', '/'.padEnd(4_000, 'a')])
    assert.equal(await reportAt('short.example', path), '/report-abuse', path)
  assert.equal(await reportAt('short.example', `/${blocked}`), undefined)
  assert.equal(await reportAt('foreign.example', '/nowhere'), undefined)
})
