import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { edgeKnows } from '../support/edge-knows.ts'
import {
  bootstrapKey,
  freshDataDir,
  type Program,
  runCli,
  startProgram,
} from '../support/program.ts'
import { fillDisk, mountSmallDisk, skipsDisks } from '../support/small-disk.ts'
import { callsWith, eventually } from '../support/world.ts'

const isLong = process.env['SIGNPOST_LONG_TESTS'] !== undefined
const CYCLES = isLong ? 20 : 1
/** Together 300 in a second. */
const [VISITS_AT_ONCE, VISIT_EVERY_MS] = [6, 20]
/** Of each cycle, which ends with a restart. */
const FILLS = 6
const [FREE_MS, FULL_MS] = [700, 300]
/** Of which ClickHouse merges some all the time. */
const MANY_PARTS = { CLICK_SEAL_MS: '50' }
const SLUG = 'docs'
const BROWSER = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
}

test(
  'a full disk costs clicks, not redirects, and makes no number wrong',
  { skip: skipsDisks },
  (t) =>
    onSmallDisk(t, async (dataDir, start) => {
      const { origin } = await start()
      const { owner, clicksOf } = await openLink(dataDir, origin)
      const visit = async () => {
        const answer = await fetch(`${origin}/${SLUG}`, { redirect: 'manual' })
        await answer.arrayBuffer()
        assert.equal(answer.status, 302)
      }

      await edgeKnows(origin, owner(origin), SLUG)
      const known = await readCounts(origin)
      for (let i = 0; i < 3; i++) await visit()
      await eventually(async () => assert.equal(await clicksOf(origin), 3))

      const filler = fillDisk(dirname(dataDir))
      for (let i = 0; i < 50; i++) await visit()
      const full = await readCounts(origin)
      assert.ok(full.dropped > 0)
      assert.equal(full.answered - known.answered, full.journaled + full.dropped)
      for (let i = 0; i < 5; i++) {
        const clicks = await clicksOf(origin)
        assert.ok(clicks === -503 || clicks >= 3, `analytics answered ${clicks}`)
      }

      rmSync(filler)
      await eventually(async () => {
        await visit()
        assert.ok(
          (await readCounts(origin)).journaled > full.journaled,
          'clicks are journaled again',
        )
      })
      const { journaled } = await readCounts(origin)
      await eventually(async () => assert.equal(await clicksOf(origin), journaled))
    }),
)

test('a disk that fills up during merges loses no stored click', { skip: skipsDisks }, (t) =>
  onSmallDisk(t, async (dataDir, start) => {
    if (isLong) keepCoresBusy(t)
    let program = await start(MANY_PARTS)
    const { owner, clicksOf } = await openLink(dataDir, program.origin)
    const sums = { answered: 0, journaled: 0, dropped: 0 }
    for (let cycle = 1; cycle <= CYCLES; cycle++) {
      const { origin } = program
      await edgeKnows(origin, owner(origin), SLUG)
      const before = await readCounts(origin)
      const visits = startVisits(origin)
      for (let i = 0; i < FILLS; i++) {
        await sleep(FREE_MS)
        const filler = fillDisk(dirname(dataDir))
        await sleep(FULL_MS)
        const clicks = await clicksOf(origin)
        assert.ok(clicks === -503 || clicks >= sums.journaled, `analytics answered ${clicks}`)
        rmSync(filler)
      }
      sums.answered += await visits.stop()
      const after = await readCounts(origin)
      sums.journaled += after.journaled - before.journaled
      sums.dropped += after.dropped - before.dropped
      assert.equal(sums.answered, sums.journaled + sums.dropped)
      await eventually(async () => assert.equal(await clicksOf(origin), sums.journaled))
      await program.stop()
      program = await start(MANY_PARTS)
      await eventually(async () => assert.notEqual(await clicksOf(program.origin), -503))
      assert.equal(await clicksOf(program.origin), sums.journaled, `after restart ${cycle}`)
    }
    const verified = await runCli(['verify'], { DATA_DIR: dataDir })
    assert.equal(verified.code, 0, verified.stdout)
  }),
)

/** Of a link's owner: calls, and the clicks that analytics answer, or the status of their failure below zero. */
async function openLink(dataDir: string, origin: string) {
  const apiKey = await bootstrapKey({ DATA_DIR: dataDir })
  const owner = (at: string) => callsWith(apiKey, at)
  const link = { name: 'Docs', destinationUrl: 'https://example.com/', slug: SLUG }
  const { body } = await owner(origin).post('/links', link)
  const clicksOf = async (at: string): Promise<number> => {
    const answer = await owner(at).get(`/analytics/links/${body.data.id}`)
    return answer.status === 200 ? answer.body.data.totalClicks : -answer.status
  }
  return { owner, clicksOf }
}

async function readCounts(origin: string) {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return {
    answered: valueOf(text, 'signpost_redirects_answered_total'),
    journaled: valueOf(text, 'signpost_clicks_journaled_total'),
    dropped: valueOf(text, 'signpost_clicks_dropped_total{reason="disk_full"}'),
  }
}

/** Visits the link all the time. `stop` returns the number of redirects. */
function startVisits(origin: string) {
  const agent = new Agent({ keepAlive: true })
  const running = new Set<Promise<void>>()
  let redirects = 0
  const visit = () =>
    new Promise<void>((resolve) => {
      const sent = request(`${origin}/${SLUG}`, { agent, headers: BROWSER }, (answer) => {
        if (answer.statusCode === 302) redirects++
        answer.resume().on('end', resolve)
      })
      sent.on('error', () => resolve()).end()
    })
  const timer = setInterval(() => {
    for (let i = 0; i < VISITS_AT_ONCE; i++) {
      const done = visit().finally(() => running.delete(done))
      running.add(done)
    }
  }, VISIT_EVERY_MS)
  const stop = async () => {
    clearInterval(timer)
    await Promise.all(running)
    agent.destroy()
    return redirects
  }
  return { stop }
}

/** Merges take longer on busy cores. */
function keepCoresBusy(t: TestContext): void {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn('nice', [process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  t.after(() => loops.forEach((loop) => loop.kill('SIGKILL')))
}

type Start = (env?: Record<string, string>) => Promise<Program>

/** Runs `work` with a data directory on a small disk of its own, and stops the program before the disk is gone. */
async function onSmallDisk(
  t: TestContext,
  work: (dataDir: string, start: Start) => Promise<void>,
): Promise<void> {
  const disk = mountSmallDisk(freshDataDir(t))
  if (disk === null) return t.skip('no file system can be mounted here')
  const dataDir = join(disk.path, 'data')
  let program: Program | undefined
  try {
    await work(dataDir, async (env) => (program = await startProgram(t, dataDir, env)))
  } finally {
    await program?.stop()
    disk.unmount()
  }
}

function valueOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}
