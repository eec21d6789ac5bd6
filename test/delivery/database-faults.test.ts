import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../../src/base/log.ts'
import { openEngines } from '../../src/storage/embedded/engines.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { closePostgres, openPostgres, type Sql } from '../../src/storage/postgres.ts'
import { WORKER_ROLE } from '../../src/storage/roles.ts'
import { openPostgresProxy } from '../edge/postgres-proxy.ts'
import { answer, answerOnce } from '../support/receiver-scripts.ts'
import { eventually } from '../support/world.ts'
import { countStatuses } from './delivery-world.ts'
import { duplicates, everythingCompleted, openStage, warmUp } from './fault-stage.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations/postgres')

/** A PostgreSQL of its own, which may be killed; its supervisor starts it again. */
async function openVictim(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-victim-'))
  const log = openLog('silent')
  const engines = await openEngines({ dataDir, log, postgres: true, clickhouse: false })
  const postgresUrl = engines.postgresUrl!
  const sql = openPostgres(postgresUrl)
  t.after(async () => {
    await closePostgres(sql)
    await engines[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })
  // Deliveries need no ClickHouse.
  const folder = join(dataDir, 'migrations')
  mkdirSync(join(folder, 'clickhouse'), { recursive: true })
  symlinkSync(MIGRATIONS, join(folder, 'postgres'))
  await migrate({ sql, clickhouse: null as never, clickhouseEngine: '', log, folder })
  return { postgresUrl, sql, pid: () => engines.pids().postgres }
}

describe('a database that fails', { concurrency: 4 }, () => {
  test('crashed twice with hundreds on the wire, it lost nothing, and the worker lived', async (t) => {
    const victim = await openVictim(t)
    const stage = await openStage(t, 80, { database: victim })
    const { world, receiver, who } = stage
    const child = await world.startChild()
    let expected = await warmUp(stage)
    receiver.on('/hook', answer(200, { delayMs: 300 }))
    for (let crash = 0; crash < 2; crash++) {
      const [sentBefore, pid] = [receiver.requests.length, victim.pid()!]
      await world.publishMany(who, 8)
      expected += 8 * 80
      await eventually(async () => assert.ok(receiver.requests.length >= sentBefore + 250))
      // As `pg_ctl stop -m immediate` does.
      process.kill(pid, 'SIGQUIT')
      await eventually(async () => assert.ok(![null, pid].includes(victim.pid())))
      await everythingCompleted(stage, expected)
    }
    // It lived through it with its lanes and its outcomes.
    assert.equal(duplicates(receiver), 0)
    assert.equal(child.exitCode, null)
    child.kill('SIGTERM')
    await eventually(async () => assert.equal(child.exitCode, 0))
  })

  test('out of reach for longer than the lease, the worker writes what ended meanwhile', async (t) => {
    const stage = await openStage(t, 100)
    const { world, receiver, who } = stage
    const proxy = await openPostgresProxy(t, world.postgresUrl)
    const sql = openPostgres(proxy.url, { role: WORKER_ROLE })
    const worker = world.startEngine({ sql })
    const warm = await warmUp(stage)
    receiver.on('/hook', answer(200, { delayMs: 500 }))
    await world.publishMany(who, 6)
    worker.wake()
    await eventually(async () => assert.ok(receiver.requests.length >= warm + 200))
    proxy.cut()
    await world.sql`update webhook_workers set lease_until = now()`
    // As long as a worker trusts in its lease.
    await sleep(10_500)
    await proxy.restore()
    await everythingCompleted(stage, warm + 600)
    assert.equal(duplicates(receiver), 0)
    const names = await world.sql`select from webhook_workers`
    assert.equal(names.length, 2, 'it has lost its lease, and goes on under another name')
    await worker.stop()
    await closePostgres(sql)
  })

  test('out of reach of one worker, another makes its attempts again, and they count once', async (t) => {
    const stage = await openStage(t, 100)
    const { world, receiver, who } = stage
    const proxy = await openPostgresProxy(t, world.postgresUrl)
    const sql = openPostgres(proxy.url, { role: WORKER_ROLE })
    const worker = world.startEngine({ sql })
    const warm = await warmUp(stage)
    const isCut = Promise.withResolvers<void>()
    receiver.on('/hook', answerOnce(isCut.promise, 500))
    await world.publishMany(who, 6)
    worker.wake()
    await eventually(async () => assert.ok(receiver.requests.length >= warm + 200))
    proxy.cut()
    // Whatever of it has not arrived yet, it sends nothing else.
    const [, claimed] = await countStatuses(world.sql)
    assert.ok(claimed! >= 200, `${claimed} are claimed`)
    isCut.resolve()
    receiver.on('/hook', answer(200))
    await world.sql`update webhook_workers set lease_until = now()`
    world.startEngine()
    await everythingCompleted(stage, warm + 600)
    await proxy.restore()
    // It hears of its loss when it writes what it knows.
    await sleep(2_500)
    await everythingCompleted(stage, warm + 600)
    assert.ok(duplicates(receiver) <= claimed!, `${duplicates(receiver)} of ${claimed}`)
    const [row] = await world.sql<{ attempts: number; failures: number }[]>`
      select (select sum(attempts) from webhook_log) as attempts,
        (select sum(failure_count) from webhook_endpoint_stats) as failures`
    assert.deepEqual({ ...row }, { attempts: warm + 600, failures: 0 })
    await worker.stop()
    await closePostgres(sql)
  })

  test('without room, it keeps results waiting, is asked rarely, and gets them when it has room', async (t) => {
    const stage = await openStage(t, 50)
    const { world, receiver, who } = stage
    world.startEngine()
    const warm = await warmUp(stage)
    const isFull = Promise.withResolvers<void>()
    receiver.on('/hook', answerOnce(isFull.promise, 200))
    await world.publishMany(who, 8)
    await eventually(async () => assert.ok(receiver.requests.length >= warm + 100))
    await refuseWrites(world.sql)
    const fullSince = performance.now()
    isFull.resolve()
    receiver.on('/hook', answer(200))
    await sleep(2_500)
    await eventually(async () => {
      const tries = await triesOf(world.sql)
      const allowed = (40 * (performance.now() - fullSince)) / 2_500
      assert.ok(tries >= 3 && tries <= allowed, `${tries} tries, ${allowed} allowed`)
    })
    const statuses = await countStatuses(world.sql)
    assert.ok(statuses[1]! >= 50, 'results wait')
    await world.sql`drop function refuse() cascade`
    await everythingCompleted(stage, warm + 400)
    assert.equal(duplicates(receiver), 0)
  })
})

async function triesOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ tries: number }[]>`
    select case when is_called then last_value else 0 end as tries from refused`
  return row!.tries
}

/** As a full disk does. A sequence counts what is rolled back as well. */
async function refuseWrites(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create sequence refused;
    grant usage on sequence refused to public;
    create function refuse() returns trigger language plpgsql as $$
    begin
      perform nextval('refused');
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$;`)
  for (const table of ['queue', 'log', 'lanes', 'tallies', 'endpoint_stats', 'workers'])
    await sql.unsafe(`
      create trigger refuse before insert or update or delete on webhook_${table}
      for each statement execute function refuse()`)
}
