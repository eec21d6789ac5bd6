import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { systemClock } from '../../../src/platform/core/clock.ts'
import { createQueue, QUEUE_PARAMETERS } from '../../../src/webhooks/delivery/queue/queue.ts'
import { closePostgres, openPostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { openDeliveryWorld } from '../../support/delivery-world.ts'

test('of many workers that look at once, each lane is taken by one', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  for (let i = 0; i < 20; i++)
    await world.endpoints.create(principal, { url: 'http://127.0.0.1:4000/hook', events: ['*'] })
  const workers = Array.from({ length: 6 }, () =>
    createQueue({ sql: world.system, clock: systemClock, workerId: randomUUID(), host: 'test' }),
  )
  for (const worker of workers) await worker.heartbeat()
  for (let round = 0; round < 60; round++) {
    await world.sql`update webhook_lanes set owner = null, ready_at = now()`
    const taken = (await Promise.all(workers.map((worker) => worker.acquire(20)))).flat()
    const once = new Set(taken.map((lane) => lane.endpointId))
    assert.equal(taken.length, once.size, `round ${round}`)
  }
})

test('a claim that was planned while the queue was empty reads no more of it when it is full', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const make = () =>
    world.endpoints.create(principal, { url: 'http://127.0.0.1:4000/hook', events: ['*'] })
  const [asked, other] = [await make(), await make()]
  const sql = openPostgres(world.postgresUrl, {
    role: WORKER_ROLE,
    parameters: QUEUE_PARAMETERS,
    maxConnections: 1,
  })
  t.after(() => closePostgres(sql))
  const queue = createQueue({ sql, clock: systemClock, workerId: randomUUID(), host: 'test' })
  await queue.heartbeat()
  await world.sql`update webhook_lanes set ready_at = now()`
  const lane = (await queue.acquire(10)).find((each) => each.endpointId === asked.id)!
  await world.publishMany(principal, 1)
  await world.sql`vacuum analyze`
  for (let i = 0; i < 10; i++) await queue.claim([{ lane, free: 1 }])
  await world.sql`
    insert into webhook_queue (id, workspace_id, endpoint_id, event_id, event_at, event_type, due_at, created_at)
    select delivery_id(now()), ${principal.workspaceId}, case when n <= 5 then ${asked.id} else ${other.id} end,
      'evt_1', now(), 'link.created', now(), now()
    from generate_series(1, 20000) as n`
  const readSoFar = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql<{ n: number }[]>`
      select seq_tup_read + idx_tup_fetch as n from pg_stat_user_tables where relname = 'webhook_queue'`
    return row!.n
  }
  // The lease of what was taken before the filling.
  await queue.heartbeat()
  const before = await readSoFar()
  assert.equal((await queue.claim([{ lane, free: 32 }])).length, 5)
  const read = (await readSoFar()) - before
  assert.ok(read >= 5 && read < 100, `${read} rows were read`)
})
