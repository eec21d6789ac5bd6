import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { ApiError } from '../../src/base/errors.ts'
import { accountRoute } from '../../src/base/route.ts'
import { createHoldBack } from '../../src/gateway/hold-back.ts'
import { openDoors } from './doors.ts'

/** As much of a reply as is looked at. */
function answer(statusCode: number) {
  const headers: Record<string, string> = {}
  const reply = {
    statusCode,
    header: (name: string, value: string) => (headers[name] = value),
  }
  return { reply: reply as never, headers }
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return performance.now() - startedAtMs
}

test('refusals leave one after the other, and the first of them at once', async () => {
  const holdBack = createHoldBack({ perSecond: 50, maxWaitMs: 10_000 })
  let [first, left] = [0, 0]
  const took = await msOf(() =>
    Promise.all(
      Array.from({ length: 11 }, async (_, i) => {
        await holdBack({} as never, answer(429).reply)
        if (i === 0) first = left
        left++
      }),
    ),
  )
  assert.equal(first, 0)
  // Ten of them wait 20 ms more than the one before; a timer may be early by one.
  assert.ok(took >= 190, `${took}`)
})

test('nobody waits longer than the limit, and other answers wait for nothing', async () => {
  const holdBack = createHoldBack({ perSecond: 0.001, maxWaitMs: 50 })
  await holdBack({} as never, answer(429).reply)
  assert.ok((await msOf(() => holdBack({} as never, answer(429).reply))) < 5_000)
  const free = createHoldBack({ perSecond: 0.001, maxWaitMs: 600_000 })
  await free({} as never, answer(429).reply)
  for (const status of [200, 401, 403, 503]) await free({} as never, answer(status).reply)
})

test('when too many wait, the next refusal leaves at once and ends its connection', async () => {
  const holdBack = createHoldBack({ perSecond: 0.001, maxWaitMs: 300, maxWaiting: 3 })
  await holdBack({} as never, answer(429).reply)
  const answers = Array.from({ length: 3 }, () => answer(429))
  const waiting = answers.map(({ reply }) => holdBack({} as never, reply))
  const { reply, headers } = answer(429)
  let isEnded = false
  void Promise.all(waiting).then(() => (isEnded = true))
  await holdBack({} as never, reply)
  assert.equal(isEnded, false)
  assert.deepEqual(headers, { connection: 'close' })
  await Promise.all(waiting)
  assert.deepEqual(
    answers.map((each) => each.headers),
    [{}, {}, {}],
  )
})

test('doors that guesses are made at hold back what they refuse, others do not', async (t) => {
  const door = (path: string, tier: 'auth' | 'api') =>
    accountRoute({
      ...{ method: 'POST', path, credential: 'none', tier, status: 200 },
      ...{ name: 'test', summary: 'Test', description: '', tag: 'Test' },
      shapes: { body: Type.Object({}), reply: Type.Object({}) },
      handle: async () => {
        throw new ApiError('RATE_LIMITED', 'Too often.', { retryAfter: 1, limit: 1, window: 1 })
      },
    })
  const { send } = await openDoors(t, {
    accountRoutes: [door('/auth/guess', 'auth'), door('/auth/other', 'api')],
    rates: { auth: 5, api: 100 },
  })
  const ask = (path: string) => send('POST', path, { 'content-type': 'application/json' }, '{}')
  const statuses = (path: string) =>
    Promise.all(Array.from({ length: 21 }, async () => (await ask(path)).status))
  const took = await msOf(async () =>
    assert.deepEqual(new Set(await statuses('/v1/auth/guess')), new Set([429])),
  )
  // A hundred a second: of the door's own refusals, and of those of the limit before it.
  assert.ok(took >= 190, `${took}`)
  assert.deepEqual(new Set(await statuses('/v1/auth/other')), new Set([429]))
})
