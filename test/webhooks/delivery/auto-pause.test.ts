import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { openLog } from '../../../src/platform/core/log.ts'
import type { Principal } from '../../../src/platform/routes/principal.ts'
import { newId } from '../../../src/platform/core/ids.ts'
import { createAutoPause } from '../../../src/webhooks/delivery/auto-pause.ts'
import { createAudit } from '../../../src/platform/audit/audit.ts'
import { eventually } from '../../support/eventually.ts'
import { addMembership, addUser } from '../../support/fixtures.ts'
import {
  emailOf,
  openDeliveryWorld,
  openPlainReceiver,
  type DeliveryWorld,
} from '../../support/delivery-world.ts'
import { HOUR_MS } from '../../../src/platform/core/clock.ts'

const EVENTS = ['link.created']

/** A world with a worker and a receiver, whose answers `setStatus` decides. */
async function openStage(t: TestContext) {
  const world = await openDeliveryWorld(t)
  let status = 500
  const receiver = await openPlainReceiver(t, () => status)
  const principal = await world.workspace()
  // Every failed attempt waits longer than any test looks ahead.
  world.startEngine({ alter: (deps) => ({ ...deps, schedule: Array(5).fill(100 * 24 * 3_600) }) })
  const create = (changes: object = {}) =>
    world.endpoints.create(principal, {
      url: receiver.url,
      events: EVENTS,
      disableAfterHours: 24,
      ...changes,
    })
  const read = (id: string) => world.endpoints.get(principal, id)
  /** Sends an event, and waits until its outcome is written. */
  const send = async (id: string) => {
    const before = await read(id)
    await world.publish(principal)
    await eventually(async () => {
      const after = await read(id)
      if (status === 200) assert.notEqual(after.lastSuccessAt, before.lastSuccessAt)
      else assert.equal(after.failureCount, before.failureCount + 1)
    })
  }
  return { ...world, principal, create, read, send, setStatus: (value: number) => (status = value) }
}

function pauses({ sql }: Pick<DeliveryWorld, 'sql'>) {
  return sql<{ targetId: string; actorType: string; changes: object }[]>`
    select target_id, actor_type, changes from audit_log where action = 'webhook.auto_paused'`
}

async function statusOf({ endpoints }: DeliveryWorld, principal: Principal, id: string) {
  const { status, autoPausedAt } = await endpoints.get(principal, id)
  return [status, autoPausedAt !== null]
}

test('an endpoint is paused after its hours of failures only, once, with an audit row and a mail', async (t) => {
  const stage = await openStage(t)
  const { principal, chores } = stage
  const { id } = await stage.create({ failureEmail: emailOf(principal.userId) })
  await stage.send(id)
  stage.advance(24 * HOUR_MS - 60_000)
  await chores.once()
  assert.deepEqual(await statusOf(stage, principal, id), ['active', false])
  stage.advance(60_000)
  await chores.once()
  await chores.once()
  assert.deepEqual(await statusOf(stage, principal, id), ['paused', true])
  const rows = await pauses(stage)
  assert.deepEqual(
    rows.map(({ targetId, actorType, changes }) => ({ targetId, actorType, changes })),
    [
      {
        targetId: id,
        actorType: 'system',
        changes: { status: { old: 'active', new: 'paused' } },
      },
    ],
  )
  assert.equal(stage.failureMails.length, 1)
  const [mail] = stage.failureMails
  assert.equal(mail!.to, emailOf(principal.userId))
  assert.deepEqual(
    mail!.endpoints.map(({ endpointId, autoPausedAt }) => [endpointId, autoPausedAt !== null]),
    [[id, true]],
  )
  // New events are not queued; a replay can send them.
  assert.equal((await stage.sending.dispatch(principal, { type: 'link.created' })).dispatched, 0)
})

test('a success begins a new count, and so does a resumption', async (t) => {
  const stage = await openStage(t)
  const { principal, chores } = stage
  const { id } = await stage.create()
  await stage.send(id)
  stage.advance(23 * HOUR_MS)
  stage.setStatus(200)
  await stage.send(id)
  stage.advance(23 * HOUR_MS)
  await chores.once()
  assert.deepEqual(await statusOf(stage, principal, id), ['active', false])
  stage.setStatus(500)
  await stage.send(id)
  stage.advance(23 * HOUR_MS)
  await stage.send(id)
  stage.advance(HOUR_MS)
  await chores.once()
  assert.deepEqual(await statusOf(stage, principal, id), ['paused', true])
  await stage.endpoints.update(principal, id, { status: 'active' })
  await chores.once()
  assert.deepEqual(await statusOf(stage, principal, id), ['active', false])
  await stage.send(id)
  stage.advance(23 * HOUR_MS)
  await chores.once()
  assert.deepEqual(await statusOf(stage, principal, id), ['active', false])
  stage.advance(HOUR_MS)
  await chores.once()
  assert.deepEqual(await statusOf(stage, principal, id), ['paused', true])
  assert.equal((await pauses(stage)).length, 2)
})

test('an endpoint that did not ask for it, never failed or is paused already is left alone', async (t) => {
  const stage = await openStage(t)
  const { principal, chores } = stage
  const never = await stage.create({ disableAfterHours: null })
  const byHand = await stage.create()
  await stage.send(byHand.id)
  const unused = await stage.create({ events: ['link.deleted'] })
  await stage.endpoints.update(principal, byHand.id, { status: 'paused' })
  const suspended = await stage.workspace()
  const kept = await stage.endpoints.create(suspended, {
    url: 'https://192.0.43.8/',
    events: EVENTS,
    disableAfterHours: 1,
  })
  await stage.sql`
    update webhook_endpoint_stats set failing_since = now(), failure_count = 9 where endpoint_id = ${kept.id}`
  await stage.sql`update workspaces set suspended_at = now() where id = ${suspended.workspaceId}`
  stage.advance(800 * HOUR_MS)
  await chores.once()
  assert.deepEqual(await statusOf(stage, principal, never.id), ['active', false])
  assert.deepEqual(await statusOf(stage, principal, unused.id), ['active', false])
  assert.deepEqual(await statusOf(stage, principal, byHand.id), ['paused', false])
  assert.deepEqual(await statusOf(stage, suspended, kept.id), ['active', false])
  assert.deepEqual([...(await pauses(stage))], [])
})

test('several workers at once pause each endpoint once', async (t) => {
  const stage = await openStage(t)
  const { principal, sql, system, clock } = stage
  for (let n = 0; n < 30; n++) await stage.create({ url: 'https://192.0.43.8/' })
  await sql`update webhook_endpoint_stats set failing_since = now() - interval '25 hours'`
  const registry = () => new Registry()
  const workers = Array.from({ length: 6 }, () =>
    createAutoPause({
      sql: system,
      clock,
      log: openLog('silent'),
      registry: registry(),
      audit: createAudit(clock),
    }),
  )
  await Promise.all(workers.map((pauseFailing) => pauseFailing()))
  const rows = await pauses({ sql })
  assert.equal(rows.length, 30)
  assert.equal(new Set(rows.map((row) => row.targetId)).size, 30)
  const [left] = await sql`
    select count(*) as n from webhook_subscriptions where workspace_id = ${principal.workspaceId} and is_active`
  assert.equal(left!['n'], 0)
})

test('without a failureEmail the mail goes to the first verified owner, in one digest', async (t) => {
  const stage = await openStage(t)
  const { principal, sql, chores } = stage
  const addMember = async (role: 'admin' | 'owner') => {
    const userId = newId('usr', Date.now())
    await addUser(sql, { id: userId, email: emailOf(userId) })
    await addMembership(sql, {
      workspaceId: principal.workspaceId,
      userId,
      role,
      nowMs: Date.now() + 5,
    })
    return userId
  }
  const [admin] = [await addMember('admin'), await addMember('owner')]
  const named = await stage.create({ failureEmail: emailOf(admin!) })
  for (let n = 0; n < 3; n++) await stage.create()
  await sql`update webhook_endpoint_stats set failing_since = now() - interval '25 hours'`
  await chores.once()
  const told = stage.failureMails.map(({ to, endpoints }) => [to, endpoints.length])
  assert.deepEqual(
    told.toSorted(),
    [
      [emailOf(principal.userId), 3],
      [emailOf(admin!), 1],
    ].toSorted(),
  )
  assert.equal(
    stage.failureMails.find(({ to }) => to === emailOf(admin!))!.endpoints[0]!.endpointId,
    named.id,
  )
})

test('a pause is not reported while no owner is verified', async (t) => {
  const stage = await openStage(t)
  const { principal, sql, chores } = stage
  const { id } = await stage.create()
  await sql`update webhook_endpoint_stats set failing_since = now() - interval '25 hours'`
  await sql`update users set email_verified_at = null where id = ${principal.userId}`
  await chores.once()
  assert.deepEqual(await statusOf(stage, principal, id), ['paused', true])
  assert.equal(stage.failureMails.length, 0)
  await sql`update users set email_verified_at = now() where id = ${principal.userId}`
  await chores.once()
  assert.equal(stage.failureMails.length, 1)
})
