import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { STATUS_NAMES } from '../../src/webhooks/delivery/queue/states.ts'
import type { ListDeliveries } from '../../src/webhooks/endpoints/schema.ts'
import { openDeliveryWorld, type DeliveryWorld } from '../support/delivery-world.ts'
import { openWorld } from '../support/world.ts'
import { MINUTE_MS } from '../../src/platform/core/clock.ts'

const HOOK = { url: 'https://192.0.43.8/hook', events: ['*'], status: 'paused' }
const TYPES = ['link.created', 'link.deleted', 'click.received']
const ROWS = 600

type Row = {
  id: string
  endpointId: string
  eventType: string
  eventId: string
  status: number
  responseStatus: number | null
  createdAt: Date
}

test('filters of deliveries apply together, with an exact total', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const stranger = await world.workspace()
  const [first, second, deleted] = [
    await world.endpoints.create(principal, HOOK),
    await world.endpoints.create(principal, HOOK),
    await world.endpoints.create(principal, HOOK),
  ]
  const start = world.clock() - ROWS * MINUTE_MS
  const rows = await fill(world, principal, [first.id, second.id], start)
  await fill(world, principal, [deleted.id], start)
  await world.endpoints.remove(principal, deleted.id)
  const at = (row: number) => new Date(start + row * MINUTE_MS).toISOString()

  const wanted: Partial<ListDeliveries>[] = [
    ...TYPES.map((eventType) => ({ eventType })),
    { eventType: 'report.generated' },
    ...[200, 503, 404].map((responseStatus) => ({ responseStatus })),
    { eventId: 'evt_7' },
    { eventId: 'evt_7', endpointId: second.id },
    { eventId: 'evt_unknown' },
    { from: at(500) },
    { to: at(20) },
    { from: at(100), to: at(110) },
    { from: at(100), to: at(100) },
    { from: at(100), to: at(400), eventType: TYPES[1]!, responseStatus: 503 },
    { from: at(7), to: at(8), eventId: 'evt_7' },
    { eventType: TYPES[2]!, responseStatus: 200, eventId: 'evt_5', from: at(0), to: at(599) },
  ]
  const scopes = [{}, { endpointId: first.id }, ...STATUS_NAMES.map((status) => ({ status }))]
  for (const filter of wanted)
    for (const scope of scopes) {
      const query = { ...scope, ...filter }
      const expected = rows.filter((row) => matches(row, query)).map(({ id }) => id)
      const listed: string[] = []
      for (let offset = 0; offset === 0 || offset < expected.length; offset += 100) {
        const { data, meta } = await world.deliveries.list(principal, {
          ...query,
          limit: 100,
          offset,
        })
        assert.equal(meta.total, expected.length, JSON.stringify(query))
        listed.push(...data.map(({ id }) => id))
      }
      assert.deepEqual(listed, expected, JSON.stringify(query))
      if (!('status' in scope)) {
        const counted = await world.deliveries.countByStatus(principal, query)
        const matching = rows.filter((row) => matches(row, query))
        const byStatus = STATUS_NAMES.map((name, status) => [
          name,
          matching.filter((row) => row.status === status).length,
        ])
        const counts = { total: matching.length, ...Object.fromEntries(byStatus) }
        assert.deepEqual(counted, counts, JSON.stringify(query))
      }
      const past = await world.deliveries.list(principal, { ...query, limit: 1, offset: 5_000 })
      assert.deepEqual([past.data, past.meta.total], [[], expected.length])
      const foreign = { ...filter, limit: 50, offset: 0 }
      const none = await world.deliveries.list(stranger, { ...foreign, endpointId: undefined! })
      assert.equal(none.meta.total, 0)
    }
})

test('filters that no delivery can match are refused with their path', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const later = '2026-01-02T00:00:00.000Z'
  const earlier = '2026-01-01T00:00:00.000Z'
  const refused = [
    ['eventType=link.moved', 'eventType'],
    ['eventType=*', 'eventType'],
    ['eventType=', 'eventType'],
    ['eventType=constructor', 'eventType'],
    [`eventType=${'x'.repeat(65)}`, 'eventType'],
    ['eventId=', 'eventId'],
    [`eventId=${'x'.repeat(65)}`, 'eventId'],
    ['responseStatus=99', 'responseStatus'],
    ['responseStatus=600', 'responseStatus'],
    ['responseStatus=2xx', 'responseStatus'],
    ['responseStatus=', 'responseStatus'],
    ['responseStatus=-200', 'responseStatus'],
    [`from=${later}&to=${earlier}`, 'from'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01T00:00:00Z', 'to'],
    ['to=0001-01-01T00:00:00Z', 'to'],
  ]
  for (const [query, path] of refused) {
    const { status, body } = await owner.get(`/webhooks/deliveries?${query}`)
    const { error } = body
    const found = [status, error?.code, error?.details[0]?.path]
    assert.deepEqual(found, [400, 'VALIDATION_ERROR', path], query)
  }
  const taken = [
    'responseStatus=100',
    'responseStatus=599',
    `from=${earlier}&to=${earlier}`,
    'eventId=evt_unknown',
    'eventId=%27%3B--',
  ]
  for (const query of taken) {
    const { status, body } = await owner.get(`/webhooks/deliveries?${query}`)
    assert.deepEqual([status, body.data, body.meta.total], [200, [], 0], query)
  }
})

test('an event is found by its id, and one of another workspace matches nothing', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const made = await owner.post('/webhooks/endpoints', HOOK)
  const path = `/webhooks/endpoints/${made.body.data.id}`
  await owner.post(`${path}/test`)
  await owner.post(`${path}/test`, { eventType: 'link.deleted' })
  const { data } = (await owner.get('/webhooks/deliveries?eventType=link.deleted')).body
  assert.equal(data.length, 1)
  const found = await owner.get(`/webhooks/deliveries?eventId=${data[0].eventId}`)
  assert.deepEqual([found.body.data, found.body.meta.total], [data, 1])
  const stranger = await world.member()
  const foreign = await stranger.get(`/webhooks/deliveries?eventId=${data[0].eventId}`)
  assert.deepEqual([foreign.status, foreign.body.data, foreign.body.meta.total], [200, [], 0])
})

function matches(row: Row, query: Partial<ListDeliveries>): boolean {
  return (
    (query.endpointId === undefined || row.endpointId === query.endpointId) &&
    (query.status === undefined || STATUS_NAMES[row.status] === query.status) &&
    (query.eventType === undefined || row.eventType === query.eventType) &&
    (query.eventId === undefined || row.eventId === query.eventId) &&
    (query.responseStatus === undefined || row.responseStatus === query.responseStatus) &&
    (query.from === undefined || row.createdAt >= new Date(query.from)) &&
    (query.to === undefined || row.createdAt < new Date(query.to))
  )
}

/** Deliveries a minute apart, of every status, with their counters. @returns them newest first */
async function fill(
  { sql }: DeliveryWorld,
  { workspaceId }: Principal,
  endpointIds: string[],
  startMs: number,
): Promise<Row[]> {
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const status = n % 5
    const wasHurried = status === 0 && n % 2 === 0
    const isAnswered = status > 1 || wasHurried
    const createdAt = new Date(startMs + n * MINUTE_MS)
    return {
      id: `${endpointIds[0]}_${String(n).padStart(4, '0')}`,
      workspaceId,
      endpointId: endpointIds[n % endpointIds.length]!,
      eventType: TYPES[n % TYPES.length]!,
      eventId: `evt_${n % 50}`,
      eventAt: createdAt,
      status,
      attempts: isAnswered ? 1 : 0,
      responseStatus: isAnswered ? (n % 7 === 0 ? 404 : status === 2 ? 200 : 503) : null,
      createdAt,
      isHurried: wasHurried,
      at: createdAt,
    }
  })
  for (const row of rows) {
    const { isHurried, at, ...fields } = row
    const isEnded = row.status === 2 || row.status === 4
    if (isEnded) await sql`insert into webhook_log ${sql({ ...fields, finishedAt: at })}`
    else await sql`insert into webhook_queue ${sql({ ...fields, isHurried, dueAt: at })}`
  }
  await sql`
    insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
    select workspace_id, endpoint_id, status, '-infinity'::date, count(*) from (
      select workspace_id, endpoint_id, status from webhook_queue
      union all select workspace_id, endpoint_id, status from webhook_log
    ) as d where endpoint_id = any(${endpointIds}::text[]) group by 1, 2, 3`
  return rows.toReversed()
}
