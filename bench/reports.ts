import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillClicks } from './support/analytics-clicks.ts'
import { openDatabases } from './support/databases.ts'
import { isSound, median, spread } from './support/figures.ts'
import { visitBesideComputing } from './support/floor.ts'
import { sendLoadDuring, type Measured } from './support/keep-alive.ts'
import { readOptions } from './support/options.ts'
import { awaitLink, startProgram } from './support/program-process.ts'

/**
 * Measures how much the process of the program grows while it writes a report of clicks, as csv, json and xlsx, and the redirects
 * at a steady rate beside it by the same redirects alone, in pairs. The figures are the largest growth of the resident set,
 * the median over the pairs of the p99 beside the report by the p99 without it, and the same ratio beside a process that only computes.
 *
 *   node bench/reports.ts [--pairs 5] [--seconds 5] [--rows 1000000]
 *
 * It prints no figure and ends with 1 when a redirect or a report fails.
 */
const { pairs, seconds, rows } = readOptions({ pairs: 5, seconds: 5, rows: 1_000_000 })

type Report = { id: string; status: string; rowCount: number; size: number }
type Pair = {
  alone: Measured
  beside: Measured
  /** Beside a process that only computes. */
  floor: Measured
  report: Report
  tookSeconds: number
  grownMb: number
}

const CONNECTIONS = 8
const EVERY_MS = 8
const POLL_MS = 250
const SAMPLE_MS = 50
const DAYS = 90
/** The part of the stored clicks that are not those of bots. */
const HUMAN = 0.9
/** As `npm start` has it. */
const NODE_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=40']

await using databases = await openDatabases()
await using program = await startProgram({
  ...{ databases, nodeOptions: NODE_OPTIONS },
  settings: { RATE_LIMIT_API: '100000000' },
})
const { origin, port, pid } = program
const [key = ''] = program.keys
await call('POST', '/links', { name: 'A', slug: 'visited', destinationUrl: 'https://example.com/' })
await awaitLink(`${origin}/visited`)
const [workspace] = await databases.sql<[{ id: string }]>`select id from workspaces`
await fillClicks(databases.clickhouse, {
  ...{ clicks: Math.ceil(rows / HUMAN), days: DAYS, linkClicks: 0, linkId: 'lnk_0' },
  ...{ workspaceId: workspace.id, endMs: Date.now() },
})
await visit(Math.min(1, seconds))

for (const format of ['csv', 'json', 'xlsx']) {
  const measured: Pair[] = []
  for (let pair = 0; pair < pairs; pair++) measured.push(await measure(format))
  print(format, measured)
}

async function measure(format: string): Promise<Pair> {
  const { measured: alone } = await visit(seconds)
  const before = residentMegabytes()
  let largest = before
  const sampling = setInterval(() => {
    largest = Math.max(largest, residentMegabytes())
  }, SAMPLE_MS)
  const startedAtMs = performance.now()
  const { measured: beside, result: report } = await visitDuring(() => awaitReport(format))
  clearInterval(sampling)
  const tookSeconds = (performance.now() - startedAtMs) / 1_000
  await call('DELETE', `/reports/${report.id}`)
  const floor = await visitBesideComputing(async () => (await visit(seconds)).measured)
  return { alone, beside, floor, report, tookSeconds, grownMb: largest - before }
}

async function awaitReport(format: string): Promise<Report> {
  const filters = { days: DAYS + 1 }
  const { id } = await call<Report>('POST', '/reports', { type: 'clicks', format, filters })
  for (;;) {
    await sleep(POLL_MS)
    const report = await call<Report>('GET', `/reports/${id}`)
    if (report.status !== 'pending' && report.status !== 'processing') return report
  }
}

function print(format: string, measured: readonly Pair[]): void {
  const failures = measured.reduce(
    (sum, { alone, beside, floor, report }) =>
      sum +
      alone.failures +
      beside.failures +
      floor.failures +
      (report.status === 'completed' ? 0 : 1),
    0,
  )
  if (!isSound(`redirects beside reports as ${format}`, failures)) return
  const { report } = measured[0]!
  const ratios = (field: 'beside' | 'floor') =>
    spread(measured.map((pair) => pair[field].p99Ms / pair.alone.p99Ms))
  const p99 = (field: 'alone' | 'beside') => median(measured.map((pair) => pair[field].p99Ms))
  const took = median(measured.map(({ tookSeconds }) => tookSeconds))
  const grown = Math.max(...measured.map(({ grownMb }) => grownMb))
  console.log(
    `${format} of ${report.rowCount} clicks, ${(report.size / 1e6).toFixed(1)} MB in ${took.toFixed(1)} s: resident set grown by ${grown.toFixed(0)} MB at most; redirects beside it: p99 × ${ratios('beside')}, ${p99('alone').toFixed(1)} → ${p99('beside').toFixed(1)} ms, × ${ratios('floor')} beside a process that only computes`,
  )
}

/** Visits without a report, with as many requests of its account as beside one. */
function visit(durationSeconds: number) {
  const untilMs = performance.now() + durationSeconds * 1_000
  return visitDuring(async () => {
    while (performance.now() < untilMs) {
      await sleep(POLL_MS)
      await call('GET', '/reports?limit=1')
    }
  })
}

function visitDuring<Result>(work: () => Promise<Result>) {
  const load = {
    ...{ port, connections: CONNECTIONS, everyMs: EVERY_MS },
    // Clicks of a bot, so that they are not rows of the reports.
    request: 'GET /visited HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Googlebot/2.1\r\n\r\n',
    expected: 'HTTP/1.1 302',
  }
  return sendLoadDuring(load, work)
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1_024
}

async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
  const response = await fetch(`${origin}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}`)
  return response.status === 204
    ? (undefined as Data)
    : ((await response.json()) as { data: Data }).data
}
