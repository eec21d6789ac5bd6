import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startScript, stopScript } from './support/child-process.ts'
import { openDatabases } from './support/databases.ts'
import { isSound, median, spread } from './support/figures.ts'
import { joinMeasured, sendLoad, type Measured } from './support/keep-alive.ts'
import { fillLinks } from './support/links.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures plain redirects beside visits to a link with `maxClicks`, each of which PostgreSQL counts before
 * it is answered. A pair consists of several short windows with and without those visits in turn, so that
 * a busy neighbor of the machine slows both sides; the figure is the median over the pairs of the p99
 * beside the visits by the p99 without them.
 *
 *   node bench/max-clicks.ts [--pairs 5] [--windows 4] [--seconds 2] [--rate 500] [--links 1000] [--budget 0]
 *
 * A `budget` is the time in milliseconds that a request waits for PostgreSQL, instead of the edge's own.
 */
const { pairs, windows, seconds, rate, links, budget } = readOptions({
  pairs: 5,
  windows: 4,
  seconds: 2,
  rate: 500,
  links: 1_000,
  budget: 0,
})
const LIMITED = 's0'

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const { sql, url } = stack.use(await openDatabases())
await fillLinks(sql, { plain: links })
const maxClicks = 2_000_000_000
await sql`update links set options = ${JSON.stringify({ maxClicks })} where slug = ${LIMITED}`
await sql`
  insert into link_quotas (link_id, workspace_id, max_clicks)
  select id, workspace_id, ${maxClicks} from links where slug = ${LIMITED}`
const serverArgs = ['edge', url, String(links), folder, 'plain', String(budget)]
const server = await startScript('redirect-server.ts', serverArgs, { isPinned: false })
stack.defer(async () => void (await stopScript(server.child)))
const port = Number(server.line)

await visitPlain()
await visitPlainBeside()
const measured: { alone: Measured; beside: Measured; visits: number; failures: number }[] = []
for (let pair = 0; pair < pairs; pair++) {
  const alone: Measured[] = []
  const beside: Measured[] = []
  let visits = 0
  let failures = 0
  for (let window = 0; window < windows; window++) {
    alone.push(await visitPlain())
    const both = await visitPlainBeside()
    beside.push(both.measured)
    visits += both.visits
    failures += both.failures
  }
  measured.push({ alone: joinMeasured(alone), beside: joinMeasured(beside), visits, failures })
}
report()

function report(): void {
  const failures = measured.reduce(
    (sum, pair) => sum + pair.alone.failures + pair.beside.failures + pair.failures,
    0,
  )
  if (!isSound('redirects beside a link with maxClicks', failures)) return
  const before = measured.map(({ alone }) => alone.p99Ms)
  const after = measured.map(({ beside }) => beside.p99Ms)
  const counted = measured.map(({ visits }) => visits / (windows * seconds))
  console.log(
    `plain redirects beside ${median(counted).toFixed(0)}/s of a link with maxClicks: p99 × ${spread(
      after.map((p99Ms, i) => p99Ms / before[i]!),
    )}, ${median(before).toFixed(1)} → ${median(after).toFixed(1)} ms, at ${median(
      measured.map(({ beside }) => beside.perSecond),
    ).toFixed(0)}/s`,
  )
}

function visitPlain(): Promise<Measured> {
  const slug = () => `s${1 + Math.floor(Math.random() * (links - 1))}`
  return sendLoad({
    port,
    connections: 8,
    everyMs: 8,
    seconds,
    request: () => `GET /${slug()} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    expected: 'HTTP/1.1 302',
  })
}

async function visitPlainBeside() {
  const args = [String(port), LIMITED, String(rate)]
  const { child } = await startScript('steady-visitors.ts', args, { isPinned: false })
  const plain = await visitPlain()
  const [visits = 0, failures = 0] = (await stopScript(child)).split(' ').map(Number)
  return { measured: plain, visits, failures }
}
