import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction, type Tx } from '../../../src/platform/storage/postgres/postgres.ts'
import { answer } from '../../support/receiver-scripts.ts'
import { eventually } from '../../support/world.ts'
import { duplicates, everythingCompleted, openStage, warmUp } from '../../support/fault-stage.ts'

async function checkLanesReleased(tx: Tx): Promise<void> {
  const owned = await tx`select from webhook_lanes where owner is not null`
  assert.equal(owned.length, 1, 'only the locked lane is still held')
}

/** Rows of an endpoint that a session may lock: one opened by hand, or of a process that was stopped. */
const HELD = {
  deliveries: (tx: Tx, id: string) => tx`
    select from webhook_queue where endpoint_id = ${id} order by id for update`,
  health: (tx: Tx, id: string) => tx`
    select from webhook_endpoint_stats where endpoint_id = ${id} for update`,
  lane: (tx: Tx, id: string) => tx`
    select from webhook_lanes where endpoint_id = ${id} for update`,
}

describe('while one endpoint’s rows are held, the others go on', { concurrency: 3 }, () => {
  for (const [what, hold] of Object.entries(HELD))
    test(`its ${what}`, async (t) => {
      const stage = await openStage(t, 10)
      const { world, receiver, principal, ids } = stage
      const [held] = ids
      // Within the transaction that locks the rows: PostgreSQL ends one that is idle for 30 s.
      const ofOthers = async (tx: Tx, count: number) =>
        eventually(async () => {
          const [row] = await tx<{ n: number }[]>`
            select count(*) as n from webhook_log where endpoint_id <> ${held!}`
          assert.equal(row!.n, count)
        }, 60_000)
      const worker = world.startEngine()
      const warm = await warmUp(stage)
      receiver.on('/hook', answer(200, { delayMs: 300 }))
      await world.publishMany(principal, 4)
      await eventually(async () => assert.ok(receiver.requests.length >= warm + 10))
      await inTransaction(world.sql, async (tx) => {
        await hold(tx, held!)
        await ofOthers(tx, 9 * 5)
        receiver.on('/hook', answer(200))
        if (what === 'lane') await eventually(() => checkLanesReleased(tx), 60_000)
        await world.publishMany(principal, 5)
        worker.wake()
        await ofOthers(tx, 9 * 10)
      })
      await everythingCompleted(stage, 100)
      assert.equal(duplicates(receiver), 0)
    })
})
