import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { shipFolder, type ShipperParts } from '../../../src/clicks/shipping/shipper.ts'
import {
  openClickHouse,
  type ClickHouseClient,
} from '../../../src/platform/storage/clickhouse/clickhouse.ts'
import { openEngines } from '../../../src/platform/storage/embedded/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { newBootId } from '../../../src/clicks/journal/format.ts'
import { JUST_RIGHT, judge, openBench } from '../../support/shipping-world.ts'
import { mutants, type Mutant } from '../../support/shipping-mutants.ts'
import { selectRows } from '../../support/click-rows.ts'

/**
 * The failure that `crash.test.ts` imitates: ClickHouse is killed at the system call that would
 * rename the part, after it has stored the token.
 */
const canTrace = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true']).status === 0
const skip = canTrace ? false : 'strace is not installed, or not allowed to trace'

/** A separate ClickHouse for this test; its supervisor starts it again after a kill. */
async function openVictim(t: TestContext, ddl: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-victim-'))
  const log = openLog('silent')
  const engines = await openEngines({ dataDir, log, postgres: false, clickhouse: true })
  const clickhouse = openClickHouse(engines.clickhouseUrl!)
  t.after(async () => {
    await clickhouse.close()
    await engines[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })
  await clickhouse.command({ query: ddl })
  return { clickhouse, pid: () => engines.pids().clickhouse }
}

/** Attaches to all threads of the process and kills it when it renames the first part of the table. */
async function killAtRename(pid: number, folder: string, month: string): Promise<void> {
  const part = join(folder, `tmp_insert_${month}_1_1_0/`)
  const tracer = spawn(
    'strace',
    ['-f', '-p', String(pid), '-P', part, '-e', 'trace=rename', '-e', 'inject=rename:signal=KILL'],
    { stdio: 'ignore' },
  )
  await eventually(() => {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      assert.match(
        readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'),
        new RegExp(`TracerPid:\\s+${tracer.pid}`),
      )
  })
}

async function first<T>(clickhouse: ClickHouseClient, query: string): Promise<T> {
  const [row] = await selectRows<T>(clickhouse, query)
  return row!
}

async function killAndShip(t: TestContext, mutant?: Mutant) {
  const bench = await openBench(t)
  const { ddl } = await first<{ ddl: string }>(
    bench.clickhouse,
    `select replaceOne(create_table_query, concat(database, '.'), '') as ddl
     from system.tables where database = currentDatabase() and name = 'clicks'`,
  )
  const { clickhouse, pid } = await openVictim(t, ddl)
  const { path } = await first<{ path: string }>(
    clickhouse,
    "select data_paths[1] as path from system.tables where name = 'clicks'",
  )
  const journal = newBootId()
  const clicks = Array.from({ length: 50 }, () => bench.click({ atMs: Date.UTC(2026, 10, 3) }))
  bench.segment(journal, 1, clicks)
  const victim = pid()!
  await killAtRename(victim, path, '202611')
  const deps = { ...bench.deps, clickhouse }
  const folder = join(bench.journalDir, journal)
  const parts: ShipperParts = { settleMs: 0 }
  const altered = mutant ? mutants[mutant](parts, deps, folder) : parts
  await shipFolder(folder, deps, new AbortController().signal, altered)
  assert.notEqual(pid(), victim)
  const expected = clicks.map((click) => click.clickId)
  return { bench, verdict: await judge({ sql: bench.sql, clickhouse }, expected) }
}

test(
  'ClickHouse killed between its token and its part: every click counts once',
  { skip },
  async (t) => {
    const { bench, verdict } = await killAndShip(t)
    assert.deepEqual(verdict, JUST_RIGHT)
    const repaired = await bench.registry.getSingleMetric('signpost_clicks_repaired_total')!.get()
    assert.equal(repaired.values[0]!.value, 50)
  },
)

test('the same case detects a token that is trusted without the count', { skip }, async (t) => {
  const { verdict } = await killAndShip(t, 'token trusted without the count')
  assert.ok(verdict.missing > 0, JSON.stringify(verdict))
})
