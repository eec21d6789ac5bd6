import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDashboard } from '../src/api/site/open-dashboard.ts'
import { openLog } from '../src/platform/core/log.ts'
import { ensureBuild } from '../src/api/dashboard-build/build.ts'
import { median, quantile, spread } from './support/figures.ts'
import { readOptions } from './support/options.ts'
import { scriptBytes } from './support/script-sizes.ts'

/**
 * Measures the dashboard: what it costs a start whose build is present, what a browser loads before the
 * first paint, and how fast its pages are in a Chromium, with many links and clicks.
 *
 *   node bench/dashboard.ts [--rounds 11] [--links 100000] [--clicks 10000000] [--visits 5] [--walks 2]
 *     [--rest 1500] [--limits on]
 *
 * `visits` are the loads of each page and `walks` the ways through the main actions; with 0 of both no browser is
 * started. `rest` is the time in milliseconds for what follows a load. Ends with 1 when a page meets a problem, such
 * as a message of its console, and when a figure exceeds its limit; `--limits off` prints the figures only. The first
 * round of the start is printed alone: it compiles the code.
 */
const options = readOptions(
  { rounds: 11, links: 100_000, clicks: 10_000_000, visits: 5, walks: 2, rest: 1_500 },
  { limits: 'on' },
)
const CHECKOUT = join(import.meta.dirname, '..')

const builtAt = performance.now()
const { folder, isNew } = await ensureBuild(CHECKOUT)
if (isNew) console.log(`built in ${((performance.now() - builtAt) / 1_000).toFixed(1)} s`)

await measureStart()
measureSizes()
if (options.visits + options.walks > 0) await measureBrowser()

async function measureStart(): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < options.rounds; i++) {
    const startedAt = performance.now()
    await using dashboard = await openDashboard({ checkout: CHECKOUT, log: openLog('error') })
    times.push(performance.now() - startedAt)
    if (typeof dashboard.getPage('index.html') === 'string')
      throw new Error('the build is not ready')
  }
  const [first = 0, ...others] = times
  console.log(`check of a start: ${spread(others)} ms, the first ${first.toFixed(1)} ms`)
  requireBelow('check of a start', median(others), 50, 'ms')
}

function measureSizes(): void {
  type Listed = { path: string; bytes: number; br: number | null }
  const { files } = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as {
    files: Listed[]
  }
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const kB = (chosen: readonly Listed[]) =>
    chosen.reduce((sum, { br, bytes }) => sum + (br ?? bytes), 0) / 1_000
  for (const type of ['.js', '.css', '.woff2']) {
    const all = files.filter(({ path }) => path.endsWith(type))
    const entry = all.filter(({ path }) => html.includes(path))
    console.log(
      `${type}: ${kB(entry).toFixed(1)} kB for every page, ${kB(all).toFixed(1)} kB in all (Brotli)`,
    )
  }
  const ofSignIn = scriptBytes(folder, ['sign-in-page']) / 1_000
  const ofLink = scriptBytes(folder, ['workspace-layout', 'link-page']) / 1_000
  console.log(
    `script to the first paint: sign-in ${ofSignIn.toFixed(1)} kB, link page ${ofLink.toFixed(1)} kB`,
  )
  requireBelow('script of the sign-in', ofSignIn, 150, 'kB')
  requireBelow('script of the link page', ofLink, 190, 'kB')
}

async function measureBrowser(): Promise<void> {
  // Takes the Chromium of a package, on a machine without one.
  const unpacked = mkdtempSync(join(tmpdir(), 'signpost-chromium-'))
  process.env.SIGNPOST_TEST_CHROMIUM ??= unpacked
  try {
    const { SKIP_WITHOUT_BROWSER } = await import('../test/support/browser-program.ts')
    if (SKIP_WITHOUT_BROWSER) console.log(`the pages are not measured: ${SKIP_WITHOUT_BROWSER}`)
    else await measureInBrowser()
  } finally {
    rmSync(unpacked, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function measureInBrowser(): Promise<void> {
  const { measurePages } = await import('./support/dashboard-pages.ts')
  const { links, clicks, visits, walks, rest: restMs } = options
  const site = { checkout: CHECKOUT, links, clicks }
  const found = await measurePages({ ...site, visits, walks, restMs })
  for (const [name, { cold, warm }] of Object.entries(found.lcpMs)) {
    console.log(`LCP of ${name}: cold ${spread(cold)} ms, warm ${spread(warm)} ms`)
    requireBelow(`LCP of ${name}, cold`, median(cold), 800, 'ms')
    requireBelow(`LCP of ${name}, warm`, median(warm), 400, 'ms')
  }
  for (const [name, { cls, shifted }] of found.shifts) {
    console.log(`layout shift of ${name}: ${cls.toFixed(4)}`)
    requireBelow(`layout shift of ${name} (${shifted.join('; ')})`, cls, 0.02, '')
  }
  const { interactionsMs, slow, longTasksMs, chartMs, problems } = found
  const inpMs = quantile(interactionsMs, 0.98)
  console.log(
    `${interactionsMs.length} interactions to the next paint: p98 ${inpMs} ms, longest ${Math.max(0, ...interactionsMs)} ms`,
  )
  for (const event of slow) console.log(`  ${event}`)
  requireBelow('interaction to next paint', inpMs, 100, 'ms')
  // The browser reports tasks of more than 50 ms alone.
  const longest = Math.max(0, ...longTasksMs)
  console.log(`${links} links from Home to End: ${longTasksMs.length} tasks over 50 ms`)
  requireBelow('longest task of the list', longest, 50, 'ms')
  console.log(`chart of ${clicks} clicks: ${spread(chartMs)} ms after the answer`)
  requireBelow('chart', median(chartMs), 300, 'ms')
  for (const problem of problems) console.log(`a page met a problem: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}

function requireBelow(name: string, figure: number, limit: number, unit: string): void {
  if (options.limits === 'off' || figure <= limit) return
  console.log(`${name}: ${figure.toFixed(2)} ${unit} exceeds the limit of ${limit} ${unit}`)
  process.exitCode = 1
}
