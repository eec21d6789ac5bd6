import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startScript } from '../../bench/support/child-process.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { Quotas } from '../../src/redirect/links/quotas.ts'
import {
  inTransaction,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { freshFolder } from '../support/fixtures.ts'
import { asSystem } from '../support/privileges.ts'
import { openEdgeWorld, type EdgeWorld } from '../support/edge-world.ts'
import { changeLink, makeLink } from '../support/edge-links.ts'
import { openProxy } from '../support/database-proxy.ts'

async function servedOf(sql: Sql, linkId: string): Promise<number> {
  const [row] = await sql<{ served: number }[]>`
    select served from link_quotas where link_id = ${linkId}`
  return row!.served
}

/** Statuses of this many visits at once, by how often they occur. */
async function visit(worlds: EdgeWorld[], slug: string, visits: number) {
  const counts: Record<number, number> = {}
  // In groups: each request is a connection.
  for (let sent = 0; sent < visits; sent += 200) {
    const group = Array.from({ length: Math.min(200, visits - sent) }, (_, i) =>
      worlds[i % worlds.length]!.ask(`/${slug}`),
    )
    for (const { status } of await Promise.all(group)) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

test('of 2,000 parallel visits on two edges exactly maxClicks are redirected, each with a click', async (t) => {
  const first = await openEdgeWorld(t)
  const second = await openEdgeWorld(t, { database: first })
  const link = await makeLink(first.sql, { options: { maxClicks: 777 } })
  const other = await makeLink(first.sql, { options: { maxClicks: 5_000 } })
  const [counts, others] = await Promise.all([
    visit([first, second], link.slug, 2_000),
    visit([second, first], other.slug, 100),
  ])
  assert.deepEqual(counts, { 302: 777, 410: 1_223 })
  assert.deepEqual(others, { 302: 100 })
  assert.equal(await servedOf(first.sql, link.id), 777)
  const clicks = [...first.clicks(), ...second.clicks()]
  assert.equal(clicks.filter(({ linkId }) => linkId === link.id).length, 777)
})

test('an exhausted link answers from memory, to its expiredUrl if it has one', async (t) => {
  const { sql, ask, quotas } = await openEdgeWorld(t)
  const expiredUrl = 'https://example.com/over'
  const { id, slug } = await makeLink(sql, { options: { maxClicks: 2, expiredUrl } })
  for (const expected of [302, 302]) assert.equal((await ask(`/${slug}`)).status, expected)
  const { statements } = quotas.stats()
  for (let i = 0; i < 10; i++) {
    const answer = await ask(`/${slug}`)
    assert.equal(answer.headers.get('location'), expiredUrl)
  }
  assert.equal(quotas.stats().statements, statements)
  assert.equal(await servedOf(sql, id), 2)
})

test('HEAD, previews and the password page take nothing, and end with the link', async (t) => {
  const { sql, ask } = await openEdgeWorld(t)
  const card = { title: 'A', description: null, image: null }
  const preview = ['User-Agent: WhatsApp/2.23']
  const { id, slug } = await makeLink(sql, { options: { maxClicks: 1, card } })
  const locked = await makeLink(sql, { options: { maxClicks: 1 }, passwordHash: 'x' })
  for (let i = 0; i < 3; i++) {
    assert.equal((await ask(`/${slug}`, [], 'HEAD')).status, 302)
    assert.equal((await ask(`/${slug}`, preview)).status, 200)
    assert.equal((await ask(`/${locked.slug}`)).status, 401)
  }
  assert.equal(await servedOf(sql, id), 0)
  assert.equal(await servedOf(sql, locked.id), 0)
  assert.equal((await ask(`/${slug}`)).status, 302)
  assert.equal((await ask(`/${slug}`, [], 'HEAD')).status, 410)
  assert.equal((await ask(`/${slug}`, preview)).status, 410)
  await sql`update link_quotas set served = 1 where link_id = ${locked.id}`
  assert.equal((await ask(`/${locked.slug}`)).status, 410)
})

test('a changed limit is obeyed by every edge, and a lower one ends the link', async (t) => {
  const first = await openEdgeWorld(t)
  const second = await openEdgeWorld(t, { database: first })
  const link = await makeLink(first.sql, { options: { maxClicks: 1 } })
  assert.deepEqual(await visit([first, second], link.slug, 4), { 302: 1, 410: 3 })
  await changeLink(first.sql, link, { options: { maxClicks: 3 } })
  for (const { ask } of [first, second])
    await eventually(async () => assert.equal((await ask(`/${link.slug}`)).status, 302))
  assert.equal((await second.ask(`/${link.slug}`)).status, 410)
  await changeLink(first.sql, link, { options: { maxClicks: 2 } })
  assert.equal((await second.ask(`/${link.slug}`)).status, 410)
  assert.equal(await servedOf(first.sql, link.id), 3)
})

test('a visit to a link whose limit was removed is decided by the link as it is', async (t) => {
  const { sql, ask, resolver } = await openEdgeWorld(t)
  const link = await makeLink(sql, { options: { maxClicks: 5 } })
  const gone = await makeLink(sql, { options: { maxClicks: 5 } })
  for (const { slug } of [link, gone]) assert.equal((await ask(`/${slug}`)).status, 302)
  await inTransaction(sql, async (tx) => {
    // Not announced, so that the edge has the former links.
    await tx`update links set options = null where id = ${link.id}`
    await tx`delete from links where id = ${gone.id}`
    await tx`delete from link_quotas`
  })
  assert.partialDeepStrictEqual(resolver.peek(link.key), { options: { maxClicks: 5 } })
  assert.equal((await ask(`/${link.slug}`)).status, 302)
  assert.partialDeepStrictEqual(resolver.peek(link.key), { options: null })
  assert.equal((await ask(`/${gone.slug}`)).status, 404)
})

test('without PostgreSQL only links with maxClicks are unavailable, and an outage wastes what was in flight', async (t) => {
  const world = await openEdgeWorld(t)
  const proxy = await openProxy(t, world.postgresUrl)
  const quotas = new Quotas({
    openSql: () => asSystem(openPostgres(proxy.url, { maxConnections: 4 })),
    log: openLog('silent'),
  })
  t.after(() => quotas.close())
  const edge = await openEdgeWorld(t, { database: world, edge: { quotas } })
  const limited = await makeLink(world.sql, { options: { maxClicks: 100 } })
  const plain = await makeLink(world.sql)
  const statuses = async () => [
    (await edge.ask(`/${limited.slug}`)).status,
    (await edge.ask(`/${plain.slug}`)).status,
  ]
  assert.deepEqual(await statuses(), [302, 302])
  proxy.cut()
  for (let i = 0; i < 5; i++) assert.deepEqual(await statuses(), [503, 302])
  proxy.restore()
  await eventually(async () => assert.deepEqual(await statuses(), [302, 302]))

  // Answers that never arrive: the statement under way is executed without its visitor.
  const before = await servedOf(world.sql, limited.id)
  proxy.hold()
  for (let i = 0; i < 5; i++) assert.deepEqual(await statuses(), [503, 302])
  proxy.release()
  await eventually(async () => assert.deepEqual(await statuses(), [302, 302]))
  assert.ok((await servedOf(world.sql, limited.id)) <= before + 2)
})

test('a row that is locked elsewhere delays its link alone', async (t) => {
  const world = await openEdgeWorld(t)
  const { sql, ask } = world
  const locked = await makeLink(sql, { options: { maxClicks: 9 } })
  const free = await makeLink(sql, { options: { maxClicks: 9 } })
  let waiting: Promise<{ status: number }> | undefined
  await inTransaction(sql, async (tx) => {
    await tx`select from link_quotas where link_id = ${locked.id} for update`
    waiting = ask(`/${locked.slug}`)
    await eventually(() => assert.equal(world.quotas.stats().waiting, 1))
    for (let i = 0; i < 3; i++) assert.equal((await ask(`/${free.slug}`)).status, 302)
  })
  assert.ok([302, 503].includes((await waiting!).status))
})

test('an edge that is killed wastes at most what was in flight', async (t) => {
  const survivor = await openEdgeWorld(t)
  const link = await makeLink(survivor.sql, { options: { maxClicks: 600 } })
  let answered = 0
  let inFlight = 0
  for (let round = 0; round < 3; round++) {
    const args = ['edge', survivor.postgresUrl, '0', freshFolder()]
    const { line, child } = await startScript('redirect-server.ts', args, { isPinned: false })
    const ended = once(child, 'close')
    let answeredHere = 0
    const asked = Array.from({ length: 150 }, async () => {
      const url = `http://127.0.0.1:${line}/${link.slug}`
      const { status } = await fetch(url, { redirect: 'manual' }).catch(() => ({ status: 0 }))
      if (status === 302) answeredHere++
      if (answeredHere === 20) child.kill('SIGKILL')
    })
    await Promise.all(asked)
    await ended
    answered += answeredHere
    inFlight += asked.length - answeredHere
  }
  const served = await servedOf(survivor.sql, link.id)
  assert.ok(served >= answered && served <= answered + inFlight, `${served} for ${answered}`)
  assert.deepEqual(await visit([survivor], link.slug, 601), { 302: 600 - served, 410: 1 + served })
})
