import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { fillEndpoints, openPlainReceiver } from '../support/delivery-world.ts'
import { eventually, openWorld, type Answer, type Member } from '../support/world.ts'

const CALLS = 20
const FANOUT_BYTES = 1_000
const HOOK = { url: 'https://192.0.43.8/hook', events: ['*'], status: 'paused' }
const SECRETS = createSecrets('a secret key for the tests of ceilings')

function errorOf({ status, body }: Answer) {
  return { status, code: body?.error?.code, details: body?.error?.details }
}

test('ceilings of one workspace', async (t) => {
  const world = await openWorld(t, {
    config: {
      egressAllowedCidrs: ['127.0.0.0/8'],
      webhookAllowHttp: true,
      webhookCallsPerMinute: CALLS,
      webhookMaxFanoutBytes: FANOUT_BYTES,
    },
  })
  const create = async (owner: Member, changes: object = {}): Promise<string> => {
    const made = await owner.post('/webhooks', { ...HOOK, ...changes })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body.data.id
  }
  const refusedForRate = (answer: Answer) => {
    const { status, code, details } = errorOf(answer)
    assert.deepEqual([status, code], [429, 'RATE_LIMITED'])
    assert.deepEqual([details.limit, details.window], [CALLS, 60])
    assert.ok(details.retryAfter >= 1 && details.retryAfter <= 60)
    assert.equal(answer.headers.get('retry-after'), String(details.retryAfter))
  }

  await t.test(
    'the endpoint after the hundredth is refused, however many ask at once',
    async () => {
      const owner = await world.member()
      await fillEndpoints({ sql: world.sql, secrets: SECRETS }, owner.workspaceId, HOOK.url, 98)
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => owner.post('/webhooks', HOOK)),
      )
      const made = answers.filter(({ status }) => status === 201)
      assert.equal(made.length, 2)
      const details = { limit: 'webhook_endpoints', max: 100, used: 100 }
      for (const answer of answers.filter(({ status }) => status !== 201))
        assert.deepEqual(errorOf(answer), { status: 403, code: 'PLAN_LIMIT_REACHED', details })
      await owner.delete(`/webhooks/endpoints/${made[0]!.body.data.id}`)
      assert.equal((await owner.post('/webhooks', HOOK)).status, 201)
      assert.equal((await (await world.member()).post('/webhooks', HOOK)).status, 201)
    },
  )

  await t.test('tests, dispatches, retries and replays have one rate together', async () => {
    const owner = await world.member()
    const id = await create(owner)
    const since = new Date(world.clock.now).toISOString()
    const calls = [
      () => owner.post(`/webhooks/endpoints/${id}/test`),
      () => owner.post('/webhooks/dispatch', { type: 'domain.failed' }),
      () => owner.post(`/webhooks/endpoints/${id}/replay`, { since, until: since }),
      () => owner.post('/webhooks/deliveries/retry'),
    ]
    for (let n = 0; n < CALLS; n++)
      assert.equal((await calls[n % calls.length]!()).status, 202, `call ${n + 1}`)
    const [sent] = (await owner.get('/webhooks/deliveries')).body.data
    for (const call of [...calls, () => owner.post(`/webhooks/deliveries/${sent.id}/retry`)])
      refusedForRate(await call())
    // A dispatch is refused before its body is read, and reading goes on.
    refusedForRate(await owner.post('/webhooks/dispatch', { type: 'x' }))
    assert.equal((await owner.get('/webhooks/deliveries')).body.meta.total, CALLS / 4)
    const other = await world.member()
    const answer = await other.post('/webhooks/dispatch', { type: 'domain.failed' })
    assert.equal(answer.status, 202)
  })

  await t.test('a replay of many events counts as one call for each hundred', async () => {
    const owner = await world.member()
    const id = await create(owner)
    await world.sql`
      insert into events (id, created_at, workspace_id, type, data)
      select 'evt_' || n || ${owner.workspaceId}::text, now(), ${owner.workspaceId}, 'link.created', '{}'
      from generate_series(1, ${100 * CALLS}::int) as n`
    const path = `/webhooks/endpoints/${id}/replay`
    const since = new Date(Date.now() - 60_000).toISOString()
    const until = new Date(Date.now() + 60_000).toISOString()
    const first = await owner.post(path, { since, until })
    assert.deepEqual([first.status, first.body.data.queued], [202, 100 * CALLS])
    refusedForRate(await owner.post(path, { since, until }))
    assert.equal((await owner.get('/webhooks/deliveries')).body.meta.total, 100 * CALLS)
  })

  await t.test(
    'a dispatch that would send too much in all is refused and leaves no row',
    async () => {
      const owner = await world.member()
      const receiver = await openPlainReceiver(t)
      const url = receiver.url
      for (const events of [['*', 'domain.failed'], ['domain.failed'], ['link.created']])
        await create(owner, { url, events, status: 'active' })
      await create(owner, { url })
      const dispatch = (chars: number) => {
        // A third of the bytes in characters of two.
        const text = 'ü'.repeat(chars / 3) + 'x'.repeat(chars / 3)
        return owner.post('/webhooks/dispatch', { type: 'domain.failed', payload: { text } })
      }
      const wrap = '{"text":""}'.length
      const bytes = FANOUT_BYTES / 2 - wrap
      assert.equal(bytes % 3, 0)
      const refused = await dispatch(bytes + 3)
      const details = { limitBytes: FANOUT_BYTES, bytes: FANOUT_BYTES + 6, endpoints: 2 }
      assert.deepEqual(errorOf(refused), { status: 413, code: 'PAYLOAD_TOO_LARGE', details })
      const [rows] = await world.sql<{ n: number }[]>`
      select (select count(*) from events where workspace_id = ${owner.workspaceId})
        + (select count(*) from webhook_queue where workspace_id = ${owner.workspaceId})
        + (select count(*) from webhook_log where workspace_id = ${owner.workspaceId}) as n`
      assert.equal(rows!.n, 0)
      assert.deepEqual((await owner.get('/audit-log?action=webhook.dispatched')).body.data, [])
      assert.deepEqual((await dispatch(bytes)).body.data, { dispatched: 2 })
      await eventually(async () => assert.equal(receiver.arrivals.length, 2))
    },
  )
})

test('a dispatch of many bytes counts as one call for each MiB', async (t) => {
  const world = await openWorld(t, { config: { webhookCallsPerMinute: 10 } })
  const owner = await world.member()
  await fillEndpoints({ sql: world.sql, secrets: SECRETS }, owner.workspaceId, HOOK.url, 55)
  const send = (chars: number) =>
    owner.post('/webhooks/dispatch', {
      type: 'link.created',
      payload: { text: 'x'.repeat(chars) },
    })
  const large = await send(100_000)
  assert.deepEqual([large.status, large.body.data?.dispatched], [202, 55])
  // The large one took 6 of the 10.
  for (let n = 0; n < 4; n++) assert.equal((await send(1)).status, 202)
  assert.equal((await send(1)).status, 429)
})
