import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { openLog } from '../../../src/platform/core/log.ts'
import { setPace } from '../../../src/platform/core/service.ts'
import { closePostgres, openPostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { Sweeper, type Sweep } from '../../../src/platform/storage/sweeps.ts'
import { freshPostgres } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'

/** Leases of 300 ms, looked at every 100 ms. */
const PACE = 50

async function openSweeps(t: TestContext, pace = PACE) {
  const { sql: owner, postgresUrl } = await freshPostgres(t)
  const sql = openPostgres(postgresUrl, { role: WORKER_ROLE })
  setPace(pace)
  t.after(async () => {
    setPace(1)
    await closePostgres(sql)
  })
  return {
    owner,
    sql,
    /** A process that runs these sweeps. */
    start(...sweeps: readonly (Partial<Sweep> & Pick<Sweep, 'run'>)[]) {
      const registry = new Registry()
      const rows = sweeps.map((sweep) => ({
        ...{ name: 'count', everyMs: 500, timeLimitMs: 60_000 },
        ...sweep,
      }))
      const stopping = new AbortController()
      const running = new Sweeper({ sql, log: openLog('silent'), registry }, rows).run(
        stopping.signal,
      )
      const stop = async () => {
        stopping.abort()
        await running
      }
      t.after(stop)
      const read = async (name: string) =>
        (await registry.getSingleMetric(name)!.get()).values.map(({ value }) => value)
      return {
        stop,
        ages: () => read('signpost_sweep_age_seconds'),
        failures: () => read('signpost_sweep_failures_total'),
      }
    },
  }
}

function counter() {
  const runs = { count: 0, run: async () => void runs.count++ }
  return runs
}

test('of two processes one runs a sweep, and the other goes on when it stops', async (t) => {
  // Leases of 3 s: the first process must not lose its own while the machine is busy.
  const { start } = await openSweeps(t, PACE / 10)
  const [first, second] = [counter(), counter()]
  const one = start(first)
  await eventually(() => assert.ok(first.count > 2))
  const other = start(second)
  const before = first.count
  await eventually(() => assert.ok(first.count > before + 20))
  assert.equal(second.count, 0)
  assert.equal((await one.ages()).length, 1)
  assert.deepEqual(await other.ages(), [])
  await one.stop()
  const after = first.count
  await eventually(() => assert.ok(second.count > 2))
  assert.equal(first.count, after)
})

test('the sweeps of a process that died are taken over after its lease', async (t) => {
  const { owner, start } = await openSweeps(t)
  const lease = (name: string, ms: number) => owner`
    insert into sweep_leases values (${name}, 'died', now() + ${ms} * interval '1 ms')`
  await lease('early', 200)
  await lease('late', 60_000)
  const [early, late, free] = [counter(), counter(), counter()]
  start({ ...early, name: 'early' }, { ...late, name: 'late' }, { ...free, name: 'free' })
  await eventually(() => assert.ok(early.count > 2 && free.count > 2))
  assert.equal(late.count, 0)
})

test('a process that lost its lease stops its run and gets it back when it is free', async (t) => {
  const { owner, start } = await openSweeps(t)
  const ends: unknown[] = []
  let runs = 0
  const process = start({
    async run(signal) {
      runs++
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ends.push(signal.aborted)
    },
  })
  await eventually(() => assert.equal(runs, 1))
  await owner`update sweep_leases set holder = 'other', lease_until = now() + interval '1 second'`
  await eventually(() => assert.deepEqual(ends, [true]))
  await eventually(() => assert.equal(runs, 2))
  assert.deepEqual(await process.failures(), [0])
})

test('a run past its limit is told to stop, and keeps its lease to the end only while it heeds it', async (t) => {
  const { start } = await openSweeps(t)
  const stuck = Promise.withResolvers<void>()
  t.after(() => stuck.resolve())
  const reasons: unknown[] = []
  const hanging = start({
    timeLimitMs: 20,
    async run(signal) {
      signal.addEventListener('abort', () => reasons.push(signal.reason))
      await stuck.promise
    },
  })
  await eventually(() => assert.equal(reasons.length, 1))
  assert.match(String(reasons[0]), /the sweep count took longer than 20 ms/)
  const other = counter()
  start(other)
  await eventually(() => assert.ok(other.count > 2))
  stuck.resolve()
  await eventually(async () => assert.deepEqual(await hanging.failures(), [1]))
})

test('a sweep that fails is tried again and counted, and does not hinder the others', async (t) => {
  const { start } = await openSweeps(t)
  const fine = counter()
  const process = start(
    { name: 'fails', everyMs: 3_600_000, run: () => Promise.reject(new Error('planned')) },
    { ...fine, name: 'fine' },
  )
  await eventually(() => assert.ok(fine.count > 10))
  await eventually(async () => assert.ok((await process.failures())[0]! > 1), 5_000)
  const [failing, working] = await process.ages()
  assert.ok(failing! > working!, `${failing} > ${working}`)
})
