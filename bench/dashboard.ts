import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDashboard } from '../src/app/dashboard.ts'
import { openLog } from '../src/base/log.ts'
import { ensureBuild } from '../src/dashboard-build/build.ts'
import { median, spread } from './support/figures.ts'
import { readOptions } from './support/options.ts'
import { scriptBytes } from './support/script-sizes.ts'

/**
 * Measures the dashboard: what it costs a start whose build is present, and what a browser loads before the
 * first paint.
 *
 *   node bench/dashboard.ts [--rounds 11] [--limits on]
 *
 * Ends with 1 when a figure exceeds its limit; `--limits off` prints the figures only. The first round of the
 * start is printed alone: it compiles the code.
 */
const options = readOptions({ rounds: 11 }, { limits: 'on' })
const CHECKOUT = join(import.meta.dirname, '..')

const builtAt = performance.now()
const { folder, isNew } = await ensureBuild(CHECKOUT)
if (isNew) console.log(`built in ${((performance.now() - builtAt) / 1_000).toFixed(1)} s`)

await measureStart()
measureSizes()

async function measureStart(): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < options.rounds; i++) {
    const startedAt = performance.now()
    await using dashboard = await openDashboard({ checkout: CHECKOUT, log: openLog('error') })
    times.push(performance.now() - startedAt)
    if (typeof dashboard.getIndex() === 'string') throw new Error('the build is not ready')
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

function requireBelow(name: string, figure: number, limit: number, unit: string): void {
  if (options.limits === 'off' || figure <= limit) return
  console.log(`${name}: ${figure.toFixed(2)} ${unit} exceeds the limit of ${limit} ${unit}`)
  process.exitCode = 1
}
