import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/core/ids.ts'
import { PURGE_STEPS } from '../../src/operator/purge.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import {
  addClicks,
  clicksOf,
  fill,
  leftOf,
  NOW_MS,
  openDeps,
  tenantTables,
} from '../support/purge-world.ts'
import { selectRows } from '../support/click-rows.ts'

test('the steps of the purge name tables that exist, and every ClickHouse table with a workspace_id', async (t) => {
  const { sql, clickhouse } = await openDeps(t)
  const tables = await tenantTables(sql)
  const named = PURGE_STEPS.flatMap((step) => step.tables)
  assert.deepEqual(
    named.filter((table) => !tables.includes(table)),
    [],
  )
  const rows = await selectRows<{ found: string }>(
    clickhouse,
    `select distinct table as found from system.columns
    where database = currentDatabase() and name = 'workspace_id' order by 1`,
  )
  const inClickHouse = rows.map(({ found }) => found)
  assert.deepEqual(PURGE_STEPS.flatMap((step) => step.clickhouse ?? []).toSorted(), inClickHouse)
})

test('after a purge no row of the workspace is left, and every row of its neighbor is', async (t) => {
  const deps = await openDeps(t)
  const [gone, kept] = [newId('wsp', NOW_MS), newId('wsp', NOW_MS)]
  for (const id of [gone, kept]) {
    await fill(deps.sql, id)
    await addClicks(deps, id)
  }
  const everything = [...(await tenantTables(deps.sql)), 'workspaces', 'clicks']
  assert.deepEqual(await leftOf(deps, gone), everything)

  const purge = deps.open()
  await inTransaction(deps.systemSql, (tx) => purge.begin(tx, gone))
  const [marked] = await deps.sql`
    select suspended_at, (select count(*) from members where workspace_id = ${gone}) as members
    from workspaces where id = ${gone}`
  assert.ok(marked!['suspendedAt'])
  assert.equal(marked!['members'], 0)
  await purge.finish(gone)
  assert.deepEqual(await leftOf(deps, gone), [])
  assert.deepEqual(await leftOf(deps, kept), everything)
  const keptRows = await clicksOf(deps, kept)
  assert.equal(keptRows, 5)
})

test('what comes in late is swept: rows after a minute, clicks for ninety days', async (t) => {
  const deps = await openDeps(t)
  const { sql, systemSql, time } = deps
  const id = newId('wsp', NOW_MS)
  await fill(sql, id)
  const purge = deps.open()
  await inTransaction(systemSql, (tx) => purge.begin(tx, id))
  await purge.finish(id)
  // Of transactions that began before the purge did, and of a shipper.
  await sql`insert into events (id, created_at, workspace_id, type, data) values ('evt_late', now(), ${id}, 'x', '{}')`
  await addClicks(deps, id)
  await deps.sweep(purge)
  assert.deepEqual(await leftOf(deps, id), ['events', 'clicks'])
  time.ms += 61_000
  await deps.sweep(purge)
  assert.deepEqual(await leftOf(deps, id), [])

  time.ms += 30 * 86_400_000
  await addClicks(deps, id)
  await deps.sweep(purge)
  assert.equal(await clicksOf(deps, id), 0)
  time.ms += 91 * 86_400_000
  await deps.sweep(purge)
  assert.equal((await sql`select 1 from purges`).length, 0)
})
