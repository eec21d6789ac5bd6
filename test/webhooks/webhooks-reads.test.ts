import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openDeliveryWorld } from '../support/delivery-world.ts'
import { fillBacklog } from '../support/webhooks-backlog.ts'
import { watchStatements } from '../support/watched-statements.ts'

const HOOK = { url: 'https://192.0.43.8/hook', events: ['*'] }

test('every list reads its own index, however long the backlog', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const big = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
  const small = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
  await world.sql`select make_day_partitions(current_date - 22, current_date)`
  await fillBacklog(world, principal, big.id, { live: 30_000, ended: 20_000 })
  await fillBacklog(world, principal, small.id, { live: 100, ended: 100 })
  const { deliveries } = world
  const read = countReads(t)
  const statuses = [undefined, 'pending', 'processing', 'failed', 'completed', 'dead_letter']
  // Before and after the planner knows the tables.
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await world.sql`analyze`
    for (const endpointId of [undefined, big.id, small.id])
      for (const status of statuses) {
        const asked = {
          limit: 50,
          offset: 0,
          ...(endpointId && { endpointId }),
          ...(status && { status }),
        }
        const page = await deliveries.list(principal, asked)
        const what = `${endpointId ?? 'workspace'} ${status}: ${read.rows} rows`
        assert.ok(read.rows >= page.data.length && read.rows < 5_000, what)
        assert.equal(page.data.length, Math.min(50, page.meta.total))
        assert.deepEqual(
          page.data.map((row) => `${row.createdAt} ${row.id}`),
          page.data
            .map((row) => `${row.createdAt} ${row.id}`)
            .toSorted()
            .toReversed(),
        )
      }
  }
})

/** How many rows of the log each transaction has read. */
function countReads(t: TestContext): { rows: number } {
  const read = { rows: 0 }
  watchStatements(t, async (text, run) => {
    if (text !== 'commit') return
    const [row] = await run(`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as n from pg_stat_xact_user_tables
      where relname ~ '^webhook_(queue|log)'`)
    read.rows = row!['n'] as number
  })
  return read
}
