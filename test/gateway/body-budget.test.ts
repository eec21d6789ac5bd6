import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyBudget } from '../../src/gateway/body-budget.ts'

const BYTES = 5 * 1024 * 1024

test('large bodies of many accounts of one network leave room for those of another', () => {
  const budget = new BodyBudget()
  const hold = (account: number, ip: string) =>
    budget.hold(
      {
        who: { userId: `usr_${account}`, workspaceId: `wsp_${account}` } as never,
        session: null,
        ip,
      },
      BYTES,
    )
  const held = Array.from({ length: 19 }, (_, account) => hold(account, '203.0.113.9'))
  assert.throws(() => hold(20, '203.0.113.9'), { code: 'RATE_LIMITED' })
  const others = Array.from({ length: 19 }, (_, account) => hold(30 + account, '203.0.113.10'))
  assert.throws(() => hold(60, '203.0.113.11'), { code: 'UNAVAILABLE' })
  for (const { release } of [...held, ...others]) release()
  hold(20, '203.0.113.9').release()
})
