import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Stripe } from 'stripe'
import { openLog } from '../../src/platform/core/log.ts'
import { callServer } from '../../src/operator/socket.ts'
import { endSubscriptions } from '../../src/operator/billing/ends.ts'
import { createProviderEvents } from '../../src/operator/billing/events.ts'
import { openStripe } from '../../src/operator/billing/stripe.ts'
import { builtInPlans } from '../../src/platform/plans/plan.ts'
import { createAudit } from '../../src/platform/audit/audit.ts'
import type { Plans } from '../../src/platform/plans/plans.ts'
import { Purge } from '../../src/operator/purge.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { freshDatabases } from '../support/engines.ts'
import { NEVER } from '../support/never.ts'
import { eventually, openWorld } from '../support/world.ts'
import { openStripeServer, recordedEvent, recordedSubscription } from '../support/stripe-server.ts'
import { addWorkspace } from '../support/fixtures.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

const NOW = Date.parse('2026-05-15T12:00:00.000Z')
const SECRET = 'whsec_recorded'

/** One plan that is sold, and one that is not. */
function sellingPlans(): Plans {
  const all = builtInPlans()
  const [initial, pro] = ['free', 'pro'].map((id) => all.find((plan) => plan.id === id)!)
  const sold = { ...pro!, stripePriceIds: { monthly: 'price_pro' } }
  return {
    all: [initial!, sold],
    initial: initial!,
    find: () => null,
    named: () => initial!,
    withStripePrice: (id) => (id === 'price_pro' ? sold : null),
  }
}

async function open(t: TestContext) {
  const { sql: admin, postgresUrl, clickhouse } = await freshDatabases(t)
  const systemSql = openPostgres(postgresUrl, { role: WORKER_ROLE })
  t.after(() => closePostgres(systemSql))
  const time = { now: NOW }
  const clock = () => time.now
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const stripe = await openStripeServer(t)
  const plans = sellingPlans()
  const provider = await openStripe({
    ...{ secretKey: 'sk_test_recorded', webhookSecret: SECRET, api: stripe.api },
    ...{ plans, origin: () => 'https://links.example.com', clock, log: openLog('silent') },
  })
  const end = () => endSubscriptions({ systemSql, clock, provider: provider!, log }, NEVER)
  const handle = createProviderEvents({
    systemSql,
    clock,
    plans,
    audit: createAudit(clock),
    publish: async () => {},
    provider: provider!,
    log,
  })
  let events = 0
  return {
    ...{ admin, systemSql, time, stripe, end, lines, clock, log },
    purge: new Purge({ sql: systemSql, clickhouse, clock, log }),
    /** Requests that ended a subscription. */
    cancels: () =>
      stripe.requests.filter(({ line }) => line.startsWith('DELETE')).map(({ line }) => line),
    send(type: string, object: Record<string, unknown>) {
      const timestamp = time.now / 1_000
      const payload = recordedEvent(`evt_${++events}`, type, timestamp, object)
      const signed = { payload, secret: SECRET, timestamp }
      return handle(Buffer.from(payload), Stripe.webhooks.generateTestHeaderString(signed))
    },
    /** Replaces the state of Stripe. */
    sell(workspaceId: string, id: string, status = 'active') {
      const seconds = NOW / 1_000
      const fields = { id, workspaceId, priceId: 'price_pro', status }
      const made = recordedSubscription({ ...fields, createdAt: seconds, endsAt: seconds + 86_400 })
      stripe.subscriptions.set(id, made)
      return made
    },
  }
}

async function subscriber(admin: Sql, id: string, subscription?: { id: string; status: string }) {
  await addWorkspace(admin, { id, plan: 'free' })
  if (subscription) await subscribe(admin, id, subscription)
}

async function subscribe(admin: Sql, workspaceId: string, s: { id: string; status: string }) {
  await admin`
    insert into subscriptions (workspace_id, status, provider, customer_id, subscription_id,
      subscribed_at, updated_at)
    values (${workspaceId}, ${s.status}, 'stripe', 'cus_1', ${s.id}, now(), now())`
}

/** Those that are still to be ended. */
async function waiting(admin: Sql): Promise<string[]> {
  const rows = await admin<{ id: string }[]>`
    select subscription_id as id from subscription_ends where ended_at is null order by 1`
  return rows.map(({ id }) => id)
}

test('every way to delete a workspace ends its subscription, in the same transaction', async (t) => {
  const lines: string[] = []
  const world = await openWorld(t, {
    log: openLog('warn', { write: (line: string) => void lines.push(line) }),
  })
  const [first, second, third] = await Promise.all([
    world.user(),
    world.user(),
    world.member(),
  ] as const)
  for (const [at, { workspaceId }] of [first, second, third].entries())
    await subscribe(world.sql, workspaceId, { id: `sub_${at + 1}`, status: 'active' })

  const { name } = (await first.get(`/workspaces/${first.workspaceId}`)).body.data
  const byOwner = await first.send('DELETE', `/workspaces/${first.workspaceId}`, { confirm: name })
  assert.equal(byOwner.status, 204, JSON.stringify(byOwner.body))
  assert.deepEqual(await waiting(world.sql), ['sub_1'])

  const { password } = second
  const byAccount = await second.send('DELETE', '/auth/user', { password, workspaces: 'delete' })
  assert.equal(byAccount.status, 204, JSON.stringify(byAccount.body))
  assert.deepEqual(await waiting(world.sql), ['sub_1', 'sub_2'])

  await callServer(world.dataDir, 'purge', { workspace: third.workspaceId })
  assert.deepEqual(await waiting(world.sql), ['sub_1', 'sub_2', 'sub_3'])

  // The running program looks for them, but has no Stripe to ask.
  await eventually(async () =>
    assert.ok(lines.some((line) => line.includes('STRIPE_SECRET_KEY is not set'))),
  )
})

test('subscriptions of deleted workspaces', { concurrency: false }, async (t) => {
  const world = await open(t)
  const { admin, systemSql, purge, stripe, time, cancels } = world
  const remove = (id: string) => inTransaction(systemSql, (tx) => purge.begin(tx, id))

  await t.test('a deletion that is undone ends nothing', async () => {
    await subscriber(admin, 'wsp_undone', { id: 'sub_undone', status: 'active' })
    const undone = inTransaction(systemSql, async (tx) => {
      await purge.begin(tx, 'wsp_undone')
      throw new Error('undone')
    })
    await assert.rejects(undone, { message: 'undone' })
    assert.deepEqual(await waiting(admin), [])
  })

  await t.test('while Stripe is away the workspace goes, and its end is tried again', async () => {
    await subscriber(admin, 'wsp_away', { id: 'sub_away', status: 'past_due' })
    world.sell('wsp_away', 'sub_away', 'past_due')
    stripe.failing = 500
    await remove('wsp_away')
    await world.end()
    await purge.finish('wsp_away')
    assert.equal((await admin`select 1 from workspaces where id = 'wsp_away'`).length, 0)
    assert.deepEqual(await waiting(admin), ['sub_away'])

    // Not at once, and never later than an hour after the last time.
    const asked = stripe.requests.length
    await world.end()
    assert.equal(stripe.requests.length, asked)
    for (let attempt = 0; attempt < 12; attempt++) {
      time.now += HOUR_MS
      await world.end()
    }
    assert.equal(stripe.requests.length, asked + 12)

    stripe.failing = null
    time.now += HOUR_MS
    await Promise.all([world.end(), world.end(), world.end()])
    assert.deepEqual(cancels(), ['DELETE /v1/subscriptions/sub_away'])
    assert.equal(stripe.requests.at(-1)!.authorization, 'Bearer sk_test_recorded')
    assert.equal(stripe.subscriptions.get('sub_away')!['status'], 'canceled')
    assert.deepEqual(await waiting(admin), [])
  })

  await t.test('an attempt that was cut off is made again', async () => {
    await subscriber(admin, 'wsp_cut', { id: 'sub_cut', status: 'active' })
    world.sell('wsp_cut', 'sub_cut')
    await remove('wsp_cut')
    const { clock, log } = world
    const cancel = async () => Promise.reject(new Error('cut off'))
    const cut = endSubscriptions(
      { systemSql, clock, log, provider: { name: 'stripe', cancel } },
      NEVER,
    )
    await assert.rejects(cut, { message: 'cut off' })
    time.now += HOUR_MS
    await world.end()
    assert.equal(cancels().at(-1), 'DELETE /v1/subscriptions/sub_cut')
    assert.deepEqual(await waiting(admin), [])
  })

  await t.test('one that has ended is not ended again, here or there', async () => {
    const before = cancels().length
    await subscriber(admin, 'wsp_over', { id: 'sub_over', status: 'canceled' })
    await remove('wsp_over')
    assert.deepEqual(await waiting(admin), [])
    await subscriber(admin, 'wsp_ended', { id: 'sub_ended', status: 'active' })
    world.sell('wsp_ended', 'sub_ended', 'canceled')
    await remove('wsp_ended')
    await world.end()
    assert.deepEqual(await waiting(admin), [])
    assert.equal(cancels().length, before)
  })

  await t.test(
    'one that Stripe does not know is told of, tried for 90 days, and given up',
    async () => {
      await subscriber(admin, 'wsp_lost', { id: 'sub_lost', status: 'active' })
      await remove('wsp_lost')
      await world.end()
      assert.deepEqual(await waiting(admin), ['sub_lost'])
      const told = (text: string) =>
        world.lines.filter((line) => line.includes(text) && line.includes('sub_lost')).length
      assert.equal(told('the provider does not know'), 1)
      time.now += 91 * 24 * HOUR_MS
      await world.end()
      assert.deepEqual(await waiting(admin), [])
      assert.equal(told('end it at the provider'), 1)
    },
  )

  await t.test('what is bought for a workspace after its deletion is ended, too', async () => {
    for (const isGone of [false, true]) {
      const id = `wsp_late${isGone}`
      await subscriber(admin, id)
      await remove(id)
      if (isGone) await purge.finish(id)
      const made = world.sell(id, `sub_late${isGone}`)
      const answer = await world.send('customer.subscription.created', made)
      assert.deepEqual(answer, { status: 200, message: 'Handled.' })
      assert.deepEqual(await waiting(admin), [`sub_late${isGone}`])
      await world.end()
      assert.equal(made['status'], 'canceled')
      // The event of that end, and one from before that comes late.
      for (const type of ['customer.subscription.deleted', 'invoice.paid'])
        await world.send(type, { ...made, subscription: made['id'] })
      assert.deepEqual(await waiting(admin), [])
    }
    const elsewhere = world.sell('wsp_ofanotherserver', 'sub_other')
    const answer = await world.send('customer.subscription.created', elsewhere)
    assert.equal(answer.message, 'The subscription belongs to no workspace of this server.')
    assert.deepEqual(await waiting(admin), [])
  })
})
