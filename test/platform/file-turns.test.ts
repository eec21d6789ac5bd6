import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLACES } from '../../src/platform/limits/places.ts'
import { createFileTurns } from '../../src/platform/work/file-turns.ts'

const whoOf = (account: string, ip: string) =>
  ({ userId: `usr_${account}`, workspaceId: `wsp_${account}`, ip }) as never

/** Turns on a clock that only files advance. */
function openTurns() {
  let now = 0
  const turns = createFileTurns({ places: PLACES.images, plural: 'images', nowMs: () => now })
  const take = (principal: never, seconds: number) =>
    turns.run(principal, undefined, async () => void (now += seconds * 1_000))
  return { take, pass: (seconds: number) => void (now += seconds * 1_000) }
}

test('a user, a workspace and a network each get a third of the time, and others are served beside', async () => {
  const refused = { code: 'RATE_LIMITED', status: 429 }
  const [one, sameNetwork, other] = [
    whoOf('1', '203.0.113.1'),
    whoOf('2', '203.0.113.1'),
    whoOf('3', '203.0.113.3'),
  ]
  const { take, pass } = openTurns()
  for (let i = 0; i < 4; i++) await take(one, 9)
  await assert.rejects(take(one, 1), refused)
  await assert.rejects(take(sameNetwork, 1), refused)
  await assert.rejects(take(whoOf('1', '203.0.113.9'), 1), refused)
  await take(other, 1)
  pass(60)
  await take(one, 1)
})

test('a refusal says when the next file is read, and a file that waited for its turn is refused too', async () => {
  const principal = whoOf('1', '203.0.113.1')
  const { take, pass } = openTurns()
  const answers = await Promise.allSettled([
    take(principal, 10),
    take(principal, 25),
    take(principal, 1),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  )
  const { details } = (answers[2] as PromiseRejectedResult).reason
  // 33 seconds count, of which 8.3 were regained.
  assert.ok([14, 15].includes(details.retryAfter), String(details.retryAfter))
  pass(details.retryAfter)
  await take(principal, 1)
})

test('files of less than a second follow each other without a limit', async () => {
  const { take } = openTurns()
  for (let i = 0; i < 100; i++) await take(whoOf('1', '203.0.113.1'), 0.9)
})
