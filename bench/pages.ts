import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startScript, stopScript } from './support/child-process.ts'
import { openDatabases } from './support/databases.ts'
import { isSound, median, spread } from './support/figures.ts'
import { sendLoad, type Measured } from './support/keep-alive.ts'
import { fillLinks, fillPage, PAGE_PREFIX } from './support/links.ts'
import { readOptions } from './support/options.ts'
import type { FixedAnswer } from './support/page-server.ts'
import { readTreeCpu } from './support/process-tree.ts'

/**
 * Measures views of a bio page with `links` links, each in the journal before its answer, beside a bare `node:http` that
 * sends the same bytes. Each server has one core where the machine allows that; rounds run both, in turn, and the figure is
 * the median of the rounds' ratios.
 *
 *   node bench/pages.ts [--rounds 7] [--seconds 4] [--connections 32] [--links 6]
 *
 * It prints no figure and ends with 1 when a single request fails.
 */
const { rounds, links, ...load } = readOptions({
  rounds: 7,
  seconds: 4,
  connections: 32,
  links: 6,
})

type Run = Measured & { cpuMicros: number }

const AGENT = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1'
const PATH = `/${PAGE_PREFIX}0`

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const databases = stack.use(await openDatabases())
await fillLinks(databases.sql, { plain: links })
await fillPage(databases.sql, links)
mkdirSync(join(folder, 'edge'))
const edge = await start('redirect-server.ts', [
  'edge',
  databases.url,
  '1',
  join(folder, 'edge'),
  'pages',
])
const answer = await readAnswer()
const file = join(folder, 'answer.json')
writeFileSync(file, JSON.stringify(answer))
const contenders = { bare: await start('page-server.ts', [file]), edge }

const results = { bare: [] as Run[], edge: [] as Run[] }
const names = ['bare', 'edge'] as const
// The first round warms up; the order turns, so that each is first equally often.
for (let round = 0; round <= rounds; round++)
  for (const at of names.keys()) {
    const name = names[(at + round) % names.length]!
    const run = await view(contenders[name])
    if (round > 0) results[name].push(run)
  }
report()

async function start(script: string, args: readonly string[]) {
  const { line, child } = await startScript(script, args)
  stack.defer(async () => void (await stopScript(child)))
  return { port: Number(line), pid: child.pid! }
}

async function readAnswer(): Promise<FixedAnswer> {
  const response = await fetch(`http://127.0.0.1:${edge.port}${PATH}`)
  if (response.status !== 200) throw new Error(`${PATH} answers ${response.status}`)
  const own = [...response.headers].filter(
    ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
  )
  return { headers: Object.fromEntries(own), body: await response.text() }
}

async function view({ port, pid }: { port: number; pid: number }): Promise<Run> {
  const before = cpuMicros(pid)
  const measured = await sendLoad({
    ...load,
    port,
    request: `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${AGENT}\r\n\r\n`,
    expected: 'HTTP/1.1 200',
  })
  return { ...measured, cpuMicros: (cpuMicros(pid) - before) / measured.requests }
}

function cpuMicros(pid: number): number {
  const { own, descendants } = readTreeCpu(pid)
  return own + descendants
}

function report(): void {
  console.log(`a page of ${links} links, ${Buffer.byteLength(answer.body)} bytes`)
  const { bare } = results
  const failures = Object.entries(results).map(([name, runs]) =>
    isSound(
      name,
      runs.reduce((sum, run) => sum + run.failures, 0),
    ),
  )
  if (failures.includes(false)) return
  for (const [name, runs] of Object.entries(results))
    console.log(
      [
        name.padEnd(8),
        `${median(runs.map((run) => run.perSecond)).toFixed(0)}/s`.padStart(9),
        `ratio to bare ${spread(runs.map((run, i) => run.perSecond / bare[i]!.perSecond))}`,
        `cpu ${median(runs.map((run) => run.cpuMicros)).toFixed(1)} µs, ratio ${spread(runs.map((run, i) => bare[i]!.cpuMicros / run.cpuMicros))}`,
        `p99 ${median(runs.map((run) => run.p99Ms)).toFixed(2)} ms`,
      ].join('  '),
    )
}
