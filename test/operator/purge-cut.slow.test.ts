import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/core/ids.ts'
import { PURGE_STEPS } from '../../src/operator/purge.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import { addClicks, fill, leftOf, NOW_MS, openDeps } from '../support/purge-world.ts'

test('a purge that was cut off in any step is finished by the next sweep', async (t) => {
  const deps = await openDeps(t)
  for (const [at] of PURGE_STEPS.entries()) {
    const id = newId('wsp', NOW_MS)
    await fill(deps.sql, id)
    await addClicks(deps, id)
    const cut = deps.open([
      ...PURGE_STEPS.slice(0, at),
      {
        ...PURGE_STEPS[at]!,
        run: async () => Promise.reject(new Error('cut off')),
      },
    ])
    await inTransaction(deps.systemSql, (tx) => cut.begin(tx, id))
    await assert.rejects(cut.finish(id), /cut off/)
    assert.ok((await leftOf(deps, id)).includes('workspaces'))
    await deps.sweep()
    assert.deepEqual(await leftOf(deps, id), [])
  }
})
