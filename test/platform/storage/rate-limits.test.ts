import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../src/platform/core/errors.ts'
import { openLog } from '../../../src/platform/core/log.ts'
import { openRateLimits, type RateLimiter } from '../../../src/platform/limits/rate-limits.ts'
import { freePort } from '../../support/free-port.ts'
import { SKIP_WITHOUT_REDIS, startRedis } from '../../support/redis.ts'
import { eventually } from '../../support/world.ts'

const log = openLog('silent')
const FOUR = { points: 4, seconds: 60, withoutRedis: 'as many' } as const

test('limits in memory', async (t) => {
  await using limits = await openRateLimits({ redisUrl: null, log })

  await t.test('a key has its points, then a refusal that says when to come back', async () => {
    const limiter = limits.limiter('account', FOUR)
    const before = Date.now()
    const states = [await limiter.consume('a'), await limiter.consume('a', 3)]
    assert.deepEqual(
      states.map(({ limit, remaining }) => [limit, remaining]),
      [
        [4, 3],
        [4, 0],
      ],
    )
    assert.ok(states[0]!.resetAtMs >= before + 60_000)
    const refused = await refusalOf(limiter, 'a')
    assert.equal(refused?.status, 429)
    const { retryAfter } = refused.details as { retryAfter: number }
    assert.ok(retryAfter >= Math.ceil((states[0]!.resetAtMs - Date.now()) / 1_000))
    assert.ok(retryAfter <= 60)
    assert.deepEqual(refused.details, { retryAfter, limit: 4, window: 60 })
    assert.equal((await limiter.consume('b')).remaining, 3)
  })

  await t.test('a limit of the call replaces the own one, downwards and upwards', async () => {
    const limiter = limits.limiter('account', FOUR)
    assert.equal((await limiter.consume('a', 1, 100)).remaining, 99)
    await limiter.consume('a', 4, 100)
    assert.ok(await refusalOf(limiter, 'a', 4))
    assert.equal((await limiter.consume('a', 1, 100)).limit, 100)
  })

  await t.test('what is given back can be taken again, and no more than was taken', async () => {
    await checkGivingBack(limits.limiter('account', FOUR))
  })

  await t.test('of a window that has ended nothing is given back', async () => {
    const limiter = limits.limiter('account', { ...FOUR, seconds: 1 })
    const taken = await limiter.consume('a')
    await eventually(async () => assert.ok(Date.now() > taken.resetAtMs + 10), 10_000)
    await limiter.giveBack('a', taken)
    assert.equal((await limiter.consume('a')).remaining, 3)
    await limiter.giveBack('a', taken)
    assert.equal((await limiter.consume('a')).remaining, 2)
  })

  await t.test('a window ends', async () => {
    const limiter = limits.limiter('account', { ...FOUR, points: 1, seconds: 1 })
    let key = 0
    // Another key where the window was over before it was asked again.
    await eventually(async () => {
      await limiter.consume(String(++key))
      assert.ok(await refusalOf(limiter, String(key)))
    })
    await eventually(() => limiter.consume(String(key)), 10_000)
  })

  await t.test('parallel requests take no more than there is', async () => {
    const limiter = limits.limiter('account', FOUR)
    const taken = await Promise.allSettled(Array.from({ length: 50 }, () => limiter.consume('a')))
    assert.equal(taken.filter(({ status }) => status === 'fulfilled').length, 4)
  })

  await t.test('a flood of keys shares counters instead of memory', async () => {
    const limiter = limits.limiter('account', { ...FOUR, points: 1_000 })
    for (let i = 0; i < 100_000; i++) await limiter.consume(String(i))
    let lowest = 1_000
    for (let i = 100_000; i < 120_000; i++)
      lowest = Math.min(lowest, (await limiter.consume(String(i))).remaining)
    assert.ok(lowest < 999, 'keys beyond the bound are counted together')
  })
})

test('limits in Redis', { skip: SKIP_WITHOUT_REDIS }, async (t) => {
  const port = await freePort()
  let redis = await startRedis(t, port)
  const redisUrl = `redis://127.0.0.1:${port}`
  const openLimits = () => openRateLimits({ redisUrl, log })
  const processes = [await openLimits(), await openLimits()]
  t.after(() => Promise.all(processes.map((each) => each[Symbol.asyncDispose]())))
  const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]]

  await t.test('two processes count together', async () => {
    const own = { ...FOUR, points: 1_000 }
    const [here, there] = [one.limiter('api', own), other.limiter('api', own)]
    await eventually(async () => {
      const before = (await here.consume('a')).remaining
      const after = (await there.consume('a')).remaining
      assert.equal(after, before - 1)
      assert.equal((await here.consume('a')).remaining, after - 1)
    })
    const limiters = [here, there]
    let key = 0
    // Another key where a command took so long that a process counted by itself.
    await eventually(async () => {
      key++
      const taken = await Promise.allSettled(
        Array.from({ length: 60 }, (_, i) => limiters[i % 2]!.consume(`b${key}`, 1, 20)),
      )
      assert.equal(taken.filter(({ status }) => status === 'fulfilled').length, 20)
    })
  })

  await t.test('what is given back can be taken again, by either', async () => {
    await eventually(async () => {
      const key = `given-back-${Math.random()}`
      await checkGivingBack(one.limiter('mail', FOUR), other.limiter('mail', FOUR), key)
    })
  })

  const local = one.limiter('preview', FOUR)
  const tight = one.limiter('factor', { ...FOUR, withoutRedis: 'a quarter' })
  const behaves = async (key: string) => {
    assert.equal(await takenOf(local, key), 4)
    assert.equal(await takenOf(tight, key), 1)
  }

  await t.test(
    'while Redis hangs, each limiter follows its setting, and no request waits',
    async () => {
      // Again where the machine paused: who waits does so at every command, every time.
      await eventually(async () => {
        redis.kill('SIGSTOP')
        const startedAt = performance.now()
        await behaves(`hanging-${Math.random()}`)
        const tookMs = performance.now() - startedAt
        redis.kill('SIGCONT')
        await eventually(async () => assert.equal(await takenOf(tight, `back-${Math.random()}`), 4))
        // One command times out; all others are not sent.
        assert.ok(tookMs < 2_000)
      })
    },
  )

  await t.test('giving back does not throw while Redis is gone', async () => {
    redis.kill('SIGSTOP')
    const taken = { limit: 4, remaining: 3, resetAtMs: Date.now() + 60_000 }
    await tight.giveBack('a', taken)
    await tight.giveBack('a', taken)
    redis.kill('SIGCONT')
    await eventually(async () => assert.equal(await takenOf(tight, `back-${Math.random()}`), 4))
  })

  await t.test('the same when it is killed, and it is used again when it is back', async () => {
    redis.kill('SIGKILL')
    await new Promise((resolve) => redis.once('exit', resolve))
    await behaves('killed')
    redis = await startRedis(t, port)
    await eventually(async () => assert.equal(await takenOf(tight, `back-${Math.random()}`), 4))
  })
})

test('a Redis that never answered refuses no request', async (t) => {
  const limits = await openRateLimits({ redisUrl: `redis://127.0.0.1:${await freePort()}`, log })
  t.after(() => limits[Symbol.asyncDispose]())
  assert.equal(await takenOf(limits.limiter('account', FOUR), 'a'), 4)
})

async function checkGivingBack(limiter: RateLimiter, other = limiter, key = 'back'): Promise<void> {
  const taken = await limiter.consume(key, 4)
  assert.equal(taken.remaining, 0)
  await other.giveBack(key, taken)
  assert.equal((await limiter.consume(key)).remaining, 0)
  for (let i = 0; i < 10; i++) await other.giveBack(key, taken)
  assert.equal((await limiter.consume(key)).remaining, 3)
}

/** Number of ten requests that pass. */
async function takenOf(limiter: RateLimiter, key: string): Promise<number> {
  let taken = 0
  for (let i = 0; i < 10; i++) if (!(await refusalOf(limiter, key))) taken++
  return taken
}

async function refusalOf(
  limiter: RateLimiter,
  key: string,
  limit?: number,
): Promise<ApiError | null> {
  try {
    await limiter.consume(key, 1, limit)
    return null
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error
  }
}
