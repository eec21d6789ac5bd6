import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openRedirectDatabase } from './support/redirect-database.ts'
import { runOwn, runWrk, type Load, type Measured } from './support/redirect-client.ts'

/**
 * How fast a redirect is, its click in the journal before its answer, beside a bare `node:http`
 * that answers a fixed 302 and, where it is installed, nginx with `return 302` and an access log.
 * Every round runs all of them, in turn, with the server on one core and the load on another; what
 * counts is the median of the rounds' ratios, since the machine's speed changes from run to run.
 *
 *   node bench/redirect.ts [--rounds 7] [--seconds 4] [--connections 64] [--links 100000]
 *     [--database postgres://…]   an empty database to use instead of an embedded one
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    links: { type: 'string', default: '100000' },
    database: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const links = Number(values.links)
const load = { connections: Number(values.connections), seconds: Number(values.seconds), links }

type Contender = { name: string; port: number; child: ChildProcess }

const canPin = hasCommand('taskset') && availableParallelism() > 1
const measure = hasCommand('wrk')
  ? (one: Load) => runWrk(one, canPin ? '1' : null)
  : (one: Load) => runOwn(one)

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const database = stack.use(await openRedirectDatabase(values.database, folder, links))

const contenders = [
  await startNode('bare', []),
  await startNode('edge', [database.url, `${links}`, folder]),
]
if (hasCommand('nginx')) contenders.push(await startNginx())
for (const { child } of contenders) stack.defer(() => stop(child))

const results = new Map<string, Measured[]>(contenders.map(({ name }) => [name, []]))
for (let round = 0; round <= rounds; round++) {
  // The first round warms up; the order turns so that nobody is always first.
  for (const [i] of contenders.entries()) {
    const { name, port, child } = contenders[(i + round) % contenders.length]!
    const measured = await measure({ ...load, port, pid: child.pid! })
    if (round > 0) results.get(name)!.push(measured)
  }
}
report()

function report(): void {
  const bare = results.get('bare')!
  console.log(
    `${links} links, ${load.connections} connections, ${rounds} rounds of ${load.seconds} s`,
  )
  for (const [name, runs] of results) {
    const ratios = runs.map((run, i) => run.perSecond / bare[i]!.perSecond)
    const cpu = runs.map((run, i) => bare[i]!.cpuMicros / run.cpuMicros)
    const failures = runs.reduce((sum, run) => sum + run.failures, 0)
    console.log(
      [
        name.padEnd(6),
        `${median(runs.map((run) => run.perSecond)).toFixed(0)}/s`.padStart(9),
        `ratio to bare ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
        `cpu ${median(runs.map((run) => run.cpuMicros)).toFixed(1)} µs, ratio ${median(cpu).toFixed(2)}`,
        `p50 ${median(runs.map((run) => run.p50Ms)).toFixed(2)} ms`,
        `p99 ${median(runs.map((run) => run.p99Ms)).toFixed(2)} ms`,
        ...(failures > 0 ? [`${failures} FAILURES`] : []),
      ].join('  '),
    )
  }
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

async function startNode(kind: string, args: string[]): Promise<Contender> {
  const script = join(import.meta.dirname, 'support/redirect-server.ts')
  const child = spawnPinned([process.execPath, script, kind, ...args])
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout!.once('data', (chunk) => resolve(Number(chunk)))
    child.once('exit', (code) => reject(new Error(`the ${kind} server ended with ${code}`)))
  })
  return { name: kind, port, child }
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
  const child = spawnPinned(['nginx', '-p', folder, '-c', config])
  await sleep(500)
  return { name: 'nginx', port, child }
}

function spawnPinned(command: string[]): ChildProcess {
  const [program, ...args] = canPin ? ['taskset', '-c', '0', ...command] : command
  return spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

function hasCommand(name: string): boolean {
  return spawnSync('which', [name]).status === 0
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
