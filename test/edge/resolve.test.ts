import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../../src/base/log.ts'
import {
  createResolver,
  type Resolved,
  type Resolver,
  type ResolverDeps,
} from '../../src/edge/resolve.ts'
import { LINKS_CHANNEL } from '../../src/services/link-changes.ts'
import { closePostgres, openPostgres, type Sql } from '../../src/storage/postgres.ts'
import { freshDatabases } from '../support/engines.ts'
import { eventually, until } from '../support/eventually.ts'
import { changeLink, makeLink } from './make.ts'
import { openPostgresProxy, type PostgresProxy } from './postgres-proxy.ts'
import { asSystem } from '../support/privileges.ts'

type World = {
  /** Straight to the database, past both proxies. */
  sql: Sql
  resolver: Resolver
  /** Between the resolver and its queries, and between it and its notifications. */
  queries: PostgresProxy
  notifications: PostgresProxy
  clock: { now: number }
}

async function openWorld(t: TestContext, over: Partial<ResolverDeps> = {}): Promise<World> {
  const { postgresUrl, sql } = await freshDatabases(t)
  // Before the proxies are, since hooks run in order: connections close better while they work.
  let close = () => Promise.resolve()
  t.after(() => close())
  const queries = await openPostgresProxy(t, postgresUrl)
  const notifications = await openPostgresProxy(t, postgresUrl)
  const clock = { now: Date.now() }
  const pool = openPostgres(queries.url, { maxConnections: 2 })
  const resolver = createResolver({
    sql: asSystem(pool),
    openListenerSql: () => asSystem(openPostgres(notifications.url, { maxConnections: 1 })),
    channel: LINKS_CHANNEL,
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
  await until(() => resolver.stats().isConnected, 'the listener hears')
  return { sql, resolver, queries, notifications, clock }
}

function resolve(resolver: Resolver, key: string): Promise<Resolved> {
  return new Promise((answer) => resolver.resolve(key, answer))
}

function destinationOf(resolved: Resolved | undefined): string | null | undefined {
  return resolved === 'unavailable' ? resolved : (resolved?.destination ?? (resolved as null))
}

/** What a visitor gets: memory first, then the database. */
async function visit(resolver: Resolver, key: string): Promise<string | null | undefined> {
  const known = resolver.peek(key)
  return destinationOf(known === undefined ? await resolve(resolver, key) : known)
}

/** Whoever asks first may meet a lookup that is not through within a short budget. */
function firstVisit(resolver: Resolver, key: string): Promise<string | null | undefined> {
  return eventually(async () => {
    const destination = await visit(resolver, key)
    assert.notEqual(destination, 'unavailable')
    return destination
  })
}

test('a link is read once, with all that a redirect needs', async (t) => {
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
  assert.ok(read !== null && read !== 'unavailable')
  assert.equal(read.slug, 'Über/Docs')
  assert.equal(read.redirectType, 308)
  assert.equal(read.expiresAtMs, expiresAt.getTime())
  assert.deepEqual(read.utm, ['mail', '', '', '', ''])
  assert.equal(read.plain.location, 'https://example.com/a?utm_source=mail')
  assert.equal(destinationOf(resolver.peek(link.key)), 'https://example.com/a')
  assert.equal(resolver.stats().queries, 1)
})

test('many who ask at once are answered by few queries', async (t) => {
  const { sql, resolver } = await openWorld(t)
  const link = await makeLink(sql)
  await Promise.all(Array.from({ length: 200 }, () => resolve(resolver, link.key)))
  assert.equal(resolver.stats().queries, 1)
  const startedAt = performance.now()
  const storm = Array.from({ length: 3_000 }, (_, i) => resolve(resolver, `\nnone-${i}`))
  assert.ok((await Promise.all(storm)).every((found) => found === null))
  const allowed = 10 + (performance.now() - startedAt) / 5
  assert.ok(resolver.stats().queries <= allowed, `${resolver.stats().queries} queries`)
  assert.equal(resolver.peek('\nnone-7'), null)
})

test('a change, a pause and a deletion show within a second', async (t) => {
  const { sql, resolver } = await openWorld(t)
  const link = await makeLink(sql)
  await visit(resolver, link.key)
  await changeLink(sql, link, { destinationUrl: 'https://example.com/changed' })
  await until(() => resolver.peek(link.key) === undefined, 'the change is heard')
  assert.equal(await visit(resolver, link.key), 'https://example.com/changed')
  await sql`delete from links where id = ${link.id}`
  await sql`select pg_notify(${LINKS_CHANNEL}, ${link.key})`
  await until(() => resolver.peek(link.key) === undefined, 'the deletion is heard')
  assert.equal(await visit(resolver, link.key), null)
})

test('a link that is created during a cached miss works at once', async (t) => {
  const { sql, resolver } = await openWorld(t)
  assert.equal(await resolve(resolver, '\nsoon'), null)
  assert.equal(resolver.peek('\nsoon'), null)
  await makeLink(sql, { slug: 'soon', destinationUrl: 'https://example.com/soon' }, true)
  await until(() => resolver.peek('\nsoon') !== null, 'the creation is heard')
  assert.equal(await visit(resolver, '\nsoon'), 'https://example.com/soon')
})

test('a miss is believed for ten seconds at most', async (t) => {
  const { resolver, clock } = await openWorld(t)
  await resolve(resolver, '\nnone')
  clock.now += 9_999
  assert.equal(resolver.peek('\nnone'), null)
  clock.now += 1
  assert.equal(resolver.peek('\nnone'), undefined)
})

/** Begins a load of `raced`, holds its answer back, and lets the change be heard meanwhile. */
async function raceALoad(world: World, what: 'link' | 'miss') {
  const { sql, resolver, queries } = world
  const canary = await makeLink(sql, { slug: 'canary' })
  const link = what === 'link' ? await makeLink(sql, { slug: 'raced' }) : null
  await visit(resolver, canary.key)
  queries.hold()
  const early = resolve(resolver, '\nraced')
  await until(() => queries.heldBytes() > 0, 'the database has answered')
  if (link === null)
    await makeLink(sql, { slug: 'raced', destinationUrl: 'https://e.com/new' }, true)
  else await changeLink(sql, link, { destinationUrl: 'https://e.com/new' })
  // Notifications arrive in order: once the canary's is here, so is the one before it.
  await changeLink(sql, canary, { status: 'active' })
  await until(() => resolver.peek(canary.key) === undefined, 'the changes are heard')
  return { early }
}

for (const what of ['link', 'miss'] as const) {
  test(`a ${what} that changes while it is being loaded is not kept`, async (t) => {
    const world = await openWorld(t)
    const { early } = await raceALoad(world, what)
    world.queries.release()
    assert.notEqual(destinationOf(await early), 'https://e.com/new')
    assert.equal(world.resolver.peek('\nraced'), undefined)
    assert.equal(await visit(world.resolver, '\nraced'), 'https://e.com/new')
  })

  test(`who asks after a ${what} has changed does not get what an older load brings`, async (t) => {
    const world = await openWorld(t)
    const { early } = await raceALoad(world, what)
    const late = resolve(world.resolver, '\nraced')
    world.queries.release()
    assert.equal(destinationOf(await late), 'https://e.com/new')
    assert.notEqual(destinationOf(await early), 'https://e.com/new')
    assert.equal(destinationOf(world.resolver.peek('\nraced')), 'https://e.com/new')
  })
}

test('what was missed while the listener was cut shows once it is back', async (t) => {
  const { sql, resolver, notifications } = await openWorld(t)
  const link = await makeLink(sql, { destinationUrl: 'https://e.com/old' })
  assert.equal(await visit(resolver, link.key), 'https://e.com/old')
  assert.equal(await visit(resolver, '\nlater'), null)
  notifications.cut()
  await changeLink(sql, link, { destinationUrl: 'https://e.com/new' })
  await makeLink(sql, { slug: 'later', destinationUrl: 'https://e.com/later' }, true)
  await notifications.restore()
  await until(() => resolver.peek(link.key) === undefined, 'entries are in doubt')
  assert.equal(await visit(resolver, link.key), 'https://e.com/new')
  assert.equal(await visit(resolver, '\nlater'), 'https://e.com/later')
})

test('while the listener is disconnected, links are served and read again behind the answer', async (t) => {
  const { sql, resolver, notifications, clock } = await openWorld(t)
  const link = await makeLink(sql, { destinationUrl: 'https://e.com/old' })
  await visit(resolver, link.key)
  notifications.cut()
  await until(() => !resolver.stats().isConnected, 'the silence is noticed')
  await changeLink(sql, link, { destinationUrl: 'https://e.com/new' })
  assert.equal(destinationOf(resolver.peek(link.key)), 'https://e.com/old')
  assert.equal(resolver.stats().stale, 1)
  clock.now += 5_000
  assert.equal(destinationOf(resolver.peek(link.key)), 'https://e.com/old')
  await until(
    () => destinationOf(resolver.peek(link.key)) === 'https://e.com/new',
    'it is read again',
  )
})

test('without a database, known links go on for a day and unknown ones are unavailable', async (t) => {
  const { sql, resolver, queries, notifications, clock } = await openWorld(t, { budgetMs: 250 })
  const link = await makeLink(sql)
  const destination = await firstVisit(resolver, link.key)
  queries.cut()
  notifications.cut()
  let unknown = 0
  await eventually(async () => {
    const startedAt = performance.now()
    assert.equal(await visit(resolver, `\nunknown${++unknown}`), 'unavailable')
    assert.ok(performance.now() - startedAt < 2_500)
  })
  await until(() => !resolver.stats().isConnected, 'the silence is noticed')
  clock.now += 23 * 3_600_000
  assert.equal(await visit(resolver, link.key), destination)
  assert.equal(resolver.peek('\nunknown1'), undefined, 'it was not taken for a miss')
  clock.now += 2 * 3_600_000
  assert.equal(await visit(resolver, link.key), 'unavailable')
  assert.ok(resolver.stats().unavailable >= 2)
  await queries.restore()
  await notifications.restore()
  await until(() => resolver.stats().isConnected, 'the listener hears again')
  const back = async () => (await visit(resolver, link.key)) === destination
  while (!(await back())) await sleep(20)
})

test('a database that hangs costs a request its budget, later ones nothing, hits nothing', async (t) => {
  const { sql, resolver, queries } = await openWorld(t, { budgetMs: 100 })
  const link = await makeLink(sql)
  const destination = await firstVisit(resolver, link.key)
  let unknown = 0
  // Again where the machine paused: what is later than five seconds is not waited for.
  await eventually(async () => {
    const key = `\nunknown${++unknown}`
    queries.hold()
    try {
      assert.equal(await visit(resolver, key), 'unavailable')
      const startedAt = performance.now()
      for (let i = 0; i < 50; i++) assert.equal(await visit(resolver, key), 'unavailable')
      assert.ok(performance.now() - startedAt < 1_000)
      assert.equal(await visit(resolver, link.key), destination)
    } finally {
      queries.release()
    }
    await until(() => resolver.peek(key) === null, 'the late answer is kept')
  }, 60_000)
})

test('doubtful entries are served when the database does not confirm them', async (t) => {
  const { sql, resolver, queries, notifications } = await openWorld(t, { budgetMs: 100 })
  const link = await makeLink(sql)
  const destination = await firstVisit(resolver, link.key)
  queries.hold()
  notifications.cut()
  await notifications.restore()
  await until(() => resolver.peek(link.key) === undefined, 'the entry is in doubt')
  assert.equal(await visit(resolver, link.key), destination)
  assert.equal(resolver.stats().stale, 1)
})

test('after any sequence of changes and visits, memory agrees with the database', async (t) => {
  const { sql, resolver, notifications } = await openWorld(t)
  const links = await Promise.all(Array.from({ length: 5 }, () => makeLink(sql)))
  let serial = 0
  const changes = Array.from({ length: 60 }, async (_, i) => {
    await sleep(Math.random() * 400)
    if (i % 20 === 19) {
      notifications.cut()
      await notifications.restore()
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
  await Promise.all(changes)
  isOver = true
  await Promise.all(visits)
  await until(() => resolver.stats().isConnected, 'the listener hears')
  const rows = await sql<{ id: string; destinationUrl: string }[]>`select * from links`
  const truth = new Map(rows.map((row) => [row.id, row.destinationUrl]))
  const isTrue = async () => {
    for (const link of links)
      if ((await visit(resolver, link.key)) !== truth.get(link.id)) return false
    return true
  }
  const deadline = Date.now() + 20_000
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, 'memory and database differ')
    await sleep(20)
  }
})
