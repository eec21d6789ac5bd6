import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentAnswers } from '../../src/analytics/dashboards/recent.ts'

const KEPT = { maxEntries: 2, toKeptMs: () => 60_000 }

test('a crowd that asks at once causes one piece of work, also when it fails', async () => {
  const recent = new RecentAnswers<number>(KEPT)
  let begun = 0
  const work = async () => ++begun
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => recent.ask('a', work)))
  assert.deepEqual([...new Set(answers)], [1])
  const failing = async () => {
    begun++
    throw new Error('too many')
  }
  for (let i = 0; i < 3; i++) await assert.rejects(recent.ask('b', failing), /too many/)
  assert.equal(begun, 2)
})

test('an answer is kept by the time that it took, until it is dropped or too many came after', async () => {
  const times: number[] = []
  const recent = new RecentAnswers<number>({
    maxEntries: 2,
    toKeptMs: (durationMs) => {
      times.push(durationMs)
      return times.length === 1 ? 0 : 60_000
    },
  })
  let begun = 0
  const work = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    return ++begun
  }
  assert.equal(await recent.ask('a', work), 1)
  assert.ok(times[0]! >= 25)
  assert.equal(await recent.ask('a', work), 2)
  assert.equal(await recent.ask('a', work), 2)
  recent.drop('a')
  assert.equal(await recent.ask('a', work), 3)
  await recent.ask('b', work)
  await recent.ask('c', work)
  assert.equal(await recent.ask('a', work), 6)
})
