import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { registerQueueDepth } from '../../../src/webhooks/delivery/meters.ts'
import { closePostgres, openPostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from '../../support/engines.ts'

test('the queue of deliveries is counted up to a bound, and once for several scrapes', async (t) => {
  const { sql: owner, postgresUrl } = await freshPostgres(t)
  const sql = openPostgres(postgresUrl, { role: WORKER_ROLE })
  t.after(() => closePostgres(sql))
  const queue = (count: number) => owner`
    insert into webhook_queue
      (id, workspace_id, endpoint_id, event_id, event_at, event_type, due_at, created_at)
    select gen_random_uuid(), 'ws_1', 'whe_1', 'evt_1', now(), 'link.created', now(), now()
    from generate_series(1, ${count}::int)`
  const watch = (bounds: { maxCounted?: number; cachedMs?: number }) => {
    const registry = new Registry()
    registerQueueDepth(registry, sql, bounds)
    return () => registry.metrics()
  }
  const [read, readOnce, readFew] = [
    watch({ cachedMs: 0 }),
    watch({}),
    watch({ cachedMs: 0, maxCounted: 4 }),
  ]
  assert.match(await readOnce(), /^signpost_deliveries_queued 0$/m)
  await queue(3)
  assert.match(await read(), /^signpost_deliveries_queued 3$/m)
  assert.match(await readFew(), /^signpost_deliveries_queued 3$/m)
  await queue(5)
  assert.match(await read(), /^signpost_deliveries_queued 8$/m)
  assert.match(await readFew(), /^signpost_deliveries_queued 4$/m)
  assert.match(await readOnce(), /^signpost_deliveries_queued 0$/m)
  await closePostgres(sql)
  assert.match(await read(), /^signpost_deliveries_queued Nan$/m)
})
