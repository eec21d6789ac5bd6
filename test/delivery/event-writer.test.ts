import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Who } from '../../src/base/who.ts'
import { eventually, openWorld } from '../support/world.ts'
import { fillEndpoints, openDeliveryWorld, type DeliveryWorld } from '../support/delivery-world.ts'
import { inTransaction } from '../../src/storage/postgres.ts'

type Databases = Pick<DeliveryWorld, 'sql'>

const URL_OF_NONE = 'http://127.0.0.1:9/hook'
const EVENT = { type: 'link.created', payload: { n: 1 } }
/** More than the bound of one workspace, so that some of them wait for it. */
const MANY = 40

const dispatchMany = ({ sending }: DeliveryWorld, who: Who, count: number, event = EVENT) =>
  Promise.all(Array.from({ length: count }, () => sending.dispatch(who, event)))

/** Events by the transaction that wrote them. */
async function readTransactions({ sql }: DeliveryWorld) {
  return sql<{ events: number; workspaces: number }[]>`
    select count(*) as events, count(distinct workspace_id) as workspaces from events group by xmin::text`
}

async function countRows({ sql }: DeliveryWorld, workspaceId: string) {
  const [row] = await sql<[{ events: number; deliveries: number; audited: number }]>`
    select (select count(*) from events where workspace_id = ${workspaceId}) as events,
      (select count(*) from webhook_queue where workspace_id = ${workspaceId}) as deliveries,
      (select count(*) from audit_log
        where workspace_id = ${workspaceId} and action = 'webhook.dispatched') as audited`
  return row
}

/** Holds the row of a workspace, for which its writes wait, until the function that it returns is called. */
async function holdWorkspace({ sql }: Databases, { workspaceId }: Pick<Who, 'workspaceId'>) {
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

test('events that arrive together share transactions, and each has its own deliveries and audit row', async (t) => {
  const world = await openDeliveryWorld(t)
  const callers = await Promise.all([world.workspace(), world.workspace(), world.workspace()])
  for (const [endpoints, who] of callers.entries())
    await fillEndpoints(world, who.workspaceId, URL_OF_NONE, endpoints)
  const answers = await Promise.all(callers.map((who) => dispatchMany(world, who, MANY)))
  for (const [endpoints, who] of callers.entries()) {
    assert.deepEqual(
      new Set(answers[endpoints]!.map(({ dispatched }) => dispatched)),
      new Set([endpoints]),
    )
    const rows = await countRows(world, who.workspaceId)
    assert.deepEqual(rows, { events: MANY, deliveries: MANY * endpoints, audited: MANY })
    const actors = await world.sql`
      select distinct actor_id from audit_log where workspace_id = ${who.workspaceId}`
    assert.deepEqual(
      actors.map(({ actorId }) => actorId),
      [who.actor.id],
    )
  }
  const transactions = await readTransactions(world)
  assert.ok(transactions.length < (3 * MANY) / 2, `${transactions.length} transactions`)
  assert.ok(transactions.some(({ workspaces }) => workspaces > 1))
  assert.ok(transactions.every(({ events }) => events <= 32))
})

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

test('large events, and those of a workspace with many endpoints, have transactions of their own', async (t) => {
  const world = await openDeliveryWorld(t)
  const [large, wide] = [await world.workspace(), await world.workspace()]
  await fillEndpoints(world, wide.workspaceId, URL_OF_NONE, 11)
  const payload = { text: 'x'.repeat(16 * 1024) } as never
  await world.sending.dispatch(wide, EVENT)
  await Promise.all([
    dispatchMany(world, wide, MANY - 1),
    dispatchMany(world, large, MANY, { ...EVENT, payload }),
  ])
  const transactions = await readTransactions(world)
  assert.equal(transactions.length, 2 * MANY)
})

test('a workspace shares no large fan-out after events of a type without one', async (t) => {
  const world = await openDeliveryWorld(t)
  const [wide, other] = [await world.workspace(), await world.workspace()]
  await fillEndpoints(world, wide.workspaceId, URL_OF_NONE, 11)
  await world.sql`update webhook_subscriptions set event_type = ${EVENT.type}`
  await world.sending.dispatch(wide, EVENT)
  await world.sending.dispatch(wide, { type: 'link.deleted' })
  await Promise.all([dispatchMany(world, wide, MANY), dispatchMany(world, other, MANY)])
  const shared = await world.sql`
    select count(*) from events group by xmin::text
    having count(*) > 1 and bool_or(workspace_id = ${wide.workspaceId})`
  assert.deepEqual([...shared], [])
  assert.equal((await countRows(world, wide.workspaceId)).deliveries, 11 * (MANY + 1))
})

test('events that wait for a lock of their workspace delay those of no other', async (t) => {
  const world = await openDeliveryWorld(t)
  const [locked, free] = [await world.workspace(), await world.workspace()]
  const release = await holdWorkspace(world, locked)
  const waiting = dispatchMany(world, locked, MANY)
  await eventually(async () => assert.ok((await countWaiting(world)) > 1))
  await dispatchMany(world, free, MANY)
  assert.equal((await countRows(world, locked.workspaceId)).events, 0)
  await release()
  await waiting
  assert.equal((await countRows(world, locked.workspaceId)).events, MANY)
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
  await eventually(async () => assert.equal(await countWaiting(world), 8))
  assert.equal((await free.post('/folders', { name: 'Folder' })).status, 201)
  await release()
  const statuses = (await Promise.all(waiting.flat())).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([201, 202]))
})

test('events whose connection is lost are refused, and none is written twice', async (t) => {
  const world = await openDeliveryWorld(t)
  const who = await world.workspace()
  const release = await holdWorkspace(world, who)
  const results = Promise.allSettled(
    Array.from({ length: 20 }, () => world.sending.dispatch(who, EVENT)),
  )
  await eventually(async () => assert.ok((await countWaiting(world)) > 1))
  await world.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await release()
  const written = (await results).filter(({ status }) => status === 'fulfilled').length
  assert.ok(written < 20)
  const rows = { events: written, deliveries: 0, audited: written }
  assert.deepEqual(await countRows(world, who.workspaceId), rows)
})

test('a workspace has a bounded number of connections and of waiting events', async (t) => {
  const world = await openDeliveryWorld(t)
  const who = await world.workspace()
  const release = await holdWorkspace(world, who)
  const payload = { text: 'x'.repeat(16 * 1024) } as never
  const results = Promise.allSettled(
    Array.from({ length: 504 }, () => world.sending.dispatch(who, { ...EVENT, payload })),
  )
  await eventually(async () => assert.equal(await countWaiting(world), 3))
  await release()
  const refused = (await results).filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 1)
  assert.equal((refused[0] as PromiseRejectedResult).reason.code, 'RATE_LIMITED')
})
