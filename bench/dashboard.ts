import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDashboard } from '../src/app/dashboard.ts'
import { openLog } from '../src/base/log.ts'
import { ensureBuild } from '../src/dashboard-build/build.ts'
import { spread } from './support/figures.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures what the dashboard costs a start whose build is present (hash of the sources, list, reading of
 * both builds into memory), and prints the size of what a browser loads for every page.
 *
 *   node bench/dashboard.ts [--rounds 11]
 *
 * The first round is printed alone: it compiles the code.
 */
const { rounds } = readOptions({ rounds: 11 })
const CHECKOUT = join(import.meta.dirname, '..')

const builtAt = performance.now()
const { folder, isNew } = await ensureBuild(CHECKOUT)
if (isNew) console.log(`built in ${((performance.now() - builtAt) / 1_000).toFixed(1)} s`)

const times: number[] = []
for (let i = 0; i < rounds; i++) {
  const startedAt = performance.now()
  await using dashboard = await openDashboard({ checkout: CHECKOUT, log: openLog('error') })
  times.push(performance.now() - startedAt)
  if (typeof dashboard.getIndex() === 'string') throw new Error('the build is not ready')
}
const [first = 0, ...others] = times
console.log(`check of a start: ${spread(others)} ms, the first ${first.toFixed(1)} ms`)

type Listed = { path: string; bytes: number; br: number | null }
const { files } = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as {
  files: Listed[]
}
const html = readFileSync(join(folder, 'index.html'), 'utf8')
const kB = (chosen: readonly Listed[]) =>
  (chosen.reduce((sum, { br, bytes }) => sum + (br ?? bytes), 0) / 1_000).toFixed(1)
for (const type of ['.js', '.css', '.woff2']) {
  const all = files.filter(({ path }) => path.endsWith(type))
  const entry = all.filter(({ path }) => html.includes(path))
  console.log(`${type}: ${kB(entry)} kB for every page, ${kB(all)} kB in all (Brotli)`)
}
