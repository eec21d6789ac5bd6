import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { shipFolder, type ShipperParts } from '../../../src/clicks/shipping/shipper.ts'
import { newBootId } from '../../../src/clicks/journal/format.ts'
import { JUST_RIGHT, judge, openBench, type Bench } from '../../support/shipping-world.ts'

const never = new AbortController().signal
const parts: ShipperParts = { settleMs: 0 }

async function shippedByKind({ registry }: Bench): Promise<Record<string, number>> {
  const { values } = await registry.getSingleMetric('signpost_clicks_shipped_total')!.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels.kind, value]))
}

test('a view of a page by a person is stored as a view, and is no click of the link', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = [bench.click({ isView: true }), bench.click({ isView: true })]
  const noVisits = [
    bench.click({ isView: true, isPrefetch: true }),
    bench.click({ isView: true, userAgent: 'Googlebot/2.1' }),
  ]
  bench.segment(journal, 1, [...clicks, ...noVisits])
  await shipFolder(join(bench.journalDir, journal), bench.deps, never, parts)
  const ids = clicks.map(({ clickId }) => clickId)
  assert.deepEqual(await judge(bench, ids), JUST_RIGHT)
  assert.equal((await bench.sql`select 1 from link_clicks`).length, 0)
  const none = { human: 0, bot: 0, preview: 0, prefetch: 0 }
  assert.deepEqual(await shippedByKind(bench), { ...none, view: 2 })
})
