import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { must } from '../support/calls.ts'
import { eventually, openWorld, type Member } from '../support/world.ts'
import { download, makeReport } from '../support/reports-world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

type Row = [slug: string, clicks: number | string, createdAt?: string]

async function openImports(t: TestContext) {
  const world = await openWorld(t, { isClockReal: true, pace: 5 })
  const owner = await world.member()

  /** Imports links of YOURLS, and waits for the end. */
  const importRows = async (
    rows: Row[],
    { onConflict = 'update', as = owner }: { onConflict?: string; as?: Member } = {},
  ) => {
    const lines = rows.map(([slug, clicks, createdAt = '']) =>
      [slug, `https://example.com/${slug}`, slug, createdAt, clicks].join(','),
    )
    return importFile(['keyword,url,title,timestamp,clicks', ...lines].join('\n'), as, onConflict)
  }
  const importFile = async (body: string, as: Member, onConflict = 'update') => {
    const { body: started } = await must(
      202,
      world.call('POST', `/v1/links/import?onConflict=${onConflict}`, {
        headers: { authorization: `Bearer ${as.apiKey}`, 'content-type': 'text/csv' },
        body,
      }),
    )
    return eventually(async () => {
      const { data } = (await as.get(`/links/imports/${started.data.id}`)).body
      assert.equal(data.status, 'completed')
      return data as {
        id: string
        created: number
        failed: number
        errors: { column: string; message: string }[]
      }
    })
  }
  const linkOf = async (slug: string) => {
    const { data } = (await owner.get(`/links?search=${slug}`)).body
    return data[0] as { id: string; clicks: number }
  }
  const numbersOf = async (path: string, as = owner) => (await must(200, as.get(path))).body.data
  return { world, owner, importRows, importFile, linkOf, numbersOf }
}

type Counts = { clicks: number; periodClicks?: number }

function assertEmpty(rows: readonly Counts[]): void {
  for (const { clicks } of rows) assert.equal(clicks, 0)
}

type Shared = {
  metrics: Record<string, number>
  timeseries: Counts[]
}

/** Equal questions within a second get the same answer. */
const becomes = <T>(read: () => Promise<T>, expected: T) =>
  eventually(async () => assert.deepEqual(await read(), expected))

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

test('imported history', { concurrency: false }, async (t) => {
  const { world, owner, importRows, importFile, linkOf, numbersOf } = await openImports(t)
  const first = await importRows([
    ['history-one', 40, `${dayBefore(3)} 10:00:00`],
    ['history-two', 2, `${dayBefore(400)} 10:00:00`],
  ])
  const link = await linkOf('history-one')
  const total = async (): Promise<number> =>
    (await numbersOf('/analytics/overview')).totalImportedClicks

  await t.test('counts in totals, by link too, and a filter by a label leaves it out', async () => {
    const totalsWith = async (filter: string) => {
      const all = await numbersOf(`/analytics/overview?days=7&${filter}`)
      return [all.totalClicks, all.totalImportedClicks]
    }
    assert.deepEqual(await totalsWith(''), [42, 42])
    assert.deepEqual(await totalsWith(`linkId=${link.id}`), [40, 40])
    assert.deepEqual(await totalsWith(`linkId=-${link.id}`), [2, 2])
    assert.deepEqual(await totalsWith('country=unknown'), [0, 0])
    assert.deepEqual(await totalsWith('country=-DE'), [0, 0])
  })

  await t.test('is no click of the link itself, nor of another workspace', async () => {
    assert.equal((await linkOf('history-one')).clicks, 0)
    const [counter] = await world.sql`
      select count(*) as rows from link_clicks where workspace_id = ${owner.workspaceId}`
    assert.equal(counter!['rows'], 0)
    const other = await world.member()
    assert.equal((await numbersOf('/analytics/overview', other)).totalClicks, 0)
  })

  await t.test('adds to the clicks of this server', async () => {
    await eventually(async () => {
      const answer = await fetch(`${world.origin}/history-one`, { redirect: 'manual' })
      assert.equal(answer.status, 302)
    })
    await eventually(async () => {
      const of = await numbersOf(`/analytics/links/${link.id}?days=7`)
      assert.equal(of.uniqueVisitors, 1)
      assert.equal(of.totalClicks - of.totalImportedClicks, of.periodClicks)
      assert.ok(of.periodClicks > 0)
    })
  })

  await t.test('is replaced by the same file, and comes back with an undo of that', async () => {
    const again = await importRows([['history-two', 9, `${dayBefore(400)} 10:00:00`]])
    await becomes(total, 49)
    await must(200, owner.post(`/links/imports/${again.id}/undo`))
    await becomes(total, 42)
    assert.equal((await owner.post(`/links/imports/${again.id}/undo`)).status, 404)
  })

  await t.test('goes with its import, but for links that stay', async () => {
    const { body } = await must(200, owner.post(`/links/imports/${first.id}/undo`))
    // It was visited.
    assert.deepEqual([body.meta.total, body.meta.skipped], [2, 1])
    await becomes(total, 40)
    assert.equal((await owner.post(`/links/imports/${first.id}/undo`)).status, 404)
    await becomes(total, 40)
    const fresh = await importRows([['history-three', 5]])
    await becomes(total, 45)
    const canUndo = async () => (await numbersOf(`/links/imports/${fresh.id}`)).canUndo as boolean
    await world.sql`update link_versions set operation_id = null where operation_id = ${fresh.id}`
    assert.equal(await canUndo(), true)
    await must(200, owner.post(`/links/imports/${fresh.id}/undo`))
    assert.equal(await canUndo(), false)
    await becomes(total, 40)
  })

  await t.test('counts as before when the imports in between are undone', async () => {
    const principal = await world.member()
    const clicks = async () =>
      (await numbersOf('/analytics/overview', principal)).totalClicks as number
    const jobs = []
    for (const count of [3, 5, 7])
      jobs.push((await importRows([['history-chain', count]], { as: principal })).id)
    await becomes(clicks, 7)
    await must(200, principal.post(`/links/imports/${jobs[1]}/undo`))
    await becomes(clicks, 7)
    await must(200, principal.post(`/links/imports/${jobs[2]}/undo`))
    await becomes(clicks, 3)
    await must(200, principal.post(`/links/imports/${jobs[0]}/undo`))
    await becomes(clicks, 0)
    const [kept] = await world.sql`
      select count(*) as rows from imported_clicks where workspace_id = ${principal.workspaceId}`
    assert.equal(kept!['rows'], 0)
  })

  await t.test('is in nothing that has a period', async () => {
    const principal = await world.member()
    await importRows(
      [
        ['history-bare', 6],
        ['history-old', 3, `${dayBefore(400)} 10:00:00`],
        ['history-new', 4, `${dayBefore(0)} 00:00:00`],
      ],
      { as: principal },
    )
    const { data: links } = (await must(200, principal.get('/links?clickDays=30'))).body
    assert.deepEqual(
      links.map(({ clicks, periodClicks }: Counts) => [clicks, periodClicks]),
      Array.from({ length: 3 }, () => [0, 0]),
    )
    const campaign = (await must(201, principal.post('/campaigns', { name: 'Moved' }))).body.data
    const ids = links.map(({ id }: { id: string }) => id)
    await must(200, principal.patch('/links/bulk', { ids, data: { campaignId: campaign.id } }))

    const bare = links.find(({ slug }: { slug: string }) => slug === 'history-bare')
    for (const [path, all] of [
      ['/analytics/overview', 13],
      [`/analytics/campaigns/${campaign.id}`, 13],
      [`/analytics/links/${bare.id}`, 6],
    ] as const)
      for (const period of ['days=1', 'days=3650', 'interval=all']) {
        const numbers = await numbersOf(`${path}?${period}`, principal)
        const { totalClicks, totalImportedClicks, breakdowns, ...rest } = numbers
        assert.deepEqual([totalClicks, totalImportedClicks], [all, all], path)
        assert.equal(rest.periodClicks, 0, `${path} ${period}`)
        assert.deepEqual([rest.periodChangePercent, rest.hasEarlierPeriod], [0, false])
        for (const labels of Object.values(breakdowns)) assert.deepEqual(labels, {})
      }
    for (const path of ['/analytics/timeseries', `/analytics/links/${bare.id}/timeseries`])
      assertEmpty(await numbersOf(`${path}?interval=all`, principal))
    for (const path of ['/analytics/top-links', '/analytics/breakdowns/country'])
      assert.deepEqual(await numbersOf(path, principal), [])
    assert.deepEqual(await numbersOf('/analytics?event=clicks&groupBy=count', principal), {
      clicks: 0,
    })
    const { totals, series, comparison } = await numbersOf(
      '/analytics/summary?days=7&compare=previous',
      principal,
    )
    assertEmpty([totals, comparison, ...series, ...comparison.series])
    const exported = await world.call('GET', '/v1/analytics/export?format=json', {
      headers: { authorization: `Bearer ${principal.apiKey}` },
    })
    assert.deepEqual(exported.body, [])

    const { body } = await must(201, principal.post('/dashboards', { title: 'History', days: 7 }))
    const url = body.data.url.replace('/share/', '/v1/public/dashboards/')
    const { data: shared } = (await (await fetch(url)).json()) as { data: Shared }
    const { totalClicks, totalImportedClicks, periodClicks } = shared.metrics
    assert.deepEqual([totalClicks, totalImportedClicks, periodClicks], [13, 13, 0])
    assert.equal(shared.metrics['hasEarlierPeriod'], false)
    assertEmpty(shared.timeseries)

    for (const [type, key] of [
      ['summary', 'value'],
      ['campaign', 'clicks'],
      ['links', 'clicks'],
    ] as const) {
      const { id } = await makeReport(principal, { type, format: 'json', filters: { days: 7 } })
      const rows = JSON.parse(String((await download(world, principal, id)).bytes))
      assert.ok(rows.length > 0)
      for (const row of rows) assert.equal(row[key], 0, type)
    }
  })

  await t.test(
    'with days is beside the clicks of a series, once, and starts all time',
    async () => {
      const principal = await world.member()
      const byDay = (days: Record<string, number>) => JSON.stringify(days).replaceAll('"', '""')
      const file = (clicks: number, days: Record<string, number>) =>
        `keyword,url,clicks,clicksByDay\nhistory-days,https://example.com,${clicks},"${byDay(days)}"`
      const [early, late] = [dayBefore(40), dayBefore(2)]
      await importFile(file(10, { [early]: 3, [late]: 4 }), principal)
      const seriesOf = async (query: string) => {
        const { body } = await must(200, principal.get(`/analytics/timeseries?${query}`))
        const rows = body.data as { start: string; clicks: number; importedClicks: number }[]
        assertEmpty(rows)
        const days = rows
          .filter(({ importedClicks }) => importedClicks > 0)
          .map(({ start, importedClicks }) => [start.slice(0, 10), importedClicks])
        return { days, start: rows[0]!.start.slice(0, 10) }
      }
      const both = {
        days: [
          [early, 3],
          [late, 4],
        ],
      }
      await becomes(async () => (await seriesOf('days=60')).days, both.days)
      assert.deepEqual(await seriesOf('interval=all&granularity=day'), { ...both, start: early })
      assert.deepEqual((await seriesOf('days=7')).days, [[late, 4]])
      assert.deepEqual((await seriesOf('days=7&timezone=Pacific/Kiritimati')).days.length, 1)
      assert.deepEqual((await seriesOf('days=7&granularity=hour')).days, [])
      assert.deepEqual((await seriesOf('days=60&country=unknown')).days, [])
      const { totalClicks, totalImportedClicks, periodClicks } = await numbersOf(
        '/analytics/overview?days=60',
        principal,
      )
      assert.deepEqual([totalClicks, totalImportedClicks, periodClicks], [10, 10, 0])
      const { series, comparison } = await numbersOf(
        '/analytics/summary?days=30&compare=previous',
        principal,
      )
      const sum = (rows: { importedClicks: number }[]) =>
        rows.reduce((all, { importedClicks }) => all + importedClicks, 0)
      assert.deepEqual([sum(series), sum(comparison.series)], [4, 3])

      const again = await importFile(file(11, { [late]: 5 }), principal)
      await becomes(async () => (await seriesOf('days=60')).days, [[late, 5]])
      assert.equal((await numbersOf('/analytics/overview', principal)).totalClicks, 11)
      await must(200, principal.post(`/links/imports/${again.id}/undo`))
      await becomes(async () => (await seriesOf('days=60')).days, both.days)
    },
  )

  await t.test('has at most a billion clicks in a row', async () => {
    const principal = await world.member()
    const { created, failed, errors } = await importRows(
      [
        ['history-most', 1_000_000_000],
        ['history-more', 1_000_000_001],
        ['history-less', -1],
      ],
      { as: principal },
    )
    assert.deepEqual([created, failed], [1, 2])
    assert.deepEqual(
      errors.map(({ column }) => column),
      ['clicks', 'clicks'],
    )
    assert.equal((await numbersOf('/analytics/overview', principal)).totalClicks, 1_000_000_000)
  })
})
