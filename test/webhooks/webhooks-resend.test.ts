import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/core/ids.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { createOutbox } from '../../src/webhooks/delivery/outbox.ts'
import type { EventType } from '../../src/webhooks/events.ts'
import { replayEvents, type ReplayScope } from '../../src/webhooks/delivery/queue/requeue.ts'
import { inWorkspace, inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import {
  emailOf,
  openDeliveryWorld,
  openPlainReceiver,
  type DeliveryWorld,
} from '../support/delivery-world.ts'
import { sweepPassed } from '../support/fault-stage.ts'
import { eventually } from '../support/world.ts'
import { fillBacklog } from '../support/webhooks-backlog.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const HOOK = { url: 'https://192.0.43.8/hook', events: ['*'] }
const ALL = { limit: 100, offset: 0 }

async function totalOf(
  world: DeliveryWorld,
  principal: Principal,
  query: object = {},
): Promise<number> {
  return (await world.deliveries.list(principal, { ...ALL, ...query })).meta.total
}

/** Publishes events with these times. */
async function past(
  world: DeliveryWorld,
  principal: Principal,
  events: [type: EventType, atMs: number][],
) {
  const ids = events.map(([, atMs]) => newId('evt', atMs))
  await world.sql`
    insert into events (id, created_at, workspace_id, type, data)
    select id, at, ${principal.workspaceId}, type, '{}'
    from unnest(${ids}::text[], ${events.map(([, atMs]) => new Date(atMs).toISOString())}::text[]::timestamptz[],
      ${events.map(([type]) => type)}::text[]) as e (id, at, type)`
  return ids
}

/** Rows as a receiver leaves them that fails: `failed` in the queue, `dead` in the log. */
async function failedRows(
  world: DeliveryWorld,
  principal: Principal,
  endpointId: string,
  n: { failed: number; dead: number },
) {
  const at = new Date(world.clock())
  const eventId = newId('evt', at.getTime())
  const { workspaceId } = principal
  await world.sql`
    insert into events (id, created_at, workspace_id, type, data) values (${eventId}, ${at}, ${workspaceId}, 'link.created', '{}')`
  await world.sql`
    insert into webhook_queue (id, workspace_id, endpoint_id, event_id, event_at, event_type, status, attempts, due_at, created_at)
    select 'f_' || ${endpointId}::text || n, ${workspaceId}, ${endpointId}, ${eventId}, ${at}, 'link.created', 3, 2,
      ${at}::timestamptz + interval '1 hour', ${at} from generate_series(1, ${n.failed}::int) as n`
  await world.sql`
    insert into webhook_log (id, finished_at, workspace_id, endpoint_id, event_id, event_at, event_type, status, attempts, created_at)
    select 'd_' || ${endpointId}::text || n, ${at}, ${workspaceId}, ${endpointId}, ${eventId}, ${at}, 'link.updated', 4, 5,
      ${at} from generate_series(1, ${n.dead}::int) as n`
  await world.sql`
    insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
    values (${workspaceId}, ${endpointId}, 3, '-infinity', ${n.failed}),
      (${workspaceId}, ${endpointId}, 4, ${at}::date, ${n.dead})`
}

test('retrying many at once', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const other = await world.workspace()
  const one = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
  const two = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
  const foreign = await world.endpoints.create(other, { ...HOOK, status: 'paused' })
  for (const endpoint of [one, two])
    await failedRows(world, principal, endpoint.id, { failed: 3, dead: 4 })
  await failedRows(world, other, foreign.id, { failed: 5, dead: 5 })
  const count = () =>
    Promise.all(
      ['pending', 'failed', 'dead_letter'].map((status) => totalOf(world, principal, { status })),
    )

  await t.test('filters by endpoint, status, type and time', async () => {
    const now = new Date(world.clock()).toISOString()
    const later = new Date(world.clock() + 60_000).toISOString()
    const none: object[] = [
      { eventType: 'domain.failed' },
      { from: later },
      { to: '2026-01-01T00:00:00.000Z' },
      { status: 'failed', eventType: 'link.updated' },
      { status: 'dead_letter', eventType: 'link.created' },
      { from: now, to: now },
    ]
    for (const filter of none)
      assert.deepEqual(await world.sending.retryMany(principal, filter), {
        requeued: 0,
        hasMore: false,
      })
    assert.deepEqual(await count(), [0, 6, 8])
    const steps: [object, number, number[]][] = [
      [{ endpointId: one.id, status: 'failed' }, 3, [3, 3, 8]],
      [{ endpointId: one.id, eventType: 'link.updated' }, 4, [7, 3, 4]],
      [{ status: 'dead_letter', to: later }, 4, [11, 3, 0]],
      [{}, 3, [14, 0, 0]],
      [{}, 0, [14, 0, 0]],
    ]
    for (const [filter, requeued, counts] of steps) {
      assert.deepEqual(await world.sending.retryMany(principal, filter), {
        requeued,
        hasMore: false,
      })
      assert.deepEqual(await count(), counts)
    }
    assert.equal(await totalOf(world, other, { status: 'dead_letter' }), 5)
    const gone = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
    await failedRows(world, principal, gone.id, { failed: 2, dead: 2 })
    await world.endpoints.remove(principal, gone.id)
    assert.deepEqual(await world.sending.retryMany(principal, {}), { requeued: 0, hasMore: false })
    const [row] = (await world.deliveries.list(principal, { ...ALL, status: 'pending' })).data
    assert.ok(row!.nextAttemptAt! <= new Date(world.clock() + 1_000).toISOString())
  })

  await t.test('a dead letter with a thousand attempts is not retried again', async () => {
    const endpoint = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
    await failedRows(world, principal, endpoint.id, { failed: 0, dead: 2 })
    const [spent, last] = [`d_${endpoint.id}1`, `d_${endpoint.id}2`]
    await world.sql`
      update webhook_log set attempts = case id when ${spent} then 1000 else 999 end
      where endpoint_id = ${endpoint.id}`
    await assert.rejects(world.sending.retry(principal, spent), { code: 'CONFLICT' })
    const filter = { endpointId: endpoint.id }
    assert.deepEqual(await world.sending.retryMany(principal, filter), {
      requeued: 1,
      hasMore: false,
    })
    assert.equal((await world.deliveries.get(principal, last)).status, 'pending')
    assert.equal((await world.deliveries.get(principal, spent)).status, 'dead_letter')
  })

  await t.test('what names nothing of one’s own is refused', async () => {
    const forbidden = { code: 'FORBIDDEN' }
    await assert.rejects(world.sending.retryMany(principal, { endpointId: foreign.id }), forbidden)
    const invalid = { code: 'VALIDATION_ERROR' }
    await assert.rejects(world.sending.retryMany(principal, { endpointId: 'whe_0' }), invalid)
    await assert.rejects(world.sending.retryMany(principal, { eventType: 'link.moved' }), invalid)
    await assert.rejects(world.sending.retryMany(principal, { from: '9999-99-99' }), invalid)
    const [now, earlier] = [world.clock(), world.clock() - 1].map((ms) =>
      new Date(ms).toISOString(),
    )
    await assert.rejects(world.sending.retryMany(principal, { from: now!, to: earlier! }), {
      ...invalid,
      details: [{ path: 'from', message: 'from must not be after to.', code: 'invalid' }],
    })
  })

  await t.test(
    'a call takes ten thousand and says that there is more; two at once share',
    async () => {
      await failedRows(world, principal, one.id, { failed: 0, dead: 0 })
      const many = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
      await failedRows(world, principal, many.id, { failed: 8_000, dead: 9_000 })
      const filter = { endpointId: many.id }
      assert.deepEqual(await world.sending.retryMany(principal, filter), {
        requeued: 10_000,
        hasMore: true,
      })
      const both = await Promise.all([1, 2].map(() => world.sending.retryMany(principal, filter)))
      assert.equal(both[0]!.requeued + both[1]!.requeued, 7_000)
      assert.equal(await totalOf(world, principal, { ...filter, status: 'pending' }), 17_000)
      assert.equal(await totalOf(world, principal, { ...filter, status: 'dead_letter' }), 0)
    },
  )
})

test('replaying past events', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const nowMs = world.clock()
  const iso = (ms: number) => new Date(ms).toISOString()

  await t.test('brings what the endpoint subscribes to, or the types that are named', async () => {
    const { id } = await world.endpoints.create(principal, {
      ...HOOK,
      events: ['link.created', 'domain.failed'],
      status: 'paused',
    })
    const atMs = nowMs - 3_600_000
    const ids = await past(world, principal, [
      ['link.created', atMs],
      ['link.updated', atMs + 1],
      ['domain.failed', atMs + 2],
      ['link.created', atMs + 3],
    ])
    const other = await world.workspace()
    await past(world, other, [['link.created', atMs]])
    await world.sending.test(principal, id, 'link.created')
    const replay = (changes: object) =>
      world.sending.replay(principal, id, { since: iso(atMs), ...changes })
    const queued = async () =>
      (
        await world.sql<{ eventId: string }[]>`
        select event_id from webhook_queue where endpoint_id = ${id} and id like 'del_%' order by event_at`
      ).map((row) => row.eventId)

    assert.deepEqual(await replay({}), { queued: 3, next: null })
    assert.deepEqual(await queued(), [ids[0], ids[2], ids[3]])
    assert.deepEqual(await replay({ events: ['link.updated'] }), { queued: 1, next: null })
    assert.deepEqual(await replay({ events: ['*'], until: iso(atMs + 2) }), {
      queued: 2,
      next: null,
    })
    assert.deepEqual(await replay({ since: iso(atMs + 4) }), { queued: 0, next: null })
    assert.equal(await totalOf(world, principal, { endpointId: id }), 7)
    for (const changes of [{ events: ['x'] }, { since: '2026-13-01' }, { until: 'now' }])
      await assert.rejects(replay(changes), { code: 'VALIDATION_ERROR' })
  })

  await t.test('a time that ends before it begins is refused', async () => {
    const { id } = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
    const replay = (sinceMs: number, untilMs?: number) =>
      world.sending.replay(principal, id, {
        since: iso(sinceMs),
        ...(untilMs !== undefined && { until: iso(untilMs) }),
      })
    const refusal = (message: string) => ({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'since', message, code: 'invalid' }],
    })
    await assert.rejects(replay(nowMs, nowMs - 1), refusal('since must not be after until.'))
    const laterMs = world.clock() + 60_000
    await assert.rejects(replay(laterMs), refusal('since must not be in the future.'))
    for (const sameMs of [nowMs, laterMs])
      assert.deepEqual(await replay(sameMs, sameMs), { queued: 0, next: null })
  })

  await t.test('page by page it neither skips nor repeats events of one moment', async () => {
    const { id } = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
    const atMs = nowMs - 1_800_000
    // The end of the first page falls into a moment of 500, and one moment is larger than a page.
    const moments: [number, number][] = [
      [9_900, 0],
      [500, 1],
      [300, 2],
      [11_000, 3],
      [7, 4],
    ]
    await past(
      world,
      principal,
      moments.flatMap(([n, ms]) =>
        Array.from({ length: n }, () => ['link.created', atMs + ms] as [EventType, number]),
      ),
    )
    let since: string | null = iso(atMs)
    const pages: number[] = []
    while (since !== null) {
      const done: { queued: number; next: string | null } = await world.sending.replay(
        principal,
        id,
        {
          since,
          until: iso(atMs + 10),
        },
      )
      pages.push(done.queued)
      since = done.next
    }
    assert.deepEqual(pages, [10_400, 11_300, 7])
    const [row] = await world.sql<{ rows: number; events: number }[]>`
      select count(*) as rows, count(distinct event_id) as events from webhook_queue where endpoint_id = ${id}`
    assert.deepEqual([row!.rows, row!.events], [21_707, 21_707])
    assert.equal(await totalOf(world, principal, { endpointId: id, status: 'pending' }), 21_707)
    const deep = await world.deliveries.list(principal, {
      endpointId: id,
      limit: 100,
      offset: 21_700,
    })
    assert.equal(deep.data.length, 7)
  })

  await t.test('types that are rare among others are found piece by piece', async () => {
    const mine = await world.workspace()
    const { id } = await world.endpoints.create(mine, { ...HOOK, status: 'paused' })
    const atMs = nowMs - 600_000
    // A piece of 50 ends within the moment of the second event, and the next one has none.
    const events: [EventType, number][] = Array.from({ length: 170 }, (_, n) => [
      [0, 49, 50, 168].includes(n) ? 'link.created' : 'click.received',
      atMs + (n === 50 ? 49 : n),
    ])
    const ids = await past(world, mine, events)
    const scope = { workspaceId: mine.workspaceId, endpointId: id, types: ['link.created'] }
    const [until, pieces] = [new Date(atMs + 1_000), [] as number[]]
    let since: Date | null = new Date(atMs)
    while (since !== null) {
      const asked: ReplayScope = { ...scope, since, until }
      const done: { queued: number; next: Date | null } = await inWorkspace(
        world.request,
        mine.workspaceId,
        (tx) => replayEvents(tx, world.clock, asked, 50),
      )
      pieces.push(done.queued)
      since = done.next
    }
    assert.deepEqual(pieces, [3, 0, 0, 1])
    const found = (await world.deliveries.list(mine, ALL)).data.map((row) => row.eventId)
    assert.deepEqual(new Set(found), new Set([0, 49, 50, 168].map((n) => ids[n]!)))
    assert.equal(found.length, 4)
  })

  await t.test('a paused endpoint gets them when it is resumed', async () => {
    const receiver = await openPlainReceiver(t)
    world.startEngine()
    const mine = await world.workspace()
    const { id } = await world.endpoints.create(mine, {
      ...HOOK,
      url: receiver.url,
      status: 'paused',
    })
    const [eventId] = await past(world, mine, [['link.created', nowMs - 1_000]])
    await world.sending.replay(mine, id, { since: iso(nowMs - 2_000) })
    await sweepPassed(t, world)
    assert.equal(receiver.arrivals.length, 0)
    await world.endpoints.update(mine, id, { status: 'active' })
    await eventually(async () => assert.equal(receiver.arrivals.length, 1))
    assert.equal(receiver.arrivals[0]!.headers['x-service-event-id'], eventId)
  })
})

test('what is old is dropped, with its counts, and what is queued keeps its payload', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const { id } = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
  await failedRows(world, principal, id, { failed: 0, dead: 12 })
  await world.chores.once()
  const partitions = async () =>
    (
      await world.sql<{ name: string }[]>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('events'::regclass, 'webhook_log'::regclass) order by 1`
    ).map((row) => row.name)
  const before = await partitions()

  // An event of which a delivery is still queued, and one of which none is.
  const waiting = await world.sending.test(principal, id, 'link.created')
  assert.equal(await totalOf(world, principal, { status: 'dead_letter' }), 12)
  world.advance(29 * DAY_MS)
  await world.chores.once()
  assert.equal(await totalOf(world, principal, { status: 'dead_letter' }), 12)
  const [day] = before.filter((name) => name.startsWith('webhook_log_2'))
  assert.ok((await partitions()).includes(day!))

  world.advance(3 * DAY_MS)
  await world.chores.once()
  assert.ok(!(await partitions()).includes(day!))
  assert.equal(await totalOf(world, principal, { status: 'dead_letter' }), 0)
  assert.equal(await totalOf(world, principal), 1)
  const kept = await world.deliveries.get(principal, waiting.id)
  assert.deepEqual((kept.payload as { slug: string }).slug, 'spring-sale')

  // With the delivery the reason is gone to keep the event.
  await world.sql`delete from webhook_queue`
  world.advance(DAY_MS)
  await world.chores.once()
  const [events] = await world.sql<
    { n: number }[]
  >`select count(*) as n from events where workspace_id = ${principal.workspaceId}`
  assert.equal(events!.n, 0)
})

test('rows that came before their partition move into it, or are dropped by age themselves', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const { id } = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
  const inDefault = async () => {
    const [row] = await world.sql<{ events: number; log: number }[]>`
      select (select count(*) from events_default) as events, (select count(*) from webhook_log_default) as log`
    return [row!.events, row!.log]
  }
  // No worker has run for longer than partitions are made ahead.
  world.advance(20 * DAY_MS)
  await failedRows(world, principal, id, { failed: 0, dead: 4 })
  world.advance(DAY_MS)
  await failedRows(world, principal, (await world.endpoints.create(principal, HOOK)).id, {
    failed: 0,
    dead: 3,
  })
  assert.deepEqual(await inDefault(), [2, 7])
  await world.chores.once()
  assert.deepEqual(await inDefault(), [1, 4])
  assert.equal(await totalOf(world, principal, { status: 'dead_letter' }), 7)
  assert.equal(
    (await world.deliveries.list(principal, { ...ALL, status: 'dead_letter' })).data.length,
    7,
  )
  world.advance(31 * DAY_MS)
  await world.chores.once()
  assert.deepEqual(await inDefault(), [0, 0])
  assert.equal(await totalOf(world, principal, { status: 'dead_letter' }), 0)
})

test('a deleted endpoint is purged in pieces, a minute later, with everything of it', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const { id } = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
  const kept = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
  await fillBacklog(world, principal, id, { live: 12_000, ended: 11_000 })
  await failedRows(world, principal, kept.id, { failed: 2, dead: 2 })
  await world.endpoints.remove(principal, id)
  assert.equal(await totalOf(world, principal), 4)
  await world.chores.once()
  const left = async () => {
    const [row] = await world.sql<Record<string, number>[]>`
      select (select count(*) from webhook_queue where endpoint_id = ${id}) as queue,
        (select count(*) from webhook_log where endpoint_id = ${id}) as log,
        (select count(*) from webhook_tallies where endpoint_id = ${id}) as tallies,
        (select count(*) from webhook_endpoints where id = ${id}) as endpoints`
    return Object.values(row!)
  }
  assert.deepEqual((await left()).slice(0, 2), [12_000, 11_000])
  world.advance(61_000)
  await world.chores.once()
  assert.deepEqual(await left(), [0, 0, 0, 0])
  assert.equal(await totalOf(world, principal), 4)
})

test('a shutdown does not wait for the end of a purge, which goes on afterwards', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const { id } = await world.endpoints.create(principal, { ...HOOK, status: 'paused' })
  await fillBacklog(world, principal, id, { live: 12_000, ended: 20 })
  await world.endpoints.remove(principal, id)
  world.advance(61_000)
  const left = async () => {
    const [row] = await world.sql<{ n: number }[]>`
      select count(*) as n from webhook_queue where endpoint_id = ${id}`
    return row!.n
  }
  const stopping = new AbortController()
  let running = Promise.resolve()
  await inTransaction(world.sql, async (tx) => {
    await tx`select from webhook_queue where endpoint_id = ${id} for update`
    running = world.chores.once(stopping.signal)
    await eventually(async () => {
      const waiting = await world.sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      assert.equal(waiting.length, 1)
    })
    stopping.abort()
  })
  await running
  assert.equal(await left(), 7_000)
  await world.chores.once()
  assert.equal(await left(), 0)
  assert.equal((await world.sql`select from webhook_endpoints where id = ${id}`).length, 0)
})

test('a mail tells once that an endpoint keeps failing, and again after a success', async (t) => {
  const world = await openDeliveryWorld(t)
  let status = 500
  const receiver = await openPlainReceiver(t, () => status)
  const principal = await world.workspace()
  // Counted are first attempts: none is made again in this hour.
  const schedule = Array.from({ length: 5 }, () => 3_600)
  world.startEngine({ alter: (deps) => ({ ...deps, schedule }) })
  const { id } = await world.endpoints.create(principal, {
    ...HOOK,
    url: receiver.url,
    failureEmail: emailOf(principal.userId),
  })
  await world.endpoints.create(principal, { ...HOOK, url: receiver.url })
  const sends = async (n: number) => {
    const before = receiver.arrivals.length
    for (let i = 0; i < n; i++) await world.publish(principal)
    await eventually(async () => assert.equal(receiver.arrivals.length, before + 2 * n))
  }
  const failures = (n: number) =>
    eventually(async () => assert.equal((await world.endpoints.get(principal, id)).failureCount, n))
  await sends(4)
  await failures(4)
  await world.chores.once()
  assert.equal(world.failureMails.length, 0)
  await sends(1)
  await failures(5)
  await world.chores.once()
  await world.chores.once()
  assert.equal(world.failureMails.length, 1)
  assert.deepEqual(
    [world.failureMails[0]!.endpoints.map((each) => each.endpointId), world.failureMails[0]!.to],
    [[id], emailOf(principal.userId)],
  )
  await sends(3)
  await failures(8)
  await world.chores.once()
  assert.equal(world.failureMails.length, 1)
  status = 200
  await sends(1)
  await failures(0)
  status = 503
  await sends(5)
  await failures(5)
  await world.chores.once()
  assert.equal(world.failureMails.length, 2)
})

test('a full backlog refuses clicks, counts them, and refuses nothing else', async (t) => {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  const { id } = await world.endpoints.create(principal, HOOK)
  const publish = createOutbox(world.clock, 5)
  const send = (type: EventType, n: number) =>
    inWorkspace(world.request, principal.workspaceId, (tx) =>
      publish(
        tx,
        ...Array.from({ length: n }, () => ({
          type,
          workspaceId: principal.workspaceId,
          data: {},
        })),
      ),
    )
  await send('click.received', 5)
  await send('click.received', 3)
  await send('link.created', 4)
  await world.sending.test(principal, id, 'click.received')
  assert.equal(await totalOf(world, principal), 10)
  assert.equal((await world.endpoints.get(principal, id)).droppedClicks, 3)
})
