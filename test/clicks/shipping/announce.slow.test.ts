import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createLedger } from '../../../src/clicks/shipping/cursor.ts'
import { shipFolder } from '../../../src/clicks/shipping/shipper.ts'
import { newBootId } from '../../../src/clicks/journal/format.ts'
import { GOOGLEBOT, openBench, seedLinks, type Bench } from '../../support/shipping-world.ts'
import { watchStatements } from '../../support/watched-statements.ts'

const never = new AbortController().signal

/** Inserts the rows of an endpoint that the fan-out of events reads. */
async function subscribe(
  { sql, workspaceId }: Pick<Bench, 'sql' | 'workspaceId'>,
  id: string,
  eventType: string,
  isActive = true,
): Promise<void> {
  const now = new Date()
  const status = isActive ? 'active' : 'paused'
  await sql`
    insert into webhook_endpoints (id, workspace_id, url, events, status, secret_sealed, created_by,
      created_at, updated_at)
    values (${id}, ${workspaceId}, 'https://example.com/hook', ${[eventType]}, ${status}, '', 'test',
      ${now}, ${now})`
  await sql`insert into webhook_endpoint_stats (endpoint_id, workspace_id) values (${id}, ${workspaceId})`
  await sql`insert into webhook_lanes (endpoint_id, workspace_id) values (${id}, ${workspaceId})`
  await sql`
    insert into webhook_subscriptions (workspace_id, event_type, endpoint_id, is_active)
    values (${workspaceId}, ${eventType}, ${id}, ${isActive})`
}

async function openShipping(t: TestContext) {
  const bench = await openBench(t)
  const ship = (parts = {}) => shipFolder(bench.journalDir, bench.deps, never, parts)
  const events = () => bench.sql<{ id: string; workspaceId: string; data: string }[]>`
    select id, workspace_id, data from events where type = 'click.received' order by id`
  const queued = (endpointId: string) => bench.sql<{ eventId: string }[]>`
    select event_id from webhook_queue where endpoint_id = ${endpointId}`
  return { ...bench, ship, events, queued }
}

test('a human click becomes one event with exactly the documented fields', async (t) => {
  const bench = await openShipping(t)
  await subscribe(bench, 'whe_1', 'click.received')
  await subscribe(bench, 'whe_2', '*')
  await subscribe(bench, 'whe_3', 'link.created')
  const click = bench.click({ utm: ['news', '', 'spring', '', ''], trigger: 'qr' })
  bench.segment(newBootId(), 1, [
    click,
    bench.click({ userAgent: GOOGLEBOT }),
    bench.click({ isPrefetch: true }),
    bench.click({ isView: true }),
  ])
  await bench.ship()

  const [event, ...others] = await bench.events()
  assert.equal(others.length, 0)
  assert.equal(event!.id, `evt_${click.clickId}`)
  assert.deepEqual(JSON.parse(event!.data), {
    clickId: click.clickId,
    link: {
      id: click.linkId,
      slug: click.slug,
      shortUrl: `https://short.example/${click.slug}`,
      domain: 'short.example',
    },
    destinationUrl: 'https://example.com/',
    timestamp: new Date(click.atMs).toISOString(),
    country: 'DE',
    region: null,
    city: null,
    continent: 'EU',
    device: 'desktop',
    browser: 'Chrome',
    os: 'Windows',
    referrer: 'news.example.org',
    language: 'de',
    trigger: 'qr',
    utmSource: 'news',
    utmMedium: null,
    utmCampaign: 'spring',
    utmTerm: null,
    utmContent: null,
  })
  assert.ok(!event!.data.includes(click.ip ?? 'no address'))
  assert.equal((await bench.queued('whe_1')).length, 1)
  assert.equal((await bench.queued('whe_2')).length, 1)
  assert.equal((await bench.queued('whe_3')).length, 0)
})

test('only workspaces with a subscription get events; a paused endpoint keeps them for a replay', async (t) => {
  const bench = await openShipping(t)
  const unsubscribed = await seedLinks(bench.sql)
  const paused = await seedLinks(bench.sql)
  await subscribe(bench, 'whe_1', 'click.received')
  await subscribe({ ...bench, ...paused }, 'whe_2', '*', false)
  const clicks = [bench, unsubscribed, paused].flatMap(({ workspaceId, linkIds }) =>
    [1, 2].map(() => bench.click({ workspaceId, linkId: linkIds[0]! })),
  )
  bench.segment(newBootId(), 1, clicks)
  await bench.ship()

  const workspaceIds = (await bench.events()).map((event) => event.workspaceId)
  assert.deepEqual(
    workspaceIds.toSorted(),
    [bench, bench, paused, paused].map(({ workspaceId }) => workspaceId).toSorted(),
  )
  assert.equal((await bench.queued('whe_1')).length, 2)
  assert.equal((await bench.queued('whe_2')).length, 0)
})

test('a segment that is shipped again, or whose commit fails, makes no second event', async (t) => {
  const bench = await openShipping(t)
  await subscribe(bench, 'whe_1', 'click.received')
  const journal = newBootId()
  const clicks = Array.from({ length: 1_200 }, () => bench.click())
  bench.segment(journal, 1, clicks)
  let commits = 0
  const ledger = createLedger(bench.deps)
  const failing = {
    settleMs: 0,
    ledger: {
      ...ledger,
      async commit(commit: Parameters<typeof ledger.commit>[0]) {
        if (++commits === 1) throw new Error('the connection was lost before the commit')
        const outcome = await ledger.commit(commit)
        // The answer is lost: the shipper reads the cursor again.
        if (commits === 2) throw new Error('the connection was lost after the commit')
        return outcome
      },
    },
  }
  await bench.ship(failing)
  bench.segment(journal, 1, clicks)
  await bench.ship()

  assert.deepEqual(
    (await bench.events()).map((event) => event.id),
    clicks.map((click) => `evt_${click.clickId}`).toSorted(),
  )
  const [tally] = await bench.sql<{ n: number }[]>`
    select sum(n)::bigint as n from webhook_tallies where endpoint_id = 'whe_1'`
  assert.equal(tally!.n, 1_200)
  assert.equal((await bench.queued('whe_1')).length, 1_200)
})

test('above its backlog an endpoint gets no more clicks, and each one is counted', async (t) => {
  const bench = await openShipping(t)
  await subscribe(bench, 'whe_full', 'click.received')
  const ship = (parts = {}) => bench.ship(parts)
  const limited = () => ({ ledger: createLedger({ ...bench.deps, maxBacklog: 30 }) })
  for (const round of [1, 2]) {
    bench.segment(
      newBootId(),
      1,
      Array.from({ length: 20 }, () => bench.click()),
    )
    await ship(limited())
    assert.equal((await bench.queued('whe_full')).length, 20 * round)
  }
  await subscribe(bench, 'whe_new', '*')
  bench.segment(
    newBootId(),
    1,
    Array.from({ length: 7 }, () => bench.click()),
  )
  await ship(limited())
  assert.equal((await bench.queued('whe_full')).length, 40)
  assert.equal((await bench.queued('whe_new')).length, 7)
  assert.equal((await bench.events()).length, 47)
  const stats = await bench.sql<{ endpointId: string; droppedClicks: number }[]>`
    select endpoint_id, dropped_clicks from webhook_endpoint_stats order by endpoint_id`
  assert.deepEqual(
    stats.map((row) => [row.endpointId, row.droppedClicks]),
    [
      ['whe_full', 7],
      ['whe_new', 0],
    ],
  )
})

test('without a subscription, a segment costs one additional query', async (t) => {
  const bench = await openShipping(t)
  const statements: string[] = []
  const { journalDir, workspaceId, deps } = bench
  watchStatements(t, (text) => statements.push(text))
  bench.segment(
    newBootId(),
    1,
    Array.from({ length: 2_500 }, () => bench.click({ workspaceId })),
  )
  await shipFolder(journalDir, deps, never)
  const queries = statements.filter((statement) => statement.includes('webhook_'))
  assert.equal(queries.length, 1)
  assert.match(queries[0]!, /webhook_subscriptions/)
  assert.equal((await bench.events()).length, 0)
})
