import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTimeBudget } from '../../../src/platform/work/pacing.ts'

function openBudget(maxKeys?: number) {
  const clock = { nowMs: 1_000 }
  const budget = createTimeBudget({
    capacityMs: 1_000,
    refillMsPerSecond: 500,
    nowMs: () => clock.nowMs,
    ...(maxKeys !== undefined && { maxKeys }),
  })
  return { clock, budget }
}

test('time that is spent comes back at a steady rate', () => {
  const { clock, budget } = openBudget()
  assert.equal(budget.waitMs(['one']), 0)
  budget.spend(['one', 'both'], 1_000)
  assert.equal(budget.waitMs(['one']), 0)
  budget.spend(['one', 'both'], 500)
  assert.equal(budget.waitMs(['one']), 1_000)
  assert.equal(budget.waitMs(['other', 'both']), 1_000)
  assert.equal(budget.waitMs(['other']), 0)
  clock.nowMs += 500
  assert.equal(budget.waitMs(['one']), 500)
  clock.nowMs += 500
  assert.equal(budget.waitMs(['one']), 0)
  assert.equal(budget.spentMs('one'), 1_000)
  clock.nowMs += 10_000
  assert.equal(budget.spentMs('one'), 0)
})

test('a debt is bounded, and so is the number of keys', () => {
  const { clock, budget } = openBudget(2)
  budget.spend(['one'], 1_000_000)
  assert.equal(budget.waitMs(['one']), 2_000)
  clock.nowMs += 1
  budget.spend(['two'], 100)
  budget.spend(['three'], 100)
  assert.deepEqual(
    ['one', 'two', 'three'].map((key) => budget.spentMs(key)),
    [0, 100, 100],
  )
  clock.nowMs += 1_000
  budget.spend(['three', 'four'], 100)
  assert.deepEqual(
    ['two', 'three', 'four'].map((key) => budget.spentMs(key)),
    [0, 100, 100],
  )
})
