import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { checkAlerts, type AlertNews } from '../../../src/analytics/alerts/watch.ts'
import { HOUR_MS } from '../../../src/platform/core/clock.ts'
import { openLog } from '../../../src/platform/core/log.ts'
import { createEgressGuard } from '../../../src/platform/egress/guard.ts'
import { openEgressClient } from '../../../src/platform/egress/client.ts'
import type { SystemSql } from '../../../src/platform/storage/postgres/postgres.ts'
import { must } from '../../support/calls.ts'
import { storeClicks } from '../../support/clicks.ts'
import { freshDatabases } from '../../support/engines.ts'
import { addMembership, addUser } from '../../support/fixtures.ts'
import { eventually, openWorld } from '../../support/world.ts'

const NOW = Date.parse('2026-11-02T09:10:00Z')
const WEEK_MS = 7 * 24 * HOUR_MS

/** A site whose answers a test chooses; it notes how it was asked. */
async function openSite(t: TestContext) {
  const site = { status: 200, methods: [] as string[], url: '' }
  const server = createServer((request, response) => {
    site.methods.push(request.method!)
    response.writeHead(request.method === 'HEAD' && site.status === 405 ? 500 : site.status).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => server.close())
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return site
}

type Sent = { to: string; news: AlertNews; count: number; usual: number }

async function openWatch(t: TestContext, allowedCidrs = ['127.0.0.0/8']) {
  const { sql, clickhouse } = await freshDatabases(t)
  const guard = createEgressGuard({ allowedCidrs })
  const dispatcher = openEgressClient(guard)
  t.after(() => dispatcher.destroy())
  const sent: Sent[] = []
  const times = { now: NOW }
  const site = await openSite(t)
  const deps = {
    ...{ systemSql: sql as unknown as SystemSql, clickhouse, guard, dispatcher },
    clock: () => times.now,
    log: openLog('silent'),
    mails: {
      alert: (to: string, { news, count, usual }: Sent) =>
        sent.push({ to, news, count, usual }) > 0,
    },
    addressLimiter: { consume: async () => {} },
  } as unknown as Parameters<typeof checkAlerts>[0]
  const { id: userId, email } = await addUser(sql, { nowMs: 0 })
  await sql`
    insert into workspaces (id, name, created_at, updated_at, timezone)
    values ('wsp_1', 'One', ${new Date(0)}, ${new Date(0)}, 'Europe/Berlin')`
  await addMembership(sql, { workspaceId: 'wsp_1', userId, role: 'viewer', nowMs: 0 })
  return {
    ...{ sql, clickhouse, sent, times, site, email },
    async addAlert(linkId: string | null, watches: string[], recipients = [email]) {
      await sql`
        insert into alerts (id, workspace_id, link_id, watches, recipients, is_active,
          next_check_at, created_at, updated_at)
        values (${`alr_${linkId}`}, 'wsp_1', ${linkId}, ${watches}, ${recipients}, true,
          ${new Date(times.now)}, now(), now())`
    },
    /** Clicks of an hour; as many of other kinds are not counted. */
    click: (hourMs: number, count: number, linkId = 'lnk_1') =>
      storeClicks(
        clickhouse,
        Array.from({ length: 2 * count }, (_, i) => ({
          ...{ workspaceId: 'wsp_1', linkId, atMs: hourMs + i * 1_000 },
          kind: i % 2 ? 'bot' : 'human',
        })),
      ),
    check: () => checkAlerts(deps, new AbortController().signal),
    async state() {
      const rows = await sql<Record<string, unknown>[]>`
        select clicks_state, destination_state from alerts order by id`
      return rows.map((row) => ({ ...row }))
    },
  }
}

test('clicks far above the usual are told once, and once when they are over', async (t) => {
  const watch = await openWatch(t)
  const hour = Date.parse('2026-11-02T08:00:00Z')
  await watch.click(hour, 90)
  // The clocks went back between the second and the first of the weeks before.
  for (const [week, shiftMs] of [
    [1, 0],
    [2, HOUR_MS],
    [3, HOUR_MS],
    [4, HOUR_MS],
  ] as const)
    await watch.click(hour - week * WEEK_MS - shiftMs, 30)
  await watch.addAlert(null, ['clicks'])
  await watch.check()
  assert.deepEqual(watch.sent, [{ to: watch.email, news: 'high', count: 90, usual: 30 }])
  // It is checked once an hour.
  await watch.check()
  assert.equal(watch.sent.length, 1)
  for (const [next, count] of [
    [1, 80],
    [2, 30],
  ] as const) {
    await watch.click(hour + next * HOUR_MS, count)
    for (const [week, shiftMs] of [
      [1, 0],
      [2, HOUR_MS],
      [3, HOUR_MS],
      [4, HOUR_MS],
    ] as const)
      await watch.click(hour + next * HOUR_MS - week * WEEK_MS - shiftMs, 30)
    watch.times.now += HOUR_MS
    await watch.check()
  }
  assert.deepEqual(
    watch.sent.map(({ news, count }) => [news, count]),
    [
      ['high', 90],
      ['clicksOver', 30],
    ],
  )
  assert.deepEqual(await watch.state(), [{ clicksState: 'usual', destinationState: 'ok' }])
})

test('an address that no member has any more gets no mail', async (t) => {
  const watch = await openWatch(t)
  const hour = Date.parse('2026-11-02T08:00:00Z')
  await watch.click(hour, 90)
  await watch.addAlert(null, ['clicks'], ['gone@example.com'])
  await watch.check()
  assert.deepEqual(watch.sent, [])
  assert.deepEqual(await watch.state(), [{ clicksState: 'high', destinationState: 'ok' }])
})

test('rules of alerts, and a destination that fails', async (t) => {
  const world = await openWorld(t, { pace: 10, config: { egressAllowedCidrs: ['127.0.0.0/8'] } })
  const owner = await world.member()
  const site = await openSite(t)
  const link = await must(201, owner.post('/links', { name: 'A', destinationUrl: site.url }))
  const linkId = link.body.data.id
  const [user] = await world.sql<{ email: string }[]>`
    select email from users where id = ${owner.userId}`

  await t.test('refuse what cannot be watched or mailed', async () => {
    const cases: [body: object, path: string][] = [
      [{ watches: ['destination'] }, 'watches'],
      [{ watches: [] }, 'watches'],
      [{ watches: ['clicks'], linkId: 'lnk_none' }, 'linkId'],
      [{ watches: ['clicks'], recipients: ['stranger@example.com'] }, 'recipients.0'],
    ]
    for (const [body, path] of cases) {
      const answer = await must(400, owner.post('/alerts', body))
      assert.equal(answer.body.error.details[0].path, path)
    }
  })

  await t.test('there is one for each link, and fifty in a workspace', async () => {
    await must(201, owner.post('/alerts', { watches: ['clicks'] }))
    await must(409, owner.post('/alerts', { watches: ['clicks'] }))
    const others = Array.from({ length: 49 }, (_, n) => ({
      ...{ name: `L${n}`, destinationUrl: 'https://example.com' },
    }))
    await must(200, owner.post('/links/bulk', { links: others }))
    const made = await world.sql<{ id: string }[]>`
      select id from links where workspace_id = ${owner.workspaceId} and name like 'L%'`
    assert.equal(made.length, 49)
    for (const { id } of made)
      await must(201, owner.post('/alerts', { watches: ['clicks'], linkId: id }))
    await must(403, owner.post('/alerts', { watches: ['clicks'], linkId }))
    await world.sql`delete from alerts`
  })

  await t.test('two failed checks in a row are an alert, and one good check its end', async () => {
    const made = await must(
      201,
      owner.post('/alerts', {
        ...{ watches: ['destination'], linkId, recipients: [user!.email] },
      }),
    )
    const path = `/alerts/${made.body.data.id}`
    const stateOf = async () => (await owner.get(path)).body.data.destination.state
    const checkDue = () => world.sql`update alerts set next_check_at = ${new Date(0)}`
    const checkWith = async (status: number, failures: number) => {
      site.status = status
      await checkDue()
      await eventually(async () => {
        const [row] = await world.sql<{ n: number }[]>`
          select destination_failures as n from alerts where id = ${made.body.data.id}`
        assert.equal(row!.n, failures)
      })
      return stateOf()
    }
    assert.equal(await checkWith(503, 1), 'ok')
    site.methods.length = 0
    assert.equal(await checkWith(503, 2), 'failing')
    assert.deepEqual(site.methods.slice(0, 2), ['HEAD', 'GET'])
    const begun = await world.outbox.next(user!.email)
    assert.match(begun.subject, /An alert about your links/)
    assert.equal(await checkWith(200, 0), 'ok')
    const ended = await world.outbox.next(user!.email)
    assert.match(ended.subject, /An alert is over/)
  })

  await t.test('what is no longer watched is over', async () => {
    const { data } = (await owner.get('/alerts')).body
    await world.sql`update alerts set destination_state = 'failing', destination_since = now()`
    const path = `/alerts/${data[0].id}`
    const changed = await must(200, owner.patch(path, { isActive: false }))
    assert.equal(changed.body.data.destination.state, 'ok')
    await must(204, owner.delete(path))
    await must(404, owner.get(path))
  })
})
