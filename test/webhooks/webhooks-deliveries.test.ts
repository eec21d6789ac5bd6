import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCatalogRow, EVENT_TYPES, type EventType } from '../../src/webhooks/events.ts'
import { sign } from '../../src/webhooks/delivery/signature.ts'
import { openPlainReceiver } from '../support/delivery-world.ts'
import { eventually, openWorld, type Answer, type Member } from '../support/world.ts'

const DELIVERY_FIELDS = [
  'id',
  'workspaceId',
  'endpointId',
  'eventType',
  'eventId',
  'status',
  'attempts',
  'maxAttempts',
  'responseStatus',
  'durationMs',
  'createdAt',
  'completedAt',
  'error',
  'nextAttemptAt',
]
const DETAIL_FIELDS = [
  'responseBody',
  'responseHeaders',
  'payload',
  'requestBody',
  'requestHeaders',
  'attemptLog',
]
const STATUSES = ['pending', 'processing', 'completed', 'failed', 'dead_letter']
const ON_LOOPBACK = { config: { egressAllowedCidrs: ['127.0.0.0/8'], webhookAllowHttp: true } }

function assertInvalid(answer: Answer, path: string): void {
  const { error } = answer.body
  const found = [answer.status, error?.code, error?.details[0]?.path]
  assert.deepEqual(found, [400, 'VALIDATION_ERROR', path], JSON.stringify(answer.body))
}

async function create(owner: Member, body: object): Promise<string> {
  const answer = await owner.post('/webhooks/endpoints', { events: ['*'], ...body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data.id
}

test('tests and events sent by hand', async (t) => {
  const world = await openWorld(t, ON_LOOPBACK)
  const owner = await world.member()
  const receiver = await openPlainReceiver(t)
  const arrived = (id: string) =>
    eventually(async () => {
      const found = receiver.arrivals.find(({ body }) => JSON.parse(body).id === id)
      assert.ok(found, `${id} has not arrived`)
      return JSON.parse(found.body)
    })
  const only = await create(owner, { url: receiver.url, events: ['report.generated'] })

  await t.test('the catalog has every type', async () => {
    const { status, body } = await owner.get('/webhooks/events')
    assert.equal(status, 200)
    assert.deepEqual(
      body.data.events.map((event: { type: string }) => event.type),
      [
        'link.created',
        'link.updated',
        'link.deleted',
        'domain.verified',
        'domain.failed',
        'click.received',
        'conversion.received',
        'campaign.completed',
        'report.generated',
        'billing.subscription.updated',
      ],
    )
    for (const { label, description } of body.data.events) assert.ok(label && description)
  })

  await t.test('a test of each type goes to this endpoint, subscribed or not', async () => {
    for (const eventType of EVENT_TYPES) {
      const answer = await owner.post(`/webhooks/endpoints/${only}/test`, { eventType })
      assert.equal(answer.status, 202)
      const { data } = answer.body
      assert.deepEqual(Object.keys(data), ['id', 'status', 'eventType', 'createdAt'])
      assert.deepEqual([data.status, data.eventType], ['pending', eventType])
      assert.match(data.id, /^test_\d{13}$/)
      const sent = await arrived(data.id)
      assert.deepEqual([sent.type, sent.attempt, sent.endpointId], [eventType, 1, only])
      assert.equal(sent.data.workspaceId, owner.workspaceId)
    }
  })

  await t.test('the examples of the catalog have the fields of what really comes', async () => {
    const { body } = await owner.post('/links', {
      name: 'real',
      destinationUrl: 'https://example.com/',
    })
    const path = `/links/${body.data.id}`
    await owner.patch(path, { name: 'renamed' })
    await owner.delete(path)
    const events = await world.sql<{ type: EventType; data: string }[]>`
      select type, data from events where workspace_id = ${owner.workspaceId} and endpoint_id is null`
    assert.equal(events.length, 3)
    for (const { type, data } of events) {
      const example = { ...getCatalogRow(type).sample, workspaceId: '' }
      assert.deepEqual(Object.keys(JSON.parse(data)).toSorted(), Object.keys(example).toSorted())
    }
  })

  await t.test('without a body, or without a type, it is a link.created', async () => {
    for (const body of [undefined, {}, { color: 'red' }]) {
      const answer = await owner.post(`/webhooks/endpoints/${only}/test`, body)
      assert.deepEqual([answer.status, answer.body.data.eventType], [202, 'link.created'])
      const { data } = await arrived(answer.body.data.id)
      for (const field of ['id', 'slug', 'destinationUrl', 'workspaceId']) assert.ok(data[field])
    }
    const path = `/webhooks/endpoints/${only}/test`
    assertInvalid(await owner.post(path, { eventType: 'link.moved' }), 'eventType')
    assertInvalid(await owner.post(path, { eventType: 7 }), 'eventType')
    assertInvalid(await owner.post(path, { eventType: '*' }), 'eventType')
    assertInvalid(await owner.post(path, []), '')
  })

  await t.test('tests of one millisecond have ids of their own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => owner.post(`/webhooks/endpoints/${only}/test`)),
    )
    const ids = answers.map((answer) => answer.body.data.id)
    assert.equal(new Set(ids).size, 6)
    for (const id of ids) assert.ok(Number(id.slice(5)) - world.clock.now < 100)
    for (const id of ids) await arrived(id)
  })

  await t.test(
    'a test of another workspace is refused, and one that does not exist is unknown',
    async () => {
      const made = await owner.post(`/webhooks/endpoints/${only}/test`)
      const stranger = await world.member()
      for (const [method, suffix] of [
        ['get', ''],
        ['post', '/retry'],
      ] as const) {
        const ask = async (id: string) => {
          const { status, body } = await stranger[method](`/webhooks/deliveries/${id}${suffix}`)
          return [status, body.error.code]
        }
        assert.deepEqual(await ask(made.body.data.id), [403, 'FORBIDDEN'])
        assert.deepEqual(await ask('test_1'), [404, 'NOT_FOUND'])
      }
    },
  )

  await t.test('the audit log names the endpoint of a test and of a replay', async () => {
    const path = `/webhooks/endpoints/${only}`
    await owner.post(`${path}/test`)
    await owner.post(`${path}/replay`, { since: new Date(world.clock.now).toISOString() })
    for (const action of ['webhook.tested', 'webhook.replayed']) {
      const { data } = (await owner.get(`/audit-log?action=${action}`)).body
      assert.deepEqual(data[0].target, { type: 'webhook', id: only, name: receiver.url }, action)
    }
  })

  await t.test('a test of a paused endpoint waits until it is resumed', async () => {
    const id = await create(owner, { url: receiver.url, status: 'paused' })
    const made = await owner.post(`/webhooks/endpoints/${id}/test`)
    assert.equal(made.status, 202)
    const later = await owner.post(`/webhooks/endpoints/${only}/test`)
    await arrived(later.body.data.id)
    const held = await owner.get(`/webhooks/deliveries/${made.body.data.id}`)
    const { data } = held.body
    assert.deepEqual(Object.keys(data), [...DELIVERY_FIELDS, ...DETAIL_FIELDS])
    assert.deepEqual([data.status, data.attempts, data.maxAttempts], ['pending', 0, 5])
    const nulls = ['responseStatus', 'durationMs', 'completedAt', 'responseBody', 'responseHeaders']
    for (const field of [...nulls, 'error', 'requestBody']) assert.equal(data[field], null, field)
    assert.deepEqual(data.attemptLog, [])
    await owner.patch(`/webhooks/endpoints/${id}`, { status: 'active' })
    await arrived(made.body.data.id)
    await owner.delete(`/webhooks/endpoints/${id}`)
  })

  await t.test('dispatch counts the active endpoints that subscribe', async () => {
    const dispatch = (body: unknown) => owner.post('/webhooks/dispatch', body)
    const type = 'campaign.completed'
    const none = await dispatch({ type })
    assert.deepEqual([none.status, none.body.data], [202, { dispatched: 0 }])
    const all = await create(owner, { url: receiver.url, events: ['*', type] })
    await create(owner, { url: receiver.url, events: [type] })
    await create(owner, { url: receiver.url, events: [type], status: 'paused' })
    await create(owner, { url: receiver.url, events: ['link.created'] })
    const stranger = await world.member()
    await create(stranger, { url: receiver.url, events: ['*'] })
    const deleted = await create(owner, { url: receiver.url })
    await owner.delete(`/webhooks/endpoints/${deleted}`)

    const before = receiver.arrivals.length
    const payload = { b: 1, a: [null, 'ü'], nested: { constructor: 'x' } }
    assert.deepEqual((await dispatch({ type, payload })).body.data, { dispatched: 2 })
    await eventually(async () => assert.equal(receiver.arrivals.length, before + 2))
    const sent = receiver.arrivals.slice(before).map(({ body }) => body)
    for (const body of sent) assert.ok(body.endsWith(`"data":${JSON.stringify(payload)}}`), body)
    const [first, second] = sent.map((body) => JSON.parse(body))
    assert.notEqual(first.id, second.id)
    const events = receiver.arrivals
      .slice(before)
      .map(({ headers }) => headers['x-service-event-id'])
    assert.equal(events[0], events[1])

    assert.deepEqual((await dispatch({ type })).body.data, { dispatched: 2 })
    await eventually(async () => assert.equal(receiver.arrivals.length, before + 4))
    assert.deepEqual(JSON.parse(receiver.arrivals.at(-1)!.body).data, {})
    await owner.patch(`/webhooks/endpoints/${all}`, { status: 'paused' })
    assert.deepEqual((await dispatch({ type })).body.data, { dispatched: 1 })

    for (const wrong of ['text', 5, null, true, [], [{}]])
      assertInvalid(await dispatch({ type, payload: wrong }), 'payload')
    assertInvalid(await dispatch({ type: 'link.moved' }), 'type')
    assertInvalid(await dispatch({ type: '*' }), 'type')
    assertInvalid(await dispatch({ type: 'constructor' }), 'type')
    assertInvalid(await dispatch({}), 'type')
  })
})

test('the delivery log', async (t) => {
  const world = await openWorld(t, ON_LOOPBACK)
  const owner = await world.member()
  let status = 500
  const receiver = await openPlainReceiver(t, () => status)
  const list = async (query = '') => {
    const { status: code, body } = await owner.get(`/webhooks/deliveries?${query}`)
    assert.equal(code, 200, JSON.stringify(body))
    return body as {
      data: { id: string; status: string; createdAt: string }[]
      meta: { total: number }
    }
  }
  const totals = async (query = '') =>
    Promise.all(STATUSES.map(async (each) => (await list(`${query}&status=${each}`)).meta.total))

  await t.test('pages: limits, offsets, and an order that holds for equal times', async () => {
    // No paused endpoint gets events, but a replay queues those that it missed.
    for (let i = 0; i < 105; i++)
      await owner.post('/links', { name: `link ${i}`, destinationUrl: 'https://example.com/' })
    const id = await create(owner, { url: receiver.url, status: 'paused' })
    const since = new Date(world.clock.now - 1_000).toISOString()
    const until = new Date(world.clock.now + 1_000).toISOString()
    const replayed = await owner.post(`/webhooks/endpoints/${id}/replay`, { since, until })
    assert.deepEqual(replayed.body.data, { queued: 105, next: null })

    const { data, meta } = (await owner.get('/webhooks/deliveries')).body
    assert.deepEqual(Object.keys(data[0]), DELIVERY_FIELDS)
    assert.deepEqual([data.length, meta.total, meta.limit, meta.offset], [50, 105, 50, 0])
    assert.equal(new Set(data.map((row: { createdAt: string }) => row.createdAt)).size, 1)
    const sizes: [string, number][] = [
      ['limit=1', 1],
      ['limit=100', 100],
      ['limit=101', 100],
      ['limit=100000', 100],
      ['limit=100&offset=100', 5],
      ['offset=104', 1],
      ['offset=105', 0],
      ['offset=1000000', 0],
      [`endpointId=${id}&limit=100&offset=100`, 5],
      ['status=pending&limit=100&offset=100', 5],
      [`status=pending&endpointId=${id}&offset=60`, 45],
    ]
    for (const [query, rows] of sizes) {
      const page = await list(query)
      assert.deepEqual([page.data.length, page.meta.total], [rows, 105], query)
    }
    for (const scope of ['', `endpointId=${id}&`, 'status=pending&']) {
      const paged: string[] = []
      for (let offset = 0; offset < 105; offset += 7)
        paged.push(...(await list(`${scope}limit=7&offset=${offset}`)).data.map((row) => row.id))
      assert.equal(new Set(paged).size, 105)
      assert.deepEqual(paged, paged.toSorted().toReversed())
    }
    const refused = [
      'limit=0',
      'limit=-1',
      'limit=NaN',
      'limit=1.5',
      'limit=',
      'offset=-1',
      'offset=x',
    ]
    for (const query of [...refused, 'status=done', 'status=Pending', 'status=', 'endpointId='])
      assertInvalid(await owner.get(`/webhooks/deliveries?${query}`), query.split('=')[0]!)
    assert.deepEqual(await totals(), [105, 0, 0, 0, 0])
    for (const query of ['status=failed', 'endpointId=whe_0', 'endpointId=whe_0&status=pending'])
      assert.deepEqual((await list(query)).meta.total, 0)
    await owner.delete(`/webhooks/endpoints/${id}`)
    assert.equal((await list()).meta.total, 0)
  })

  await t.test('totals are exact while deliveries run, in every status', async () => {
    const good = await openPlainReceiver(t)
    const fails = await create(owner, { url: receiver.url, events: ['domain.failed'] })
    const works = await create(owner, { url: good.url, events: ['domain.failed'] })
    let made = 0
    const making = (async () => {
      for (; made < 60;) {
        await owner.post('/webhooks/dispatch', { type: 'domain.failed' })
        made++
      }
    })()
    while (made < 60) {
      const floor = made
      const [all, each] = [
        await list('limit=100'),
        await Promise.all([fails, works].map((id) => list(`endpointId=${id}`))),
      ]
      assert.ok(all.meta.total >= 2 * floor && all.meta.total <= 2 * (made + 1))
      for (const page of each) assert.ok(page.meta.total >= floor && page.meta.total <= made + 1)
      // Rows of a page have its status, and are never more than its total.
      for (const one of STATUSES) {
        const page = await list(`status=${one}&limit=100`)
        assert.equal(page.data.length, Math.min(page.meta.total, 100))
        for (const row of page.data) assert.equal(row.status, one)
      }
      // Reads without a pause use up the time that a workspace has for them.
      await eventually(async () => assert.ok(made >= Math.min(floor + 5, 60)))
    }
    await making
    await eventually(async () => assert.deepEqual(await totals(), [0, 0, 60, 60, 0]))
    assert.deepEqual(await totals(`endpointId=${fails}`), [0, 0, 0, 60, 0])
    assert.deepEqual(await totals(`endpointId=${works}`), [0, 0, 60, 0, 0])
    const counted = await world.sql<{ status: number; n: number }[]>`
      select t.status, sum(n)::bigint as n from webhook_tallies t
      join webhook_endpoints e on e.id = t.endpoint_id and e.deleted_at is null
      group by 1 having sum(n) <> 0 order by 1`
    assert.deepEqual(
      counted.map((row) => [row.status, row.n]),
      [
        [2, 60],
        [3, 60],
      ],
    )
    const endpoint = (await owner.get(`/webhooks/endpoints/${fails}`)).body.data
    assert.equal(endpoint.failureCount, 60)
    assert.ok(endpoint.lastFailureAt && endpoint.lastSuccessAt === null)
    const healthy = (await owner.get(`/webhooks/endpoints/${works}`)).body.data
    assert.deepEqual([healthy.failureCount, healthy.lastFailureAt], [0, null])
    assert.ok(healthy.lastSuccessAt)
    for (const id of [fails, works]) await owner.delete(`/webhooks/endpoints/${id}`)
  })

  await t.test('retry: failed and dead letters once, everything else is a conflict', async () => {
    const id = await create(owner, { url: receiver.url, events: ['domain.failed'] })
    await owner.post('/webhooks/dispatch', { type: 'domain.failed', payload: { a: 1 } })
    const failed = await eventually(async () => {
      const { data } = await list(`endpointId=${id}&status=failed`)
      assert.equal(data.length, 1)
      return data[0]!.id
    })
    const path = `/webhooks/deliveries/${failed}`
    const detail = (await owner.get(path)).body.data
    assert.deepEqual([detail.attempts, detail.responseStatus, detail.completedAt], [1, 500, null])
    assert.deepEqual([detail.responseBody, detail.payload], ['thanks', { a: 1 }])
    assert.ok(detail.nextAttemptAt > detail.createdAt)
    assert.equal(detail.requestBody, receiver.arrivals.at(-1)!.body)

    await owner.patch(`/webhooks/endpoints/${id}`, { status: 'paused' })
    const both = await Promise.all([owner.post(`${path}/retry`), owner.post(`${path}/retry`)])
    assert.deepEqual(both.map((answer) => answer.status).toSorted(), [202, 409])
    const accepted = both.find((answer) => answer.status === 202)!
    assert.deepEqual(accepted.body.data, {
      id: failed,
      status: 'pending',
      attempts: 1,
      maxAttempts: 5,
    })
    assert.equal((await owner.post(`${path}/retry`)).body.error.code, 'CONFLICT')
    assert.deepEqual(await totals(`endpointId=${id}`), [1, 0, 0, 0, 0])
    // Overdue to the last attempt of all, so that it ends at once.
    await world.sql`update webhook_queue set attempts = 4 where id = ${failed}`
    await owner.patch(`/webhooks/endpoints/${id}`, { status: 'active' })
    await eventually(async () =>
      assert.deepEqual(await totals(`endpointId=${id}`), [0, 0, 0, 0, 1]),
    )

    const retryAll = async (filter: object) =>
      (await owner.post('/webhooks/deliveries/retry', filter)).body.data.requeued as number
    assert.equal(await retryAll({ responseStatus: 404 }), 0)
    assert.equal(await retryAll({ eventId: 'evt_00000000000000000000000000' }), 0)
    assert.equal(await retryAll({ responseStatus: 500, eventId: detail.eventId }), 1)
    await eventually(async () => assert.equal((await owner.get(path)).body.data.attempts, 6))
    assert.deepEqual(await totals(`endpointId=${id}`), [0, 0, 0, 0, 1])

    status = 200
    const again = await Promise.all([1, 2, 3].map(() => owner.post(`${path}/retry`)))
    assert.deepEqual(again.map((answer) => answer.status).toSorted(), [202, 409, 409])
    const done = await eventually(async () => {
      const { data } = (await owner.get(path)).body
      assert.equal(data.status, 'completed')
      return data
    })
    assert.deepEqual([done.attempts, done.maxAttempts, done.nextAttemptAt], [7, 5, null])
    assert.ok(done.completedAt)
    assert.equal((await owner.post(`${path}/retry`)).status, 409)
    assert.equal((await owner.get(`/webhooks/endpoints/${id}`)).body.data.failureCount, 0)
    assert.equal((await owner.post('/webhooks/deliveries/del_0/retry')).status, 404)
    const all = await owner.post('/webhooks/deliveries/retry')
    assert.deepEqual([all.status, all.body.data], [202, { requeued: 0, hasMore: false }])
  })

  await t.test(
    'a delivery shows the headers and the body of its latest attempt as sent',
    async () => {
      for (const standardHeaders of [false, true]) {
        status = 500
        const id = await create(owner, {
          url: receiver.url,
          events: ['report.generated'],
          standardHeaders,
        })
        const { secret } = (await owner.get(`/webhooks/endpoints/${id}/secret`)).body.data
        const made = await owner.post(`/webhooks/endpoints/${id}/test`)
        const path = `/webhooks/deliveries/${made.body.data.id}`
        const read = async (wanted: string) =>
          eventually(async () => {
            const { data } = (await owner.get(path)).body
            assert.equal(data.status, wanted)
            return data
          })
        const check = ({
          requestHeaders,
          requestBody,
        }: {
          requestHeaders: Record<string, string>
          requestBody: string
        }) => {
          const arrival = receiver.arrivals.at(-1)!
          assert.equal(requestBody, arrival.body)
          for (const [name, value] of Object.entries(requestHeaders))
            assert.equal(value, arrival.headers[name], name)
          const signing = Object.keys(arrival.headers).filter((name) =>
            /^(x-service|webhook)-/.test(name),
          )
          assert.equal(signing.length, standardHeaders ? 7 : 4)
          for (const name of signing) assert.ok(name in requestHeaders, name)
          const timestamp = Number(requestHeaders['x-service-timestamp'])
          assert.equal(requestHeaders['x-service-signature'], sign(secret, timestamp, requestBody))
          assert.ok(!JSON.stringify(requestHeaders).includes(secret))
        }
        check(await read('failed'))
        // In the log it is as in the queue, and a dead letter that is revived keeps what was sent.
        await world.sql`update webhook_queue set attempts = 4 where id = ${made.body.data.id}`
        await owner.post(`${path}/retry`)
        const dead = await read('dead_letter')
        check(dead)
        await owner.patch(`/webhooks/endpoints/${id}`, { status: 'paused' })
        await owner.post(`/webhooks/endpoints/${id}/secret/rotate`)
        await owner.post(`${path}/retry`)
        const { requestHeaders, requestBody } = await read('pending')
        assert.deepEqual(
          { requestHeaders, requestBody },
          { requestHeaders: dead.requestHeaders, requestBody: dead.requestBody },
        )
        await owner.delete(`/webhooks/endpoints/${id}`)
      }
    },
  )

  await t.test('after a deletion nothing is sent, and nothing is listed', async () => {
    status = 500
    const id = await create(owner, { url: receiver.url, events: ['campaign.completed'] })
    for (let i = 0; i < 3; i++)
      await owner.post('/webhooks/dispatch', { type: 'campaign.completed' })
    await eventually(async () =>
      assert.equal((await list(`endpointId=${id}&status=failed`)).meta.total, 3),
    )
    assert.equal((await owner.delete(`/webhooks/endpoints/${id}`)).status, 204)
    assert.deepEqual(await totals(`endpointId=${id}`), [0, 0, 0, 0, 0])
    const before = receiver.arrivals.length
    world.clock.advance(3_600_000)
    const witness = await openPlainReceiver(t)
    await create(owner, { url: witness.url, events: ['campaign.completed'] })
    await owner.post('/webhooks/dispatch', { type: 'campaign.completed' })
    await eventually(async () => assert.equal(witness.arrivals.length, 1))
    assert.equal(receiver.arrivals.length, before)
  })
})
