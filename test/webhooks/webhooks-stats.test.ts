import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillEndpoints, fillQueue, openDeliveryWorld } from '../support/delivery-world.ts'
import { answer } from '../support/receiver-scripts.ts'
import { openReceiver } from '../support/receiver.ts'
import { eventually, openWorld } from '../support/world.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

const HOOK = { url: 'https://192.0.43.8/hook', events: ['*'], status: 'paused' }
const ALL = { limit: 50, offset: 0 }

test('the attempts of an endpoint are counted by hour and outcome', async (t) => {
  const world = await openDeliveryWorld(t)
  const receiver = await openReceiver(t)
  receiver.on('/bad', answer(503))
  const principal = await world.workspace()
  const create = (path: string) =>
    world.endpoints.create(principal, { url: receiver.url(path), events: ['*'] })
  const [good, bad, quiet] = [await create('/good'), await create('/bad'), await create('/good')]
  await world.endpoints.update(principal, quiet.id, { status: 'paused' })
  for (const { id } of [good, bad]) await fillQueue(world.sql, principal.workspaceId, [id], 7)
  world.startEngine()
  const read = (id: string) => world.endpoints.getStats(principal, id)
  await eventually(async () => {
    const [one, two] = [await read(good.id), await read(bad.id)]
    assert.deepEqual([one.delivered, one.failed], [7, 0])
    assert.deepEqual([two.delivered, two.failed, two.failureCount], [0, 7, 7])
  })
  const [one, two, three] = [await read(good.id), await read(bad.id), await read(quiet.id)]
  assert.ok(one.lastSuccessAt !== null && one.lastFailureAt === null)
  assert.ok(two.lastFailureAt !== null && two.lastSuccessAt === null)
  assert.ok(one.p50Ms !== null && one.p99Ms !== null && one.p50Ms <= one.p99Ms)
  assert.deepEqual([three.delivered, three.failed, three.p50Ms, three.p99Ms], [0, 0, null, null])
  assert.equal(one.hours.length, 24)
  assert.equal(Date.parse(one.to) - Date.parse(one.from), 24 * HOUR_MS)
  assert.deepEqual(
    one.hours.map(({ start }) => start),
    Array.from({ length: 24 }, (_, i) =>
      new Date(Date.parse(one.from) + i * HOUR_MS).toISOString(),
    ),
  )
  const listed = await world.endpoints.list(principal, { ...ALL, stats: '24h' })
  const statsOf = new Map(listed.data.map((row) => [row.id, 'stats' in row ? row.stats : null]))
  assert.deepEqual(
    [good, bad, quiet].map(({ id }) => statsOf.get(id)),
    [one, two, three],
  )
  assert.ok((await world.endpoints.list(principal, ALL)).data.every((row) => !('stats' in row)))
})

test('hours, response times and folded counts', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const { workspaceId } = principal
  const [one, two] = await fillEndpoints(world, workspaceId, HOOK.url, 2)
  const hour = Math.floor(world.clock() / HOUR_MS) * HOUR_MS
  const add = (id: string, hoursAgo: number, isSuccess: boolean, bucket: number | null, n = 1) =>
    world.sql`
      insert into webhook_attempt_counts (workspace_id, endpoint_id, hour, is_success, bucket, n)
      select ${workspaceId}, ${id}, ${new Date(hour - hoursAgo * HOUR_MS)}, ${isSuccess}, ${bucket}, 1
      from generate_series(1, ${n}::int)`
  // 98 answers between 100 and 150 ms, and two between 5 and 7.5 s.
  await add(one!, 0, true, 7, 90)
  await add(one!, 1, false, 7, 8)
  await add(one!, 23, true, 17, 2)
  await add(one!, 23, false, null, 400)
  await add(one!, 24, true, 0, 50)
  await add(one!, 30, true, 0, 50)
  await add(two!, 2, true, 19, 3)
  await add('whe_purged', 2, true, 0, 3)
  const before = [
    await world.endpoints.getStats(principal, one!),
    await world.endpoints.getStats(principal, two!),
  ]
  const [first, second] = before
  assert.deepEqual([first!.delivered, first!.failed], [92, 408])
  const pick = (i: number) => [first!.hours[i]!.delivered, first!.hours[i]!.failed]
  assert.deepEqual(
    [pick(23), pick(22), pick(0), pick(5)],
    [
      [90, 0],
      [0, 8],
      [2, 400],
      [0, 0],
    ],
  )
  assert.ok(first!.p50Ms! > 120 && first!.p50Ms! < 130, String(first!.p50Ms))
  assert.ok(first!.p99Ms! > 5_000 && first!.p99Ms! <= 7_500, String(first!.p99Ms))
  assert.deepEqual([second!.delivered, second!.p50Ms, second!.p99Ms], [3, 10_000, 10_000])

  await world.chores.once()
  assert.deepEqual(
    [
      await world.endpoints.getStats(principal, one!),
      await world.endpoints.getStats(principal, two!),
    ],
    before,
  )
  const [left] = await world.sql<{ n: number; oldest: Date }[]>`
    select count(*)::int as n, min(hour) as oldest from webhook_attempt_counts`
  assert.equal(left!.n, 6)
  assert.equal(left!.oldest.getTime(), hour - 24 * HOUR_MS)
})

test('statistics and counts over HTTP', async (t) => {
  const world = await openWorld(t)
  const [owner, stranger] = [await world.member(), await world.member()]
  const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
  const made = await owner.post('/webhooks/endpoints', HOOK)
  const path = `/webhooks/endpoints/${made.body.data.id}`
  for (const eventType of ['link.created', 'link.deleted', 'link.deleted'])
    await owner.post(`${path}/test`, { eventType })
  const counts = async (query = '') =>
    (await viewer.get(`/webhooks/deliveries/counts${query}`)).body
  const none = { pending: 0, processing: 0, completed: 0, failed: 0, dead_letter: 0 }
  assert.deepEqual((await counts()).data, { ...none, total: 3, pending: 3 })
  assert.deepEqual((await counts('?eventType=link.deleted')).data, {
    ...none,
    total: 2,
    pending: 2,
  })
  assert.deepEqual((await counts('?endpointId=whe_unknown')).data, { ...none, total: 0 })
  assert.equal((await counts('?eventType=x')).error.details[0].path, 'eventType')
  const [{ eventId }] = (await viewer.get('/webhooks/deliveries')).body.data
  assert.deepEqual((await counts(`?eventId=${eventId}`)).data, { ...none, total: 1, pending: 1 })

  const stats = await viewer.get(`${path}/stats`)
  assert.deepEqual([stats.status, stats.body.data.hours.length], [200, 24])
  const listed = await viewer.get('/webhooks/endpoints?stats=24h')
  assert.deepEqual(listed.body.data[0].stats, stats.body.data)
  assert.equal((await viewer.get('/webhooks/endpoints')).body.data[0].stats, undefined)
  const bad = await viewer.get('/webhooks/endpoints?stats=1y')
  assert.deepEqual([bad.status, bad.body.error.details[0].path], [400, 'stats'])

  assert.equal((await stranger.get(`${path}/stats`)).status, 403)
  const foreign = await stranger.get(`/webhooks/deliveries/counts?endpointId=${made.body.data.id}`)
  assert.equal(foreign.status, 403)
  assert.deepEqual((await stranger.get('/webhooks/deliveries/counts')).body.data.total, 0)
  assert.equal((await owner.get('/webhooks/endpoints/whe_unknown/stats')).status, 404)
})
