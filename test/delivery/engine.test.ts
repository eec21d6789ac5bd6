import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sign } from '../../src/delivery/signature.ts'
import { eventually } from '../support/world.ts'
import { openDeliveryWorld, openPlainReceiver, SCHEDULE } from './delivery-world.ts'

const ALL = { limit: 50, offset: 0 }
/** Real time passes as well as what is turned: so long before it is due nothing is sent. */
const BEFORE_DUE_MS = 20_000

test('an event is delivered once, signed, with the headers and the body of the spec', async (t) => {
  const world = await openDeliveryWorld(t)
  const receiver = await openPlainReceiver(t)
  world.startEngine()
  const who = await world.workspace()
  const { id, secret } = await world.endpoints.create(who, { url: receiver.url, events: ['*'] })
  await world.publish(who, { id: 'lnk_1', note: 'ü\u2028😀', big: Number.POSITIVE_INFINITY })

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
    const page = await world.deliveries.list(who, { ...ALL, status: 'completed' })
    assert.equal(page.meta.total, 1)
    return page.data[0]!
  })
  assert.equal(listed.id, sent.id)
  assert.equal(listed.responseStatus, 200)
  const detail = await world.deliveries.get(who, listed.id)
  assert.equal(detail.responseBody, 'thanks')
  assert.equal(detail.requestBody, body)
  assert.equal(detail.attemptLog.length, 1)
  assert.equal((await world.endpoints.get(who, id)).failureCount, 0)
})

test('five attempts on the schedule, then dead letter; a retry grants one more', async (t) => {
  const world = await openDeliveryWorld(t)
  let status = 500
  const receiver = await openPlainReceiver(t, () => status)
  world.startEngine()
  const who = await world.workspace()
  const { id } = await world.endpoints.create(who, { url: receiver.url, events: ['link.created'] })
  await world.publish(who)
  for (let attempt = 1; attempt <= 5; attempt++) {
    const { id: deliveryId, nextAttemptAt } = await eventually(async () => {
      const { data } = await world.deliveries.list(who, ALL)
      assert.equal(data[0]?.attempts, attempt)
      return data[0]!
    })
    assert.equal(receiver.arrivals.length, attempt)
    if (attempt < 5) {
      const delayMs = SCHEDULE[attempt - 1]! * 1_000
      const last = (await world.deliveries.get(who, deliveryId)).attemptLog.at(-1)!
      assert.ok(Date.parse(nextAttemptAt!) - Date.parse(last.at) >= delayMs)
      world.advance(delayMs - BEFORE_DUE_MS)
      await new Promise((resolve) => setTimeout(resolve, 150))
      assert.equal(receiver.arrivals.length, attempt)
      world.advance(BEFORE_DUE_MS + 11_000)
    }
  }
  const [dead] = (await world.deliveries.list(who, { ...ALL, status: 'dead_letter' })).data
  assert.equal(dead?.attempts, 5)
  const detail = await world.deliveries.get(who, dead!.id)
  assert.deepEqual(
    detail.attemptLog.map((entry) => [entry.attempt, entry.responseStatus]),
    [1, 2, 3, 4, 5].map((attempt) => [attempt, 500]),
  )
  assert.equal((await world.endpoints.get(who, id)).failureCount, 5)

  status = 204
  const done = await Promise.allSettled([1, 2, 3].map(() => world.sending.retry(who, dead!.id)))
  assert.equal(done.filter((each) => each.status === 'fulfilled').length, 1)
  await eventually(async () => {
    const { data } = await world.deliveries.list(who, { ...ALL, status: 'completed' })
    assert.equal(data[0]?.attempts, 6)
  })
  assert.equal(receiver.arrivals.length, 6)
  assert.equal(world.retries.length, 5)
  const totals = await Promise.all(
    ['pending', 'processing', 'failed', 'dead_letter', 'completed'].map(
      async (each) => (await world.deliveries.list(who, { ...ALL, status: each })).meta.total,
    ),
  )
  assert.deepEqual(totals, [0, 0, 0, 0, 1])
})
