import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { eventually } from '../test/support/eventually.ts'
import { hasCommand, spawnPinned, startScript, stopScript } from './support/child-process.ts'
import { openDatabases } from './support/databases.ts'
import { isSound, median, spread } from './support/figures.ts'
import { fillLinks } from './support/links.ts'
import { readOptions } from './support/options.ts'
import { followLinks, type MeasuredRedirects } from './support/redirect-client.ts'

/**
 * Measures the redirect, its click in the journal before its response, beside a bare `node:http` that
 * sends a fixed 302 and, where it is installed, nginx with `return 302` and an access log. Every
 * round runs all of them, in turn, with the server on one core and the load on another; the figure
 * is the median of the rounds' ratios, since the machine's speed changes from run to run.
 *
 *   node bench/redirect.ts [--rounds 7] [--seconds 4] [--connections 64] [--links 100000]
 */
const { rounds, ...load } = readOptions({ rounds: 7, seconds: 4, connections: 64, links: 100_000 })

type Contender = { name: string; port: number; child: ChildProcess }

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const databases = stack.use(await openDatabases())
await fillLinks(databases.sql, load.links)

const contenders = [
  await startNode('bare', []),
  await startNode('edge', [databases.url, String(load.links), folder]),
]
if (hasCommand('nginx')) contenders.push(await startNginx())
const byWrk = hasCommand('wrk')

const results = new Map<string, MeasuredRedirects[]>(contenders.map(({ name }) => [name, []]))
for (let round = 0; round <= rounds; round++) {
  // The first round warms up; the order turns, so that each contender is first equally often.
  for (const [i] of contenders.entries()) {
    const { name, port, child } = contenders[(i + round) % contenders.length]!
    const measured = await followLinks({ ...load, port, pid: child.pid! }, byWrk)
    if (round > 0 || measured.failures > 0) results.get(name)!.push(measured)
  }
}
report()

function report(): void {
  console.log(
    `${load.links} links, ${load.connections} connections, ${rounds} rounds of ${load.seconds} s`,
  )
  const bare = results.get('bare')!
  const failures = [...results].map(([name, runs]) =>
    isSound(
      name,
      runs.reduce((sum, run) => sum + run.failures, 0),
    ),
  )
  if (failures.includes(false)) return
  for (const [name, runs] of results) {
    const ratios = runs.map((run, i) => run.perSecond / bare[i]!.perSecond)
    const cpu = runs.map((run, i) => bare[i]!.cpuMicros / run.cpuMicros)
    console.log(
      [
        name.padEnd(6),
        `${median(runs.map((run) => run.perSecond)).toFixed(0)}/s`.padStart(9),
        `ratio to bare ${spread(ratios)}`,
        `cpu ${median(runs.map((run) => run.cpuMicros)).toFixed(1)} µs, ratio ${median(cpu).toFixed(2)}`,
        `p50 ${median(runs.map((run) => run.p50Ms)).toFixed(2)} ms`,
        `p99 ${median(runs.map((run) => run.p99Ms)).toFixed(2)} ms`,
      ].join('  '),
    )
  }
}

async function startNode(kind: string, args: string[]): Promise<Contender> {
  const { line, child } = await startScript('redirect-server.ts', [kind, ...args])
  stack.defer(async () => void (await stopScript(child)))
  return { name: kind, port: Number(line), child }
}

async function startNginx(): Promise<Contender> {
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
     events { worker_connections 1024; }
     http { access_log ${folder}/access.log; keepalive_requests 1000000000;
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
       server { listen 127.0.0.1:${port};
         location / { return 302 https://example.com/landing/page?id=12345; } } }`,
  )
  const child = spawnPinned(0, ['nginx', '-p', folder, '-c', config])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  stack.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await eventually(() => fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }))
  return { name: 'nginx', port, child }
}
