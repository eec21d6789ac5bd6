import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { eventually, openWorld } from '../support/world.ts'
import { openDeliveryWorld, type DeliveryWorld } from '../support/delivery-world.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'

type Databases = Pick<DeliveryWorld, 'sql'>

const EVENT = { type: 'link.created', payload: { n: 1 } }
const MANY = 20

async function countRows({ sql }: DeliveryWorld, workspaceId: string) {
  const [row] = await sql<[{ events: number; deliveries: number; audited: number }]>`
    select (select count(*) from events where workspace_id = ${workspaceId}) as events,
      (select count(*) from webhook_queue where workspace_id = ${workspaceId}) as deliveries,
      (select count(*) from audit_log
        where workspace_id = ${workspaceId} and action = 'webhook.dispatched') as audited`
  return row
}

/** Holds the row of a workspace, for which its writes wait, until the function that it returns is called. */
async function holdWorkspace({ sql }: Databases, { workspaceId }: Pick<Principal, 'workspaceId'>) {
  const { promise: isOver, resolve: release } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: noteHeld } = Promise.withResolvers<void>()
  const held = inTransaction(sql, async (tx) => {
    await tx`select from workspaces where id = ${workspaceId} for update`
    noteHeld()
    await isOver
  })
  await isHeld
  return async () => {
    release()
    await held
  }
}

async function countWaiting({ sql }: Databases): Promise<number> {
  const [row] = await sql<[{ n: number }]>`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row.n
}

test('the plan of one workspace refuses its own events alone', async (t) => {
  const world = await openDeliveryWorld(t)
  const [allowed, refused] = [await world.workspace(), await world.workspace()]
  await world.sql`update workspaces set plan = 'gone' where id = ${refused.workspaceId}`
  const results = await Promise.allSettled(
    Array.from({ length: 2 * MANY }, (_, i) =>
      world.sending.dispatch(i % 2 === 0 ? allowed : refused, EVENT),
    ),
  )
  for (const [i, result] of results.entries())
    if (i % 2 === 0) assert.equal(result.status, 'fulfilled')
    else
      assert.equal(result.status === 'rejected' && result.reason.code, 'PLAN_CAPABILITY_REQUIRED')
  const none = { events: 0, deliveries: 0, audited: 0 }
  assert.deepEqual(await countRows(world, refused.workspaceId), none)
  const written = { events: MANY, deliveries: 0, audited: MANY }
  assert.deepEqual(await countRows(world, allowed.workspaceId), written)
})

test('events and other writes that wait for a lock leave connections to other workspaces', async (t) => {
  const world = await openWorld(t)
  const [locked, free] = [await world.member(), await world.member()]
  const release = await holdWorkspace(world, locked)
  const payload = { text: 'x'.repeat(16 * 1024) }
  const waiting = Array.from({ length: 10 }, (_, i) => [
    locked.post('/folders', { name: `Folder ${i}` }),
    locked.post('/webhooks/dispatch', { ...EVENT, payload }),
  ])
  await eventually(async () => assert.equal(await countWaiting(world), 5))
  assert.equal((await free.post('/folders', { name: 'Folder' })).status, 201)
  await release()
  const statuses = (await Promise.all(waiting.flat())).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([201, 202]))
})

test('events whose connection is lost are refused, and none is written twice', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const release = await holdWorkspace(world, principal)
  const results = Promise.allSettled(
    Array.from({ length: 20 }, () => world.sending.dispatch(principal, EVENT)),
  )
  await eventually(async () => assert.ok((await countWaiting(world)) > 1))
  await world.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await release()
  const written = (await results).filter(({ status }) => status === 'fulfilled').length
  assert.ok(written < 20)
  const rows = { events: written, deliveries: 0, audited: written }
  assert.deepEqual(await countRows(world, principal.workspaceId), rows)
})
