import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshPostgres } from '../../support/engines.ts'

test('arrays of every type in use go in and come back', async (t) => {
  const { sql } = await freshPostgres(t)
  const texts = ['a', 'b,"c"\\', '', 'null', null, '{}']
  const dates = [new Date(0), null]
  const bytes = [Buffer.of(0, 255), Buffer.of()]
  const [row] = await sql`
    select ${texts as string[]}::text[] as texts, ${[1, 2 ** 40]}::int8[] as numbers,
      ${[true, false]}::bool[] as flags, ${dates}::timestamptz[] as dates,
      ${bytes}::bytea[] as bytes, ${['10.0.0.0/8', '::1/128']}::cidr[] as ranges,
      ${[] as string[]}::text[] as empty`
  assert.deepEqual(
    { ...row },
    {
      texts,
      numbers: [1, 2 ** 40],
      flags: [true, false],
      dates,
      bytes,
      ranges: ['10.0.0.0/8', '::1/128'],
      empty: [],
    },
  )
})
