import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findRefusedRows, Refusal } from '../../../src/clicks/shipping/table.ts'
import type { Row, RowFields } from '../../../src/clicks/shipping/rows.ts'

function toLines(rows: readonly Row[]): string[] {
  return rows.map(({ line }) => line).toSorted()
}

function makeRows(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => ({ line: `row ${i}`, fields: {} as RowFields }))
}

/** A store that refuses a whole part for one bad row, as ClickHouse does. */
function storeThatRefuses(bad: ReadonlySet<Row>) {
  const stored: Row[] = []
  let offers = 0
  return {
    stored,
    offers: () => offers,
    async offer(rows: readonly Row[]) {
      offers++
      if (rows.some((row) => bad.has(row))) throw new Refusal('bad')
      stored.push(...rows)
    },
  }
}

test('every refused row is found, and every other row is stored once', async () => {
  const rows = makeRows(64)
  await fc.assert(
    fc.asyncProperty(fc.subarray(rows), async (bad) => {
      const store = storeThatRefuses(new Set(bad))
      const refused = await findRefusedRows(rows, store.offer)
      assert.deepEqual(toLines(refused.map(({ row }) => row)), toLines(bad))
      assert.deepEqual(toLines(store.stored), toLines(rows.filter((row) => !bad.includes(row))))
    }),
    { numRuns: 200 },
  )
})

test('the search is short for a table that refuses every row', async () => {
  const rows = makeRows(14_000)
  const store = storeThatRefuses(new Set(rows))
  const refused = await findRefusedRows(rows, store.offer)
  assert.equal(refused.length, rows.length)
  assert.ok(store.offers() < 500, `${store.offers()} inserts`)
})

test('any other error ends the search', async () => {
  await assert.rejects(
    findRefusedRows(makeRows(2), async () => {
      throw new Error('connection lost')
    }),
    /connection lost/,
  )
})
