import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { shipFolder, type ShipperParts } from '../../src/clicks/shipper.ts'
import { newBootId, newSeed, segmentName } from '../../src/journal/format.ts'
import { encodeFormerSegment } from '../journal/version-1.ts'
import { JUST_RIGHT, journalFiles, judge, openBench, type Bench } from './fixture.ts'

const never = new AbortController().signal
const parts: ShipperParts = { settleMs: 0 }

async function routesByKind({ clickhouse }: Bench) {
  const query = `select kind, domain_id, route, country, count() as n from clicks
    group by all order by all`
  return (await clickhouse.query({ query, format: 'JSONEachRow' })).json()
}

async function shippedByKind({ registry }: Bench): Promise<Record<string, number>> {
  const { values } = await registry.getSingleMetric('signpost_clicks_shipped_total')!.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels.kind, value]))
}

test('segments of both versions in one folder are shipped once, with the defaults of the former', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const folder = join(bench.journalDir, journal)
  mkdirSync(folder, { recursive: true })
  const former = [1, 2, 3, 4, 5].map(() => bench.click())
  const recent = [1, 2].map(() =>
    bench.click({ route: 'rule:rul_1', domainId: 'dom_1', country: 'FR' }),
  )
  const write = (sequence: number, state: 'open' | 'sealed', bytes: Buffer) =>
    writeFileSync(join(folder, segmentName(sequence, state)), bytes)
  write(1, 'sealed', encodeFormerSegment(former.slice(0, 2), newSeed()))
  bench.segment(journal, 2, recent)
  // As a process leaves it that dies: the last record is torn.
  write(
    3,
    'open',
    encodeFormerSegment([...former.slice(2), bench.click()], newSeed()).subarray(0, -7),
  )
  await shipFolder(folder, bench.deps, never, parts)
  const ids = [...former, ...recent].map(({ clickId }) => clickId)
  assert.deepEqual(await judge(bench, ids), JUST_RIGHT)
  assert.deepEqual(await routesByKind(bench), [
    { kind: 'human', domain_id: '', route: 'default', country: 'DE', n: 5 },
    { kind: 'human', domain_id: 'dom_1', route: 'rule:rul_1', country: 'FR', n: 2 },
  ])
})

test('frozen rows of the former program are sent as they are, and counted by kind', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const click = bench.click()
  bench.segment(journal, 1, [click])
  const { clickId, workspaceId, linkId, atMs } = click
  const line = `${JSON.stringify({
    ...{ click_id: clickId, workspace_id: workspaceId, link_id: linkId, segment: `${journal}-1` },
    at: new Date(atMs).toISOString().replace('T', ' ').replace('Z', ''),
    ...{ kind: 'human', visitor: 7, host: 'short.example', slug: linkId, country: 'SE' },
  })}\n`
  const about = {
    ...{ version: 1, rows: 1, bytes: line.length, crc: crc32(line), fromMs: atMs, toMs: atMs },
    kinds: { human: 1, bot: 0, preview: 0, prefetch: 0 },
    dropped: {},
    tallies: [{ workspaceId, linkId, clicks: 1, lastMs: atMs }],
  }
  const file = join(bench.journalDir, journal, segmentName(1, 'rows'))
  writeFileSync(file, `${JSON.stringify(about)}\n${line}`)
  await shipFolder(join(bench.journalDir, journal), bench.deps, never, parts)
  assert.deepEqual(await judge(bench, [clickId]), JUST_RIGHT)
  assert.deepEqual(await routesByKind(bench), [
    { kind: 'human', domain_id: '', route: 'default', country: 'SE', n: 1 },
  ])
  const none = { bot: 0, preview: 0, prefetch: 0, view: 0 }
  assert.deepEqual(await shippedByKind(bench), { human: 1, ...none })
  assert.deepEqual(journalFiles(bench.journalDir), [])
})

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
