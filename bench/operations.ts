import { readOptions } from './support/options.ts'
import { measureBackup } from './support/backup-beside-visits.ts'
import { measureDistance } from './support/distance.ts'
import { measureDrain } from './support/drain.ts'
import { measureOutage } from './support/outage.ts'
import { measureRestart } from './support/restart.ts'

/**
 * Measures what operators rely on, on loopback: each run visits links at a steady rate, and at the end every click that was
 * answered is looked up by its id in both databases.
 *
 *   node bench/operations.ts [--only outage,distance,drain,restart,backup] [--rate …] [--links 1000]
 *     [--seconds 600] [--before 10] [--delay 100] [--segments 96] [--megabytes 4] [--restarts 3] [--limits on]
 *
 * `outage`: 300/s at an edge whose databases are away for `seconds`, with a restart half-way. `distance`: 1,000/s at an edge with
 * `delay` milliseconds to both databases and as many back. `drain`: 500/s at an edge that ships `segments` of `megabytes` which
 * another process left. `restart`: 500/s at the one-process installation. `backup`: 1,000/s at that installation beside a backup of
 * as many clicks, which is checked and restored. `rate` replaces these rates; `before` is the time in seconds before each of them.
 *
 * Ends with 1 when a click is lost or counted twice, when a visit fails that should not, and when a figure exceeds its limit;
 * `--limits off` prints the figures only.
 */
const options = readOptions(
  {
    ...{ rate: 0, links: 1_000, seconds: 600, before: 10, delay: 100 },
    ...{ segments: 96, megabytes: 4, restarts: 3 },
  },
  { only: '', limits: 'on' },
)
const { links, seconds, before, delay, segments, megabytes, restarts, only, limits } = options
const runs: Record<string, () => Promise<void>> = { outage, distance, drain, restart, backup }
const chosen = only === '' ? Object.keys(runs) : only.split(',')
const unknown = chosen.filter((name) => !(name in runs))
if (unknown.length > 0) throw new Error(`--only takes ${Object.keys(runs).join(', ')}`)
for (const name of chosen) await runs[name]!()

async function outage(): Promise<void> {
  const measured = await measureOutage({ rate: toRate(300), links, seconds, beforeSeconds: before })
  requireThat('visits answered in the outage', (measured?.answeredPercent ?? 0) >= 99.99)
  requireThat('drain within 60 s', (measured?.drainedSeconds ?? Infinity) <= 60)
}

async function distance(): Promise<void> {
  const p99Seconds = await measureDistance({ rate: toRate(1_000), links, seconds, delayMs: delay })
  requireThat('freshness below 5 s', (p99Seconds ?? Infinity) < 5)
}

async function drain(): Promise<void> {
  const load = { rate: toRate(500), links, beforeSeconds: before }
  const ratio = await measureDrain({ ...load, segments, megabytes })
  requireThat('redirects beside the drain at 2 × at most', (ratio ?? Infinity) <= 2)
}

async function restart(): Promise<void> {
  const load = { rate: toRate(500), links, pauseSeconds: before }
  requireThat('restarts', await measureRestart({ ...load, restarts }))
}

async function backup(): Promise<void> {
  const load = { rate: toRate(1_000), links, beforeSeconds: before }
  const ratio = await measureBackup({ ...load, segments, megabytes })
  requireThat('redirects beside the backup at 1.5 × at most', (ratio ?? Infinity) <= 1.5)
}

function toRate(usual: number): number {
  return options.rate === 0 ? usual : options.rate
}

function requireThat(what: string, holds: boolean): void {
  if (holds || limits === 'off') return
  console.log(`${what}: FAILED`)
  process.exitCode = 1
}
