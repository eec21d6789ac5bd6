import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { replayEvents, retryDelivery } from '../../../src/webhooks/delivery/queue/requeue.ts'
import {
  inTransaction,
  inWorkspace,
  type Sql,
  type Tx,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { freshPostgres } from '../../support/engines.ts'
import { answer } from '../../support/receiver-scripts.ts'
import { openReceiver } from '../../support/receiver.ts'
import { eventually } from '../../support/world.ts'
import { checkTallies, countStatuses, openDeliveryWorld } from '../../support/delivery-world.ts'
import { DAY_MS, HOUR_MS } from '../../../src/platform/core/clock.ts'

/** Two events of today whose endpoint is paused. */
async function openPaused(t: TestContext) {
  const world = await openDeliveryWorld(t)
  const receiver = await openReceiver(t)
  const principal = await world.workspace()
  const { id: endpointId } = await world.endpoints.create(principal, {
    url: receiver.url('/hook'),
    events: ['*'],
  })
  await world.publishMany(principal, 2, '{"id":"lnk_kept"}')
  await world.endpoints.update(principal, endpointId, { status: 'paused' })
  const all = async () => (await world.deliveries.list(principal, { limit: 10, offset: 0 })).data
  const ids = (await all()).map(({ id }) => id)
  const later = async (ms: number) => {
    world.advance(ms)
    await world.chores.once()
  }
  const events = async () => {
    const [row] = await world.sql<{ n: number }[]>`select count(*) as n from events`
    return row!.n
  }
  return { world, receiver, principal, endpointId, ids, later, events }
}

test('a payload outlives its days while its dead letter is in the log, which can be retried', async (t) => {
  const { world, receiver, principal, endpointId, ids, later, events } = await openPaused(t)
  await later(35 * DAY_MS)
  receiver.on('/hook', answer(500))
  await world.endpoints.update(principal, endpointId, { status: 'active' })
  const engine = world.startEngine()
  for (let attempt = 1; attempt <= 5; attempt++) {
    await eventually(async () => assert.equal(receiver.requests.length, 2 * attempt))
    const left = attempt < 5 ? [0, 0, 0, 2, 0] : [0, 0, 0, 0, 2]
    await eventually(async () => assert.deepEqual(await countStatuses(world.sql), left))
    world.advance(1.1 * HOUR_MS)
  }
  // Nothing is queued any more, and the events are older than the log.
  await later(25 * DAY_MS)
  for (const id of ids)
    assert.deepEqual((await world.deliveries.get(principal, id)).payload, { id: 'lnk_kept' })

  receiver.on('/hook', answer(200))
  await world.sending.retry(principal, ids[0]!)
  engine.wake()
  await eventually(async () => assert.deepEqual(await countStatuses(world.sql), [0, 0, 1, 0, 1]))
  const { requeued } = await world.sending.retryMany(principal, {})
  assert.equal(requeued, 1)
  engine.wake()
  await eventually(async () => assert.deepEqual(await countStatuses(world.sql), [0, 0, 2, 0, 0]))
  for (const { body } of receiver.requests.slice(-2))
    assert.deepEqual((JSON.parse(body.toString()) as { data: unknown }).data, { id: 'lnk_kept' })

  // A completed delivery needs it no longer; the log has the rest.
  await later(2 * HOUR_MS)
  assert.equal(await events(), 0)
  const shown = await world.deliveries.get(principal, ids[0]!)
  assert.deepEqual(
    [shown.status, shown.payload, shown.requestBody, shown.responseBody, shown.attemptLog.length],
    ['completed', null, null, 'ok', 6],
  )
  await assert.rejects(world.sending.retry(principal, ids[0]!), { code: 'CONFLICT' })
  const since = new Date(world.clock() - 90 * DAY_MS).toISOString()
  assert.deepEqual(await world.sending.replay(principal, endpointId, { since }), {
    queued: 0,
    next: null,
  })
  await checkTallies(world.sql)
})

for (const [what, requeue] of Object.entries({
  retry: ({ world, principal, ids }: Paused, tx: Tx) =>
    retryDelivery(tx, world.clock, principal.workspaceId, ids[0]!),
  replay: ({ world, principal, endpointId }: Paused, tx: Tx) =>
    replayEvents(tx, world.clock, {
      workspaceId: principal.workspaceId,
      endpointId,
      since: new Date(world.clock() - 90 * DAY_MS),
      until: new Date(world.clock()),
      types: ['*'],
    }),
}))
  test(`a ${what} in the moment in which the payload would be dropped keeps it`, async (t) => {
    const paused = await openPaused(t)
    const { world, principal, ids, events } = paused
    // Both have ended today as dead letters.
    await world.sql`
      with dead as (delete from webhook_queue returning *)
      insert into webhook_log (id, finished_at, workspace_id, endpoint_id, event_id, event_at, event_type,
        status, attempts, created_at)
      select id, now(), workspace_id, endpoint_id, event_id, event_at, event_type, 4, 5, created_at from dead`
    await world.sql`update webhook_tallies set status = 4, day = (now() at time zone 'UTC')::date`
    world.advance(35 * DAY_MS)
    const today = new Date(world.clock()).toISOString().slice(0, 10)
    await world.sql`select make_day_partitions(${today}::date, ${today}::date + 7)`
    let dropped = Promise.resolve()
    await inWorkspace(world.request, principal.workspaceId, async (tx) => {
      await requeue(paused, tx)
      dropped = world.chores.once()
      await eventually(async () => {
        const waiting = await world.sql`
          select from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and not l.granted`
        assert.ok(waiting.length > 0)
      })
    })
    await dropped
    assert.equal(await events(), 2)
    const queued = await world.deliveries.list(principal, { limit: 10, offset: 0 })
    assert.equal(queued.meta.total, what === 'retry' ? 1 : 2)
    assert.deepEqual((await world.deliveries.get(principal, queued.data[0]!.id)).payload, {
      id: 'lnk_kept',
    })
    assert.equal(what === 'retry', queued.data[0]!.id === ids[0])
    await checkTallies(world.sql)
  })

test('a long read of the tables, such as a backup, delays no delivery', async (t) => {
  const { world, receiver, principal, endpointId, ids, later } = await openPaused(t)
  const daysOf = async (table: string) => {
    const [row] = await world.sql<{ first: string; last: string }[]>`
      select min(c.relname) as first, max(c.relname) as last from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass and c.relname ~ '\\d{8}$'`
    return [row!.first, row!.last].map((name) => name.slice(-8))
  }
  await later(0)
  const before = await daysOf('webhook_log')
  const reading = Promise.withResolvers<void>()
  const reads = inTransaction(world.sql, async (tx) => {
    await tx`lock table events, webhook_log in access share mode`
    await reading.promise
  })
  receiver.on('/hook', answer(200))
  await world.endpoints.update(principal, endpointId, { status: 'active' })
  world.startEngine()
  // A day is to be made, and one to be dropped.
  await later(33 * DAY_MS)
  await eventually(async () => assert.equal(receiver.requests.length, ids.length))
  await world.publish(principal)
  await eventually(async () => assert.deepEqual(await countStatuses(world.sql), [0, 0, 3, 0, 0]))
  assert.deepEqual(await daysOf('webhook_log'), before)

  reading.resolve()
  await reads
  await later(60_000)
  const [first, last] = await daysOf('webhook_log')
  assert.ok(first! > before[0]! && last! > before[1]!)
})

type Paused = Awaited<ReturnType<typeof openPaused>>

test('an event whose day is made while it is written finds its place', async (t) => {
  const { sql } = await freshPostgres(t)
  const write = (tx: Sql | Tx, id: string) =>
    tx`insert into events (id, created_at, workspace_id, type, data)
      values (${id}, '2031-05-05T12:00:00Z', 'wsp_1', 'link.created', '{}')`
  const waiting = async (count: number) =>
    eventually(async () => {
      const rows = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      assert.equal(rows.length, count)
    })
  let commit = () => {}
  const before = inTransaction(sql, async (tx) => {
    await write(tx, 'evt_1')
    await new Promise<void>((resolve) => (commit = resolve))
  })
  await eventually(async () =>
    assert.equal(
      (await sql`select from pg_locks where relation = 'events_default'::regclass`).length > 0,
      true,
    ),
  )
  const making = sql`select make_day_partitions('2031-05-05', '2031-05-05')`.execute()
  await waiting(1)
  const during = write(sql, 'evt_2').execute()
  await waiting(2)
  commit()
  await Promise.all([before, making, during])
  const rows = await sql<{ id: string }[]>`select id from events_20310505 order by id`
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['evt_1', 'evt_2'],
  )
})
