import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import type { CrashPoint } from '../../../src/clicks/shipping/batch.ts'
import { createMeters } from '../../../src/clicks/shipping/meters.ts'
import { shipFolder, type ShipperParts } from '../../../src/clicks/shipping/shipper.ts'
import { newBootId, type ClickRecord } from '../../../src/clicks/journal/format.ts'
import type { Orders } from '../../support/shipping-child.ts'
import { eventually } from '../../support/eventually.ts'
import {
  GOOGLEBOT,
  JUST_RIGHT,
  journalFiles,
  judge,
  openBench,
  type Bench,
  type Verdict,
} from '../../support/shipping-world.ts'
import { mutants, type Mutant } from '../../support/shipping-mutants.ts'

const CHILD = join(import.meta.dirname, '../../support/shipping-child.ts')
const never = new AbortController().signal

/**
 * A journal of four sealed segments and an open one that ends in the middle of a record. The first segment is shipped alone,
 * the others as one batch.
 */
type Story = { bench: Bench; journal: string; folder: string; clicks: ClickRecord[] }

async function begin(t: TestContext): Promise<Story> {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = Array.from({ length: 240 }, (_, i) =>
    bench.click(i % 10 === 0 ? { userAgent: GOOGLEBOT } : {}),
  )
  for (let i = 0; i < 4; i++) bench.segment(journal, i + 1, clicks.slice(i * 50, i * 50 + 50))
  bench.segment(journal, 5, clicks.slice(200), 'open', 17)
  return { bench, journal, folder: join(bench.journalDir, journal), clicks }
}

function start(story: Story, orders: Pick<Orders, 'as'> & Partial<Orders>): ChildProcess {
  const { postgresUrl, clickhouseUrl, quarantineDir } = story.bench
  const { folder } = story
  const all: Orders = { folder, quarantineDir, postgresUrl, clickhouseUrl, ...orders }
  return spawn(process.execPath, [...process.execArgv, CHILD, JSON.stringify(all)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Ships the remaining segments and compares the databases. */
async function recover(story: Story, mutant?: Mutant): Promise<Verdict> {
  const { bench, folder } = story
  const parts: ShipperParts = { settleMs: 0 }
  const deps = { ...bench.deps, meters: createMeters(new Registry()) }
  if (existsSync(folder))
    await shipFolder(folder, deps, never, mutant ? mutants[mutant](parts, deps, folder) : parts)
  return judge(
    bench,
    story.clicks.map((click) => click.clickId),
  )
}

type CrashCase = (story: Story, mutant?: Mutant) => Promise<Verdict>

async function kill(
  story: Story,
  point: CrashPoint,
  { as, nth = 1, mutant }: { as: Orders['as']; nth?: number; mutant: Mutant | undefined },
): Promise<void> {
  const fault = { point, signal: 'SIGKILL', nth } as const
  const child = start(story, { as, fault, ...(mutant && { mutant }) })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL', `the shipper never reached ${point}`)
}

function killedAt(point: CrashPoint, as: Orders['as'], nth?: number): CrashCase {
  return async (story, mutant) => {
    await kill(story, point, { as, mutant, ...(nth && { nth }) })
    return recover(story, mutant)
  }
}

/**
 * The state after ClickHouse died between its deduplication log and the rename of a part: the token
 * is known and the rows are missing. Here a mutation deletes the rows, which keeps the log (dropping
 * the part would not); clickhouse-killed.test.ts kills ClickHouse at that point.
 */
function hiddenByToken(where: string, nth = 1): CrashCase {
  return async (story, mutant) => {
    await kill(story, 'inserted', { as: 'own', nth, mutant })
    const { clickhouse } = story.bench
    await clickhouse.command({
      query: `alter table clicks delete where ${where} settings mutations_sync = 2`,
    })
    return recover(story, mutant)
  }
}

/** A loss of power takes the frozen rows, which are not synced, and more segments arrive before the next start. */
const powerLoss: CrashCase = async (story, mutant) => {
  await kill(story, 'inserted', { as: 'own', nth: 2, mutant })
  const { bench, journal, folder, clicks } = story
  for (const name of readdirSync(folder)) if (name.endsWith('.rows')) rmSync(join(folder, name))
  const later = [bench.click(), bench.click()]
  bench.segment(journal, 6, later)
  clicks.push(...later)
  return recover(story, mutant)
}

/** One shipper is stopped, another ships a copy of the volume, and then the first continues. */
function stoppedAt(point: CrashPoint): CrashCase {
  return async (story, mutant) => {
    const copy = join(story.bench.journalDir, '..', 'copy', story.journal)
    cpSync(story.folder, copy, { recursive: true })
    const child = start(story, {
      as: 'own',
      fault: { point, signal: 'SIGSTOP' },
      ...(mutant && { mutant }),
    })
    const exited = once(child, 'exit')
    await untilStopped(child.pid!)
    const deps = { ...story.bench.deps, meters: createMeters(new Registry()) }
    await shipFolder(copy, deps, never, { settleMs: 0 })
    child.kill('SIGCONT')
    await eventually(() => assert.deepEqual(journalFiles(story.folder), ['000000000005.open']))
    child.kill('SIGKILL')
    await exited
    return recover(story, mutant)
  }
}

const crashCases: Record<string, CrashCase> = {
  'killed after cutting a torn segment, before sealing it': killedAt('tail-cut', 'inherited'),
  'killed with rows frozen': killedAt('frozen', 'own', 2),
  'killed between the cursor and the insert': killedAt('cursor-read', 'own', 2),
  'killed after the insert': killedAt('inserted', 'own', 2),
  'killed in doubt, after the count': killedAt('counted', 'inherited', 2),
  'killed before the commit': killedAt('stored', 'own', 2),
  'killed within the transaction': killedAt('cursor-moved', 'own', 2),
  'killed after the commit': killedAt('committed', 'own', 2),
  'killed after removing the segment, before its rows': killedAt('unlinked', 'own', 2),
  'killed after the insert, with the token known and no row stored': hiddenByToken('true'),
  'killed after the insert, with half of the rows stored': hiddenByToken(
    "substring(click_id, 26) < 'G'",
  ),
  'killed after the insert of a batch, with half of its rows stored': hiddenByToken(
    "substring(click_id, 26) < 'G' and segment like '%-4'",
    2,
  ),
  'killed after the insert of a batch, with its frozen rows lost': powerLoss,
  'stopped with rows frozen, while another ships': stoppedAt('frozen'),
  'stopped before the insert, while another ships': stoppedAt('cursor-read'),
  'stopped before the commit, while another ships': stoppedAt('stored'),
}

for (const [name, crashCase] of Object.entries(crashCases))
  test(`every click counts once: a shipper ${name}`, async (t) => {
    const story = await begin(t)
    assert.deepEqual(await crashCase(story), JUST_RIGHT)
    assert.deepEqual(journalFiles(story.bench.journalDir), [])
  })

/** The crash case that must detect each mutant, and the count that shows it. */
const detections: Record<Mutant, { crashCase: string; by: keyof Verdict }> = {
  'token trusted without the count': {
    crashCase: 'killed after the insert, with the token known and no row stored',
    by: 'missing',
  },
  'another token for each attempt': {
    crashCase: 'stopped before the insert, while another ships',
    by: 'twice',
  },
  'cursor in its own transaction': {
    crashCase: 'killed within the transaction',
    by: 'countersOff',
  },
  'counters before the cursor, apart from it': {
    crashCase: 'killed within the transaction',
    by: 'countersOff',
  },
  'batch of the segments at hand': {
    crashCase: 'killed after the insert of a batch, with its frozen rows lost',
    by: 'twice',
  },
  'unlink before commit': { crashCase: 'killed before the commit', by: 'countersOff' },
}

for (const [mutant, { crashCase, by }] of Object.entries(detections) as Detection[])
  test(`the case "${crashCase}" detects: ${mutant}`, async (t) => {
    const verdict = await crashCases[crashCase]!(await begin(t), mutant)
    assert.ok(verdict[by] > 0, JSON.stringify(verdict))
  })

type Detection = [Mutant, (typeof detections)[Mutant]]

async function untilStopped(pid: number): Promise<void> {
  await eventually(() => {
    // The state is the field after the command's closing parenthesis.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    assert.equal(stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3), 'T')
  })
}
