import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areasOf } from '../../dashboard/src/api-keys/scopes.ts'
import { openWorld } from '../support/world.ts'

test('a new key is offered the scopes that routes require, and no others', async (t) => {
  const world = await openWorld(t)
  const required = world.app.routes.flatMap(({ requires: { scope } }) => scope ?? [])
  const offered = areasOf({}).flatMap(({ area, levels }) =>
    levels.filter((level) => level !== 'none').map((level) => `${area}:${level}`),
  )
  assert.deepEqual(offered.toSorted(), [...new Set(required)].toSorted())
})

test('a key keeps a scope that no route requires', () => {
  const kept = areasOf({ analytics: 'write' }).find(({ area }) => area === 'analytics')
  assert.deepEqual(kept?.levels, ['none', 'read', 'write'])
})
