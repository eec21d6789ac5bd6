import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../../src/platform/core/log.ts'
import { withinMs } from '../../src/platform/core/service.ts'
import { Hosts } from '../../src/redirect/hosts/hosts.ts'
import { Resolver, type Resolved, type ResolverDeps } from '../../src/redirect/links/resolve.ts'
import { announceLinks } from '../../src/links/link/addresses.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { freshPostgres } from '../support/engines.ts'
import { eventually, until } from '../support/eventually.ts'
import { changeLink, makeLink } from '../support/edge-links.ts'
import { openProxy, type Proxy } from '../support/database-proxy.ts'
import { asSystem } from '../support/privileges.ts'

type World = {
  /** Connected to the database without a proxy. */
  sql: Sql
  resolver: Resolver
  /** Between the resolver and its queries, and between it and the changes. */
  queries: Proxy
  changes: Proxy
  clock: { now: number }
}

async function openWorld(t: TestContext, over: Partial<ResolverDeps> = {}): Promise<World> {
  const { postgresUrl, sql } = await freshPostgres(t)
  // Registered before the proxies, because hooks run in order: connections close while proxies work.
  let close = () => Promise.resolve()
  t.after(() => close())
  const queries = await openProxy(t, postgresUrl)
  const changes = await openProxy(t, postgresUrl)
  const clock = { now: Date.now() }
  const pool = openPostgres(queries.url, { maxConnections: 2 })
  const resolver = new Resolver({
    sql: asSystem(pool),
    hosts: new Hosts([], () => clock.now),
    openChangesSql: () => asSystem(openPostgres(changes.url, { maxConnections: 1 })),
    sharedOrigin: () => 'http://localhost',
    clock: () => clock.now,
    log: openLog('silent'),
    budgetMs: 30_000,
    ...over,
  })
  const stop = new AbortController()
  const running = resolver.service.run(stop.signal)
  close = async () => {
    stop.abort()
    queries.release()
    await running
    await closePostgres(pool)
  }
  await until(() => resolver.stats().isConnected, 'the reader of changes is connected')
  return { sql, resolver, queries, changes, clock }
}

function resolve(resolver: Resolver, key: string): Promise<Resolved> {
  return new Promise((answer) => resolver.resolve(key, answer))
}

function toDestination(resolved: Resolved | undefined): string | null | undefined {
  if (resolved === 'unavailable' || !resolved) return resolved
  assert.ok('destination' in resolved)
  return resolved.destination
}

/** The answer if it comes within the call; undefined otherwise. */
function resolveAtOnce(resolver: Resolver, key: string): Resolved | undefined {
  let answer: Resolved | undefined
  resolver.resolve(key, (resolved) => (answer = resolved))
  return answer
}

/** The destination that a visitor gets: from memory, else from the database. */
async function visit(resolver: Resolver, key: string): Promise<string | null | undefined> {
  const known = resolver.peek(key)
  return toDestination(known === undefined ? await resolve(resolver, key) : known)
}

/** Repeats the first visit, because a short budget may be too short for its query. */
function firstVisit(resolver: Resolver, key: string): Promise<string | null | undefined> {
  return eventually(async () => {
    const destination = await visit(resolver, key)
    assert.notEqual(destination, 'unavailable')
    return destination
  })
}

test('a link is read once, with all fields that a redirect needs', async (t) => {
  const { sql, resolver } = await openWorld(t)
  const expiresAt = new Date(2e12)
  const link = await makeLink(sql, {
    slug: 'Über/Docs',
    destinationUrl: 'https://example.com/a',
    redirectType: 308,
    expiresAt,
    utmSource: 'mail',
  })
  assert.equal(resolver.peek(link.key), undefined)
  const read = await resolve(resolver, link.key)
  assert.ok(read !== null && read !== 'unavailable' && 'destination' in read)
  assert.equal(read.slug, 'Über/Docs')
  assert.equal(read.redirectType, 308)
  assert.equal(read.expiresAtMs, expiresAt.getTime())
  assert.deepEqual(read.utm, ['mail', '', '', '', ''])
  assert.equal(read.plain.location, 'https://example.com/a?utm_source=mail')
  assert.equal(toDestination(resolver.peek(link.key)), 'https://example.com/a')
  assert.equal(resolver.stats().queries, 1)
})

test('many requests at once cause few queries', async (t) => {
  const { sql, resolver } = await openWorld(t)
  const link = await makeLink(sql)
  await Promise.all(Array.from({ length: 200 }, () => resolve(resolver, link.key)))
  assert.equal(resolver.stats().queries, 1)
  const storm = Array.from({ length: 3_000 }, (_, i) => resolve(resolver, `\nnone-${i}`))
  assert.ok((await Promise.all(storm)).every((found) => found === null))
  assert.ok(resolver.stats().queries <= storm.length / 10, `${resolver.stats().queries} queries`)
  assert.equal(resolver.peek('\nnone-7'), null)
})

test('a change, a pause and a deletion show within a second', async (t) => {
  const { sql, resolver } = await openWorld(t)
  const link = await makeLink(sql)
  await visit(resolver, link.key)
  await changeLink(sql, link, { destinationUrl: 'https://example.com/changed' })
  await until(() => resolver.peek(link.key) === undefined, 'the change is received')
  assert.equal(await visit(resolver, link.key), 'https://example.com/changed')
  await sql`delete from links where id = ${link.id}`
  await inTransaction(sql, (tx) => announceLinks(tx, [link.key]))
  await until(() => resolver.peek(link.key) === undefined, 'the deletion is received')
  assert.equal(await visit(resolver, link.key), null)
})

test('a change that commits after later ones shows within a second', async (t) => {
  const { sql, resolver } = await openWorld(t)
  const [slow, quick] = [await makeLink(sql), await makeLink(sql)]
  await visit(resolver, slow.key)
  const slowWritten = Promise.withResolvers<void>()
  const quickSeen = Promise.withResolvers<void>()
  const slowChange = inTransaction(sql, async (tx) => {
    await tx`update links set destination_url = 'https://example.com/slow' where id = ${slow.id}`
    await announceLinks(tx, [slow.key])
    slowWritten.resolve()
    await quickSeen.promise
  })
  await slowWritten.promise
  await visit(resolver, quick.key)
  await changeLink(sql, quick, { destinationUrl: 'https://example.com/quick' })
  await until(() => resolver.peek(quick.key) === undefined, 'the later change is read')
  assert.notEqual(resolver.peek(slow.key), undefined)
  quickSeen.resolve()
  await slowChange
  await until(() => resolver.peek(slow.key) === undefined, 'the earlier change is read')
  assert.equal(await visit(resolver, slow.key), 'https://example.com/slow')
})

test('more changes than one read returns make every entry unconfirmed', async (t) => {
  const { sql, resolver } = await openWorld(t)
  const link = await makeLink(sql)
  await visit(resolver, link.key)
  await sql`insert into link_changes (key) select 'other' || i from generate_series(1, 10001) as i`
  await until(() => resolver.peek(link.key) === undefined, 'the entry is unconfirmed')
})

test('a link that is created during a cached miss works at once', async (t) => {
  const { sql, resolver } = await openWorld(t)
  assert.equal(await resolve(resolver, '\nsoon'), null)
  assert.equal(resolver.peek('\nsoon'), null)
  await makeLink(sql, { slug: 'soon', destinationUrl: 'https://example.com/soon' }, true)
  await until(() => resolver.peek('\nsoon') !== null, 'the creation is received')
  assert.equal(await visit(resolver, '\nsoon'), 'https://example.com/soon')
})

test('a miss is cached for ten seconds', async (t) => {
  const { resolver, clock } = await openWorld(t)
  await resolve(resolver, '\nnone')
  clock.now += 9_999
  assert.equal(resolver.peek('\nnone'), null)
  clock.now += 1
  assert.equal(resolver.peek('\nnone'), undefined)
})

/** Begins a load of `raced` and holds its answer back until the resolver has received a change. */
async function raceLoad(world: World, entry: 'link' | 'miss') {
  const { sql, resolver, queries } = world
  const canary = await makeLink(sql, { slug: 'canary' })
  const link = entry === 'link' ? await makeLink(sql, { slug: 'raced' }) : null
  await visit(resolver, canary.key)
  queries.hold()
  const early = resolve(resolver, '\nraced')
  await until(() => queries.heldBytes() > 0, 'the database answers')
  if (link === null)
    await makeLink(sql, { slug: 'raced', destinationUrl: 'https://e.com/new' }, true)
  else await changeLink(sql, link, { destinationUrl: 'https://e.com/new' })
  // Notifications arrive in order: the canary's comes after the one of `raced`.
  await changeLink(sql, canary, { status: 'active' })
  await until(() => resolver.peek(canary.key) === undefined, 'the changes are received')
  return { early }
}

for (const entry of ['link', 'miss'] as const) {
  test(`a ${entry} that changes while it is being loaded is not cached`, async (t) => {
    const world = await openWorld(t)
    const { early } = await raceLoad(world, entry)
    world.queries.release()
    assert.notEqual(toDestination(await early), 'https://e.com/new')
    assert.equal(world.resolver.peek('\nraced'), undefined)
    assert.equal(await visit(world.resolver, '\nraced'), 'https://e.com/new')
  })

  test(`a request after a change of a ${entry} does not get the result of an older load`, async (t) => {
    const world = await openWorld(t)
    const { early } = await raceLoad(world, entry)
    const late = resolve(world.resolver, '\nraced')
    world.queries.release()
    assert.equal(toDestination(await late), 'https://e.com/new')
    assert.notEqual(toDestination(await early), 'https://e.com/new')
    assert.equal(toDestination(world.resolver.peek('\nraced')), 'https://e.com/new')
  })
}

test('a change that the disconnected reader missed shows when it is connected again', async (t) => {
  const { sql, resolver, changes } = await openWorld(t)
  const link = await makeLink(sql, { destinationUrl: 'https://e.com/old' })
  assert.equal(await visit(resolver, link.key), 'https://e.com/old')
  assert.equal(await visit(resolver, '\nlater'), null)
  changes.cut()
  await changeLink(sql, link, { destinationUrl: 'https://e.com/new' })
  await makeLink(sql, { slug: 'later', destinationUrl: 'https://e.com/later' }, true)
  changes.restore()
  await until(() => resolver.peek(link.key) === undefined, 'entries are unconfirmed')
  assert.equal(await visit(resolver, link.key), 'https://e.com/new')
  assert.equal(await visit(resolver, '\nlater'), 'https://e.com/later')
})

test('while changes are not read, links are served and read again in the background', async (t) => {
  const { sql, resolver, changes, clock } = await openWorld(t)
  const link = await makeLink(sql, { destinationUrl: 'https://e.com/old' })
  await visit(resolver, link.key)
  changes.cut()
  await until(() => !resolver.stats().isConnected, 'the reader of changes is disconnected')
  await changeLink(sql, link, { destinationUrl: 'https://e.com/new' })
  assert.equal(toDestination(resolver.peek(link.key)), 'https://e.com/old')
  assert.equal(resolver.stats().stale, 1)
  clock.now += 5_000
  assert.equal(toDestination(resolver.peek(link.key)), 'https://e.com/old')
  await until(
    () => toDestination(resolver.peek(link.key)) === 'https://e.com/new',
    'it is read again',
  )
})

test('without a database, cached links redirect for a day and others are unavailable', async (t) => {
  const { sql, resolver, queries, changes, clock } = await openWorld(t, { budgetMs: 250 })
  const link = await makeLink(sql)
  const destination = await firstVisit(resolver, link.key)
  queries.cut()
  changes.cut()
  // Answered by the budget: without the database no query would ever answer.
  assert.equal(await withinMs(visit(resolver, '\nunknown1'), 20_000), 'unavailable')
  await until(() => !resolver.stats().isConnected, 'the reader of changes is disconnected')
  clock.now += 23 * 3_600_000
  assert.equal(await visit(resolver, link.key), destination)
  assert.equal(resolver.peek('\nunknown1'), undefined, 'it was not cached as a miss')
  clock.now += 2 * 3_600_000
  assert.equal(await visit(resolver, link.key), 'unavailable')
  assert.ok(resolver.stats().unavailable >= 2)
  queries.restore()
  changes.restore()
  await until(() => resolver.stats().isConnected, 'the listener is connected again')
  await eventually(async () => assert.equal(await visit(resolver, link.key), destination))
})

test('a database that hangs costs the first request its budget and later requests no time', async (t) => {
  const { sql, resolver, queries } = await openWorld(t, { budgetMs: 100 })
  const link = await makeLink(sql)
  const destination = await firstVisit(resolver, link.key)
  let unknown = 0
  // Repeated if the machine paused: a query that takes over five seconds is abandoned.
  await eventually(async () => {
    const key = `\nunknown${++unknown}`
    queries.hold()
    try {
      assert.equal(await withinMs(visit(resolver, key), 20_000), 'unavailable')
      for (let i = 0; i < 50; i++) assert.equal(resolveAtOnce(resolver, key), 'unavailable')
      assert.equal(toDestination(resolver.peek(link.key)), destination)
    } finally {
      queries.release()
    }
    await until(() => resolver.peek(key) === null, 'the late answer is cached')
  }, 60_000)
})

test('unconfirmed entries are served when the database does not answer', async (t) => {
  const { sql, resolver, queries, changes } = await openWorld(t, { budgetMs: 100 })
  const link = await makeLink(sql)
  const destination = await firstVisit(resolver, link.key)
  queries.hold()
  changes.cut()
  await until(() => !resolver.stats().isConnected, 'the reader of changes is disconnected')
  changes.restore()
  await until(() => resolver.stats().isConnected, 'the reader of changes is connected')
  await until(() => resolver.peek(link.key) === undefined, 'the entry is unconfirmed')
  assert.equal(await visit(resolver, link.key), destination)
  assert.equal(resolver.stats().stale, 1)
})

test('after any sequence of changes and visits, memory agrees with the database', async (t) => {
  const { sql, resolver, changes } = await openWorld(t)
  const links = await Promise.all(Array.from({ length: 5 }, () => makeLink(sql)))
  let serial = 0
  const changed = Array.from({ length: 60 }, async (_, i) => {
    await sleep(Math.random() * 400)
    if (i % 20 === 19) {
      changes.cut()
      changes.restore()
    }
    const destinationUrl = `https://e.com/${++serial}`
    await changeLink(sql, links[i % links.length]!, { destinationUrl })
  })
  let isOver = false
  const visits = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      await visit(resolver, links[Math.floor(Math.random() * links.length)]!.key)
      await sleep(1)
    }
  })
  await Promise.all(changed)
  isOver = true
  await Promise.all(visits)
  await until(() => resolver.stats().isConnected, 'the reader of changes is connected')
  const rows = await sql<{ id: string; destinationUrl: string }[]>`select * from links`
  const truth = new Map(rows.map((row) => [row.id, row.destinationUrl]))
  await eventually(async () => {
    for (const link of links)
      assert.equal(
        await visit(resolver, link.key),
        truth.get(link.id),
        'memory and database differ',
      )
  })
})
