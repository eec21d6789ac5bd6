import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { openLog } from '../../../src/platform/core/log.ts'
import { openEngines } from '../../../src/platform/storage/embedded/engines.ts'
import { migrate } from '../../../src/platform/storage/migrations/migrate.ts'
import {
  closePostgres,
  openPostgres,
  type Sql,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { openProxy } from '../../support/database-proxy.ts'
import { openLines } from '../../support/mail-world.ts'
import { answer, answerOnce } from '../../support/receiver-scripts.ts'
import { eventually } from '../../support/world.ts'
import { countStatuses } from '../../support/delivery-world.ts'
import { duplicates, everythingCompleted, openStage, warmUp } from '../../support/fault-stage.ts'

/** More than are allowed in the moment in which the disk becomes full. */
const MANY_TRIES = 60
const MIGRATIONS = join(import.meta.dirname, '../../../migrations/postgres')

/** A PostgreSQL that only this test uses and may kill; its supervisor starts it again. */
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
    const { world, receiver, principal } = stage
    const child = await world.startChild()
    let expected = await warmUp(stage)
    receiver.on('/hook', answer(200, { delayMs: 300 }))
    for (let crash = 0; crash < 2; crash++) {
      const [sentBefore, pid] = [receiver.requests.length, victim.pid()!]
      await world.publishMany(principal, 8)
      expected += 8 * 80
      await eventually(async () => assert.ok(receiver.requests.length >= sentBefore + 250))
      // As `pg_ctl stop -m immediate` does.
      process.kill(pid, 'SIGQUIT')
      await eventually(async () => assert.ok(![null, pid].includes(victim.pid())))
      await everythingCompleted(stage, expected)
    }
    // The worker kept its lanes and its outcomes.
    assert.equal(duplicates(receiver), 0)
    assert.equal(child.exitCode, null)
    child.kill('SIGTERM')
    await eventually(async () => assert.equal(child.exitCode, 0))
  })

  test('out of reach for longer than the lease, the worker writes the outcomes of that time', async (t) => {
    const stage = await openStage(t, 100)
    const { world, receiver, principal } = stage
    const proxy = await openProxy(t, world.postgresUrl)
    const sql = openPostgres(proxy.url, { role: WORKER_ROLE })
    const { log, lines } = openLines()
    const worker = world.startEngine({ sql, alter: (deps) => ({ ...deps, log }) })
    const warm = await warmUp(stage)
    receiver.on('/hook', answer(200, { delayMs: 500 }))
    await world.publishMany(principal, 6)
    worker.wake()
    await eventually(async () => assert.ok(receiver.requests.length >= warm + 200))
    proxy.cut()
    await world.sql`update webhook_workers set lease_until = now()`
    await eventually(async () => assert.ok(lines.some((line) => line.includes('lease expired'))))
    proxy.restore()
    await everythingCompleted(stage, warm + 600)
    assert.equal(duplicates(receiver), 0)
    const names = await world.sql`select from webhook_workers`
    assert.equal(names.length, 2, 'it has lost its lease, and goes on under another name')
    await worker.stop()
    await closePostgres(sql)
  })

  test('out of reach of one worker, another makes its attempts again, and they count once', async (t) => {
    const stage = await openStage(t, 100)
    const { world, receiver, principal } = stage
    const proxy = await openProxy(t, world.postgresUrl)
    const sql = openPostgres(proxy.url, { role: WORKER_ROLE })
    const registry = new Registry()
    const worker = world.startEngine({ sql, registry })
    const warm = await warmUp(stage)
    const isCut = Promise.withResolvers<void>()
    receiver.on('/hook', answerOnce(isCut.promise, 500))
    await world.publishMany(principal, 6)
    worker.wake()
    await eventually(async () => assert.ok(receiver.requests.length >= warm + 200))
    proxy.cut()
    // Requests of it may still be on their way, but it sends no others.
    const [, claimed] = await countStatuses(world.sql)
    assert.ok(claimed! >= 200, `${claimed} are claimed`)
    isCut.resolve()
    receiver.on('/hook', answer(200))
    await world.sql`update webhook_workers set lease_until = now()`
    world.startEngine()
    await everythingCompleted(stage, warm + 600)
    assert.ok((await readUnwritten(registry)) > 0)
    proxy.restore()
    // It learns that its lanes are lost when it writes its outcomes.
    await eventually(async () => assert.equal(await readUnwritten(registry), 0))
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
    const { world, receiver, principal } = stage
    world.startEngine()
    const warm = await warmUp(stage)
    const isFull = Promise.withResolvers<void>()
    receiver.on('/hook', answerOnce(isFull.promise, 200))
    await world.publishMany(principal, 8)
    await eventually(async () => assert.ok(receiver.requests.length >= warm + 100))
    await refuseWrites(world.sql)
    const fullSince = performance.now()
    isFull.resolve()
    receiver.on('/hook', answer(200))
    const tries = await eventually(async () => {
      const count = await countTries(world.sql)
      assert.ok(count >= MANY_TRIES, `${count} tries`)
      return count
    })
    // Without pauses these tries take no time, and a slow machine makes fewer of them.
    const allowed = MANY_TRIES / 2 + (40 * (performance.now() - fullSince)) / 2_500
    assert.ok(tries <= allowed, `${tries} tries, ${allowed} allowed`)
    const statuses = await countStatuses(world.sql)
    assert.ok(statuses[1]! >= 50, 'results wait')
    await world.sql`drop function refuse() cascade`
    await everythingCompleted(stage, warm + 400)
    assert.equal(duplicates(receiver), 0)
  })
})

async function readUnwritten(registry: Registry): Promise<number> {
  const { values } = await registry.getSingleMetric('signpost_delivery_outcomes_unwritten')!.get()
  return values[0]!.value
}

async function countTries(sql: Sql): Promise<number> {
  const [row] = await sql<{ tries: number }[]>`
    select case when is_called then last_value else 0 end as tries from refused`
  return row!.tries
}

/** Refuses writes as a full disk does. A sequence also counts transactions that are rolled back. */
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
