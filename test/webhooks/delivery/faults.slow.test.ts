import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sign } from '../../../src/webhooks/delivery/signature.ts'
import { closePostgres, openPostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import type { Principal } from '../../../src/platform/routes/principal.ts'
import { openProxy } from '../../support/database-proxy.ts'
import type { ReceivedRequest, Receiver } from '../../support/receiver.ts'
import { answer, answerOnce, hang } from '../../support/receiver-scripts.ts'
import { eventually, until } from '../../support/eventually.ts'
import { checkTallies, countStatuses, type DeliveryWorld } from '../../support/delivery-world.ts'
import {
  arrivedIds,
  duplicates,
  everythingCompleted,
  openStage,
  sweepPassed,
} from '../../support/fault-stage.ts'

function isSignedWith(secret: string, { headers, body }: ReceivedRequest): boolean {
  return (
    headers['x-service-signature'] === sign(secret, Number(headers['x-service-timestamp']), body)
  )
}

async function endpointsAt(
  world: DeliveryWorld,
  principal: Principal,
  receiver: Receiver,
  count: number,
) {
  const made = []
  for (let i = 0; i < count; i++)
    made.push(
      await world.endpoints.create(principal, {
        url: receiver.url('/hook'),
        events: ['link.created'],
      }),
    )
  return made
}

/** The state letter of a process, T when it is stopped: the field after the command's closing parenthesis. */
function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.charAt(stat.lastIndexOf(')') + 2)
}

describe('a worker that is lost', { concurrency: 4 }, () => {
  test('killed with 500 requests on the wire, nothing is lost and no more than those come twice', async (t) => {
    const stage = await openStage(t, 0)
    const { world, receiver, principal } = stage
    await endpointsAt(world, principal, receiver, 140)
    const child = await world.startChild()
    // Receivers that are known to be quick have four requests at a time.
    for (let i = 0; i < 2; i++) await world.publishMany(principal, 1)
    await everythingCompleted(stage, 280)
    receiver.on('/hook', hang())
    await world.publishMany(principal, 8)
    await eventually(async () => assert.ok(receiver.requests.length >= 280 + 500))
    const died = once(child, 'exit')
    child.kill('SIGKILL')
    await died
    // Requests that are not read yet are on the wire, too: a connection ends when all of it is read.
    await eventually(async () => assert.equal(receiver.openConnections(), 0))
    const inFlight = receiver.requests.length - 280
    receiver.on('/hook', answer(200))
    const [lease] = await world.sql<{ seconds: number }[]>`
      select extract(epoch from lease_until - now())::float8 as seconds from webhook_workers`
    assert.ok(lease!.seconds <= 15, `others wait ${lease!.seconds} s for its lanes`)
    world.startEngine()
    await everythingCompleted(stage, 280 + 8 * 140)
    assert.equal(new Set(arrivedIds(receiver)).size, 280 + 8 * 140)
    assert.ok(duplicates(receiver) <= inFlight, `${duplicates(receiver)} of ${inFlight}`)
  })

  test('stopped past its lease and continued, it neither sends again nor overwrites', async (t) => {
    const stage = await openStage(t, 0)
    const { world, receiver, principal } = stage
    const [endpoint] = await endpointsAt(world, principal, receiver, 1)
    const zombie = await world.startChild()
    await world.publishMany(principal, 1)
    await everythingCompleted(stage, 1)
    const isStopped = Promise.withResolvers<void>()
    receiver.on('/hook', answerOnce(isStopped.promise, 500))
    await world.publishMany(principal, 40)
    await eventually(async () => assert.ok(receiver.requests.length > 1))
    zombie.kill('SIGSTOP')
    await eventually(async () => assert.equal(stateOf(zombie.pid!), 'T'))
    // Requests of it may still be on their way, but it sends no others.
    const [, claimed] = await countStatuses(world.sql)
    isStopped.resolve()
    receiver.on('/hook', answer(200))
    const heir = world.startEngine()
    await everythingCompleted(stage, 41)
    const sent = receiver.requests.length
    zombie.kill('SIGCONT')
    // It is a worker again, under another name.
    await eventually(async () =>
      assert.equal((await world.sql`select from webhook_workers`).length, 3),
    )
    await heir.stop()
    await world.publishMany(principal, 5)
    await everythingCompleted(stage, 46)
    // It exits when all of its outcomes are written.
    const exited = once(zombie, 'exit')
    zombie.kill('SIGTERM')
    await exited
    assert.equal(receiver.requests.length, sent + 5)
    assert.deepEqual(await countStatuses(world.sql), [0, 0, 46, 0, 0])
    assert.equal((await world.endpoints.get(principal, endpoint!.id)).failureCount, 0)
    assert.ok(duplicates(receiver) <= claimed!, `${duplicates(receiver)} of ${claimed}`)
    await checkTallies(world.sql)
  })

  test('three workers lost with a delivery are a failed attempt, and the fifth such is the end', async (t) => {
    const { world, receiver, principal } = await openStage(t, 0)
    await endpointsAt(world, principal, receiver, 1)
    await world.publishMany(principal, 1)
    await world.sql`update webhook_queue set status = 1, orphaned = 2, attempts = 4, epoch = -1`
    await world.sql`update webhook_tallies set status = 1`
    world.startEngine()
    await eventually(async () => assert.deepEqual(await countStatuses(world.sql), [0, 0, 0, 0, 1]))
    const [row] = await world.sql<{ error: string; attempts: number }[]>`
      select error, attempts from webhook_log`
    assert.deepEqual({ ...row }, { error: 'worker_lost', attempts: 5 })
    assert.equal(receiver.requests.length, 0)
    await checkTallies(world.sql)
  })
})

describe('a database that is lost', { concurrency: 4 }, () => {
  test('cut off in the middle, and given back: all is delivered, and what was flushed is not sent again', async (t) => {
    const stage = await openStage(t, 0)
    const { world, receiver, principal } = stage
    const proxy = await openProxy(t, world.postgresUrl)
    const sql = openPostgres(proxy.url, { role: WORKER_ROLE })
    await endpointsAt(world, principal, receiver, 20)
    receiver.on('/hook', answer(200, { delayMs: 20 }))
    const worker = world.startEngine({ sql })
    for (let i = 0; i < 6; i++) {
      const before = receiver.requests.length
      await world.publishMany(principal, 20)
      worker.wake()
      await until(() => receiver.requests.length > before)
      // Replies of the database on their way are lost, those of claims and those of flushes.
      proxy.hold()
      await sleep(30)
      proxy.cut()
      proxy.release()
      await sleep(100)
      proxy.restore()
    }
    await everythingCompleted(stage, 2_400)
    assert.equal(new Set(arrivedIds(receiver)).size, 2_400)
    await worker.stop()
    await closePostgres(sql)
  })

  test('its connections ended again and again under load: nothing is lost', async (t) => {
    const stage = await openStage(t, 0)
    const { world, receiver, principal } = stage
    await endpointsAt(world, principal, receiver, 20)
    const options = { role: WORKER_ROLE, applicationName: 'loaded' }
    const pools = [1, 2].map(() => openPostgres(world.postgresUrl, options))
    const [first, second] = pools.map((sql) => world.startEngine({ sql }))
    for (let i = 0; i < 8; i++) {
      const before = receiver.requests.length
      await world.publishMany(principal, 20)
      second!.wake()
      await until(() => receiver.requests.length > before)
      await world.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'loaded'`
    }
    await everythingCompleted(stage, 3_200)
    assert.equal(new Set(arrivedIds(receiver)).size, 3_200)
    await Promise.all([first!.stop(), second!.stop()])
    await Promise.all(pools.map(closePostgres))
  })

  test('outcomes it refuses are found among the others, and written without the response', async (t) => {
    const stage = await openStage(t, 0)
    const { world, receiver, principal } = stage
    await endpointsAt(world, principal, receiver, 5)
    world.startEngine({
      alter: (deps) => ({
        ...deps,
        attempt: async (request) => {
          const attempted = await deps.attempt(request)
          return request.body.includes('refuse')
            ? { ...attempted, responseHeaders: '{' }
            : attempted
        },
      }),
    })
    await world.publishMany(principal, 19)
    await world.publishMany(principal, 1, '{"id":"refuse"}')
    await everythingCompleted(stage, 100)
    const [row] = await world.sql<{ n: number }[]>`
      select count(*) as n from webhook_log where response_body is null`
    assert.equal(row!.n, 5)
    assert.equal(receiver.requests.length, 100)
  })
})

describe('events while deliveries are under way', { concurrency: 4 }, () => {
  for (const clockOffByMs of [-600_000, 600_000])
    test(`a worker whose clock is off by ${clockOffByMs / 60_000} minutes keeps the schedule`, async (t) => {
      const { world, receiver, principal } = await openStage(t, 0)
      await endpointsAt(world, principal, receiver, 1)
      receiver.on('/hook', answer(500))
      await world.startChild({ clockOffByMs })
      await world.publishMany(principal, 1)
      await eventually(async () =>
        assert.deepEqual(await countStatuses(world.sql), [0, 0, 0, 1, 0]),
      )
      const [row] = await world.sql<{ seconds: number }[]>`
        select extract(epoch from due_at - now())::float8 as seconds from webhook_queue`
      assert.ok(row!.seconds > 20 && row!.seconds <= 32, `${row!.seconds}`)
      assert.equal(receiver.requests.length, 1)
      await checkTallies(world.sql)
    })

  test('SIGTERM lets what is on the wire end, gives back the rest, and nothing comes twice', async (t) => {
    const stage = await openStage(t, 0)
    const { world, receiver, principal } = stage
    await endpointsAt(world, principal, receiver, 20)
    receiver.on('/hook', answer(200, { delayMs: 700 }))
    const child = await world.startChild()
    await world.publishMany(principal, 4)
    await eventually(async () => assert.ok(receiver.requests.length >= 20))
    const exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
    child.kill('SIGTERM')
    assert.equal(await exited, 0)
    const [, processing] = await countStatuses(world.sql)
    assert.equal(processing, 0)
    const [lanes] = await world.sql<{ owned: number }[]>`
      select count(*) filter (where owner is not null) as owned from webhook_lanes`
    assert.equal(lanes!.owned, 0)
    assert.equal((await world.sql`select from webhook_workers`).length, 0)
    receiver.on('/hook', answer(200))
    world.startEngine()
    await everythingCompleted(stage, 80)
    assert.equal(duplicates(receiver), 0)
  })

  test('three workers share the lanes, and nothing is sent twice', async (t) => {
    const stage = await openStage(t, 0)
    const { world, receiver, principal } = stage
    await endpointsAt(world, principal, receiver, 30)
    const workers = [world.startEngine(), world.startEngine(), world.startEngine()]
    for (let i = 0; i < 10; i++) {
      await world.publishMany(principal, 10)
      for (const worker of workers) worker.wake()
      await sleep(50)
    }
    await everythingCompleted(stage, 3_000)
    assert.equal(duplicates(receiver), 0)
  })

  test('a delivery whose request cannot be made does not stop its lane, and ends', async (t) => {
    const { world, receiver, principal } = await openStage(t, 0)
    await endpointsAt(world, principal, receiver, 1)
    world.startEngine({
      alter: (deps) => ({
        ...deps,
        attempt: (request) => {
          if (request.body.includes('poison')) throw new Error('cannot be made')
          return deps.attempt(request)
        },
      }),
    })
    await world.publishMany(principal, 1, '{"id":"poison"}')
    await world.publishMany(principal, 20)
    for (let attempt = 1; attempt <= 5; attempt++) {
      await eventually(async () => {
        const rows = await world.sql<{ attempts: number }[]>`
          select attempts from webhook_queue where error = 'internal_error'
          union all select attempts from webhook_log where error = 'internal_error'`
        assert.equal(rows[0]?.attempts, attempt)
      })
      world.advance(3_700_000)
    }
    await eventually(async () => assert.deepEqual(await countStatuses(world.sql), [0, 0, 20, 0, 1]))
    await checkTallies(world.sql)
  })

  test('deliveries of a suspended workspace wait', async (t) => {
    const stage = await openStage(t, 0)
    const { world, receiver, principal } = stage
    await endpointsAt(world, principal, receiver, 1)
    const worker = world.startEngine()
    await world.sql`update workspaces set suspended_at = now() where id = ${principal.workspaceId}`
    await world.publishMany(principal, 3)
    worker.wake()
    await sweepPassed(t, world)
    assert.deepEqual(await countStatuses(world.sql), [3, 0, 0, 0, 0])
    await world.sql`update workspaces set suspended_at = null where id = ${principal.workspaceId}`
    await everythingCompleted(stage, 3)
  })

  test('no wake-up is lost between a producer and a lane that is being given back', async (t) => {
    const stage = await openStage(t, 0)
    const { world, receiver, principal } = stage
    await endpointsAt(world, principal, receiver, 8)
    const worker = world.startEngine()
    let published = 0
    // Around the two seconds after which an idle lane is given back.
    for (let i = 0; i < 3; i++) {
      await sleep(1_900)
      for (let j = 0; j < 12; j++) {
        await world.publishMany(principal, 1)
        published += 8
        if (j % 2 === 0) worker.wake()
        await sleep(20)
      }
    }
    await everythingCompleted(stage, published)
    assert.equal(duplicates(receiver), 0)
  })
})

describe(
  'a change of the endpoint holds for everything that is not on the wire',
  { concurrency: 4 },
  () => {
    type Before = { world: DeliveryWorld; principal: Principal; id: string; receiver: Receiver }
    type Change = (before: Before) => Promise<unknown>

    /** Four deliveries are on the wire and four are queued at the change; one waits for its retry. */
    async function mixed(t: TestContext, change: Change) {
      const stage = await openStage(t, 0)
      const { world, receiver, principal } = stage
      const [endpoint] = await endpointsAt(world, principal, receiver, 1)
      receiver.on('/hook', answer(500))
      const worker = world.startEngine()
      await world.publishMany(principal, 1)
      await eventually(async () =>
        assert.deepEqual(await countStatuses(world.sql), [0, 0, 0, 1, 0]),
      )
      const isChanged = Promise.withResolvers<void>()
      receiver.on('/hook', answerOnce(isChanged.promise, 200))
      await world.publishMany(principal, 8)
      await eventually(async () => assert.equal(receiver.requests.length, 1 + 4))
      await change({ world, principal, receiver, id: endpoint!.id })
      const sentBefore = receiver.requests.length
      world.advance(60_000)
      worker.wake()
      isChanged.resolve()
      return { stage, world, receiver, principal, worker, endpoint: endpoint!, sentBefore }
    }

    test('a pause', async (t) => {
      const { stage, world, receiver, principal, endpoint, sentBefore } = await mixed(t, (it) =>
        it.world.endpoints.update(it.principal, it.id, { status: 'paused' }),
      )
      // The requests that were on the wire end, and no others are sent.
      const paused = [4, 0, 4, 1, 0]
      await eventually(async () => assert.deepEqual(await countStatuses(world.sql), paused))
      await sweepPassed(t, world)
      assert.deepEqual(await countStatuses(world.sql), paused)
      assert.equal(receiver.requests.length, sentBefore)
      await checkTallies(world.sql)
      receiver.on('/hook', answer(200))
      await world.endpoints.update(principal, endpoint.id, { status: 'active' })
      await everythingCompleted(stage, 9)
    })

    test('a deletion', async (t) => {
      const { receiver, sentBefore, world, worker } = await mixed(t, (it) =>
        it.world.endpoints.remove(it.principal, it.id),
      )
      await sweepPassed(t, world)
      worker.wake()
      await sweepPassed(t, world)
      assert.equal(receiver.requests.length, sentBefore)
      await checkTallies(world.sql)
    })

    test('a rotated secret', async (t) => {
      let next = ''
      const { stage, receiver, endpoint, sentBefore } = await mixed(t, async (it) => {
        next = (await it.world.endpoints.rotateSecret(it.principal, it.id)).secret
      })
      await everythingCompleted(stage, 9)
      for (const [i, request] of receiver.requests.entries()) {
        const signedWith = [endpoint.secret, next].map((secret) => isSignedWith(secret, request))
        assert.deepEqual(signedWith.toSorted(), [false, true])
        assert.equal(signedWith[i < sentBefore ? 0 : 1], true)
      }
    })

    test('another URL', async (t) => {
      const { stage, receiver, sentBefore } = await mixed(t, (it) =>
        it.world.endpoints.update(it.principal, it.id, { url: it.receiver.url('/other') }),
      )
      await everythingCompleted(stage, 9)
      assert.ok(receiver.requests.slice(sentBefore).every(({ path }) => path === '/other'))
      // The four that were queued, and the retry.
      assert.equal(receiver.requestsOf('/other').length, 5)
    })
  },
)
