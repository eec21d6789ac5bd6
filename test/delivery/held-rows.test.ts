import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, type Tx } from '../../src/storage/postgres.ts'
import { answer } from '../support/receiver-scripts.ts'
import { eventually } from '../support/world.ts'
import { duplicates, everythingCompleted, openStage, warmUp } from './fault-stage.ts'

/** What a session may hold of an endpoint that was opened by hand, or whose process was stopped. */
const HELD = {
  deliveries: (tx: Tx, id: string) => tx`
    select from webhook_queue where endpoint_id = ${id} for update`,
  health: (tx: Tx, id: string) => tx`
    select from webhook_endpoint_stats where endpoint_id = ${id} for update`,
  lane: (tx: Tx, id: string) => tx`
    select from webhook_lanes where endpoint_id = ${id} for update`,
}

describe('while one endpoint’s rows are held, the others go on', { concurrency: 3 }, () => {
  for (const [what, hold] of Object.entries(HELD))
    test(`its ${what}`, async (t) => {
      const stage = await openStage(t, 10)
      const { world, receiver, who, ids } = stage
      const [held] = ids
      // Asked within the transaction that holds the rows: an idle one is ended after 30 s.
      const ofOthers = async (tx: Tx, count: number) =>
        eventually(async () => {
          const [row] = await tx<{ n: number }[]>`
            select count(*) as n from webhook_log where endpoint_id <> ${held!}`
          assert.equal(row!.n, count)
        }, 60_000)
      const worker = world.startEngine()
      const warm = await warmUp(stage)
      receiver.on('/hook', answer(200, { delayMs: 300 }))
      await world.publishMany(who, 4)
      await eventually(async () => assert.ok(receiver.requests.length >= warm + 10))
      await inTransaction(world.sql, async (tx) => {
        await hold(tx, held!)
        await ofOthers(tx, 9 * 5)
        receiver.on('/hook', answer(200))
        // Until idle lanes are given back.
        if (what === 'lane') await sleep(2_500)
        await world.publishMany(who, 5)
        worker.wake()
        await ofOthers(tx, 9 * 10)
      })
      await everythingCompleted(stage, 100)
      assert.equal(duplicates(receiver), 0)
    })
})
