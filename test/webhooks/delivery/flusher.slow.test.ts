import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { inTransaction } from '../../../src/platform/storage/postgres/postgres.ts'
import { eventually } from '../../support/eventually.ts'
import { countStatuses } from '../../support/delivery-world.ts'
import { duplicates, everythingCompleted, openStage } from '../../support/fault-stage.ts'

test('attempts that end one after the other are recorded together', async (t) => {
  const stage = await openStage(t, 1)
  const { world, principal } = stage
  const registry = new Registry()
  world.startEngine({ registry })
  const startedAtMs = performance.now()
  for (let i = 0; i < 60; i++) {
    await world.publishMany(principal, 1)
    await sleep(10)
  }
  await everythingCompleted(stage, 60)
  const [, flushes] = /flush_seconds_count (\d+)/.exec(await registry.metrics())!
  const fifths = (performance.now() - startedAtMs) / 200
  assert.ok(Number(flushes) <= fifths + 1, `${flushes} batches in ${fifths} fifths of a second`)
})

test('killed with answers that are not recorded, these deliveries are made again, and no other', async (t) => {
  const stage = await openStage(t, 5)
  const { world, receiver, principal } = stage
  const child = await world.startChild()
  await world.publishMany(principal, 1)
  await everythingCompleted(stage, 5)
  const died = once(child, 'exit')
  await inTransaction(world.sql, async (tx) => {
    // No outcome can be recorded, however long the process takes to die.
    await tx`lock table webhook_log in share mode`
    await world.publishMany(principal, 1)
    await eventually(async () => assert.equal(receiver.requests.length, 10))
    child.kill('SIGKILL')
    await died
  })
  assert.deepEqual(await countStatuses(world.sql), [0, 5, 5, 0, 0])
  world.startEngine()
  await everythingCompleted(stage, 10)
  assert.equal(duplicates(receiver), 5)
})
