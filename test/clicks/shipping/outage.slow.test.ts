import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { openLog } from '../../../src/platform/core/log.ts'
import { createLedger } from '../../../src/clicks/shipping/cursor.ts'
import { createMeters } from '../../../src/clicks/shipping/meters.ts'
import {
  createShipper,
  shipFolder,
  type ShipperParts,
} from '../../../src/clicks/shipping/shipper.ts'
import { openJournal, type Journal } from '../../../src/clicks/journal/writer.ts'
import { openClickHouse } from '../../../src/platform/storage/clickhouse/clickhouse.ts'
import { newBootId, type ClickRecord } from '../../../src/clicks/journal/format.ts'
import { openPostgres, closePostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { eventually } from '../../support/eventually.ts'
import {
  JUST_RIGHT,
  journalFiles,
  judge,
  openBench,
  type Bench,
} from '../../support/shipping-world.ts'
import { openProxy, type Proxy } from '../../support/database-proxy.ts'
import { asSystem } from '../../support/privileges.ts'

const never = new AbortController().signal

/** A journal, its shipper, and proxies to both databases. */
type Running = {
  bench: Bench
  journal: Journal
  postgres: Proxy
  clickhouse: Proxy
  clicks: ClickRecord[]
  append(count: number): Promise<void>
  /** Closes the journal first, then aborts the signal, like the program. */
  stop(): Promise<void>
}

async function openProxies(t: TestContext, bench: Bench) {
  const postgres = await openProxy(t, bench.postgresUrl)
  const clickhouse = await openProxy(t, bench.clickhouseUrl)
  const sql = openPostgres(postgres.url)
  const client = openClickHouse(clickhouse.url)
  t.after(() => Promise.allSettled([closePostgres(sql), client.close()]))
  return { postgres, clickhouse, deps: { ...bench.deps, sql: asSystem(sql), clickhouse: client } }
}

async function run(t: TestContext): Promise<Running> {
  const bench = await openBench(t)
  const { postgres, clickhouse, deps } = await openProxies(t, bench)
  const journal = openJournal({
    root: bench.journalDir,
    durability: 'write',
    onFailure: 'serve',
    log: openLog('silent'),
    sealEveryMs: 50,
  })
  const stopping = new AbortController()
  const shipper = createShipper({ ...deps, journalDir: bench.journalDir }, { settleMs: 0 })
  const running = shipper.run(stopping.signal)
  const clicks: ClickRecord[] = []
  const stop = async () => {
    await journal.close()
    stopping.abort()
    await running
  }
  t.after(stop)
  return {
    bench,
    journal,
    postgres,
    clickhouse,
    clicks,
    stop,
    async append(count) {
      for (let i = 0; i < count; i++) {
        const click = bench.click()
        clicks.push(click)
        journal.append(click, { settled: () => {} })
      }
      await after(20)
    },
  }
}

async function judgeRunning({ bench, clicks }: Running) {
  return judge(
    bench,
    clicks.map((click) => click.clickId),
  )
}

test('journaled clicks reach both databases, and every one is counted', async (t) => {
  const running = await run(t)
  for (let i = 0; i < 10; i++) await running.append(30)
  await eventually(async () => assert.deepEqual(await judgeRunning(running), JUST_RIGHT))
  // The counter moves after the commit, slightly later than the rows are visible.
  await eventually(async () => {
    const shipped = await running.bench.registry
      .getSingleMetric('signpost_clicks_shipped_total')!
      .get()
    const total = shipped.values.reduce((sum, { value }) => sum + value, 0)
    assert.equal(total, running.journal.stats().journaled)
  })
})

test('a shutdown ships all segments and removes the folder', async (t) => {
  // Repeated, because a slow machine may exceed the five seconds of a shutdown.
  await eventually(async () => {
    const running = await run(t)
    await running.append(200)
    await running.stop()
    assert.deepEqual(await judgeRunning(running), JUST_RIGHT)
    assert.equal(existsSync(running.journal.folder), false)
  })
})

test('while a database is down clicks wait, and none is lost or counted twice', async (t) => {
  const running = await run(t)
  const { postgres, clickhouse } = running
  for (const down of [[clickhouse], [postgres], [clickhouse, postgres]]) {
    await running.append(40)
    for (const proxy of down) proxy.cut()
    for (let i = 0; i < 5; i++) {
      await running.append(40)
      await after(60)
    }
    await eventually(async () => {
      await running.append(1)
      assert.ok(journalFiles(running.bench.journalDir).length >= 3)
    })
    for (const proxy of down) proxy.restore()
    await running.append(40)
  }
  await eventually(async () => assert.deepEqual(await judgeRunning(running), JUST_RIGHT))
})

test('a shutdown while the databases are down is bounded, and the next start ships', async (t) => {
  const running = await run(t)
  running.clickhouse.cut()
  running.postgres.cut()
  await running.append(50)
  await running.stop()
  assert.notDeepEqual(journalFiles(running.bench.journalDir), [])
  const stopping = new AbortController()
  const { bench } = running
  const shipper = createShipper({
    ...bench.deps,
    meters: createMeters(new Registry()),
    journalDir: bench.journalDir,
  })
  const next = shipper.run(stopping.signal)
  await eventually(async () => {
    assert.deepEqual(await judgeRunning(running), JUST_RIGHT)
    assert.deepEqual(journalFiles(bench.journalDir), [])
  })
  stopping.abort()
  await next
})

test('a lost answer of ClickHouse duplicates no click', async (t) => {
  const bench = await openBench(t)
  const { clickhouse, deps } = await openProxies(t, bench)
  const journal = newBootId()
  const clicks = Array.from({ length: 60 }, () => bench.click())
  for (let i = 0; i < 3; i++) bench.segment(journal, i + 1, clicks.slice(i * 20, i * 20 + 20))
  let lost = 0
  await shipFolder(join(bench.journalDir, journal), deps, never, {
    settleMs: 0,
    fault(point) {
      // The count is answered: the next answer is that of the insert.
      if (point !== 'counted' || lost === 3) return
      lost++
      clickhouse.loseNextAnswer()
    },
  })
  assert.equal(lost, 3)
  const expected = clicks.map((click) => click.clickId)
  assert.deepEqual(await judge(bench, expected), JUST_RIGHT)
})

test('a lost answer to a commit of PostgreSQL counts no click twice', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = Array.from({ length: 40 }, () => bench.click())
  bench.segment(journal, 1, clicks.slice(0, 20))
  bench.segment(journal, 2, clicks.slice(20))
  const ledger = createLedger(bench.deps)
  let lost = 0
  const parts: ShipperParts = {
    settleMs: 0,
    ledger: {
      ...ledger,
      async commit(commit) {
        const outcome = await ledger.commit(commit)
        if (lost++ < 2) throw new Error('the connection was lost')
        return outcome
      },
    },
  }
  await shipFolder(join(bench.journalDir, journal), bench.deps, never, parts)
  assert.equal(lost, 2)
  const expected = clicks.map((click) => click.clickId)
  assert.deepEqual(await judge(bench, expected), JUST_RIGHT)
})
