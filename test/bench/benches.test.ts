import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { sendLoad } from '../../bench/support/keep-alive.ts'

const BENCH = join(import.meta.dirname, '../../bench')
const FIGURE = String.raw`\d+(\.\d+)?`

/** A run as short as possible of each bench, with a pattern for each line that it must print. */
const RUNS: Record<string, { args: string; lines: readonly string[] }> = {
  'redirect.ts': {
    args: '--rounds 1 --seconds 0.3 --connections 4 --links 50 --cached 500',
    lines: [
      `^bare +\\d+/s  ratio to bare 1.00`,
      ...['edge', 'variants', 'rules'].map((name) => `^${name} +\\d+/s  ratio to bare ${FIGURE} `),
      `^500 cached plain links: \\d+ bytes of each`,
    ],
  },
  'max-clicks.ts': {
    args: '--pairs 1 --windows 1 --seconds 0.3',
    lines: [
      `^plain redirects beside \\d+/s of a link with maxClicks: p99 × ${FIGURE} \\(.*\\), ${FIGURE} → ${FIGURE} ms, at \\d+/s`,
    ],
  },
  'ingest.ts': {
    args: '--rounds 1 --segments 1 --links 100 --rate 200 --seconds 0.5',
    lines: [
      `^round 1: \\d+ rows/s into both databases, floor \\d+ rows/s`,
      `^visible at 200/s for 0.5 s: p50 \\d+ ms, p99 \\d+ ms, longest \\d+ ms \\(100 clicks\\)`,
    ],
  },
  'analytics.ts': {
    args: '--clicks 10000 --rounds 2 --timezone America/New_York --few 2000 --many 4000 --seconds 0.2',
    lines: [
      `^overview +p50 ${FIGURE} → ${FIGURE} ms, p95 ${FIGURE} ms, × ${FIGURE}`,
      `^two filters over 30 days: PostgreSQL × ${FIGURE}`,
      `^eight workspaces at once: p95 ${FIGURE} ms, × ${FIGURE}`,
      `^redirects beside 50 questions about a year: p99 × ${FIGURE}`,
      `^the link: \\d+ clicks, \\d+ in the period, \\d+ visitors`,
      `^the answer +p50 ${FIGURE} ms`,
      `^count\\(\\) +p50 ${FIGURE} ms`,
      `^click by click +p50 ${FIGURE} ms`,
    ],
  },
  'lists.ts': {
    args: '--links 3000 --few 1000 --reads 5',
    lines: [
      `^lists: 3000 and 1000 links stored in ${FIGURE} s`,
      ...['first page', 'search, 8 letters', 'by clicks', 'cursor at 90 %', 'expired', 'tags'].map(
        (name) =>
          `^${name} +p50 ${FIGURE} ms, p95 ${FIGURE} ms; .*; p50 × ${FIGURE}, p95 × ${FIGURE}`,
      ),
    ],
  },
  'memory.ts': {
    args: '--seconds 0.3 --connections 4 --rest 0.1 --mixed 60',
    lines: [
      `^bare node:http: Node \\d+ MB`,
      `^at rest: Node \\d+ MB`,
      `^after \\d+ redirects in 0.3 s: Node \\d+ MB`,
      `^0.1 s later: Node \\d+ MB`,
      `^after \\d+ mixed requests: Node \\d+ MB`,
    ],
  },
  'auth.ts': {
    args: '--rounds 1 --seconds 0.2 --connections 4 --guesses 4',
    lines: [
      `^GET /v1/memory, 4 connections`,
      `^GET /v1/database, 4 connections`,
      `^API key +\\d+/s  ratio ${FIGURE} `,
      `^session +\\d+/s  ratio ${FIGURE} `,
      `^guesses +\\d+/s  ratio ${FIGURE} `,
      `^p99 is ${FIGURE} .* times that without`,
    ],
  },
  'password.ts': {
    args: '--rounds 1 --seconds 0.3 --connections 4 --guesses 4 --links 2',
    lines: [
      `^unlocked: 4 connections`,
      `^  \\d+/s, ratio to bare ${FIGURE} .*, by CPU ${FIGURE}`,
      `^redirects beside 4 guesses at a time: p99 × ${FIGURE}`,
      `^  \\d+ guesses were compared, \\d+ refused`,
    ],
  },
  'deliver.ts': {
    args: '--rounds 1 --seconds 0.4 --warm-up 0.2 --receivers 3 --rate 50 --pairs 1 --backlog 500 --idle-endpoints 100',
    lines: [
      `^  signpost +\\d+/s, CPU of one`,
      `^  naive +\\d+/s, CPU of one`,
      `^  signpost: ${FIGURE} of undici alone, ${FIGURE} × naive`,
      `^50/s, from the commit to the receiver: p50 \\d+ ms`,
      `^300/s beside 100 silent endpoints and a backlog of 500: p99 × ${FIGURE}`,
      `^idle beside 100 endpoints: node ${FIGURE} %`,
      `^  full +\\d+/s, CPU of one: node \\d+ µs, PostgreSQL \\d+ µs`,
      `^  single \\d+/s, CPU of one: node \\d+ µs, PostgreSQL \\d+ µs`,
      `^  single: ${FIGURE} \\(.* × the CPU of one of a full queue`,
      `^through the API, 3 workspaces: \\d+/s, CPU of one in all processes \\d+ µs`,
      `^  at 200/s, from the commit to the receiver: p50 \\d+ ms`,
    ],
  },
  'write.ts': {
    args: '--rounds 1 --seconds 0.3 --connections 4 --workspaces 2 --endpoints 2',
    lines: [
      `^link, 2 workspaces\n  result \\d+/s, CPU of one ${FIGURE} µs`,
      `^dispatch to none, one workspace`,
      `^dispatch to 2, one workspace\n  result \\d+/s`,
    ],
  },
  'links.ts': {
    args: '--rounds 1 --seconds 0.3 --connections 4 --rows 100 --imported 60 --links 600',
    lines: [
      `^links created, one workspace`,
      `^  100 by request, one connection +\\d+ rows/s, CPU of one \\d+ µs`,
      `^  bulk by single: rate × ${FIGURE} .*, CPU × ${FIGURE}`,
      `^redirects beside an import of 60 rows, which took ${FIGURE} s: p99 × ${FIGURE} \\(.*\\), ${FIGURE} → ${FIGURE} ms, at \\d+/s`,
      `^export of 600 links: ${FIGURE} s, \\d+ MB; .* grown by -?\\d+ MB`,
    ],
  },
  'hostile.ts': {
    args: '--pairs 1 --windows 1 --seconds 0.3 --links 20',
    lines: ['searches', 'dispatch', 'polls', 'guesses', 'mails'].flatMap((kind) => [
      `^${kind}: \\d+ accepted, \\d+ refused, \\d+ failed`,
      `^  redirects +p99 × ${FIGURE}`,
    ]),
  },
}

async function runBench(name: string, args: string) {
  const child = spawn(process.execPath, [join(BENCH, name), ...args.split(' ')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await exited) as [number | null]
  return { code, stdout, stderr }
}

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

test('a bench in which requests fail ends with 1 and prints no ratio', async () => {
  const { code, stdout } = await runBench(
    'redirect.ts',
    '--rounds 1 --seconds 0.1 --connections 1 --links 0 --cached 0',
  )
  assert.equal(code, 1)
  assert.match(stdout, /^edge: \d+ requests FAILED$/m)
  assert.doesNotMatch(stdout, /ratio/)
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
