import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { shipFolder } from '../../../src/clicks/shipping/shipper.ts'
import { createPrivacySignals } from '../../../src/clicks/shipping/visitor.ts'
import { newBootId, type ClickRecord } from '../../../src/clicks/journal/format.ts'
import { freshPostgres } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { addWorkspace } from '../../support/fixtures.ts'
import { asSystem } from '../../support/privileges.ts'
import { openWorld } from '../../support/world.ts'
import { openBench, seedLinks } from '../../support/shipping-world.ts'
import { selectRows } from '../../support/click-rows.ts'

const SIGNALS: Partial<ClickRecord>[] = [
  {},
  { hasGpc: true },
  { hasDnt: true },
  { hasGpc: true, hasDnt: true },
]

test('a click with a privacy signal counts without a visitor, unless the workspace decides otherwise', async (t) => {
  const bench = await openBench(t)
  const other = await seedLinks(bench.sql)
  await bench.sql`
    update workspaces set honors_privacy_signals = false where id = ${other.workspaceId}`
  const [linkId] = bench.linkIds
  const clicks = SIGNALS.flatMap((signals) => [
    bench.click({ linkId: linkId!, ip: '203.0.113.7', ...signals }),
    bench.click({ ...other, linkId: other.linkIds[0]!, ip: '203.0.113.7', ...signals }),
  ])
  const journal = newBootId()
  bench.segment(journal, 1, clicks)
  const never = new AbortController().signal
  await shipFolder(join(bench.journalDir, journal), bench.deps, never, { settleMs: 0 })
  const visitorsOf = async (workspaceId: string) => {
    const query = `
      select toString(visitor) as visitor from clicks
      where workspace_id = {workspaceId:String} and kind = 'human' order by visitor`
    const rows = await selectRows<{ visitor: string }>(bench.clickhouse, query, { workspaceId })
    return rows.map(({ visitor }) => visitor)
  }
  const honored = await visitorsOf(bench.workspaceId)
  assert.deepEqual(honored.slice(0, 3), ['0', '0', '0'])
  assert.equal(honored.length, 4)
  assert.notEqual(honored[3], '0')
  const ignored = await visitorsOf(other.workspaceId)
  assert.equal(ignored.length, 4)
  assert.equal(new Set(ignored).size, 1)
  assert.notEqual(ignored[0], '0')
  for (const id of [linkId!, other.linkIds[0]!]) {
    const [counter] = await bench.sql`select clicks from link_clicks where link_id = ${id}`
    assert.equal(counter!['clicks'], 4)
  }
})

test('the setting of a workspace is read again within seconds, and honoured until it is known', async (t) => {
  const { sql } = await freshPostgres(t)
  const id = await addWorkspace(sql)
  const signals = createPrivacySignals({ sql: asSystem(sql) })
  assert.equal(signals.areHonored(id), true)
  await sql`update workspaces set honors_privacy_signals = false where id = ${id}`
  await signals.load(new Set([id, 'wsp_gone']))
  assert.equal(signals.areHonored(id), false)
  assert.equal(signals.areHonored('wsp_gone'), true)
  await sql`update workspaces set honors_privacy_signals = true where id = ${id}`
  await eventually(async () => {
    await signals.load(new Set([id]))
    assert.equal(signals.areHonored(id), true)
  })
})

test('visitors with a privacy signal are clicks, and no unique visitors', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  const { body } = await owner.post('/links', {
    name: 'Docs',
    destinationUrl: 'https://example.com/docs',
  })
  const link: { id: string; slug: string } = body.data
  const visit = (headers: Record<string, string>) =>
    eventually(async () => {
      const url = `${world.origin}/${link.slug}`
      const { status } = await fetch(url, { headers, redirect: 'manual' })
      assert.equal(status, 302)
    })
  const isCounted = (clicks: number, visitors: number) =>
    eventually(async () => {
      const { data } = (await owner.get(`/analytics/links/${link.id}`)).body
      assert.deepEqual([data.periodClicks, data.uniqueVisitors], [clicks, visitors])
    })
  await visit({ 'user-agent': 'one' })
  await visit({ 'user-agent': 'two', 'sec-gpc': '1' })
  await visit({ 'user-agent': 'three', dnt: '1' })
  await isCounted(3, 1)

  const path = `/workspaces/${owner.workspaceId}`
  assert.equal((await owner.get(path)).body.data.honorsPrivacySignals, true)
  for (const [value, status] of [
    ['no', 400],
    [null, 400],
    [false, 200],
  ] as const) {
    const answer = await owner.patch(path, { honorsPrivacySignals: value })
    assert.equal(answer.status, status)
    if (status === 400) assert.equal(answer.body.error.details[0].path, 'honorsPrivacySignals')
    else assert.equal(answer.body.data.honorsPrivacySignals, false)
  }
  // The shipper may still have the setting of a few seconds ago.
  await eventually(async () => {
    await visit({ 'user-agent': 'four', 'sec-gpc': '1' })
    const { data } = (await owner.get(`/analytics/links/${link.id}`)).body
    assert.equal(data.uniqueVisitors, 2)
  })
})
