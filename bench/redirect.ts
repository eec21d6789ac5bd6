import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCommand, startScript, stopScript } from './support/child-process.ts'
import { startNginx } from './support/nginx.ts'
import { openDatabases } from './support/databases.ts'
import { isSound, median, spread } from './support/figures.ts'
import { fillLinks, OPTIONS, PREFIXES, type LinkKind } from './support/links.ts'
import { readOptions } from './support/options.ts'
import { followLinks, type MeasuredRedirects } from './support/redirect-client.ts'

/**
 * Measures the redirect, its click in the journal before its response, beside a bare `node:http` that
 * sends a fixed 302, a `node:net` that writes it without reading the request and, where it is installed, nginx with
 * `return 302` and an access log. Every round runs all of them, in turn, with the server on one core and the load on another; the figure
 * is the median of the rounds' ratios, since the machine's speed changes from run to run. Links with two
 * variants, links with rules by country and device for visitors from 10,000 addresses, links that hand over the id
 * of the click, and plain links on one of 10,000 branded hosts have servers of their own. `--only` runs one of them
 * beside the bare server; with `tls` plain links over TLS with keep-alive run beside a bare `node:https`. The memory of
 * cached plain links is that of the heap after a garbage collection; `--cached 0` leaves it out.
 *
 *   node bench/redirect.ts [--rounds 7] [--seconds 4] [--connections 64] [--links 100000] [--cached 250000]
 *     [--against <another checkout, with this script>] [--only plain|variants|rules|tracked|branded|tls]
 *
 * It prints no figure and ends with 1 when a single request fails.
 */
const { rounds, against, cached, only, ...load } = readOptions(
  { rounds: 7, seconds: 4, connections: 64, links: 100_000, cached: 250_000 },
  { against: '', only: '' },
)

type Contender = { name: string; port: number; child: ChildProcess; kind: LinkKind; isTls: boolean }

const HERE = import.meta.dirname

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const databases = stack.use(await openDatabases())
await fillLinks(databases.sql, {
  plain: Math.max(load.links, cached),
  variants: load.links,
  rules: load.links,
  tracked: load.links,
  branded: load.links,
})

const contenders = only === 'tls' ? await startOverTls() : await startPlain()
// wrk takes whole seconds alone.
const byWrk = hasCommand('wrk') && Number.isInteger(load.seconds)

const results = new Map<string, MeasuredRedirects[]>(contenders.map(({ name }) => [name, []]))
for (let round = 0; round <= rounds; round++) {
  // The first round warms up; the order turns, so that each contender is first equally often.
  for (const [i] of contenders.entries()) {
    const { name, child, ...target } = contenders[(i + round) % contenders.length]!
    const measured = await followLinks({ ...load, ...target, pid: child.pid! }, byWrk)
    if (round > 0 || measured.failures > 0) results.get(name)!.push(measured)
  }
}
report()
if (process.exitCode !== 1 && cached > 0 && (only === '' || only === 'plain')) await reportMemory()

function report(): void {
  console.log(
    `${load.links} links, ${load.connections} connections, ${rounds} rounds of ${load.seconds} s`,
  )
  const bare = results.get(contenders[0]!.name)!
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
        name.padEnd(8),
        `${median(runs.map((run) => run.perSecond)).toFixed(0)}/s`.padStart(9),
        `ratio to bare ${spread(ratios)}`,
        `cpu ${median(runs.map((run) => run.cpuMicros)).toFixed(1)} µs, ratio ${spread(cpu)}`,
        `p50 ${median(runs.map((run) => run.p50Ms)).toFixed(2)} ms`,
        `p99 ${median(runs.map((run) => run.p99Ms)).toFixed(2)} ms`,
      ].join('  '),
    )
  }
}

/** The heap of the plain links, and by how much it differs from that of another checkout. */
async function reportMemory(): Promise<void> {
  const folders = [HERE, ...(against ? [join(against, 'bench')] : [])]
  const sizes: number[] = []
  for (const root of folders) {
    const script = join(HERE, 'support/link-memory.ts')
    const args = [join(root, '..'), databases.url, String(cached)]
    const { line, child } = await startScript(script, args)
    await stopScript(child)
    sizes.push(Number(line))
  }
  const [size, before] = sizes
  const ratio = before === undefined ? '' : `, ${(size! / before).toFixed(3)} of the start's`
  console.log(`${cached} cached plain links: ${(size! / cached).toFixed(0)} bytes of each${ratio}`)
}

async function startPlain(): Promise<Contender[]> {
  const started = [
    await startNode('bare', HERE, 'plain', ['bare']),
    await startNode('net', HERE, 'plain', ['net']),
  ]
  for (const kind of Object.keys(PREFIXES) as LinkKind[])
    if (only === '' || only === kind)
      started.push(await startEdge(kind === 'plain' ? 'edge' : kind, HERE, kind))
  if (against) started.push(await startEdge('start', join(against, 'bench'), 'plain'))
  if (hasCommand('nginx')) {
    const nginx = await startNginx(folder)
    stack.defer(nginx.stop)
    started.push({ name: 'nginx', ...nginx, kind: 'plain', isTls: false })
  }
  return started
}

async function startOverTls(): Promise<Contender[]> {
  return [
    await startNode('bare-tls', HERE, 'plain', ['bare-tls']),
    await startEdge('edge-tls', HERE, 'plain', 'edge-tls'),
  ]
}

async function startEdge(
  name: string,
  bench: string,
  kind: LinkKind,
  server = 'edge',
): Promise<Contender> {
  const journal = join(folder, name)
  mkdirSync(journal)
  const args = [server, databases.url, String(load.links), journal, kind]
  const contender = await startNode(name, bench, kind, args)
  if (kind in OPTIONS && load.links > 0) await requireOptions(contender)
  return contender
}

/** @throws unless the options of a link choose the destination of a visitor from Germany */
async function requireOptions({ name, port, kind }: Contender): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/${PREFIXES[kind]}0`, {
    redirect: 'manual',
    headers: { host: 'localhost', 'x-forwarded-for': '85.214.132.117' },
  })
  const location = answer.headers.get('location')
  if (!/[?&](variant|to|sp_id)=/.test(location ?? ''))
    throw new Error(`the options of ${name} have no effect: ${answer.status} ${location}`)
}

async function startNode(
  name: string,
  bench: string,
  kind: LinkKind,
  args: readonly string[],
): Promise<Contender> {
  const { line, child } = await startScript(join(bench, 'support/redirect-server.ts'), args)
  stack.defer(async () => void (await stopScript(child)))
  return { name, port: Number(line), child, kind, isTls: args[0]!.endsWith('-tls') }
}
