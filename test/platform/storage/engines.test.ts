import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabases } from '../../support/engines.ts'
import { insertRows } from '../../support/click-rows.ts'

test('every test has separate databases', async (t) => {
  const [one, two] = await Promise.all([freshDatabases(t), freshDatabases(t)])
  const [row] = await one.sql`select current_database() as name, count(*) as links from links`
  const [other] = await two.sql`select current_database() as name`
  assert.equal(row?.links, 0)
  assert.notEqual(row?.name, other?.name)
  await insertRows(one.clickhouse, 'clicks', [{ workspace_id: 'a', at: '2026-01-01 00:00:00' }])
  const counts = await Promise.all(
    [one, two].map(async ({ clickhouse }) => {
      const result = await clickhouse.query({ query: 'select count() from clicks', format: 'CSV' })
      return result.text()
    }),
  )
  assert.deepEqual(counts, ['1\n', '0\n'])
})
