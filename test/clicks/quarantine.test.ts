import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal, bisect } from '../../src/clicks/quarantine.ts'

/** A store that refuses a whole piece for one bad line, as ClickHouse does. */
function storeThatRefuses(bad: ReadonlySet<string>) {
  const stored: string[] = []
  let offers = 0
  return {
    stored,
    offers: () => offers,
    async offer(lines: readonly string[]) {
      offers++
      if (lines.some((line) => bad.has(line))) throw new Refusal('bad')
      stored.push(...lines)
    },
  }
}

test('whatever rows are bad, they are found, and every other row is stored once', async () => {
  const rows = Array.from({ length: 64 }, (_, i) => `row ${i}`)
  await fc.assert(
    fc.asyncProperty(fc.subarray(rows), async (bad) => {
      const store = storeThatRefuses(new Set(bad))
      const poison = await bisect(rows, store.offer)
      assert.deepEqual(poison.map(({ line }) => line).toSorted(), bad.toSorted())
      assert.deepEqual(store.stored.toSorted(), rows.filter((row) => !bad.includes(row)).toSorted())
    }),
    { numRuns: 200 },
  )
})

test('a table that refuses everything does not make the search long', async () => {
  const rows = Array.from({ length: 14_000 }, (_, i) => `row ${i}`)
  const store = storeThatRefuses(new Set(rows))
  const poison = await bisect(rows, store.offer)
  assert.equal(poison.length, rows.length)
  assert.ok(store.offers() < 500, `${store.offers()} inserts`)
})

test('an error that is no refusal ends the search', async () => {
  await assert.rejects(
    bisect(['a', 'b'], async () => {
      throw new Error('connection lost')
    }),
    /connection lost/,
  )
})
