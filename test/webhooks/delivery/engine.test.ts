import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sign } from '../../../src/webhooks/delivery/signature.ts'
import { freePort } from '../../support/free-port.ts'
import { openLines } from '../../support/mail-world.ts'
import { eventually } from '../../support/world.ts'
import { openDeliveryWorld, openPlainReceiver, SCHEDULE } from '../../support/delivery-world.ts'
import { sweepPassed } from '../../support/fault-stage.ts'

const ALL = { limit: 50, offset: 0 }
/** Real time passes beside the turned clock: this long before it is due, nothing is sent. */
const BEFORE_DUE_MS = 20_000

test('an event is delivered once, signed, with the headers and the body of the spec', async (t) => {
  const world = await openDeliveryWorld(t)
  const receiver = await openPlainReceiver(t)
  world.startEngine()
  const principal = await world.workspace()
  const { id, secret } = await world.endpoints.create(principal, {
    url: receiver.url,
    events: ['*'],
  })
  await world.publish(principal, { id: 'lnk_1', note: 'ü\u2028😀', big: Number.POSITIVE_INFINITY })

  await eventually(async () => assert.equal(receiver.arrivals.length, 1))
  const { headers, body } = receiver.arrivals[0]!
  const sent = JSON.parse(body)
  assert.deepEqual(Object.keys(sent), [
    'id',
    'type',
    'workspaceId',
    'endpointId',
    'attempt',
    'createdAt',
    'data',
  ])
  assert.equal(sent.attempt, 1)
  assert.equal(sent.endpointId, id)
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['user-agent'], 'Service-Webhooks/1.0')
  assert.equal(headers['x-service-event'], 'link.created')
  assert.match(String(headers['x-service-event-id']), /^evt_/)
  const timestamp = Number(headers['x-service-timestamp'])
  assert.equal(headers['x-service-signature'], sign(secret, timestamp, body))

  const listed = await eventually(async () => {
    const page = await world.deliveries.list(principal, { ...ALL, status: 'completed' })
    assert.equal(page.meta.total, 1)
    return page.data[0]!
  })
  assert.equal(listed.id, sent.id)
  assert.equal(listed.responseStatus, 200)
  const detail = await world.deliveries.get(principal, listed.id)
  assert.equal(detail.responseBody, 'thanks')
  assert.equal(detail.requestBody, body)
  assert.equal(detail.attemptLog.length, 1)
  assert.equal((await world.endpoints.get(principal, id)).failureCount, 0)
})

test('five attempts on the schedule, then dead letter; a retry grants one more', async (t) => {
  const world = await openDeliveryWorld(t)
  let status = 500
  const receiver = await openPlainReceiver(t, () => status)
  world.startEngine()
  const principal = await world.workspace()
  const { id } = await world.endpoints.create(principal, {
    url: receiver.url,
    events: ['link.created'],
  })
  await world.publish(principal)
  for (let attempt = 1; attempt <= 5; attempt++) {
    const { id: deliveryId, nextAttemptAt } = await eventually(async () => {
      const { data } = await world.deliveries.list(principal, ALL)
      assert.equal(data[0]?.attempts, attempt)
      return data[0]!
    })
    assert.equal(receiver.arrivals.length, attempt)
    if (attempt < 5) {
      const delayMs = SCHEDULE[attempt - 1]! * 1_000
      const last = (await world.deliveries.get(principal, deliveryId)).attemptLog.at(-1)!
      assert.ok(Date.parse(nextAttemptAt!) - Date.parse(last.at) >= delayMs)
      world.advance(delayMs - BEFORE_DUE_MS)
      await sweepPassed(t, world)
      assert.equal(receiver.arrivals.length, attempt)
      world.advance(BEFORE_DUE_MS + 11_000)
    }
  }
  const [dead] = (await world.deliveries.list(principal, { ...ALL, status: 'dead_letter' })).data
  assert.equal(dead?.attempts, 5)
  const detail = await world.deliveries.get(principal, dead!.id)
  assert.deepEqual(
    detail.attemptLog.map((entry) => [entry.attempt, entry.responseStatus]),
    [1, 2, 3, 4, 5].map((attempt) => [attempt, 500]),
  )
  assert.equal((await world.endpoints.get(principal, id)).failureCount, 5)

  status = 204
  const done = await Promise.allSettled(
    [1, 2, 3].map(() => world.sending.retry(principal, dead!.id)),
  )
  assert.equal(done.filter((retry) => retry.status === 'fulfilled').length, 1)
  await eventually(async () => {
    const { data } = await world.deliveries.list(principal, { ...ALL, status: 'completed' })
    assert.equal(data[0]?.attempts, 6)
  })
  assert.equal(receiver.arrivals.length, 6)
  assert.equal(world.retries.length, 5)
  const totals = await Promise.all(
    ['pending', 'processing', 'failed', 'dead_letter', 'completed'].map(
      async (name) => (await world.deliveries.list(principal, { ...ALL, status: name })).meta.total,
    ),
  )
  assert.deepEqual(totals, [0, 0, 0, 0, 1])
})

test('each attempt logs one line, at debug or when it failed at info, without secret, payload and URL', async (t) => {
  const world = await openDeliveryWorld(t)
  let status = 200
  const receiver = await openPlainReceiver(t, () => status)
  const { log, lines } = openLines()
  world.startEngine({ alter: (deps) => ({ ...deps, log }) })
  const principal = await world.workspace()
  const { id, secret } = await world.endpoints.create(principal, {
    url: `${receiver.url}/path-token?key=query-token`,
    events: ['*'],
  })
  const readAttempts = () =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ deliveryId }) => deliveryId !== undefined)
  /** Publishes one event. @returns its delivery and the line of its attempt */
  const attempt = async (count: number) => {
    await world.publish(principal, { note: 'payload-marker' })
    return eventually(async () => {
      assert.equal(readAttempts().length, count)
      const [delivery] = (await world.deliveries.list(principal, ALL)).data
      assert.equal(delivery!.attempts, 1)
      const { time: _time, durationMs, ...line } = readAttempts().at(-1)!
      assert.ok(Number(durationMs) >= 0)
      return { delivery: delivery!, line }
    })
  }
  const expected = { endpointId: id, attempt: 1 }

  const delivered = await attempt(1)
  assert.deepEqual(delivered.line, {
    ...expected,
    level: 'debug',
    msg: 'webhook delivered',
    eventId: delivered.delivery.eventId,
    deliveryId: delivered.delivery.id,
    status: 200,
  })

  status = 500
  const failed = await attempt(2)
  assert.deepEqual(failed.line, {
    ...expected,
    level: 'info',
    msg: 'webhook attempt failed',
    eventId: failed.delivery.eventId,
    deliveryId: failed.delivery.id,
    status: 500,
  })

  const closed = `http://127.0.0.1:${await freePort()}/path-token?key=query-token`
  await world.endpoints.update(principal, id, { url: closed })
  const refused = await attempt(3)
  assert.equal(refused.line['level'], 'info')
  assert.equal(refused.line['error'], 'connection_refused')
  assert.ok(!('status' in refused.line))

  const written = lines.join('')
  for (const hidden of [secret, 'payload-marker', 'path-token', 'query-token', 'v1='])
    assert.ok(!written.includes(hidden), hidden)
})
