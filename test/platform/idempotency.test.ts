import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { createAudit } from '../../src/platform/audit/audit.ts'
import { createIdempotentResponses } from '../../src/platform/resources/idempotent-responses.ts'
import { createCapabilities } from '../../src/platform/plans/limits.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import { createSending } from '../../src/webhooks/endpoints/sending.ts'
import { openDeliveryWorld, openPlainReceiver } from '../support/delivery-world.ts'
import { NEVER } from '../support/never.ts'
import { asSystem } from '../support/privileges.ts'
import { eventually, openWorld, type Answer, type Member, type World } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const ON_LOOPBACK = { egressAllowedCidrs: ['127.0.0.0/8'], webhookAllowHttp: true }
const PATH = '/webhooks/dispatch'
const BODY = { type: 'link.created', payload: { orderId: 'A-1001' } }

const send = (member: Pick<Member, 'post'>, key: string, body: unknown = BODY) =>
  member.post(PATH, body, { 'idempotency-key': key })

async function countEvents({ sql }: Pick<World, 'sql'>): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*) as n from events`
  return row!.n
}

function assertConflict({ status, body }: Answer, reason: string): void {
  assert.deepEqual(
    [status, body.error?.code, body.error?.details.reason],
    [409, 'CONFLICT', reason],
    JSON.stringify(body),
  )
}

function isReplay({ headers }: Answer): boolean {
  return headers.get('idempotency-replayed') === 'true'
}

test('a key gives one effect and one answer', async (t) => {
  const world = await openWorld(t, { config: ON_LOOPBACK })
  const owner = await world.member()
  const receiver = await openPlainReceiver(t)
  const hook = { url: receiver.url, events: ['link.created'] }
  assert.equal((await owner.post('/webhooks/endpoints', hook)).status, 201)

  await t.test('50 parallel requests are one event and one delivery', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(owner, 'parallel')))
    const done = answers.filter(({ status }) => status === 202)
    assert.ok(done.length > 0)
    for (const { body } of done) assert.deepEqual(body.data, { dispatched: 1 })
    assert.equal(done.filter((answer) => !isReplay(answer)).length, 1)
    for (const answer of answers)
      if (answer.status !== 202) assertConflict(answer, 'request_under_way')
    assert.equal(await countEvents(world), 1)
    const again = await send(owner, 'parallel')
    assert.deepEqual(
      [again.status, again.body.data, isReplay(again)],
      [202, { dispatched: 1 }, true],
    )
    assert.equal(again.body.meta.requestId, again.headers.get('x-request-id'))
    assert.notEqual(again.body.meta.requestId, done[0]!.body.meta.requestId)
    await eventually(() => assert.equal(receiver.arrivals.length, 1))
  })

  await t.test('another body or query is refused, with or without a parallel request', async () => {
    const before = await countEvents(world)
    assertConflict(
      await send(owner, 'parallel', { type: 'link.created' }),
      'idempotency_key_reused',
    )
    const other = await owner.post(`${PATH}?x=1`, BODY, { 'idempotency-key': 'parallel' })
    assertConflict(other, 'idempotency_key_reused')
    assert.equal(await countEvents(world), before)
  })

  await t.test('the key belongs to the workspace, and to each of its credentials', async () => {
    const stranger = await world.member()
    const theirs = await send(stranger, 'parallel', { type: 'link.created' })
    assert.deepEqual([theirs.status, isReplay(theirs)], [202, false])
    const colleague = await world.member({ workspaceId: owner.workspaceId, role: 'admin' })
    assert.ok(isReplay(await send(colleague, 'parallel')))
    const session = await world.session(owner)
    assert.ok(isReplay(await send(session, 'parallel')))
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    assert.equal((await send(viewer, 'parallel')).status, 403)
  })

  await t.test('a refused request leaves its key free', async () => {
    assert.equal((await send(owner, 'refused', { type: 'no.such' })).status, 400)
    const after = await send(owner, 'refused')
    assert.deepEqual([after.status, isReplay(after)], [202, false])
  })

  await t.test('without the header each request has its effect', async () => {
    const before = await countEvents(world)
    for (let n = 0; n < 2; n++) assert.equal((await owner.post(PATH, BODY)).status, 202)
    assert.equal(await countEvents(world), before + 2)
  })

  await t.test('a key that is empty, too long or not printable ASCII is refused', async () => {
    const before = await countEvents(world)
    for (const key of ['', 'a'.repeat(256), 'caf\u00e9', 'a\tb']) {
      const { status, body } = await send(owner, key)
      assert.deepEqual(
        [status, body.error?.code, body.error?.details[0].path],
        [400, 'VALIDATION_ERROR', 'Idempotency-Key'],
        JSON.stringify(key),
      )
    }
    assert.equal(await countEvents(world), before)
    for (const key of ['~', 'a b', 'a'.repeat(255)])
      assert.equal((await send(owner, key)).status, 202)
  })

  await t.test('the kept answer is sealed', async () => {
    const rows = await world.sql`select k::text as text from idempotency_keys k`
    assert.ok(rows.length > 0)
    const hex = Buffer.from('dispatched').toString('hex')
    for (const row of rows)
      assert.doesNotMatch(String(row['text']), new RegExp(`dispatched|parallel|${hex}`))
  })

  await t.test('after 24 hours the key is free again', async () => {
    const before = await countEvents(world)
    world.clock.advance(DAY_MS - 60_000)
    assert.ok(isReplay(await send(owner, 'parallel')))
    world.clock.advance(61_000)
    const [renewed, replayed] = [await send(owner, 'parallel'), await send(owner, 'parallel')]
    assert.deepEqual([renewed.status, isReplay(renewed), isReplay(replayed)], [202, false, true])
    assert.equal(await countEvents(world), before + 1)
  })
})

test('an answer that did not reach the client is given to its next request', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const { host, port, hostname } = new URL(world.origin)
  const text = JSON.stringify(BODY)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /v1${PATH} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${owner.apiKey}\r\n` +
      `content-type: application/json\r\nidempotency-key: lost\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  )
  await eventually(async () => assert.equal(await countEvents(world), 1))
  socket.destroy()
  const again = await eventually(async () => {
    const answer = await send(owner, 'lost')
    assert.equal(answer.status, 202)
    return answer
  })
  assert.ok(isReplay(again))
  assert.equal(await countEvents(world), 1)
})

test('a write whose answer cannot be kept is not committed', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await world.sql`alter table idempotency_keys add constraint broken check (false)`
  assert.equal((await send(owner, 'broken')).status, 500)
  assert.equal(await countEvents(world), 0)
  await world.sql`alter table idempotency_keys drop constraint broken`
  assert.deepEqual([(await send(owner, 'broken')).status, await countEvents(world)], [202, 1])
})

test('a replay costs none of the rate of webhook calls', async (t) => {
  const world = await openWorld(t, { config: { webhookCallsPerMinute: 2 } })
  const owner = await world.member()
  assert.equal((await send(owner, 'first')).status, 202)
  for (let n = 0; n < 5; n++) assert.ok(isReplay(await send(owner, 'first')))
  assert.equal((await send(owner, 'second')).status, 202)
  const refused = await send(owner, 'third')
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMITED'])
  assert.ok(isReplay(await send(owner, 'first')))
  assertConflict(await send(owner, 'first', { type: 'link.created' }), 'idempotency_key_reused')
  assert.equal(await countEvents(world), 2)
})

test('a workspace has a bounded number of keys', async (t) => {
  const world = await openWorld(t, { config: { idempotencyKeysPerDay: 2 } })
  const owner = await world.member()
  for (const key of ['a', 'b']) assert.equal((await send(owner, key)).status, 202)
  const { status, body } = await send(owner, 'c')
  assert.deepEqual([status, body.error.details.limit, body.error.details.window], [429, 2, 86_400])
  assert.ok(isReplay(await send(owner, 'a')))
  assert.equal((await owner.post(PATH, BODY)).status, 202)
  assert.equal((await send(await world.member(), 'c')).status, 202)
})

test('a gateway in front of services forwards the key and the replayed answer', async (t) => {
  const world = await openWorld(t, { isPair: true })
  const owner = await world.member()
  const first = await send(owner, 'pair')
  const second = await send(owner, 'pair')
  assert.deepEqual([first.status, isReplay(first)], [202, false])
  assert.deepEqual(
    [second.status, second.body.data, isReplay(second)],
    [202, first.body.data, true],
  )
  assertConflict(await send(owner, 'pair', { type: 'link.created' }), 'idempotency_key_reused')
  assert.equal((await send(owner, 'b'.repeat(256))).status, 400)
  assert.equal(await countEvents(world), 1)
})

test('of requests to several processes one is committed', async (t) => {
  const world = await openDeliveryWorld(t)
  const kept = createIdempotentResponses({
    sql: world.request,
    systemSql: world.system,
    secrets: createSecrets('key'),
    clock: world.clock,
    keys: { consume: async () => ({ limit: 1, remaining: 1, resetAtMs: 0 }) },
  })
  const sending = createSending({
    sql: world.request,
    clock: world.clock,
    audit: createAudit(world.clock),
    saveIdempotentResponse: kept.keep,
    requireCapability: createCapabilities(readPlans(null)),
    calls: { consume: async () => {}, check: async () => {} },
    maxFanoutBytes: Infinity,
    maxEndpoints: 100,
  })
  const idempotencyKey = { id: 'digest', fingerprint: 'request' }
  const principal: Principal = { ...(await world.workspace()), idempotencyKey }
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => sending.dispatch(principal, BODY)),
  )
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results)
    if (result.status === 'rejected') assert.equal(result.reason.code, 'CONFLICT')
  assert.equal(await countEvents(world), 1)
  assert.deepEqual(await kept.find(principal, 'digest'), {
    fingerprint: 'request',
    answer: { dispatched: 0 },
  })

  // 24 hours later the row is deleted, in pieces.
  await world.sql`
    insert into idempotency_keys select 'old' || n, ${principal.workspaceId}, '', now() from generate_series(1, 12000) n`
  world.advance(DAY_MS)
  await kept.deleteExpired(NEVER)
  const [left] = await asSystem(world.sql)`select count(*) as n from idempotency_keys`
  assert.equal(left!['n'], 0)
})
