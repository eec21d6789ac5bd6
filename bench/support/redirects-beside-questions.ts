import { fillClicks, seconds, settle } from './analytics-clicks.ts'
import { openDatabases } from './databases.ts'
import { isSound, median, spread } from './figures.ts'
import { joinMeasured, sendLoad, type Measured } from './keep-alive.ts'
import { awaitLink, startProgram } from './program-process.ts'

const CONNECTIONS = 8
const EVERY_MS = 8
const WINDOW_SECONDS = 0.25
const REFUSALS = new Set([429, 503])

type Server = { port: number; key: string }

/**
 * Redirects at a steady rate while questions about a year wait, beside the same redirects alone, in pairs.
 * Questions differ, so that none is answered with another one's answer. A question is answered or refused: with 429 when too many of the
 * workspace wait, with 503 when none has ended for seconds.
 */
export async function measureRedirects(options: {
  clicks: number
  pairs: number
  questions: number
  seconds: number
  look: number
}): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const databases = stack.use(await openDatabases())
  const { sql, clickhouse } = databases
  const settings = { RATE_LIMIT_API: '100000000' }
  const program = stack.use(await startProgram({ settings, databases }))
  const server = { port: program.port, key: program.keys[0]! }
  await createLink(server)
  await awaitLink(`${program.origin}/visited`)
  const [workspace] = await sql<{ id: string }[]>`select id from workspaces`
  const startedAt = performance.now()
  await fillClicks(clickhouse, {
    ...{ clicks: options.clicks, days: 365, linkClicks: 0, linkId: 'lnk_0' },
    ...{ workspaceId: workspace!.id, endMs: Date.now() },
  })
  const merged = await settle(clickhouse, options.look)
  console.log(`${options.clicks} clicks stored in ${seconds(startedAt)} s, merged in ${merged} s`)
  await visit(server, Math.min(1, options.seconds))
  const pairs: { alone: Measured; beside: Measured; refused: number; failed: number }[] = []
  for (let at = 0; at < options.pairs; at++) {
    const alone = await visit(server, options.seconds)
    pairs.push({ alone, ...(await visitBesideQuestions(server, at, options)) })
  }
  const failures = pairs.reduce(
    (sum, { alone, beside, failed }) => sum + alone.failures + beside.failures + failed,
    0,
  )
  if (!isSound('redirects beside questions', failures)) return
  const ratios = pairs.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms)
  const p99 = (field: 'alone' | 'beside') => median(pairs.map((pair) => pair[field].p99Ms))
  const refused = pairs.reduce((sum, pair) => sum + pair.refused, 0)
  console.log(
    `redirects beside ${options.questions} questions about a year: p99 × ${spread(ratios)}, ${p99('alone').toFixed(1)} → ${p99('beside').toFixed(1)} ms; ${refused} of ${options.questions * pairs.length} questions refused`,
  )
}

function visit({ port }: Server, durationSeconds: number): Promise<Measured> {
  return sendLoad({
    port,
    connections: CONNECTIONS,
    everyMs: EVERY_MS,
    seconds: durationSeconds,
    request: 'GET /visited HTTP/1.1\r\nHost: localhost\r\n\r\n',
    expected: 'HTTP/1.1 302',
  })
}

/** Visits in short windows until every question has its answer. */
async function visitBesideQuestions(
  server: Server,
  pair: number,
  { questions, seconds: minSeconds }: { questions: number; seconds: number },
) {
  const windows: Measured[] = []
  let isOver = false
  const asked = Array.from({ length: questions }, (_, at) => ask(server, 300 + at, pair))
  const statuses = Promise.all(asked).finally(() => (isOver = true))
  const startedAtMs = performance.now()
  while (!isOver || performance.now() - startedAtMs < minSeconds * 1_000)
    windows.push(await visit(server, WINDOW_SECONDS))
  const answered = await statuses
  const refused = answered.filter((status) => REFUSALS.has(status)).length
  const failed = answered.filter((status) => !REFUSALS.has(status) && status !== 200).length
  return { beside: joinMeasured(windows), refused, failed }
}

async function ask({ port, key }: Server, days: number, pair: number): Promise<number> {
  // Questions of two pairs differ by the zone.
  const zone = ['UTC', 'Europe/Paris', 'Asia/Tokyo', 'America/New_York', 'Asia/Kathmandu'][
    pair % 5
  ]!
  const query = new URLSearchParams({ days: String(days), timezone: zone, compare: 'previous' })
  const response = await fetch(
    `http://127.0.0.1:${port}/v1/analytics/summary?${query.toString()}`,
    {
      headers: { authorization: `Bearer ${key}` },
    },
  )
  await response.arrayBuffer()
  return response.status
}

async function createLink({ port, key }: Server): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A', slug: 'visited', destinationUrl: 'https://example.com/' }),
  })
  if (response.status !== 201) throw new Error(`the link was not created: ${response.status}`)
}
