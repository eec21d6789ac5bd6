import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { inTransaction, type Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { eventually } from './world.ts'
import {
  checkTallies,
  countStatuses,
  fillEndpoints,
  fillQueue,
  openDeliveryWorld,
  openPlainReceiver,
  type DeliveryWorld,
} from './delivery-world.ts'

export type Stage = {
  world: DeliveryWorld
  receiver: Receiver
  principal: Principal
  ids: string[]
}

/** Endpoints of one workspace at one receiver. */
export async function openStage(
  t: TestContext,
  endpoints: number,
  options: Parameters<typeof openDeliveryWorld>[1] = {},
): Promise<Stage> {
  const world = await openDeliveryWorld(t, options)
  const receiver = await openReceiver(t)
  const principal = await world.workspace()
  const ids = await fillEndpoints(world, principal.workspaceId, receiver.url('/hook'), endpoints)
  return { world, receiver, principal, ids }
}

/** Receivers that are known to be quick have four requests at a time. */
export async function warmUp(stage: Stage): Promise<number> {
  await stage.world.publishMany(stage.principal, 1)
  await everythingCompleted(stage, stage.ids.length)
  return stage.ids.length
}

export function duplicates(receiver: Receiver): number {
  return receiver.requests.length - new Set(arrivedIds(receiver)).size
}

/** Waits until all are completed; each has arrived, and the attempt logs and tallies agree with the tables. */
export async function everythingCompleted(stage: Stage, count: number): Promise<void> {
  const { world, receiver } = stage
  await eventually(
    async () => assert.deepEqual(await countStatuses(world.sql), [0, 0, count, 0, 0]),
    120_000,
  )
  assert.equal(new Set(arrivedIds(receiver)).size, count)
  await checkTallies(world.sql)
  await checkAttempts(world.sql)
}

/** Each attempt has one entry, except a first one that succeeded, which has none. */
async function checkAttempts(sql: Sql): Promise<void> {
  const rows = await sql`
    select id, status, attempts, attempt_log from (
      select id, status, attempts, attempt_log from webhook_queue
      union all select id, status, attempts, attempt_log from webhook_log
    ) as d
    where array(select (entry ->> 'attempt')::int from json_array_elements(attempt_log) as entry)
      <> case when attempt_log is null and status = 2 and attempts = 1 then '{}'
        else array(select generate_series(1, attempts)) end`
  assert.deepEqual([...rows], [])
}

/** Ids of the deliveries that arrived, in order of arrival, with repetition. */
export function arrivedIds(receiver: Receiver): string[] {
  return receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { id: string }).id)
}

/**
 * Waits until a worker has swept the queue and claimed from it: a delivery of another workspace, whose
 * lane only a sweep wakes, is completed. Leaves no rows.
 */
export async function sweepPassed(t: TestContext, world: DeliveryWorld): Promise<void> {
  const probe = await openPlainReceiver(t)
  const { workspaceId } = await world.workspace()
  const [id] = await fillEndpoints(world, workspaceId, probe.url, 1)
  await inTransaction(world.sql, async (tx) => {
    await fillQueue(tx, workspaceId, [id!], 1)
    await tx`update webhook_lanes set ready_at = null where endpoint_id = ${id!}`
  })
  await eventually(async () => {
    const rows = await world.sql`select from webhook_log where endpoint_id = ${id!}`
    assert.equal(rows.length, 1)
  })
  for (const table of ['webhook_log', 'webhook_tallies'])
    await world.sql`delete from ${world.sql(table)} where endpoint_id = ${id!}`
  await world.sql`delete from webhook_endpoints where id = ${id!}`
}
