import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyBudget } from '../../src/api/requests/bounds.ts'

const BYTES = 5 * 1024 * 1024

const KIB = 1024
const accountOf = (account: number, ip: string) => ({
  principal: { userId: `usr_${account}`, workspaceId: `wsp_${account}` } as never,
  session: null,
  ip,
})

test('bodies of the default limit are bounded for each account, beside its large ones and not for others', () => {
  const budget = new BodyBudget()
  const hostile = accountOf(1, '203.0.113.9')
  const slow = Array.from({ length: 128 }, () => budget.hold(hostile, 256 * KIB))
  const large = Array.from({ length: 6 }, (_, account) => {
    const uploader = accountOf(10 + account, '203.0.113.9')
    return [1, 2, 3, 4, 5, 6].flatMap(() => {
      try {
        return [budget.hold(uploader, BYTES)]
      } catch {
        return []
      }
    })
  }).flat()
  assert.equal(large.length, 12, 'the network is full')
  const more = Array.from({ length: 128 }, () => budget.hold(hostile, 256 * KIB))
  assert.throws(() => budget.hold(hostile, 256 * KIB), { code: 'RATE_LIMITED' })
  assert.throws(() => budget.hold(hostile, 0).grow(1), { code: 'RATE_LIMITED' })
  budget.hold(accountOf(2, '203.0.113.9'), 256 * KIB).release()
  budget.hold(accountOf(10, '203.0.113.9'), 256 * KIB).release()
  for (const { release } of [...slow, ...large, ...more]) release()
  for (let i = 0; i < 6; i++) budget.hold(hostile, BYTES)
})

test('a body without a length counts what has arrived of it, until it is released', () => {
  const budget = new BodyBudget()
  const account = accountOf(1, '203.0.113.9')
  const held = budget.hold(account, 0)
  for (let i = 0; i < 6; i++) held.grow(BYTES)
  assert.throws(() => held.grow(BYTES), { code: 'RATE_LIMITED' })
  held.release()
  // Bytes that arrive after the answer are dropped, and count no more.
  held.grow(BYTES)
  for (let i = 0; i < 6; i++) budget.hold(account, BYTES)
})

test('large bodies of many accounts of one network leave room for those of another', () => {
  const budget = new BodyBudget()
  const hold = (account: number, ip: string) => budget.hold(accountOf(account, ip), BYTES)
  const held = Array.from({ length: 19 }, (_, account) => hold(account, '203.0.113.9'))
  assert.throws(() => hold(20, '203.0.113.9'), { code: 'RATE_LIMITED' })
  const others = Array.from({ length: 19 }, (_, account) => hold(30 + account, '203.0.113.10'))
  assert.throws(() => hold(60, '203.0.113.11'), { code: 'UNAVAILABLE' })
  for (const { release } of [...held, ...others]) release()
  hold(20, '203.0.113.9').release()
})

test('bodies of the default limit of many accounts of one network leave room for those of another', () => {
  const budget = new BodyBudget()
  let held = 0
  assert.throws(
    () => {
      for (let account = 0; account < 1_000; account++) {
        budget.hold(accountOf(account, '203.0.113.9'), 256 * KIB)
        held++
      }
    },
    { code: 'RATE_LIMITED' },
  )
  assert.equal(held, 512, '128 MiB')
  budget.hold(accountOf(1_001, '198.51.100.9'), 256 * KIB)
})
