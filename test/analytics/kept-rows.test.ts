import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptRows } from '../../src/analytics/questions/kept-rows.ts'
import { newBootId } from '../../src/clicks/journal/format.ts'
import { freshDatabases } from '../support/engines.ts'
import { asSystem } from '../support/privileges.ts'

test('rows are counted again once a segment of any journal or a batch of conversions is committed', async (t) => {
  const { sql } = await freshDatabases(t)
  const kept = new KeptRows(asSystem(sql))
  let reads = 0
  const read = async (workspaceId: string) => {
    await kept.read({ query: 'select', params: { workspaceId } }, async () => [++reads])
    return reads
  }
  assert.equal(await read('wsp_1'), 1)
  assert.equal(await read('wsp_1'), 1)
  assert.equal(await read('wsp_2'), 2)
  const journal = newBootId()
  await sql`insert into journal_cursors values (${journal}, 4, now())`
  assert.equal(await read('wsp_1'), 3)
  assert.equal(await read('wsp_1'), 3)
  await sql`update journal_cursors set sequence = 5`
  assert.equal(await read('wsp_1'), 4)
  const nowMs = Date.now()
  await sql`
    insert into conversion_batches (made_at, lease_until) values (${new Date(nowMs)}, ${new Date(nowMs)})`
  assert.equal(await read('wsp_1'), 5)
  await sql`update conversion_batches set copied_at = ${new Date(nowMs)}`
  assert.equal(await read('wsp_1'), 6)
  assert.equal(await read('wsp_1'), 6)
})

test('rows that were being counted when a segment was committed are not kept', async (t) => {
  const { sql } = await freshDatabases(t)
  const kept = new KeptRows(asSystem(sql))
  const statement = { query: 'select', params: {} }
  const slow = kept.read(statement, async () => {
    await sql`insert into journal_cursors values (${newBootId()}, 1, now())`
    await kept.read({ query: 'other', params: {} }, async () => [0])
    return [1]
  })
  assert.deepEqual(await slow, [1])
  assert.deepEqual(await kept.read(statement, async () => [2]), [2])
})

test('at most so many rows are kept, the latest ones', async (t) => {
  const { sql } = await freshDatabases(t)
  const kept = new KeptRows(asSystem(sql))
  const rows = Array.from({ length: 4_999 }, (_, i) => i)
  let reads = 0
  const read = (name: number) =>
    kept.read({ query: 'select', params: { name } }, async () => {
      reads++
      return rows
    })
  for (let name = 0; name < 11; name++) await read(name)
  assert.equal(reads, 11)
  await read(10)
  assert.equal(reads, 11)
  await read(0)
  assert.equal(reads, 12)
})
