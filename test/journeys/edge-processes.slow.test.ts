import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsWith, type Calls } from '../support/calls.ts'
import { databasesToMigrate } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { redirectProcessesOf, isRedirectProcess } from '../support/processes.ts'
import {
  bootstrapKey,
  freshDataDir,
  type Program,
  runProgram,
  startProgram,
} from '../support/program.ts'
import { startVisits } from '../support/visits.ts'

test('three processes answer on one port, and every click of each is counted once, across kill -9', async (t) => {
  const dataDir = freshDataDir(t)
  const program = await startProgram(t, dataDir, { EDGE_PROCESSES: '3' })
  const { owner, link } = await openInstallation(dataDir, program)
  const edges = () => redirectProcessesOf(program.child.pid!)
  assert.equal(edges().length, 3)

  const url = `${program.origin}/${link.slug}`
  const quiet = startVisits(url)
  await answeredByEach(program)
  const { answered, failed } = await quiet.stop()
  assert.equal(failed, 0)
  const all = callsWith(owner.apiKey, program.origin)
  await eventually(async () => assert.equal(await readClicks(all, link), answered))
  assert.equal(sum(await readCounts(program)), answered)

  const load = startVisits(url)
  const [killed] = edges()
  const before = sum(await readCounts(program))
  process.kill(killed!, 'SIGKILL')
  await eventually(() => {
    assert.equal(edges().length, 3)
    assert.ok(!edges().includes(killed!))
  })
  await answeredByEach(program)
  assert.ok(sum(await readCounts(program)) >= before, 'the process that ended still counts')
  assert.match(
    program.output().stdout,
    /"name":"redirect [123]","reason":"signal SIGKILL","msg":"process ended/,
  )

  // Also the journals of processes that no longer run are shipped.
  const left = edges()
  await program.stop('SIGKILL')
  const seen = await load.stop()
  await eventually(() => assert.deepEqual(left.filter(isRedirectProcess), []))
  const single = await startProgram(t, dataDir)
  const calls = callsWith(owner.apiKey, single.origin)
  await eventually(async () => {
    const counted = (await readClicks(calls, link)) - answered
    assert.ok(counted >= seen.answered, `${counted} of ${seen.answered} clicks are counted`)
    assert.ok(counted <= seen.answered + seen.failed, `${counted}, more than were asked for`)
  })
})

test('a process that does not run is named by /ready, which stays 200, and by metrics', async (t) => {
  const { postgresUrl, clickhouseUrl } = await databasesToMigrate(t)
  const env = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl, EDGE_PROCESSES: '2' }
  const program = await startProgram(t, freshDataDir(t), env)
  await eventually(async () => {
    // Also those that were started since.
    for (const pid of redirectProcessesOf(program.child.pid!).slice(1)) process.kill(pid, 'SIGKILL')
    assert.deepEqual(await readReady(program), [200, 'failing'])
    const metrics = await readMetrics(program)
    assert.match(metrics, /^signpost_edge_processes_configured 2$/m)
    assert.match(metrics, /^signpost_edge_processes_running 1$/m)
    assert.match(metrics, /^signpost_check_ok\{check="edgeProcesses"\} 0$/m)
    assert.match(metrics, /^signpost_edge_process_failures_total [1-9]/m)
  })
  await eventually(async () => {
    assert.deepEqual(await readReady(program), [200, 'ok'])
    assert.match(await readMetrics(program), /^signpost_edge_processes_running 2$/m)
  })
})

test('a number of processes that is out of range ends the start with one sentence', async (t) => {
  for (const value of ['0', '65', 'two']) {
    const { code, stderr } = await runProgram({
      DATA_DIR: freshDataDir(t),
      EDGE_PROCESSES: value,
    })
    assert.equal(code, 1)
    assert.match(stderr, /^signpost: EDGE_PROCESSES must be a whole number from 1 to 64.*\n$/)
  }
})

async function openInstallation(dataDir: string, { origin }: Program) {
  const apiKey = await bootstrapKey({
    DATA_DIR: dataDir,
  })
  const calls = callsWith(apiKey, origin)
  const { body } = await calls.post('/links', {
    name: 'A link',
    destinationUrl: 'https://example.com/landing',
  })
  const link = body.data as { id: string; slug: string }
  return { owner: { ...calls, apiKey }, link }
}

/** Redirects by process, as `/metrics` says. */
async function readCounts(program: Program): Promise<number[]> {
  const lines = (await readMetrics(program)).matchAll(
    /^signpost_edge_process_redirects_total\{process="\d+"\} (\d+)$/gm,
  )
  return Array.from(lines, ([, count]) => Number(count))
}

async function readMetrics({ origin }: Program): Promise<string> {
  return (await fetch(`${origin}/metrics`)).text()
}

async function readReady({ origin }: Program): Promise<[number, string | undefined]> {
  const answer = await fetch(`${origin}/ready`)
  const { data } = (await answer.json()) as { data: { checks: Record<string, string> } }
  return [answer.status, data.checks['edgeProcesses']]
}

async function answeredByEach(program: Program): Promise<void> {
  await eventually(async () => {
    const counts = await readCounts(program)
    assert.equal(counts.length, 3)
    assert.ok(!counts.includes(0), `answered by each: ${counts.join(', ')}`)
  })
}

async function readClicks(calls: Calls, { id }: { id: string }): Promise<number> {
  const { body } = await calls.get(`/analytics/links/${id}?includeBots=true`)
  return body.data.totalClicks
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
