import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { createSecrets } from '../../../src/platform/core/secrets.ts'
import { Certificates } from '../../../src/domains/tls/certificates.ts'
import { freshPostgres } from '../../support/engines.ts'
import { asSystem } from '../../support/privileges.ts'

test('the names of many served hosts are remembered up to a bound, the latest ones', async (t) => {
  const { sql } = await freshPostgres(t)
  const certificates = new Certificates({
    sql: asSystem(sql),
    secrets: createSecrets('a secret key of a test'),
    snapshot: null,
    log: openLog('silent'),
    isServed: () => true,
    budgetMs: 30_000,
    maxCached: 100,
  })
  const find = (name: string) => new Promise((resolve) => certificates.find(name, resolve))
  const names = Array.from({ length: 250 }, (_, i) => `host-${i}.example.com`)
  // Look-ups that run at the same time may end in another order.
  for (const some of [names.slice(0, 100), names.slice(100)])
    for (const found of await Promise.all(some.map(find))) assert.equal(found, null)
  assert.equal(certificates.stats().cached, 100)
  const { queries } = certificates.stats()
  await find(names.at(-1)!)
  assert.equal(certificates.stats().queries, queries)
  await find(names[0]!)
  assert.equal(certificates.stats().queries, queries + 1)
})
