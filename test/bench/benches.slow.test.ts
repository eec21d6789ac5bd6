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
import { testEngines } from '../support/engines.ts'
import { IS_LONG } from '../support/long.ts'

const BENCH = join(import.meta.dirname, '../../bench')
/** The shortest run of each bench. */
const RUNS: Record<string, string> = {
  // First, since other tests serve the dashboard that it builds.
  'dashboard.ts':
    '--rounds 2 --links 200 --clicks 2000 --visits 1 --walks 1 --rest 200 --limits off',
  'shared-dashboard.ts': '--rounds 1 --seconds 0.1 --connections 2 --links 2 --clicks 10',
  'redirect.ts': '--rounds 1 --seconds 0.1 --connections 4 --links 20 --cached 500',
  'idle-connections.ts': '--connections 20 --seconds 0.1',
  'pages.ts': '--rounds 1 --seconds 0.1 --connections 2 --links 3',
  'unknown-slugs.ts': '--pairs 1 --windows 1 --seconds 0.3 --rate 500 --hosts 10 --links 20',
  'media.ts': '--pairs 1 --seconds 0.1 --megapixels 0.1',
  'reports.ts': '--pairs 1 --seconds 0.1 --rows 50',
  'max-clicks.ts': '--pairs 1 --windows 1 --seconds 0.1 --rate 50 --links 20 --budget 60000',
  'ingest.ts': '--rounds 1 --segments 1 --megabytes 0.25 --links 20 --rate 100 --seconds 0.3',
  'analytics.ts':
    '--clicks 2000 --rounds 1 --timezone America/New_York --few 2000 --many 4000 --seconds 0.1 --pairs 1 --questions 2 --workspaces 2 --ask overview --warm-ups 0 --look 10',
  'lists.ts': '--links 2000 --few 1000 --reads 1',
  'space.ts': '--clicks 1000 --look 10',
  'memory.ts': '--seconds 0.1 --connections 4 --rest 0.1 --mixed 40 --starts 1',
  'operations.ts':
    '--rate 40 --links 10 --seconds 1 --before 0.2 --delay 5 --segments 1 --megabytes 0.1 --restarts 1 --limits off',
  'auth.ts': '--rounds 1 --seconds 0.1 --connections 4 --guesses 2',
  'password.ts': '--rounds 1 --seconds 0.1 --connections 4 --guesses 2 --links 1',
  'deliver.ts':
    '--rounds 1 --seconds 0.2 --warm-up 0.1 --receivers 3 --rate 50 --pairs 1 --backlog 100 --idle-endpoints 20 --single-rate 50 --silent-endpoints 5 --silent-backlog 10 --pair-rate 100 --silence 0.5 --connections 4',
  'conversions.ts': '--rounds 1 --seconds 0.2 --connections 2 --clicks 3',
  'tls.ts': '--rounds 1 --seconds 0.1',
  'write.ts': '--rounds 1 --seconds 0.1 --connections 2 --workspaces 2 --endpoints 2',
  'links.ts':
    '--rounds 1 --seconds 0.1 --connections 2 --rows 20 --imported 20 --visited 10 --links 500',
  'hostile.ts': '--pairs 1 --windows 1 --seconds 0.1 --links 10 --percent 2',
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

/** They wait half of the time. */
const AT_ONCE = 2

// They take as long as a twentieth of all other tests, and measure what those check.
test(
  'each bench runs to its end and loses nothing',
  { concurrency: AT_ONCE, skip: !IS_LONG },
  async (t) => {
    await Promise.all(
      Object.entries(RUNS).map(([name, args]) =>
        t.test(
          `bench/${name}`,
          {
            skip:
              ['links.ts', 'memory.ts', 'password.ts', 'write.ts'].includes(name) &&
              process.platform !== 'linux' &&
              'it reads /proc',
          },
          async () => {
            const { code, stdout, stderr } = await runBench(name, args)
            assert.equal(code, 0, stdout + stderr)
            assert.match(stdout, /\d/)
            assert.doesNotMatch(stdout, /FAILED|[1-9]\d* clicks lost/)
          },
        ),
      ),
    )
  },
)

test('redirects over TLS have a short run of their own', { skip: !IS_LONG }, async () => {
  const args = '--only tls --rounds 1 --seconds 0.1 --connections 4 --links 20'
  const { code, stdout, stderr } = await runBench('redirect.ts', args)
  assert.equal(code, 0, stdout + stderr)
  assert.match(stdout, /^edge-tls +\d+\/s/m)
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
