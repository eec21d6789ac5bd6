import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { sendLoad } from '../../bench/support/keep-alive.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { testEngines } from '../support/engines.ts'

const BENCH = join(import.meta.dirname, '../../bench')
const FIGURE = String.raw`\d+(\.\d+)?`
/** A ratio of processor times: those of a short run may be less than a tick. */
const CPU_RATIO = `(${FIGURE}|NaN|Infinity)`
/** Of an engine that other tests use as well, and whose processes that have ended do not count. */
const SHARED_CPU = String.raw`-?\d+ µs`

/** A run as short as possible of each bench, with a pattern for each line that it must print. */
const RUNS: Record<string, { args: string; lines: readonly string[] }> = {
  // First, since other tests serve the dashboard that it builds.
  'dashboard.ts': {
    args: '--rounds 2 --links 200 --clicks 2000 --visits 1 --walks 1 --rest 200 --limits off',
    lines: [
      `^check of a start: ${FIGURE} .* ms, the first ${FIGURE} ms`,
      `^script to the first paint: sign-in ${FIGURE} kB, link page ${FIGURE} kB`,
      ...(SKIP_WITHOUT_BROWSER
        ? ['^the pages are not measured: ']
        : [
            `^LCP of link: cold ${FIGURE} .* ms, warm ${FIGURE} .* ms`,
            `^layout shift of settings, used: ${FIGURE}`,
            `^\\d+ interactions to the next paint: p98 \\d+ ms, longest \\d+ ms`,
            `^200 links from Home to End: \\d+ tasks over 50 ms`,
            `^chart of 2000 clicks: ${FIGURE} .* ms after the answer`,
          ]),
    ],
  },
  'shared-dashboard.ts': {
    args: '--rounds 1 --seconds 0.1 --connections 2 --links 2 --clicks 10',
    lines: ['key', 'visitor'].map(
      (name) => `^${name} +\\d+/s  ratio ${FIGURE} .* p50 ${FIGURE} ms  p99 ${FIGURE} ms`,
    ),
  },
  'redirect.ts': {
    args: '--rounds 1 --seconds 0.1 --connections 4 --links 20 --cached 500',
    lines: [
      `^bare +\\d+/s  ratio to bare 1.00`,
      ...['edge', 'variants', 'rules', 'tracked', 'branded'].map(
        (name) => `^${name} +\\d+/s  ratio to bare ${FIGURE} `,
      ),
      `^500 cached plain links: \\d+ bytes of each`,
    ],
  },
  'pages.ts': {
    args: '--rounds 1 --seconds 0.1 --connections 2 --links 3',
    lines: [
      `^a page of 3 links, \\d+ bytes`,
      ...['bare', 'edge'].map(
        (name) => `^${name} +\\d+/s  ratio to bare ${FIGURE} .* ratio ${CPU_RATIO}`,
      ),
    ],
  },
  'unknown-slugs.ts': {
    args: '--pairs 1 --windows 1 --seconds 0.3 --rate 500 --hosts 10 --links 20',
    lines: [
      `^redirects alone: p99 ${FIGURE} ms`,
      `^  beside \\d+/s known slugs: p99 × ${FIGURE} \\(.*\\), ${FIGURE} ms`,
      `^  beside \\d+/s unknown slugs: p99 × ${FIGURE} \\(.*\\), ${FIGURE} ms`,
      `^  \\d+ look-ups/s in PostgreSQL; \\d+ of \\d+ answered 503`,
    ],
  },
  'media.ts': {
    args: '--pairs 1 --seconds 0.1 --megapixels 0.1',
    lines: [
      `^redirects beside \\d+ uploads of 0.1 megapixels, ${FIGURE} MB each: p99 × ${FIGURE} \\(.*\\), ${FIGURE} → ${FIGURE} ms, at \\d+/s; × ${FIGURE} .* only computes`,
    ],
  },
  'reports.ts': {
    args: '--pairs 1 --seconds 0.1 --rows 50',
    lines: ['csv', 'json', 'xlsx'].map(
      (format) =>
        `^${format} of \\d+ clicks, ${FIGURE} MB in ${FIGURE} s: resident set grown by \\d+ MB at most; redirects beside it: p99 × ${FIGURE} \\(.*\\), ${FIGURE} → ${FIGURE} ms, × ${FIGURE} .* only computes`,
    ),
  },
  'max-clicks.ts': {
    args: '--pairs 1 --windows 1 --seconds 0.1 --rate 50 --links 20 --budget 60000',
    lines: [
      `^plain redirects beside \\d+/s of a link with maxClicks: p99 × ${FIGURE} \\(.*\\), ${FIGURE} → ${FIGURE} ms, at \\d+/s`,
    ],
  },
  'ingest.ts': {
    args: '--rounds 1 --segments 1 --megabytes 0.25 --links 20 --rate 100 --seconds 0.3',
    lines: [
      `^round 1: \\d+ rows/s into both databases, floor \\d+ rows/s`,
      `^visible at 100/s for 0.3 s: p50 \\d+ ms, p99 \\d+ ms, longest \\d+ ms \\(30 clicks\\)`,
    ],
  },
  'analytics.ts': {
    args: '--clicks 2000 --rounds 1 --timezone America/New_York --few 2000 --many 4000 --seconds 0.1 --pairs 1 --questions 2 --workspaces 2 --ask overview --warm-ups 0 --look 10',
    lines: [
      `^overview +p50 ${FIGURE} → ${FIGURE} ms, p95 ${FIGURE} ms, × ${FIGURE}`,
      `^two filters over 30 days: PostgreSQL × ${FIGURE}`,
      `^2 workspaces at once: p95 ${FIGURE} ms, × ${FIGURE}`,
      `^redirects beside 2 questions about a year: p99 × ${FIGURE} .*; \\d+ of 2 questions refused`,
      `^the link: \\d+ clicks, \\d+ in the period, \\d+ visitors`,
      `^the answer +p50 ${FIGURE} ms`,
      `^count\\(\\) +p50 ${FIGURE} ms`,
      `^click by click +p50 ${FIGURE} ms`,
      `^\\d+ questions were refused and asked again`,
    ],
  },
  'lists.ts': {
    args: '--links 2000 --few 1000 --reads 1',
    lines: [
      `^lists: 2000 and 1000 links stored in ${FIGURE} s`,
      ...['first page', 'search, 8 letters', 'by clicks', 'cursor at 90 %', 'expired', 'tags'].map(
        (name) =>
          `^${name} +p50 ${FIGURE} ms, p95 ${FIGURE} ms; .*; p50 × ${FIGURE}, p95 × ${FIGURE}`,
      ),
    ],
  },
  'space.ts': {
    args: '--clicks 1000 --look 10',
    lines: [
      '^journal +\\d+ bytes a click',
      `^clickhouse +${FIGURE} bytes a click, ${FIGURE} of them projections`,
      `^backup +${FIGURE} bytes a click, in ${FIGURE} s`,
    ],
  },
  'memory.ts': {
    args: '--seconds 0.1 --connections 4 --rest 0.1 --mixed 40 --starts 1',
    lines: [
      `^bare node:http: Node \\d+ MB`,
      `^at rest after the start: Node \\d+ MB`,
      `^after \\d+ redirects in 0.1 s: Node \\d+ MB`,
      `^0.1 s later: Node \\d+ MB`,
      `^after \\d+ mixed requests: Node \\d+ MB`,
    ],
  },
  'operations.ts': {
    args: '--rate 40 --links 10 --seconds 1 --before 0.2 --delay 5 --segments 1 --megabytes 0.1 --restarts 1 --limits off',
    lines: [
      `^outage of 1 s at 40/s, with a restart: \\d+ visits, ${FIGURE} % answered .*, 0 clicks lost, drained ${FIGURE} s after`,
      `^5 ms to both databases and back, 40/s for 1 s: \\d+ clicks, freshness p50 ${FIGURE} s, p99 ${FIGURE} s`,
      `^drain of \\d+ clicks in ${FIGURE} s beside 40/s: redirects p99 × ${FIGURE}, ${FIGURE} → ${FIGURE} ms`,
      `^1 restarts at 40/s: \\d+ visits, 0 refused, 0 reset, 0 clicks lost`,
      `^backup of \\d+ clicks in ${FIGURE} s beside 40/s: redirects p99 × ${FIGURE}, .*; checked, restored totals equal`,
      `^move of \\d+ clicks there in ${FIGURE} s and back in ${FIGURE} s: totals equal`,
    ],
  },
  'auth.ts': {
    args: '--rounds 1 --seconds 0.1 --connections 4 --guesses 2',
    lines: [
      `^GET /v1/memory, 4 connections`,
      `^GET /v1/database, 4 connections`,
      `^API key +\\d+/s  ratio ${FIGURE} `,
      `^session +\\d+/s  ratio ${FIGURE} `,
      `^guesses +\\d+/s  ratio ${FIGURE} `,
      `^p99 is ${FIGURE} .* times that without`,
      `^\\d+ guesses were compared, \\d+ refused`,
    ],
  },
  'password.ts': {
    args: '--rounds 1 --seconds 0.1 --connections 4 --guesses 2 --links 1',
    lines: [
      `^unlocked: 4 connections`,
      `^  \\d+/s, ratio to bare ${FIGURE} .*, by CPU ${CPU_RATIO}`,
      `^redirects beside 2 guesses at a time: p99 × ${FIGURE}`,
      `^  \\d+ guesses were compared, \\d+ refused`,
    ],
  },
  'deliver.ts': {
    args: '--rounds 1 --seconds 0.2 --warm-up 0.1 --receivers 3 --rate 50 --pairs 1 --backlog 100 --idle-endpoints 20 --single-rate 50 --silent-endpoints 5 --silent-backlog 10 --pair-rate 100 --silence 0.5 --connections 4',
    lines: [
      `^  signpost +\\d+/s, CPU of one`,
      `^  naive +\\d+/s, CPU of one`,
      `^  signpost: ${FIGURE} of undici alone, ${FIGURE} × naive`,
      `^50/s, from the commit to the receiver: p50 \\d+ ms`,
      `^100/s beside 5 silent endpoints and a backlog of 100: p99 × ${FIGURE}`,
      `^idle beside 20 endpoints: node ${FIGURE} %`,
      `^  full +\\d+/s, CPU of one: node \\d+ µs, PostgreSQL ${SHARED_CPU}`,
      `^  single +\\d+/s, CPU of one: node \\d+ µs, PostgreSQL ${SHARED_CPU}`,
      `^  single: -?${FIGURE} \\(.* × the CPU of one of a full queue.*; undici alone: ${FIGURE} .* ×`,
      `^through the API, 3 workspaces: \\d+/s, CPU of one in all processes \\d+ µs`,
      `^  at 50/s, from the commit to the receiver: p50 \\d+ ms`,
    ],
  },
  'conversions.ts': {
    args: '--rounds 1 --seconds 0.2 --connections 2 --clicks 3',
    lines: [
      `^\\d+/s conversions, \\d+/s links: rate × ${FIGURE} `,
      `^at 100/s: p99 of a conversion ${FIGURE} ms, of a link ${FIGURE} ms, × ${FIGURE} `,
    ],
  },
  'write.ts': {
    args: '--rounds 1 --seconds 0.1 --connections 2 --workspaces 2 --endpoints 2',
    lines: [
      `^link, 2 workspaces\n  result \\d+/s, CPU of one ${FIGURE} µs`,
      `^dispatch to none, one workspace`,
      `^dispatch to 2, one workspace\n  result \\d+/s`,
    ],
  },
  'links.ts': {
    args: '--rounds 1 --seconds 0.1 --connections 2 --rows 20 --imported 20 --visited 10 --links 500',
    lines: [
      `^links created, one workspace`,
      `^  20 by request, one connection +\\d+ rows/s, CPU of one \\d+ µs`,
      `^  bulk by single: rate × ${FIGURE} .*, CPU × ${CPU_RATIO}`,
      `^redirects beside an import of 20 rows, which took ${FIGURE} s: p99 × ${FIGURE} \\(.*\\), ${FIGURE} → ${FIGURE} ms, at \\d+/s`,
      `^export of 500 links: ${FIGURE} s, \\d+ MB; .* grown by -?\\d+ MB`,
    ],
  },
  'hostile.ts': {
    args: '--pairs 1 --windows 1 --seconds 0.1 --links 10 --percent 2',
    lines: ['searches', 'dispatch', 'polls', 'guesses', 'mails'].flatMap((kind) => [
      `^${kind}: \\d+ accepted, \\d+ refused, \\d+ failed`,
      `^  redirects +p99 × ${FIGURE}`,
    ]),
  },
}

async function runBench(name: string, args: string) {
  const { postgresUrl, clickhouseUrl } = await testEngines()
  const child = spawn(process.execPath, [join(BENCH, name), ...args.split(' ')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      SIGNPOST_TEST_POSTGRES: postgresUrl,
      SIGNPOST_TEST_CLICKHOUSE: clickhouseUrl,
    },
  })
  const exited = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await exited) as [number | null]
  return { code, stdout, stderr }
}

test('each bench has a short run', () => {
  const benches = readdirSync(BENCH).filter((name) => name.endsWith('.ts'))
  assert.deepEqual(Object.keys(RUNS).toSorted(), benches.toSorted())
})

for (const [name, { args, lines }] of Object.entries(RUNS))
  test(
    `bench/${name} runs to its end and prints its figures`,
    {
      skip:
        ['links.ts', 'memory.ts', 'password.ts', 'write.ts'].includes(name) &&
        process.platform !== 'linux' &&
        'it reads /proc',
    },
    async () => {
      const { code, stdout, stderr } = await runBench(name, args)
      assert.equal(code, 0, stdout + stderr)
      for (const line of lines) assert.match(stdout, new RegExp(line, 'm'))
    },
  )

test('redirects over TLS have a short run of their own', async () => {
  const args = '--only tls --rounds 1 --seconds 0.1 --connections 4 --links 20'
  const { code, stdout, stderr } = await runBench('redirect.ts', args)
  assert.equal(code, 0, stdout + stderr)
  assert.match(stdout, new RegExp(`^edge-tls +\\d+/s  ratio to bare ${FIGURE} `, 'm'))
})

test('a bench in which requests fail ends with 1 and prints no ratio', async () => {
  const { code, stdout } = await runBench(
    'max-clicks.ts',
    // The only link is the one with the limit.
    '--pairs 1 --windows 1 --seconds 0.1 --rate 50 --links 1 --budget 60000',
  )
  assert.equal(code, 1)
  assert.match(stdout, /^redirects beside a link with maxClicks: \d+ requests FAILED$/m)
  assert.doesNotMatch(stdout, /×/)
})

test('another response and a closed connection count as failed requests', async (t) => {
  let requests = 0
  const server = createServer((_req, res) => {
    requests++
    if (requests === 3) return res.destroy()
    return res.writeHead(requests === 2 ? 500 : 302, { 'content-length': 0 }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const measured = await sendLoad({
    port: (server.address() as AddressInfo).port,
    connections: 1,
    seconds: 30,
    request: 'GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n',
    expected: 'HTTP/1.1 302',
  })
  assert.equal(measured.requests, 2)
  assert.equal(measured.failures, 2)
})
