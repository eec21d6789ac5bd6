import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { createSecrets } from '../src/platform/core/secrets.ts'
import { toNextBatch } from '../src/clicks/shipping/batch.ts'
import { createEnrich } from '../src/clicks/shipping/enrich.ts'
import { createDeepLinkFingerprints } from '../src/clicks/shipping/deep-links.ts'
import { createMeters } from '../src/clicks/shipping/meters.ts'
import { JournalReports } from '../src/clicks/shipping/reports.ts'
import { createPrivacySignals, createVisitors } from '../src/clicks/shipping/visitor.ts'
import { freeze } from '../src/clicks/shipping/freeze.ts'
import { listSealedSegments } from '../src/clicks/journal/reader.ts'
import { createShipper } from '../src/clicks/shipping/shipper.ts'
import { openJournal } from '../src/clicks/journal/writer.ts'
import type { Waiter } from '../src/clicks/journal/open-segment.ts'
import { openCountries } from '../src/platform/facts/country.ts'
import { newBootId } from '../src/clicks/journal/format.ts'
import { closePostgres, openPostgres } from '../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../src/platform/storage/postgres/roles.ts'
import { openDatabases } from './support/databases.ts'
import { quantile } from './support/figures.ts'
import { makeClick, writeSegments } from './support/ingest-clicks.ts'
import { fillLinks } from './support/links.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures how fast a journal is shipped to both embedded databases, and how soon a click is visible
 * in ClickHouse under a steady load.
 *
 * The floor of each round is the same rows, prepared in advance and sent to ClickHouse segment by
 * segment, without journal, enrichment and PostgreSQL.
 *
 *   node bench/ingest.ts [--segments 12] [--links 10000] [--rate 2000] [--seconds 10] [--rounds 3]
 *     [--megabytes 4]
 *
 * Full segments have 4 MiB.
 */
const { segments, megabytes, links, rate, seconds, rounds } = readOptions({
  segments: 12,
  megabytes: 4,
  links: 10_000,
  rate: 2_000,
  seconds: 10,
  rounds: 3,
})
/** After the last click. */
const DEADLINE_MS = 120_000

await using stack = new AsyncDisposableStack()
const { dataDir, log, clickhouse, ...databases } = stack.use(await openDatabases())
await fillLinks(databases.sql, { plain: links })
const sql = openPostgres(databases.url, { role: WORKER_ROLE })
stack.defer(() => closePostgres(sql))
const countries = stack.use(await openCountries(null, { log, clock: Date.now }))
const facts = {
  locate: (ip: string) => countries.locate(ip),
  ownHosts: ['links.example.com'],
}
const journalDir = join(dataDir, 'journal')
const secrets = createSecrets('the secret of a benchmark, long enough')
let expected = 0

const ratios: number[] = []
for (let round = 1; round <= rounds; round++) {
  const { ownRows, floorRows, delayMs } = await measureThroughput()
  ratios.push(ownRows / floorRows)
  console.log(
    `round ${round}: ${Math.round(ownRows)} rows/s into both databases, floor ${Math.round(floorRows)} rows/s, ratio ${(ownRows / floorRows).toFixed(2)}, longest turn of the loop ${delayMs} ms`,
  )
}
console.log(`throughput: median ratio to the floor ${quantile(ratios, 0.5).toFixed(2)}`)

const seen = await measureVisibility()
console.log(
  `visible at ${rate}/s for ${seconds} s: p50 ${quantile(seen.waitsMs, 0.5)} ms, p99 ${quantile(seen.waitsMs, 0.99)} ms, longest ${quantile(seen.waitsMs, 1)} ms (${seen.waitsMs.length} clicks), longest turn of the loop ${seen.delayMs} ms`,
)

async function measureThroughput() {
  const folder = join(journalDir, newBootId())
  const clicks = writeSegments(folder, { segments, megabytes, links })
  const floorRows = await measureFloor(folder, clicks)

  const stopping = new AbortController()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const startedAt = performance.now()
  const running = createShipper(shipperOptions()).run(stopping.signal)
  while (hasSealed(folder)) await sleep(5)
  const ownRows = (clicks / (performance.now() - startedAt)) * 1000
  delay.disable()
  stopping.abort()
  await running
  await expectRows(clicks)
  return { ownRows, floorRows, delayMs: Math.round(delay.max / 1e6) }
}

/** The shipper removes a folder without segments. */
function hasSealed(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.sealed'))
}

/** Sends the rows of the same segments, made beforehand, straight through the client into a table of the same shape. */
async function measureFloor(folder: string, clicks: number): Promise<number> {
  const visitors = createVisitors({ sql, secrets, clock: Date.now })
  const signals = createPrivacySignals({ sql })
  const enrich = createEnrich({ ...facts, visitors, signals })
  const fingerprints = createDeepLinkFingerprints({ sql, secrets, clock: Date.now })
  const ready: Buffer[][] = []
  for (const segment of await listSealedSegments(folder, false)) {
    const batch = toNextBatch([segment], { sequence: 0, nextThrough: null })
    const { chunks } = await freeze(batch, { enrich, visitors, signals, fingerprints, log })
    rmSync(segment.rowsFile)
    ready.push(chunks)
  }
  await clickhouse.command({ query: 'create or replace table clicks_floor as clicks' })
  const startedAt = performance.now()
  for (const chunks of ready) {
    const { stream } = await clickhouse.exec({
      query: 'insert into clicks_floor format JSONEachRow',
      values: Readable.from(chunks, { objectMode: false }),
    })
    await finished(stream.resume())
  }
  const durationMs = performance.now() - startedAt
  await clickhouse.command({ query: 'drop table clicks_floor' })
  return (clicks / durationMs) * 1000
}

/** From the click's own time until a query finds it, asked every ten milliseconds. */
async function measureVisibility() {
  await clickhouse.command({ query: 'truncate table clicks' })
  const journal = openJournal({ root: journalDir, durability: 'write', onFailure: 'serve', log })
  const stopping = new AbortController()
  const running = createShipper(shipperOptions()).run(stopping.signal)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()

  const total = rate * seconds
  const sentAtMs: number[] = []
  const waitsMs: number[] = []
  const waiter: Waiter = {
    settled(outcome) {
      if (outcome !== 'journaled') throw new Error(`a click was ${outcome}`)
    },
  }
  const startedAt = performance.now()
  const sender = setInterval(() => {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * rate)
    while (sentAtMs.length < due) {
      sentAtMs.push(performance.now())
      journal.append(makeClick(links), waiter)
    }
  }, 2)
  // Segments ship in order, so that as many clicks are seen as there are rows.
  while (waitsMs.length < total && performance.now() - startedAt < seconds * 1000 + DEADLINE_MS) {
    const rows = await countRows()
    const nowMs = performance.now()
    while (waitsMs.length < rows) waitsMs.push(Math.round(nowMs - sentAtMs[waitsMs.length]!))
    await sleep(10)
  }
  clearInterval(sender)
  delay.disable()
  await journal.close()
  stopping.abort()
  await running
  if (waitsMs.length !== total) throw new Error(`${waitsMs.length} of ${total} clicks were seen`)
  return { waitsMs, delayMs: Math.round(delay.max / 1e6) }
}

function shipperOptions() {
  const quarantineDir = join(dataDir, 'quarantine')
  const toShortUrl = (host: string, slug: string) => `https://${host}/${slug}`
  return {
    sql,
    clickhouse,
    secrets,
    ...facts,
    clock: Date.now,
    log,
    meters: createMeters(new Registry()),
    quarantineDir,
    journalDir,
    reports: new JournalReports({ sql, clock: Date.now, log, journalDir }),
    toShortUrl,
  }
}

async function countRows(): Promise<number> {
  const answer = await clickhouse.query({
    query: 'select count() as rows from clicks',
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ rows: number }>()
  return row!.rows
}

/** @throws unless every row is there and every counter is right */
async function expectRows(clicks: number): Promise<void> {
  expected += clicks
  const [row] = await sql<{ counted: number }[]>`
    select coalesce(sum(clicks), 0)::bigint as counted from link_clicks`
  const rows = await countRows()
  if (rows !== expected || row!.counted !== expected)
    throw new Error(`expected ${expected}, found ${rows} rows and ${row!.counted} counted`)
}
