import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startScript, stopScript } from './support/child-process.ts'
import { openDatabases } from './support/databases.ts'
import { isSound, median, spread } from './support/figures.ts'
import { joinMeasured, sendLoad, type Measured } from './support/keep-alive.ts'
import { fillLinks, hostOf, PREFIXES } from './support/links.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures redirects of a branded host, at 1,000 a second, beside requests for random slugs, which exist nowhere, on
 * many branded hosts. A pair consists of several short windows in turn, so that a busy neighbor of the machine slows
 * all of them: redirects alone, beside requests for known slugs at the same rate, and beside those for unknown ones.
 * The figure is the median over the pairs of the p99 beside unknown slugs by the p99 alone. Of it, the part that any
 * further load of the machine causes, which also runs the load, is the p99 beside known slugs by the p99 alone. Look-ups
 * are those of the edge in PostgreSQL, by the time of the windows with unknown slugs.
 *
 *   node bench/unknown-slugs.ts [--pairs 5] [--windows 4] [--seconds 2] [--rate 20000] [--hosts 1000] [--links 1000]
 *
 * A server that does not carry the rate gets fewer requests; both rates that it answered are printed.
 */
const { pairs, windows, seconds, rate, hosts, links } = readOptions({
  pairs: 5,
  windows: 4,
  seconds: 2,
  rate: 20_000,
  hosts: 1_000,
  links: 1_000,
})

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const { sql, url } = stack.use(await openDatabases())
await fillLinks(sql, { branded: links })
const serverArgs = ['edge', url, String(links), folder, 'branded']
const server = await startScript('redirect-server.ts', serverArgs, { isPinned: false })
const port = Number(server.line)

type Kind = 'known' | 'unknown'
type Asked = { count: number; unavailable: number; seconds: number }
type Pair = { alone: Measured; known: Measured; unknown: Measured }
const asked: Record<Kind, Asked[]> = { known: [], unknown: [] }
await visitLinks()
const measured: Pair[] = []
for (let pair = 0; pair < pairs; pair++) {
  const runs = { alone: [] as Measured[], known: [] as Measured[], unknown: [] as Measured[] }
  for (let window = 0; window < windows; window++) {
    runs.alone.push(await visitLinks())
    runs.known.push(await visitLinksBeside('known'))
    runs.unknown.push(await visitLinksBeside('unknown'))
  }
  measured.push({
    alone: joinMeasured(runs.alone),
    known: joinMeasured(runs.known),
    unknown: joinMeasured(runs.unknown),
  })
}
report(Number(await stopScript(server.child)))

function report(lookUps: number): void {
  const failures = measured
    .flatMap((pair) => Object.values(pair))
    .reduce((sum, run) => sum + run.failures, 0)
  if (!isSound('redirects beside unknown slugs', failures)) return
  const alone = measured.map((pair) => pair.alone.p99Ms)
  console.log(`redirects alone: p99 ${median(alone).toFixed(1)} ms`)
  for (const kind of ['known', 'unknown'] as const) {
    const beside = measured.map((pair) => pair[kind].p99Ms)
    const ratios = spread(beside.map((p99Ms, i) => p99Ms / alone[i]!))
    const load = `${perSecond(kind, total(kind, 'count'))}/s ${kind} slugs`
    console.log(`  beside ${load}: p99 × ${ratios}, ${median(beside).toFixed(1)} ms`)
  }
  console.log(
    `  ${perSecond('unknown', lookUps)} look-ups/s in PostgreSQL; ${total('unknown', 'unavailable')} of ${total('unknown', 'count')} answered 503`,
  )
}

function total(kind: Kind, field: keyof Asked): number {
  return asked[kind].reduce((sum, each) => sum + each[field], 0)
}

function perSecond(kind: Kind, count: number): string {
  return (count / total(kind, 'seconds')).toFixed(0)
}

function visitLinks(): Promise<Measured> {
  const slug = () => PREFIXES.branded + Math.floor(Math.random() * links)
  return sendLoad({
    port,
    connections: 8,
    everyMs: 8,
    seconds,
    request: () => `GET /${slug()} HTTP/1.1\r\nHost: ${hostOf('branded')}\r\n\r\n`,
    expected: 'HTTP/1.1 302',
  })
}

async function visitLinksBeside(kind: Kind): Promise<Measured> {
  const args = [String(port), String(rate), kind, String(kind === 'known' ? links : hosts)]
  const { child } = await startScript('slug-requests.ts', args, { isPinned: false })
  const beside = await visitLinks()
  const [count = 0, unavailable = 0, tookSeconds = 0] = (await stopScript(child))
    .split(' ')
    .map(Number)
  asked[kind].push({ count, unavailable, seconds: tookSeconds })
  return beside
}
