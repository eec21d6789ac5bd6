import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, ulid } from '../../src/platform/core/ids.ts'
import { openLog } from '../../src/platform/core/log.ts'
import {
  copyConversions,
  recountConversions,
  type CopyDeps,
} from '../../src/conversions/conversions/copy.ts'
import { inTransaction, type Sql, type Tx } from '../../src/platform/storage/postgres/postgres.ts'
import { freshDatabases, type TestDatabases } from '../support/engines.ts'
import { addWorkspace } from '../support/fixtures.ts'
import { NEVER } from '../support/never.ts'
import { asSystem } from '../support/privileges.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

const NOW_MS = Date.parse('2026-05-01T12:00:00Z')

/** Inserts conversions that are settled, some with a click and some without. */
async function addSettled(sql: Sql | Tx, workspaceId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => {
    const id = newId('cnv', NOW_MS + i)
    const hasClick = i % 3 > 0
    return {
      id,
      workspaceId,
      eventId: id,
      eventName: `Say "hi" ${i} 😀`,
      type: 'sale',
      value: i % 5 === 0 ? -100 : i,
      currency: i % 2 === 0 ? 'usd' : 'eur',
      occurredAt: new Date(NOW_MS - i * 1_001),
      receivedAt: new Date(NOW_MS),
      status: hasClick ? 'attributed' : 'unattributed',
      reason: hasClick ? 'sp_id' : 'no_click',
      linkId: hasClick ? 'lnk_1' : null,
      clickId: hasClick ? ulid(NOW_MS) : null,
      labels: hasClick ? { country: 'DE', utm_source: "o'brien" } : null,
    }
  })
  await sql`insert into conversions ${sql(rows as never)}`
}

const COLUMNS =
  'id, workspace_id, link_id, click_id, at, type, event_name, currency, value, country'

/** The rows of both databases, as the same texts. */
async function compare({ sql, clickhouse }: TestDatabases, expected: number): Promise<void> {
  const stored = await sql<Record<string, unknown>[]>`
    select id, workspace_id, coalesce(link_id, '') as link_id, coalesce(click_id, '') as click_id,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') as at, type, event_name, currency,
      value, coalesce(labels ->> 'country', '') as country
    from conversions where status <> 'waiting' order by id`
  const answer = await clickhouse.query({
    query: `select ${COLUMNS} from conversions order by id`,
    format: 'JSONCompactEachRow',
  })
  const copied = await answer.json<unknown[]>()
  assert.equal(stored.length, expected)
  assert.deepEqual(
    copied,
    stored.map((row) => Object.values(row)),
  )
}

async function openCopy(t: Parameters<typeof freshDatabases>[0]) {
  const databases = await freshDatabases(t)
  const { sql, clickhouse } = databases
  const workspaceId = await addWorkspace(sql)
  const clock = { now: NOW_MS }
  const deps = { sql: asSystem(sql), clickhouse, clock: () => clock.now, log: openLog('silent') }
  return {
    ...databases,
    workspaceId,
    clock,
    copy: (over: Partial<CopyDeps> = {}) => copyConversions({ ...deps, ...over }, NEVER),
  }
}

test('settled conversions are copied with the labels of their clicks, waiting ones are not', async (t) => {
  const world = await openCopy(t)
  await addSettled(world.sql, world.workspaceId, 2_500)
  await world.sql`update conversions set status = 'waiting' where id = (select max(id) from conversions)`
  await world.copy()
  await compare(world, 2_499)
  await world.sql`update conversions set status = 'unattributed'`
  await world.copy()
  await compare(world, 2_500)
})

test('a copy that is cut off at any point is finished, each row once', async (t) => {
  const world = await openCopy(t)
  let expected = 0
  for (const point of ['made', 'inserted'] as const)
    for (let times = 0; times < 3; times++) {
      await addSettled(world.sql, world.workspaceId, 40)
      expected += 40
      const fault = async (at: string) => {
        if (at === point) throw new Error('killed')
      }
      await assert.rejects(world.copy({ fault }), /killed/)
      // Until its lease has ended, no other process touches the batch.
      await world.copy()
      world.clock.now += HOUR_MS
      await world.copy()
      await compare(world, expected)
    }
  const [open] = await world.sql<[{ n: number }]>`
    select count(*) as n from conversion_batches where copied_at is null`
  assert.equal(open.n, 0)
})

test('rows that ClickHouse lost although it has their token are sent again', async (t) => {
  const world = await openCopy(t)
  await addSettled(world.sql, world.workspaceId, 40)
  const fault = async (at: string) => {
    if (at === 'inserted') throw new Error('killed')
  }
  await assert.rejects(world.copy({ fault }), /killed/)
  await world.clickhouse.command({
    query: `alter table conversions delete where value > 20`,
    clickhouse_settings: { mutations_sync: '2' },
  })
  world.clock.now += HOUR_MS
  await world.copy()
  await compare(world, 40)
})

test('a row whose transaction commits late is not skipped', async (t) => {
  const world = await openCopy(t)
  await inTransaction(world.sql, async (tx) => {
    await addSettled(tx, world.workspaceId, 3)
    // Others that came later are copied while this transaction is open.
    await addSettled(world.sql, world.workspaceId, 5)
    await world.copy()
  })
  await world.copy()
  await compare(world, 8)
})

test('a recount finds what ClickHouse lacks, and has it sent again', async (t) => {
  const world = await openCopy(t)
  await addSettled(world.sql, world.workspaceId, 40)
  await world.copy()
  const deps = { sql: asSystem(world.sql), clickhouse: world.clickhouse }
  assert.deepEqual(await recountConversions(deps), {
    conversions: 40,
    drifting: [],
    isRepaired: false,
  })
  await world.clickhouse.command({
    query: `alter table conversions delete where value > 20`,
    clickhouse_settings: { mutations_sync: '2' },
  })
  const { drifting } = await recountConversions(deps)
  assert.equal(drifting.length, 1)
  assert.ok(drifting[0]!.copied < drifting[0]!.stored)
  assert.equal((await recountConversions(deps, { repair: true })).isRepaired, true)
  world.clock.now = Date.now() + HOUR_MS
  await world.copy()
  await compare(world, 40)
  assert.deepEqual((await recountConversions(deps)).drifting, [])
})

test('several processes copy each row once', async (t) => {
  const world = await openCopy(t)
  await addSettled(world.sql, world.workspaceId, 3_000)
  await Promise.all([world.copy(), world.copy(), world.copy()])
  await world.copy()
  await compare(world, 3_000)
})
