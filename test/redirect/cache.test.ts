import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createCache } from '../../src/redirect/links/cache.ts'

function value(weight = 1) {
  return { isUsed: false, weight }
}

test('a full cache evicts the entry that was not used', () => {
  const cache = createCache({ maxEntries: 3 })
  for (const key of ['a', 'b', 'c']) cache.set(key, value())
  cache.get('a')
  cache.get('c')
  cache.set('d', value())
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined),
    ['a', 'c', 'd'],
  )
})

test('when every entry was used, the oldest makes room for the new one', () => {
  const cache = createCache({ maxEntries: 2 })
  for (const key of ['a', 'b']) cache.set(key, value())
  for (const key of ['a', 'b']) cache.get(key)
  cache.set('c', value())
  assert.equal(cache.size(), 2)
  assert.deepEqual(
    ['a', 'b', 'c'].filter((key) => cache.get(key) !== undefined),
    ['b', 'c'],
  )
})

test('a cache never exceeds its limits and never returns a wrong value', () => {
  const command = fc.tuple(
    fc.constantFrom('get', 'set', 'remove'),
    fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__'),
    fc.nat({ max: 12 }),
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      type Value = ReturnType<typeof value>
      const weigh = (one: Value) => one.weight
      const cache = createCache({ maxEntries: 4, maxWeight: 10, weigh })
      const model = new Map<string, Value>()
      for (const [action, key, weight] of commands) {
        const added = value(weight)
        if (action === 'set') {
          cache.set(key, added)
          model.set(key, added)
        } else if (action === 'remove') {
          cache.remove(key)
          model.delete(key)
        }
        const held = [...model.keys()].map((one) => [one, cache.get(one)] as const)
        let total = 0
        for (const [one, found] of held) {
          assert.ok(found === undefined || found === model.get(one))
          total += found?.weight ?? 0
        }
        assert.ok(total <= 10 && cache.size() <= 4)
      }
    }),
  )
})
