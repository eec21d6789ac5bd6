import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { openLog } from '../../../src/platform/core/log.ts'
import {
  forgetSilentJournals,
  JournalReports,
  createShippedThrough,
} from '../../../src/clicks/shipping/reports.ts'
import { shipFolder } from '../../../src/clicks/shipping/shipper.ts'
import { newBootId, segmentName } from '../../../src/clicks/journal/format.ts'
import {
  closePostgres,
  openPostgres,
  type Sql,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from '../../support/engines.ts'
import { freshFolder } from '../../support/fixtures.ts'
import { asSystem } from '../../support/privileges.ts'
import { tapStatements } from '../../support/statements.ts'
import { encodeSegment, makeClick, openBench } from '../../support/shipping-world.ts'
import { MINUTE_MS } from '../../../src/platform/core/clock.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const log = openLog('silent')

/** The folder of an edge with one journal, and the reports on it. */
function openEdge(sql: Sql, clock = () => NOW) {
  const journalDir = freshFolder()
  const journalId = newBootId()
  const folder = join(journalDir, journalId)
  mkdirSync(folder)
  return {
    journalDir,
    journalId,
    folder,
    reports: new JournalReports({ sql: asSystem(sql), clock, log, journalDir }),
    /** Leaves a segment with one click. */
    click(atMs: number, sequence = 1) {
      const bytes = encodeSegment([makeClick('ws_1', ['lnk_1'], { atMs })])
      writeFileSync(join(folder, segmentName(sequence, 'sealed')), bytes)
    },
    ship: (sequence = 1) => rmSync(join(folder, segmentName(sequence, 'sealed'))),
  }
}

/** Answer of another process, without a cache from one call to the next. */
function asOfElsewhere(sql: Sql, journalDir: string | null = null, registry = new Registry()) {
  const deps = { sql: asSystem(sql), clock: () => NOW + MINUTE_MS, log, journalDir }
  return () => {
    registry.clear()
    return createShippedThrough({ ...deps, registry })()
  }
}

async function countReports(sql: Sql): Promise<number> {
  const [row] = await sql<[{ n: number }]>`select count(*) as n from journal_reports`
  return row.n
}

test('asOf is the earliest time that any edge has not shipped', async (t) => {
  const { sql } = await freshPostgres(t)
  const asOf = asOfElsewhere(sql)
  assert.equal(await asOf(), NOW + MINUTE_MS)

  const first = openEdge(sql)
  const second = openEdge(sql, () => NOW + 5_000)
  await first.reports.report()
  await second.reports.report()
  assert.equal(await asOf(), NOW)

  second.click(NOW - 70_000)
  second.click(NOW - 20_000, 2)
  await second.reports.report()
  assert.equal(await asOf(), NOW - 70_000)

  second.ship()
  await second.reports.report()
  assert.equal(await asOf(), NOW - 20_000)

  second.ship(2)
  await second.reports.report()
  assert.equal(await asOf(), NOW)
})

test('a process reads its own journals, and the reports of the others', async (t) => {
  const { sql } = await freshPostgres(t)
  const [own, other] = [openEdge(sql), openEdge(sql)]
  own.click(NOW - 9_000)
  await own.reports.report()
  own.ship()
  const asOf = asOfElsewhere(sql, own.journalDir)
  assert.equal(await asOf(), NOW + MINUTE_MS)
  own.click(NOW - 8_000)
  assert.equal(await asOf(), NOW - 8_000)
  other.click(NOW - 10_000)
  await other.reports.report()
  assert.equal(await asOf(), NOW - 10_000)
})

test('a journal that is retired has no row again, and one that is left has', async (t) => {
  const { sql } = await freshPostgres(t)
  const edge = openEdge(sql)
  const left = newBootId()
  mkdirSync(join(edge.journalDir, left))
  await edge.reports.report()
  assert.equal(await countReports(sql), 2)
  await Promise.all([
    edge.reports.report(),
    edge.reports.retire(left),
    edge.reports.report(),
    edge.reports.report(),
  ])
  assert.deepEqual(
    (await sql<{ journalId: string }[]>`select journal_id from journal_reports`).map(
      ({ journalId }) => journalId,
    ),
    [edge.journalId],
  )
})

test('an edge that is silent for ten minutes of another one holds asOf back no longer', async (t) => {
  const { sql } = await freshPostgres(t)
  const registry = new Registry()
  const asOf = asOfElsewhere(sql, null, registry)
  const [lost, alive] = [openEdge(sql), openEdge(sql)]
  lost.click(NOW - 70_000)
  await lost.reports.report()
  const age = (journalId: string, minutes: number, since: number) => sql`
    update journal_reports set reported_at = now() - make_interval(mins => ${minutes}),
      reporting_since = now() - make_interval(mins => ${since})
    where journal_id = ${journalId}`
  const countSilent = async () => (await registry.getMetricsAsJSON())[0]!.values[0]!.value

  // No other edge reports: the database may have been away.
  await age(lost.journalId, 600, 700)
  assert.equal(await asOf(), NOW - 70_000)

  // It was away for the other one, too, which reports again.
  await alive.reports.report()
  await age(alive.journalId, 500, 700)
  await alive.reports.report()
  await age(lost.journalId, 500, 700)
  assert.equal(await asOf(), NOW - 70_000)

  await alive.reports.report()
  await age(lost.journalId, 12, 700)
  await age(alive.journalId, 0, 9)
  assert.equal(await asOf(), NOW - 70_000)
  assert.equal(await countSilent(), 0)
  await age(alive.journalId, 0, 11)
  assert.equal(await asOf(), NOW)
  assert.equal(await countSilent(), 1)

  await lost.reports.report()
  assert.equal(await asOf(), NOW - 70_000)
  assert.equal(await countSilent(), 0)
})

test('the rows of machines that never return are deleted after a month', async (t) => {
  const { sql } = await freshPostgres(t)
  const [lost, alive] = [openEdge(sql), openEdge(sql)]
  await lost.reports.report()
  await alive.reports.report()
  await sql`
    update journal_reports set reported_at = now() - interval '31 days'
    where journal_id = ${lost.journalId}`
  await sql`
    update journal_reports set reporting_since = now() - interval '1 hour'
    where journal_id = ${alive.journalId}`
  await forgetSilentJournals(asSystem(sql))
  assert.equal(await countReports(sql), 1)
})

test('answers at the same time share one statement, and one that failed is sent again', async (t) => {
  const { sql, postgresUrl } = await freshPostgres(t)
  const edge = openEdge(sql)
  await edge.reports.report()
  const tap = await tapStatements(t, postgresUrl)
  const tapped = openPostgres(tap.url, { role: WORKER_ROLE })
  t.after(() => closePostgres(tapped))
  const deps = { sql: tapped, clock: () => NOW + MINUTE_MS, log, journalDir: null }
  const asOf = createShippedThrough({ ...deps, registry: new Registry() })
  await sql`alter table journal_reports rename to journal_reports_elsewhere`
  await assert.rejects(asOf())
  await sql`alter table journal_reports_elsewhere rename to journal_reports`
  tap.take()
  assert.deepEqual(await Promise.all([asOf(), asOf(), asOf()]), [NOW, NOW, NOW])
  assert.equal(
    tap
      .take()
      .flat()
      .filter(({ text }) => text.includes('journal_reports')).length,
    1,
  )
})

test('a journal that was shipped from a rescued folder is retired', async (t) => {
  const bench = await openBench(t)
  const journalId = newBootId()
  bench.segment(journalId, 1, [bench.click({ atMs: NOW })])
  const reports = new JournalReports({
    sql: asSystem(bench.sql),
    clock: () => NOW,
    log,
    journalDir: bench.journalDir,
  })
  await reports.report()
  assert.equal(await countReports(bench.sql), 1)
  const folder = join(bench.journalDir, journalId)
  const never = new AbortController().signal
  await shipFolder(folder, { ...bench.deps, reports }, never, { settleMs: 0 })
  assert.equal(await countReports(bench.sql), 0)
  assert.equal(existsSync(folder), false)
})
