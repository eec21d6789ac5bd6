import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/platform/core/errors.ts'
import { keyOf, openTestGateway, MEMBERSHIP, sessionOf } from '../support/test-gateway.ts'

const KEY = { authorization: 'Bearer member' }
const FORM = { 'content-type': 'application/json' }

test('limits of requests', async (t) => {
  await t.test('every answer to an identified caller reports the rest of the limit', async () => {
    const { send } = await openTestGateway(t, { rates: { api: 10 } })
    const answers = [
      await send('GET', '/v1/things', KEY),
      await send('POST', '/v1/things', { ...KEY, ...FORM }, '{}'),
      await send('GET', '/v1/session-only', KEY),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400, 403],
    )
    answers.forEach(({ headers }, i) => {
      assert.equal(headers['x-ratelimit-limit'], '10')
      assert.equal(headers['x-ratelimit-remaining'], String(9 - i))
      const resetInMs = Number(headers['x-ratelimit-reset']) * 1_000 - Date.now()
      assert.ok(resetInMs > 0 && resetInMs < 62_000, 'the reset is in epoch seconds')
      assert.equal(headers['ratelimit-policy'], '"api";q=10;w=60')
      assert.match(String(headers['ratelimit']), new RegExp(`^"api";r=${9 - i};t=\\d{1,2}$`))
    })
    assert.equal((await send('GET', '/v1/things')).headers['x-ratelimit-limit'], undefined)
  })

  await t.test('beyond it is a 429 that says when to come back', async () => {
    const { send } = await openTestGateway(t, { rates: { api: 2 } })
    await send('GET', '/v1/things', KEY)
    await send('GET', '/v1/things', KEY)
    const { status, headers, body } = await send('GET', '/v1/things', KEY)
    assert.equal(status, 429)
    const { retryAfter, limit, window } = body.error.details
    assert.deepEqual([body.error.code, limit, window], ['RATE_LIMITED', 2, 60])
    assert.ok(retryAfter >= 1 && retryAfter <= 60)
    assert.equal(headers['retry-after'], String(retryAfter))
    assert.equal(headers['x-ratelimit-remaining'], '0')
    assert.ok(Number(headers['x-ratelimit-reset']) >= Math.floor(Date.now() / 1_000))
  })

  await t.test('each key and each user has its own limit', async () => {
    const { send, keys } = await openTestGateway(t, { rates: { api: 1 } })
    keys.set('other', keyOf('other'))
    const cookie = { cookie: 'signpost_session=sess' }
    for (const one of [KEY, { authorization: 'Bearer other' }, cookie]) {
      assert.equal((await send('GET', '/v1/things', one)).status, 200)
      assert.equal((await send('GET', '/v1/things', one)).status, 429)
    }
  })

  await t.test('a workspace may have its own number, and a plan another', async () => {
    const gateway = await openTestGateway(t, {
      planRequestsPerMinute: (plan) => (plan === 'free' ? 60 : null),
    })
    const { send, keys, sessions } = gateway
    keys.set('slow', keyOf('slow', { apiRequestsPerMinute: 7, plan: 'free' }))
    keys.set('free', keyOf('free', { plan: 'free' }))
    sessions.set('slow', sessionOf('slow', { ...MEMBERSHIP, apiRequestsPerMinute: 8 }))
    const limitOf = async (headers: Record<string, string>) =>
      (await send('GET', '/v1/things', headers)).headers['x-ratelimit-limit']
    assert.equal(await limitOf({ authorization: 'Bearer slow' }), '7')
    assert.equal(await limitOf({ authorization: 'Bearer free' }), '60')
    assert.equal(await limitOf({ cookie: 'signpost_session=slow' }), '8')
    assert.equal(await limitOf(KEY), '1000000')
  })

  await t.test('previews and conversions are limited apart from the rest', async () => {
    const { send } = await openTestGateway(t, { rates: { preview: 1, ingestion: 2 } })
    const preview = await send('GET', '/v1/preview', KEY)
    assert.equal(preview.headers['ratelimit-policy'], '"preview";q=1;w=60')
    assert.equal((await send('GET', '/v1/preview', KEY)).status, 429)
    const conversion = await send('GET', '/v1/conversions', KEY)
    assert.equal(conversion.headers['ratelimit-policy'], '"ingestion";q=2;w=1')
    assert.equal((await send('GET', '/v1/things', KEY)).status, 200)
  })

  await t.test('sign-ins are limited by address, IPv6 by its /64', async () => {
    const { send } = await openTestGateway(t, { rates: { auth: 2 }, trustedProxies: ['1'] })
    const from = async (address: string) => {
      const headers = { ...FORM, 'x-forwarded-for': address }
      return (await send('POST', '/v1/auth/sign-in', headers, '{"name":"x"}')).status
    }
    assert.deepEqual([await from('203.0.113.1'), await from('203.0.113.1')], [200, 200])
    assert.equal(await from('203.0.113.1'), 429)
    assert.equal(await from('203.0.113.2'), 200)
    assert.deepEqual([await from('2001:db8::1'), await from('2001:db8::ffff:1')], [200, 200])
    assert.equal(await from('2001:db8:0:0:9::1'), 429)
    assert.equal(await from('2001:db8:0:1::1'), 200)
  })

  await t.test('a sign-in from a foreign page takes nothing of the limit', async () => {
    const { send } = await openTestGateway(t, { rates: { auth: 1 } })
    const foreign = { ...FORM, origin: 'https://elsewhere.example' }
    for (let i = 0; i < 3; i++)
      assert.equal((await send('POST', '/v1/auth/sign-in', foreign, '{"name":"x"}')).status, 403)
    assert.equal((await send('POST', '/v1/auth/sign-in', FORM, '{"name":"x"}')).status, 200)
  })

  await t.test(
    'after too many invalid credentials an address gets 429 for invalid ones, and valid ones pass',
    async () => {
      const gateway = await openTestGateway(t, { trustedProxies: ['1'] })
      const from = (address: string, token: string) =>
        gateway.send('GET', '/v1/things', {
          authorization: `Bearer ${token}`,
          'x-forwarded-for': address,
        })
      // As many requests over HTTP would take seconds.
      for (let i = 1; i < 6_000; i++) await gateway.limits.countRefusal('203.0.113.1')
      assert.equal((await from('203.0.113.1', 'guess')).status, 401)
      const last = await from('203.0.113.1', 'guess')
      assert.equal(last.status, 429)
      assert.ok(Number(last.headers['retry-after']) > 0)
      assert.equal((await from('203.0.113.1', 'guess')).status, 429)
      assert.equal((await from('203.0.113.1', 'member')).status, 200)
      const session = { cookie: 'signpost_session=sess', 'x-forwarded-for': '203.0.113.1' }
      assert.equal((await gateway.send('GET', '/v1/things', session)).status, 200)
      assert.equal((await from('203.0.113.2', 'guess')).status, 401)
      gateway.clock.now += 61_000
    },
  )
})

test('the requests of a plan', async (t) => {
  let used = 0
  const quota = {
    take: async (workspaceId: string, plan: string) => {
      assert.deepEqual([workspaceId, plan], ['ws_1', 'self_hosted'])
      if (used >= 2)
        throw new ApiError('PLAN_LIMIT_REACHED', 'The plan allows 2 requests.', { limit: 2 })
      return { limit: 2, used: ++used }
    },
  }
  const { send } = await openTestGateway(t, { quota })
  const cookie = { cookie: 'signpost_session=sess' }

  await t.test('are counted for keys and sessions, once they are worth it', async () => {
    await send('GET', '/v1/auth/me', cookie)
    await send('POST', '/v1/things', { ...KEY, ...FORM }, '{}')
    await send('GET', '/v1/session-only', KEY)
    assert.equal(used, 0)
    const first = await send('GET', '/v1/things', KEY)
    assert.equal(first.headers['x-quota-limit'], '2')
    assert.equal(first.headers['x-quota-remaining'], '1')
    assert.equal((await send('GET', '/v1/workspaces', cookie)).headers['x-quota-remaining'], '0')
  })

  await t.test(
    'a request beyond the quota is a 403, except on routes that show and change the plan',
    async () => {
      const refused = await send('GET', '/v1/things', KEY)
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'PLAN_LIMIT_REACHED'])
      assert.equal((await send('GET', '/v1/workspaces', cookie)).status, 403)
      for (const path of ['/v1/billing/usage', '/v1/plans'])
        assert.equal((await send('GET', path, KEY)).status, 200)
      assert.equal((await send('GET', '/v1/auth/me', cookie)).status, 200)
    },
  )
})
