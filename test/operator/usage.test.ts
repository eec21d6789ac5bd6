import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { ApiError } from '../../src/platform/core/errors.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { addBatch, Usage } from '../../src/operator/billing/usage.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import {
  openPostgres,
  type Sql,
  closePostgres,
} from '../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { openProxy } from '../support/database-proxy.ts'
import { freshPostgres } from '../support/engines.ts'
import { eventually } from '../support/world.ts'
import { asSystem } from '../support/privileges.ts'
import { addWorkspace } from '../support/fixtures.ts'

const NAME = 'api_requests_monthly'
const MAY_ENDS = Date.parse('2026-06-01T00:00:00.000Z')
const CHILD = join(import.meta.dirname, '../support/usage-child.ts')
const plans = readPlans(null)
const FREE = plans.named('free').limits.api_requests_monthly!
const log = openLog('silent')

let serial = 0

async function newWorkspace(admin: Sql, used = 0, period = '2026-05'): Promise<string> {
  const id = await addWorkspace(admin, { id: `wsp_${++serial}`, plan: 'free' })
  if (used > 0)
    await admin`
      insert into usage_counters (workspace_id, name, period, used)
      values (${id}, ${NAME}, ${period}, ${used})`
  return id
}

async function storedOf(admin: Sql, workspaceId: string): Promise<Record<string, number>> {
  const rows = await admin<{ period: string; used: number }[]>`
    select period, used from usage_counters where workspace_id = ${workspaceId} and name = ${NAME}`
  return Object.fromEntries(rows.map((row) => [row.period, row.used]))
}

/** The number of parallel `calls` that were accepted; each refusal must be the limit's. */
async function takeAtOnce(usages: readonly Usage[], workspaceId: string, calls: number) {
  const results = await Promise.allSettled(
    Array.from({ length: calls }, (_, i) => usages[i % usages.length]!.take(workspaceId, 'free')),
  )
  const refused = results.filter((result) => result.status === 'rejected')
  for (const { reason } of refused) {
    assert.ok(reason instanceof ApiError, String(reason))
    assert.equal(reason.code, 'PLAN_LIMIT_REACHED')
    assert.deepEqual(Object.keys(reason.details), ['limit', 'max', 'used'])
  }
  return calls - refused.length
}

test('usage', async (t) => {
  const { sql: admin, postgresUrl } = await freshPostgres(t)
  const clock = { now: MAY_ENDS - 1_000 }
  const { process: one, queries } = openProcess(t, postgresUrl, clock)
  const { process: other } = openProcess(t, postgresUrl, clock)

  await t.test('a call is counted, shown at once, and stored by the next flush', async () => {
    const workspaceId = await newWorkspace(admin, 7)
    assert.deepEqual(await one.take(workspaceId, 'free'), { limit: FREE, used: 8 })
    assert.deepEqual(await one.take(workspaceId, 'free'), { limit: FREE, used: 9 })
    await one.flush()
    assert.deepEqual(await storedOf(admin, workspaceId), { '2026-05': 9 })
  })

  await t.test('a warm workspace costs no statement, one without a limit never does', async () => {
    const [warm, unlimited] = [await newWorkspace(admin, 1), await newWorkspace(admin)]
    await one.take(warm, 'free')
    const before = queries()
    for (let i = 0; i < 100; i++) {
      await one.take(warm, 'free')
      assert.equal((await one.take(unlimited, 'enterprise')).limit, null)
    }
    assert.equal(queries(), before)
    await one.flush()
    assert.deepEqual(await storedOf(admin, unlimited), { '2026-05': 100 })
  })

  await t.test('of two hundred calls at once exactly what is left comes through', async () => {
    const workspaceId = await newWorkspace(admin, FREE - 5)
    const before = queries()
    assert.equal(await takeAtOnce([one], workspaceId, 200), 5)
    assert.equal(queries(), before + 1)
    await one.flush()
    assert.deepEqual(await storedOf(admin, workspaceId), { '2026-05': FREE })
    await assert.rejects(one.take(workspaceId, 'free'), {
      message: 'The monthly API request limit of the plan is reached.',
      details: { limit: NAME, max: FREE, used: FREE },
    })
  })

  await t.test('two processes go at most one batch each above the limit together', async () => {
    const workspaceId = await newWorkspace(admin, FREE - 50)
    let taken = 0
    for (let second = 0; second < 12; second++) {
      taken += await takeAtOnce([one, other], workspaceId, 20)
      await Promise.all([one.flush(), other.flush()])
    }
    assert.ok(taken >= 50 && taken <= 50 + 20, `${taken}`)
    assert.deepEqual(await storedOf(admin, workspaceId), { '2026-05': FREE - 50 + taken })
  })

  await t.test('retries of webhooks are counted and never refused', async () => {
    const workspaceId = await newWorkspace(admin, FREE)
    one.count(workspaceId)
    one.count(workspaceId, 4)
    await one.flush()
    assert.deepEqual(await storedOf(admin, workspaceId), { '2026-05': FREE + 5 })
    await assert.rejects(one.take(workspaceId, 'free'), { code: 'PLAN_LIMIT_REACHED' })
  })

  await t.test('a higher plan holds from the next call on', async () => {
    const workspaceId = await newWorkspace(admin, FREE)
    await assert.rejects(one.take(workspaceId, 'free'), { code: 'PLAN_LIMIT_REACHED' })
    assert.equal((await one.take(workspaceId, 'pro')).used, FREE + 1)
  })

  await t.test(
    'one statement stores many workspaces, and leaves out those that are gone',
    async () => {
      const kept = await newWorkspace(admin)
      const gone = await newWorkspace(admin)
      for (let i = 0; i < 3; i++) for (const id of [kept, gone, 'wsp_never']) one.count(id)
      await admin`delete from workspaces where id = ${gone}`
      await one.flush()
      assert.deepEqual(await storedOf(admin, kept), { '2026-05': 3 })
      assert.equal(one.stats().waiting, 0)
    },
  )

  await t.test('a batch whose answer was lost is added once', async () => {
    const workspaceId = await newWorkspace(admin)
    const entry = { workspaceId, month: '2026-05' }
    const batch = { processId: 'prc_lost', sequence: 1, rows: [{ entry, n: 5 }] }
    for (let i = 0; i < 3; i++) await addBatch(asSystem(admin), batch, new Date(clock.now))
    assert.deepEqual(await storedOf(admin, workspaceId), { '2026-05': 5 })
    await addBatch(asSystem(admin), { ...batch, sequence: 2 }, new Date(clock.now))
    assert.deepEqual(await storedOf(admin, workspaceId), { '2026-05': 10 })
  })

  await t.test('many processes that store the same workspaces lose nothing', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => newWorkspace(admin)))
    for (let round = 0; round < 10; round++) {
      for (const id of ids) one.count(id)
      for (const id of ids.toReversed()) other.count(id)
      await Promise.all([one.flush(), other.flush()])
    }
    for (const id of ids) assert.deepEqual(await storedOf(admin, id), { '2026-05': 20 })
  })

  await t.test('under load each call is in the month in which it was counted', async () => {
    const workspaceId = await newWorkspace(admin, FREE)
    await assert.rejects(one.take(workspaceId, 'free'), { code: 'PLAN_LIMIT_REACHED' })
    one.count(workspaceId, 3)
    clock.now = MAY_ENDS
    assert.equal(await takeAtOnce([one], workspaceId, FREE + 100), FREE)
    clock.now = MAY_ENDS - 1
    one.count(workspaceId, 2)
    await assert.rejects(one.take(workspaceId, 'free'), { code: 'PLAN_LIMIT_REACHED' })
    clock.now = MAY_ENDS + 1
    await assert.rejects(one.take(workspaceId, 'free'), { code: 'PLAN_LIMIT_REACHED' })
    await one.flush()
    assert.deepEqual(await storedOf(admin, workspaceId), { '2026-05': FREE + 5, '2026-06': FREE })
  })

  await t.test(
    'workspaces that are idle are forgotten, and known again when they call',
    async () => {
      const workspaceId = await newWorkspace(admin, 3, '2026-06')
      await one.take(workspaceId, 'free')
      for (let i = 0; i < 601; i++) await one.flush()
      assert.deepEqual(one.stats(), { workspaces: 0, waiting: 0 })
      assert.equal((await one.take(workspaceId, 'free')).used, 5)
    },
  )

  await t.test(
    'while the database is gone calls pass and wait, and are stored after it',
    async (gone) => {
      const workspaceId = await newWorkspace(admin)
      const proxy = await openProxy(gone, postgresUrl)
      const { process: cut } = openProcess(gone, proxy.url, clock)
      await cut.take(workspaceId, 'free')
      proxy.cut()
      await cut.flush()
      for (let i = 0; i < 9; i++) await cut.take(workspaceId, 'free')
      assert.equal(cut.stats().waiting, 10)
      proxy.restore()
      await eventually(async () => {
        await cut.flush()
        assert.equal(cut.stats().waiting, 0)
      })
      assert.deepEqual(await storedOf(admin, workspaceId), { '2026-06': 10 })
    },
  )

  await t.test(
    'a batch that was stored while its answer was lost is not stored again',
    async (lost) => {
      const workspaceId = await newWorkspace(admin)
      const proxy = await openProxy(lost, postgresUrl)
      const { process: cut } = openProcess(lost, proxy.url, clock)
      cut.count(workspaceId, 2)
      await cut.flush()
      cut.count(workspaceId, 5)
      proxy.hold()
      const flushing = cut.flush()
      await eventually(async () =>
        assert.deepEqual(await storedOf(admin, workspaceId), { '2026-06': 7 }),
      )
      proxy.cut()
      await flushing
      proxy.release()
      proxy.restore()
      cut.count(workspaceId, 1)
      await eventually(async () => {
        await cut.flush()
        assert.equal(cut.stats().waiting, 0)
      })
      assert.deepEqual(await storedOf(admin, workspaceId), { '2026-06': 8 })
    },
  )

  await t.test('the service stores by itself, and the rest at its end', async () => {
    const workspaceId = await newWorkspace(admin)
    const stop = new AbortController()
    const running = other.service.run(stop.signal)
    other.count(workspaceId)
    await eventually(async () =>
      assert.deepEqual(await storedOf(admin, workspaceId), { '2026-06': 1 }),
    )
    other.count(workspaceId, 2)
    stop.abort()
    await running
    assert.deepEqual(await storedOf(admin, workspaceId), { '2026-06': 3 })
  })

  await t.test('a process that is killed loses at most the batch that was not stored', async () => {
    const workspaceId = await newWorkspace(admin)
    const child = spawn(process.execPath, [CHILD, postgresUrl, workspaceId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let [counted, stored] = [0, 0]
    for await (const line of createInterface(child.stdout)) {
      const [what, n] = line.split(' ')
      if (what === 'counted') counted = Number(n)
      else stored = Number(n)
      if (counted >= 500 && child.exitCode === null) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    const used = Object.values(await storedOf(admin, workspaceId)).reduce((sum, n) => sum + n, 0)
    assert.ok(stored >= 450)
    assert.ok(used >= stored && used <= counted + 50, `${stored} <= ${used} <= ${counted}`)
  })
})

function openProcess(t: TestContext, postgresUrl: string, clock: { now: number }) {
  const pool = openPostgres(postgresUrl, { role: WORKER_ROLE, maxConnections: 4 })
  t.after(() => closePostgres(pool))
  let statements = 0
  const systemSql = new Proxy(pool, {
    apply: (target, self, args) => {
      statements += 1
      return Reflect.apply(target as never, self, args)
    },
  }) as Sql
  const usage = new Usage({ systemSql: asSystem(systemSql), clock: () => clock.now, plans, log })
  return { process: usage, queries: () => statements }
}
