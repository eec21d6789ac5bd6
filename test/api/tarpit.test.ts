import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { ApiError } from '../../src/platform/core/errors.ts'
import { route } from '../../src/platform/routes/route.ts'
import { createTarpit } from '../../src/api/requests/steps.ts'
import { openTestGateway } from '../support/test-gateway.ts'

/** The part of a reply that the tarpit uses. */
function answer(statusCode: number) {
  const headers: Record<string, string> = {}
  const reply = {
    statusCode,
    header: (name: string, value: string) => (headers[name] = value),
  }
  return { reply: reply as never, headers }
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return performance.now() - startedAtMs
}

test('refusals leave one after the other, the first of them without delay', async () => {
  const tarpit = createTarpit({ perSecond: 50, maxWaitMs: 10_000 })
  let [first, left] = [0, 0]
  const took = await measureMs(() =>
    Promise.all(
      Array.from({ length: 11 }, async (_, i) => {
        await tarpit(answer(429).reply)
        if (i === 0) first = left
        left++
      }),
    ),
  )
  assert.equal(first, 0)
  // Ten of them wait 20 ms more than the one before; a timer may be early by one.
  assert.ok(took >= 190, `${took}`)
})

test('a refusal waits at most for the limit, and other answers are not delayed', async () => {
  const tarpit = createTarpit({ perSecond: 0.001, maxWaitMs: 50 })
  await tarpit(answer(429).reply)
  assert.ok((await measureMs(() => tarpit(answer(429).reply))) < 5_000)
  const free = createTarpit({ perSecond: 0.001, maxWaitMs: 600_000 })
  await free(answer(429).reply)
  for (const status of [200, 401, 403, 503]) await free(answer(status).reply)
})

test('when too many refusals wait, the next one leaves at once and closes its connection', async () => {
  const tarpit = createTarpit({ perSecond: 0.001, maxWaitMs: 300, maxWaiting: 3 })
  await tarpit(answer(429).reply)
  const answers = Array.from({ length: 3 }, () => answer(429))
  const waiting = answers.map(({ reply }) => tarpit(reply))
  const { reply, headers } = answer(429)
  let isEnded = false
  void Promise.all(waiting).then(() => (isEnded = true))
  await tarpit(reply)
  assert.equal(isEnded, false)
  assert.deepEqual(headers, { connection: 'close' })
  await Promise.all(waiting)
  assert.deepEqual(
    answers.map(({ headers: sent }) => sent),
    [{}, {}, {}],
  )
})

test('routes with the strict rate delay their refusals, others do not', async (t) => {
  const refusing = (path: `/${string}`, tier: 'auth' | 'api') =>
    route(`POST ${path}`, {
      requires: { credential: 'none' },
      tier,
      ...{ name: 'test', summary: 'Test', description: '', tag: 'Test' },
      shapes: { body: Type.Object({}), reply: Type.Object({}) },
      handle: async () => {
        throw new ApiError('RATE_LIMITED', 'Too often.', { retryAfter: 1, limit: 1, window: 1 })
      },
    })
  const { send } = await openTestGateway(t, {
    routes: [refusing('/auth/guess', 'auth'), refusing('/auth/other', 'api')],
    rates: { auth: 5, api: 100 },
  })
  const ask = (path: string) => send('POST', path, { 'content-type': 'application/json' }, '{}')
  const statuses = (path: string) =>
    Promise.all(Array.from({ length: 21 }, async () => (await ask(path)).status))
  const took = await measureMs(async () =>
    assert.deepEqual(new Set(await statuses('/v1/auth/guess')), new Set([429])),
  )
  // A hundred a second: refusals of the route itself, and of the rate before it.
  assert.ok(took >= 190, `${took}`)
  assert.deepEqual(new Set(await statuses('/v1/auth/other')), new Set([429]))
})
