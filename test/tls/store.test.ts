import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecrets } from '../../src/base/secrets.ts'
import { TlsStore } from '../../src/tls/store.ts'
import { freshPostgres } from '../support/engines.ts'
import { addDomain, addWorkspace } from '../support/fixtures.ts'
import { asSystem } from '../support/privileges.ts'

const HOUR_MS = 3_600_000

test('a workspace with many new domains leaves orders to the others', async (t) => {
  const { sql } = await freshPostgres(t)
  const [many, one] = [await addWorkspace(sql), await addWorkspace(sql)]
  const addMany = (kind: string) =>
    Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        addDomain(sql, { workspaceId: many, hostname: `${kind}${i}.example.com` }),
      ),
    )
  await addMany('a')
  await addDomain(sql, { workspaceId: one, hostname: 'only.example.org' })
  let nowMs = Date.now()
  const store = new TlsStore({
    sql: asSystem(sql),
    secrets: createSecrets('a secret key of a test'),
    clock: () => nowMs,
    directory: 'https://ca.example/directory',
    holder: 'edge',
    ownHosts: ['links.example.com'],
  })
  const ordered = async () => {
    await store.addHosts()
    const rows = await sql<{ orderedFor: string | null; n: number }[]>`
      select ordered_for, count(*)::int as n from tls_certificates group by 1`
    const counts = new Map(rows.map(({ orderedFor, n }) => [orderedFor, n]))
    return [counts.get(many), counts.get(one), counts.get(null)]
  }
  assert.deepEqual(await ordered(), [50, 1, 1])
  // Other names in place of the first ones are no way around.
  await sql`delete from domains where workspace_id = ${many}`
  await addMany('b')
  nowMs += 23 * HOUR_MS
  assert.deepEqual(await ordered(), [50, 1, 1])
  nowMs += 2 * HOUR_MS
  assert.deepEqual(await ordered(), [100, 1, 1])
})
