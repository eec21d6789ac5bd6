import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createQueue } from '../../src/delivery/queue.ts'
import { openDeliveryWorld } from './delivery-world.ts'

test('of many workers that look at once, each lane is taken by one', async (t) => {
  const world = await openDeliveryWorld(t)
  const who = await world.workspace()
  for (let i = 0; i < 20; i++)
    await world.endpoints.create(who, { url: 'http://127.0.0.1:4000/hook', events: ['*'] })
  const workers = Array.from({ length: 6 }, () =>
    createQueue(world.system, randomUUID(), 'test', () => 0),
  )
  for (const worker of workers) await worker.heartbeat()
  for (let round = 0; round < 60; round++) {
    await world.sql`update webhook_lanes set owner = null, ready_at = now()`
    const taken = (await Promise.all(workers.map((worker) => worker.acquire(20)))).flat()
    const once = new Set(taken.map((lane) => lane.endpointId))
    assert.equal(taken.length, once.size, `round ${round}`)
  }
})
