import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecrets } from '../../../src/platform/core/secrets.ts'
import { createVisitors } from '../../../src/clicks/shipping/visitor.ts'
import type { Sql } from '../../../src/platform/storage/postgres/postgres.ts'
import { freshPostgres } from '../../support/engines.ts'
import { seedLinks } from '../../support/shipping-world.ts'
import { asSystem } from '../../support/privileges.ts'
import { addWorkspace } from '../../support/fixtures.ts'
import { DAY_MS } from '../../../src/platform/core/clock.ts'

function openVisitors(sql: Sql, clock = () => Date.now(), secretKey = 'one secret of the tests') {
  return createVisitors({ sql: asSystem(sql), clock, secrets: createSecrets(secretKey) })
}

test('a pseudonym belongs to one address and user agent in one workspace', async (t) => {
  const { sql } = await freshPostgres(t)
  const one = (await seedLinks(sql)).workspaceId
  const two = (await seedLinks(sql)).workspaceId
  const visitors = openVisitors(sql)
  await visitors.load(new Set([one, two]))
  const visitor = visitors.identify(one, '203.0.113.7', 'Chrome')!
  assert.match(visitor, /^\d{1,20}$/)
  assert.ok(BigInt(visitor) < 2n ** 64n)
  assert.equal(visitors.identify(one, '203.0.113.7', 'Chrome'), visitor)
  assert.notEqual(visitors.identify(one, '203.0.113.8', 'Chrome'), visitor)
  assert.notEqual(visitors.identify(one, '203.0.113.7', 'Firefox'), visitor)
  assert.notEqual(visitors.identify(two, '203.0.113.7', 'Chrome'), visitor)

  // The salt alone, from a stolen database, is not enough to try addresses.
  const elsewhere = openVisitors(sql, Date.now, 'another secret of the tests')
  await elsewhere.load(new Set([one]))
  assert.notEqual(elsewhere.identify(one, '203.0.113.7', 'Chrome'), visitor)
})

test('a workspace that does not exist has no pseudonyms, and a new one has them after a minute', async (t) => {
  const { sql } = await freshPostgres(t)
  let nowMs = Date.now()
  const visitors = openVisitors(sql, () => nowMs)
  await visitors.load(new Set(['ws_later']))
  assert.equal(visitors.identify('ws_later', '203.0.113.7', ''), undefined)
  await addWorkspace(sql, { id: 'ws_later' })
  nowMs += 61_000
  await visitors.load(new Set(['ws_later']))
  assert.notEqual(visitors.identify('ws_later', '203.0.113.7', ''), undefined)
})

test('one process replaces the salt after ninety days, and the old one is overwritten', async (t) => {
  const { sql } = await freshPostgres(t)
  const { workspaceId } = await seedLinks(sql)
  let nowMs = Date.now()
  const clock = () => nowMs
  const processes = Array.from({ length: 8 }, () => openVisitors(sql, clock))
  const identify = async () => {
    const all = await Promise.all(
      processes.map(async (visitors) => {
        await visitors.load(new Set([workspaceId]))
        return visitors.identify(workspaceId, '203.0.113.7', 'Chrome')
      }),
    )
    const different = new Set(all)
    assert.equal(different.size, 1, 'all processes agree')
    return all[0]
  }
  const readSalt = async () =>
    (await sql<{ salt: Buffer }[]>`select salt from visitor_salts`).map((row) =>
      row.salt.toString('hex'),
    )

  const first = await identify()
  const [salt] = await readSalt()
  nowMs += 89 * DAY_MS
  assert.equal(await identify(), first)
  nowMs += DAY_MS
  assert.notEqual(await identify(), first)
  const salts = await readSalt()
  assert.equal(salts.length, 1)
  assert.notEqual(salts[0], salt)
})
