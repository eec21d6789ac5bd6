import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import type { CrashPoint } from '../../../src/clicks/shipping/batch.ts'
import { storeDeepLinks } from '../../../src/clicks/shipping/deep-links.ts'
import { createMeters } from '../../../src/clicks/shipping/meters.ts'
import { shipFolder, type ShipperParts } from '../../../src/clicks/shipping/shipper.ts'
import { newBootId, type ClickRecord } from '../../../src/clicks/journal/format.ts'
import { inTransaction } from '../../../src/platform/storage/postgres/postgres.ts'
import { asSystem } from '../../support/privileges.ts'
import type { Orders } from '../../support/shipping-child.ts'
import { GOOGLEBOT, openBench, type Bench } from '../../support/shipping-world.ts'
import { DAY_MS } from '../../../src/platform/core/clock.ts'

const CHILD = join(import.meta.dirname, '../../support/shipping-child.ts')
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const never = new AbortController().signal

const onPhone = (bench: Bench, changes: Partial<ClickRecord> = {}) =>
  bench.click({ route: 'ios', ip: '198.41.0.4', userAgent: IPHONE, ...changes })

function ship(bench: Bench, journal: string, parts: ShipperParts = {}) {
  const deps = { ...bench.deps, meters: createMeters(new Registry()) }
  return shipFolder(join(bench.journalDir, journal), deps, never, { settleMs: 0, ...parts })
}

async function shipAll(bench: Bench, clicks: ClickRecord[], parts?: ShipperParts) {
  const journal = newBootId()
  bench.segment(journal, 1, clicks)
  await ship(bench, journal, parts)
}

type Stored = {
  clickId: string
  linkId: string
  platform: string
  language: string
  fingerprint: Buffer
  agent: Buffer
}

const readStored = ({ sql, workspaceId }: Bench) =>
  sql<Stored[]>`
    select click_id, link_id, platform, language, fingerprint, agent from deep_link_clicks
    where workspace_id = ${workspaceId} order by click_id`

/** Numbers of stored and of counted clicks of the workspace. */
async function countStored({ sql, workspaceId }: Bench) {
  const [row] = await sql<{ stored: number; counted: number }[]>`
    select (select count(*) from deep_link_clicks where workspace_id = ${workspaceId}) as stored,
      (select coalesce(sum(clicks), 0)::bigint from deep_link_keys where workspace_id = ${workspaceId})
        as counted`
  return row!
}

test('a click that led a phone to an app has a fingerprint of its address, and no other click has', async (t) => {
  const bench = await openBench(t)
  const [linkId] = bench.linkIds
  const ios = onPhone(bench, { linkId: linkId!, language: 'de-DE' })
  const again = onPhone(bench, { ip: '198.41.0.4', userAgent: 'another app' })
  const android = onPhone(bench, { route: 'android', ip: '2001:500::5', language: 'pt-BR' })
  await shipAll(bench, [
    ios,
    again,
    android,
    onPhone(bench, { route: 'default' }),
    onPhone(bench, { route: 'rule:rul_1' }),
    onPhone(bench, { ip: '192.168.1.7' }),
    onPhone(bench, { ip: '100.64.1.7' }),
    onPhone(bench, { ip: '::1' }),
    onPhone(bench, { hasGpc: true }),
    onPhone(bench, { hasDnt: true }),
    onPhone(bench, { userAgent: GOOGLEBOT }),
    onPhone(bench, { isPrefetch: true }),
    onPhone(bench, { isView: true }),
  ])
  const stored = await readStored(bench)
  const of = ({ clickId }: ClickRecord) => stored.find((row) => row.clickId === clickId)!
  assert.equal(stored.length, 3)
  assert.deepEqual([of(ios).linkId, of(ios).platform, of(ios).language], [linkId, 'ios', 'de'])
  assert.deepEqual([of(android).platform, of(android).language], ['android', 'pt'])
  assert.deepEqual(of(again).fingerprint, of(ios).fingerprint)
  assert.notDeepEqual(of(again).agent, of(ios).agent)
  assert.notDeepEqual(of(android).fingerprint, of(ios).fingerprint)
  // The digests have no part of the address or the user agent.
  const [text] = await bench.sql<{ text: string }[]>`
    select string_agg(to_jsonb(c)::text, ' ') as text from deep_link_clicks c`
  assert.doesNotMatch(text!.text, /198\.41|iPhone|another app/)
})

test('fingerprints of two days and of two workspaces have nothing in common', async (t) => {
  const bench = await openBench(t)
  const yesterday = Date.now() - DAY_MS
  const clicks = [onPhone(bench), onPhone(bench, { atMs: yesterday })]
  await shipAll(bench, clicks)
  const [one, other] = await readStored(bench)
  assert.notDeepEqual(one!.fingerprint, other!.fingerprint)
  assert.notDeepEqual(one!.agent, other!.agent)
})

test('a click of the day before yesterday has no key, and so no fingerprint', async (t) => {
  const bench = await openBench(t)
  await shipAll(bench, [onPhone(bench, { atMs: Date.now() - 2 * DAY_MS }), onPhone(bench)])
  assert.deepEqual(await countStored(bench), { stored: 1, counted: 1 })
})

test('a workspace without the setting for privacy signals stores fingerprints of all', async (t) => {
  const bench = await openBench(t)
  const { sql, workspaceId } = bench
  await sql`update workspaces set honors_privacy_signals = false where id = ${workspaceId}`
  await shipAll(bench, [onPhone(bench, { hasGpc: true }), onPhone(bench)])
  assert.equal((await countStored(bench)).stored, 2)
})

test('beyond the bound of a day clicks are counted and not stored', async (t) => {
  const bench = await openBench(t)
  await shipAll(bench, [onPhone(bench)])
  const { workspaceId } = bench
  const [linkId] = bench.linkIds
  const day = new Date().toISOString().slice(0, 10)
  const more = Array.from({ length: 5 }, () => {
    const { clickId, atMs } = onPhone(bench)
    const digests = { fingerprint: 'AAAA', agent: 'AAAA' }
    const common = { workspaceId, linkId: linkId!, platform: 'ios', language: 'de' } as const
    return { ...common, ...digests, clickId, atMs, day }
  })
  await Promise.all(
    more.map((click) => inTransaction(asSystem(bench.sql), (tx) => storeDeepLinks(tx, [click], 3))),
  )
  assert.deepEqual(await countStored(bench), { stored: 3, counted: 6 })
})

test('clicks of a link or workspace that is gone are skipped', async (t) => {
  const bench = await openBench(t)
  const { sql } = bench
  const [first, second] = bench.linkIds
  await sql`delete from links where id = ${second!}`
  await shipAll(bench, [
    onPhone(bench, { linkId: first! }),
    onPhone(bench, { linkId: second! }),
    onPhone(bench, { workspaceId: 'ws_gone' }),
  ])
  assert.deepEqual(await countStored(bench), { stored: 1, counted: 1 })
})

async function killAt(t: TestContext, point: CrashPoint): Promise<Bench> {
  const bench = await openBench(t)
  const journal = newBootId()
  bench.segment(
    journal,
    1,
    Array.from({ length: 40 }, () => onPhone(bench)),
  )
  bench.segment(
    journal,
    2,
    Array.from({ length: 40 }, () => onPhone(bench)),
  )
  const { postgresUrl, clickhouseUrl, quarantineDir } = bench
  const folder = join(bench.journalDir, journal)
  const orders: Orders = {
    folder,
    quarantineDir,
    postgresUrl,
    clickhouseUrl,
    as: 'own',
    fault: { point, signal: 'SIGKILL', nth: 2 },
  }
  const child = spawn(process.execPath, [...process.execArgv, CHILD, JSON.stringify(orders)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL', `the shipper never reached ${point}`)
  if (existsSync(folder)) await ship(bench, journal)
  return bench
}

for (const point of ['frozen', 'stored', 'cursor-moved', 'committed', 'unlinked'] as const)
  test(`fingerprints are stored once: a shipper killed at "${point}"`, async (t) => {
    const bench = await killAt(t, point)
    assert.deepEqual(await countStored(bench), { stored: 80, counted: 80 })
  })
